"""Runs Gradle for the checkout, and only when its inputs have changed.

    python tools/gradle.py assemble      the jars, in build/jars/{app,planner,delta,kafka,jdbc}
    python tools/gradle.py test          the Java tests
    python tools/gradle.py errorProne    Error Prone over all Java code
    python tools/gradle.py check         both, but Error Prone over changed files, and tests with fewer random cases
    python tools/gradle.py broker        the jars of a Kafka broker, for tests, in build/broker
    python tools/gradle.py drivers       JDBC drivers, sqlline and Quidem, for tests, in build/drivers
    python tools/gradle.py schema        the jars with which a Calcite program reads a warehouse, in build/schema

Gradle's own up-to-date check needs a start of Gradle, so each task writes a stamp with a hash of all its inputs; while
the hash is the same, Gradle is not started at all. Only the standard library is used: this runs before any install.
"""

from __future__ import annotations

import hashlib
import importlib.util
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
JARS = ROOT / "build" / "jars"
BROKER = ROOT / "build" / "broker"
DRIVERS = ROOT / "build" / "drivers"
SCHEMA = ROOT / "build" / "schema"
GROUPS = ("app", "planner", "delta", "kafka", "jdbc")
MINIMUM_JAVA = 17

_NOISE = (
    "openjdk version ",
    "OpenJDK ",
    "WARNING: A terminally deprecated method",
    "WARNING: System::setSecurityManager",
    "WARNING: Please consider reporting this to the maintainers of org.gradle",
)

_TABLES = (
    "python/rowtime/connectors.json",
    "python/rowtime/options.json",
    "python/rowtime/plan/aggregate_functions.json",
    "python/rowtime/plan/spark_functions.json",
)
_TESTED = (
    "build.gradle",
    "settings.gradle",
    "gradle.properties",
    "java",
    *_TABLES,
    "tests/java",
    "tests/lateness_cases.json",
)
_INPUTS = {
    "assemble": ("build.gradle", "settings.gradle", "gradle.properties", "pyproject.toml", "java", *_TABLES),
    "errorProne": ("build.gradle", "settings.gradle", "gradle.properties", "java", "tests/java"),
    "broker": ("build.gradle",),
    "drivers": ("build.gradle",),
    "schema": ("build.gradle",),
    "test": _TESTED,
    "check": _TESTED,
}


class Missing(Exception):
    """Raised if a tool that the build needs is missing; the message is one line with what to install."""


def run(task: str) -> None:
    """Brings `task` up to date. Raises Missing, or CalledProcessError when Gradle fails."""
    if _up_to_date(task) or (task == "check" and _up_to_date("errorProne") and _up_to_date("test")):
        return
    fingerprint = _fingerprint(_INPUTS[task])
    checked = _java_files() if task in ("errorProne", "check") else []
    # `gradle test` by itself has several times as many random cases.
    arguments = _check(checked) if task == "check" else [task, *(["-Pcases=60"] if task == "test" else [])]
    jdk = find_jdk()
    environment = dict(os.environ, JAVA_HOME=str(jdk))
    _gradle([*find_gradle(), "--console=plain", "-q", *_spark_jars(), *arguments], environment)
    stamp = _stamp(task)
    stamp.parent.mkdir(parents=True, exist_ok=True)
    stamp.write_text(fingerprint)
    if checked:
        _stamp("java files").write_text("\n".join(checked))


def _check(files: list[str]) -> list[str]:
    """Returns Gradle's arguments for a quick check: Error Prone reads the files that have changed since it passed."""
    stamp = _stamp("java files")
    passed = set(stamp.read_text().splitlines()) if stamp.is_file() else set()
    changed = [line.split("  ")[1] for line in files if line not in passed]
    return [*(["errorProne", f"-Ponly={','.join(changed)}"] if changed else []), "test", "-Pcases=15"]


def _java_files() -> list[str]:
    """Returns the path of each Java file that Error Prone reads, after a hash of it and of Error Prone's settings."""
    settings = (ROOT / "build.gradle").read_bytes()
    found = []
    for folder in (*ROOT.glob("java/*/src"), ROOT / "tests" / "java"):
        for file in folder.rglob("*.java"):
            digest = hashlib.sha256(settings + file.read_bytes()).hexdigest()
            found.append(f"{digest}  {file.relative_to(ROOT).as_posix()}")
    return found


def _up_to_date(task: str) -> bool:
    stamp = _stamp(task)
    made = {"broker": [BROKER], "drivers": [DRIVERS], "schema": [SCHEMA]}.get(task, [JARS / group for group in GROUPS])
    return (
        stamp.is_file()
        and all(any(folder.glob("*.jar")) for folder in made)
        and stamp.read_text() == _fingerprint(_INPUTS[task])
    )


def _stamp(task: str) -> Path:
    return ROOT / "build" / "stamps" / task


def _spark_jars() -> list[str]:
    """Returns the option with the folder of PySpark's jars, if it is installed: tests of Spark operators use them."""
    spec = importlib.util.find_spec("pyspark")
    if spec is None or not spec.submodule_search_locations:
        return []
    return [f"-PsparkJars={Path(spec.submodule_search_locations[0]) / 'jars'}"]


