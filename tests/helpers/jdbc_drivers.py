"""The JDBC drivers of tests."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "tools"))

import gradle


def jdbc_drivers() -> dict[str, Path]:
    """Returns the jars of the drivers by the beginning of their names; Gradle downloads missing ones."""
    try:
        gradle.run("drivers")
    except (gradle.Missing, subprocess.CalledProcessError) as fault:
        if not any(gradle.DRIVERS.glob("*.jar")):
            pytest.skip(f"The JDBC drivers cannot be had: {fault}")
    return {jar.name.split("-")[0]: jar for jar in gradle.DRIVERS.glob("*.jar")}
