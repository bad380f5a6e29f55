"""A real Kafka broker, and a client of it in Spark's JVM."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(Path(__file__).parent))

from kafka_server import Server  # noqa: E402
from kafka_topics import Broker  # noqa: E402


@pytest.fixture(scope="session")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """The broker, which may still be starting; it runs as long as the tests."""
    running = Server(_jars(), tmp_path_factory.mktemp("kafka"))
    running.start()
    try:
        yield running
    finally:
        running.kill()


@pytest.fixture
def broker(server: Server, spark: Any) -> Broker:
    server.wait()
    return Broker(server.address, spark._jvm)


def _jars() -> Path:
    """Returns the broker's jars; Gradle downloads missing ones."""
    sys.path.insert(0, str(ROOT / "tools"))
    import gradle  # tools/gradle.py

    try:
        gradle.run("broker")
    except (gradle.Missing, subprocess.CalledProcessError) as fault:
        if not any(gradle.BROKER.glob("kafka_*.jar")):
            pytest.skip(f"The jars of a Kafka broker cannot be had: {fault}")
    return Path(gradle.BROKER)
