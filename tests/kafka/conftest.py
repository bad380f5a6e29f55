"""A real Kafka broker (KRaft, one node, on free ports of the loopback), and a client of it in Spark's JVM."""

from __future__ import annotations

import os
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(Path(__file__).parent))

from kafka_topics import Broker  # noqa: E402

SETTINGS = """
process.roles=broker,controller
node.id=1
controller.quorum.voters=1@127.0.0.1:{controller}
listeners=PLAINTEXT://127.0.0.1:{port},CONTROLLER://127.0.0.1:{controller}
advertised.listeners=PLAINTEXT://127.0.0.1:{port}
controller.listener.names=CONTROLLER
log.dirs={data}
offsets.topic.num.partitions=1
offsets.topic.replication.factor=1
transaction.state.log.num.partitions=1
transaction.state.log.replication.factor=1
transaction.state.log.min.isr=1
group.initial.rebalance.delay.ms=0
"""


@pytest.fixture(scope="session")
def address(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """Where the broker listens; it runs as long as the tests."""
    jars = _jars()
    home = tmp_path_factory.mktemp("kafka")
    port, controller = _free_port(), _free_port()
    settings = home / "server.properties"
    settings.write_text(SETTINGS.format(port=port, controller=controller, data=home / "data"))
    java = ["java", "-Xmx512m", "-cp", f"{jars}/*"]
    identity = "rowtimeTestCluster0000"
    with (home / "log").open("wb") as log:
        subprocess.run(
            [*java, "kafka.tools.StorageTool", "format", "-t", identity, "-c", str(settings)],
            stdout=log,
            stderr=log,
            check=True,
        )
        broker = subprocess.Popen([*java, "kafka.Kafka", str(settings)], stdout=log, stderr=log)
    try:
        _wait(port, broker, home / "log")
        yield f"127.0.0.1:{port}"
    finally:
        broker.terminate()
        try:
            broker.wait(20)
        except subprocess.TimeoutExpired:
            broker.kill()
            broker.wait()


@pytest.fixture
def broker(address: str, spark: Any) -> Broker:
    return Broker(address, spark._jvm)


def _jars() -> Path:
    """The broker's jars, got by Gradle where they are not there yet."""
    sys.path.insert(0, str(ROOT / "tools"))
    import gradle  # tools/gradle.py

    try:
        gradle.run("broker")
    except (gradle.Missing, subprocess.CalledProcessError) as fault:
        if not any(gradle.BROKER.glob("kafka_*.jar")):
            pytest.skip(f"The jars of a Kafka broker cannot be had: {fault}")
    return Path(gradle.BROKER)


def _free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


def _wait(port: int, broker: subprocess.Popen[bytes], log: Path) -> None:
    until = time.monotonic() + 180
    while time.monotonic() < until:
        if broker.poll() is not None:
            break
        with socket.socket() as probe:
            if probe.connect_ex(("127.0.0.1", port)) == 0:
                return
        time.sleep(0.2)
    raise RuntimeError("The Kafka broker did not start:" + os.linesep + log.read_text(errors="replace")[-3000:])
