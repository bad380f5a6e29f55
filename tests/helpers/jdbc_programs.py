"""Java programs that are clients of the JDBC server, with the driver's jar."""

from __future__ import annotations

import os
import subprocess
from collections.abc import Sequence
from pathlib import Path

from rowtime.jvm.jars import jdbc_driver
from rowtime.jvm.java import find_java

FOLDER = Path(__file__).parent.parent / "jdbc"


def command(name: str, *arguments: str, jars: Sequence[Path] = (), options: Sequence[str] = ()) -> list[str]:
    """Returns the command that runs a program of tests/jdbc; `jars` are those that it needs in addition to the driver,
    `options` are those of the JVM."""
    path = os.pathsep.join(str(jar) for jar in [jdbc_driver(), *jars])
    java = [str(find_java().executable), "-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC", *options, "-cp", path]
    return [*java, str(FOLDER / f"{name}.java"), *arguments]


def run(name: str, *arguments: str, jars: Sequence[Path] = ()) -> list[str]:
    """Returns the lines that a program prints."""
    line = command(name, *arguments, jars=jars)
    done = subprocess.run(line, capture_output=True, text=True, timeout=300, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    assert not done.stderr, done.stderr
    return done.stdout.splitlines()