def find_gradle() -> list[str]:
    """Returns the command that starts Gradle: the wrapper of the checkout, `gradle` on PATH, or Debian's package."""
    wrapper = ROOT / ("gradlew.bat" if os.name == "nt" else "gradlew")
    if wrapper.is_file():
        return [str(wrapper)]
    found = shutil.which("gradle") or (_apt_install(["gradle"]) and shutil.which("gradle"))
    if found:
        return [found]
    raise Missing(
        "No Gradle was found: install it (Debian, Ubuntu: apt-get install gradle; macOS: brew install gradle)"
    )


def find_jdk() -> Path:
    """Returns the home of a JDK (with javac) of at least Java 17. Raises Missing."""
    seen = []
    for home in _jdk_homes():
        version = _javac_version(home)
        if version is not None and version >= MINIMUM_JAVA:
            return home
        if version is not None:
            seen.append(f"{home} is Java {version}")
    for package in (f"openjdk-{MINIMUM_JAVA}-jdk-headless", "default-jdk-headless"):
        if _apt_install([package]):
            for home in _jdk_homes():
                if (_javac_version(home) or 0) >= MINIMUM_JAVA:
                    return home
    because = f" ({', '.join(seen)})" if seen else ""
    raise Missing(
        f"No JDK {MINIMUM_JAVA} or later was found{because}: install one (Debian, Ubuntu: apt-get install "
        f"openjdk-17-jdk-headless; macOS: brew install openjdk@17) or set JAVA_HOME"
    )


def _gradle(command: list[str], environment: dict[str, str]) -> None:
    """Runs Gradle and prints its messages, except those that are always there with an old Gradle on a new Java."""
    said = subprocess.Popen(command, cwd=ROOT, env=environment, stderr=subprocess.PIPE, text=True, errors="replace")
    assert said.stderr is not None
    for line in said.stderr:
        if not line.startswith(_NOISE):
            print(line, end="", file=sys.stderr, flush=True)
    if said.wait() != 0:
        raise subprocess.CalledProcessError(said.returncode, command)


def _jdk_homes() -> Iterator[Path]:
    if os.environ.get("JAVA_HOME"):
        yield Path(os.environ["JAVA_HOME"])
    javac = shutil.which("javac")
    if javac:
        yield Path(os.path.realpath(javac)).parent.parent
    for folder in ("/usr/lib/jvm", "/Library/Java/JavaVirtualMachines", "/opt/homebrew/opt"):
        for home in sorted(Path(folder).glob("*jdk*")):
            yield home / "Contents" / "Home" if (home / "Contents" / "Home").is_dir() else home


def _javac_version(home: Path) -> int | None:
    javac = home / "bin" / ("javac.exe" if os.name == "nt" else "javac")
    if not javac.is_file():
        return None
    try:
        done = subprocess.run([str(javac), "-version"], capture_output=True, text=True, timeout=60, check=False)
    except (OSError, subprocess.TimeoutExpired):
        return None
    match = re.search(r"javac (?:1\.)?(\d+)", done.stdout + done.stderr)
    return int(match.group(1)) if match else None


def _apt_install(packages: list[str]) -> bool:
    """Installs Debian packages if that is possible without interaction: as root, with apt-get."""
    apt = shutil.which("apt-get")
    if apt is None or not hasattr(os, "geteuid") or os.geteuid() != 0:
        return False
    print(f"apt-get install {' '.join(packages)}", file=sys.stderr, flush=True)
    environment = dict(os.environ, DEBIAN_FRONTEND="noninteractive")
    limits = [f"-o{name}" for name in ("DPkg::Lock::Timeout=60", "Acquire::http::Timeout=20", "Acquire::Retries=2")]
    command = [apt, *limits, "install", "-y", "-q", "--no-install-recommends", *packages]
    if subprocess.run(command, env=environment, stdout=subprocess.DEVNULL, check=False).returncode == 0:
        return True
    subprocess.run([apt, *limits, "update", "-q"], env=environment, stdout=subprocess.DEVNULL, check=False)
    return subprocess.run(command, env=environment, stdout=subprocess.DEVNULL, check=False).returncode == 0


def _fingerprint(inputs: tuple[str, ...]) -> str:
    digest = hashlib.sha256()
    for name in inputs:
        top = ROOT / name
        files = sorted(f for f in top.rglob("*") if f.is_file()) if top.is_dir() else [top] if top.is_file() else []
        for file in files:
            digest.update(f"{file.relative_to(ROOT).as_posix()}\0".encode())
            digest.update(hashlib.sha256(file.read_bytes()).digest())
    return digest.hexdigest()


def main(arguments: list[str]) -> int:
    if len(arguments) != 1 or arguments[0] not in _INPUTS:
        print(f"usage: gradle.py {'|'.join(_INPUTS)}", file=sys.stderr)
        return 2
    try:
        run(arguments[0])
    except Missing as missing:
        print(missing, file=sys.stderr)
        return 1
    except subprocess.CalledProcessError as failed:
        print(f"Gradle failed with exit code {failed.returncode}", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
