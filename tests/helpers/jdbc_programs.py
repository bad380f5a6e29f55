"""Programs in Java that are clients of the server for JDBC, with nothing but the driver's jar."""

from __future__ import annotations

import subprocess
from pathlib import Path

from rowtime.jvm.jars import jdbc_driver
from rowtime.jvm.java import find_java

FOLDER = Path(__file__).parent.parent / "jdbc"


def command(name: str, *arguments: str) -> list[str]:
    """The command that runs a program of tests/jdbc."""
    java = [str(find_java().executable), "-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC", "-cp", str(jdbc_driver())]
    return [*java, str(FOLDER / f"{name}.java"), *arguments]


def run(name: str, *arguments: str) -> list[str]:
    """The lines that a program prints."""
    done = subprocess.run(command(name, *arguments), capture_output=True, text=True, timeout=300, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    assert not done.stderr, done.stderr
    return done.stdout.splitlines()
