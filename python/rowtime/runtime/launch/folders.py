"""Folders of running queries and pumps. While a process runs one, it holds a lock on a file in it; the lock ends with
the process."""

from __future__ import annotations

import contextlib
import fcntl
import os
import re
import uuid
from pathlib import Path
from typing import TYPE_CHECKING, Any

from rowtime.catalog.changes import Entry
from rowtime.catalog.faults import file_faults
from rowtime.catalog.store import Store
from rowtime.catalog.unknown import GONE, remove_folder
from rowtime.jvm.py4j import java_class
from rowtime.locks import is_free
from rowtime.streams.ages import Ages, ages_in

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

_OWNER = "owner"
_NEW = ".new"
_FOLDER = re.compile(rf"[0-9a-f]{{32}}({re.escape(_NEW)}|{re.escape(GONE)})?")
_SECONDS_TO_APPEAR = 60


class Lock:
    """A lock on a file, held by this process until `release`. Not even another session of this process can get it."""

    def __init__(self, file: Path) -> None:
        self._file = file
        self._descriptor: int | None = None
        self._of_jvm: Any = None

    def acquire(self, spark: SparkSession | None = None) -> bool:
        """Takes the lock if it is free; with a session, also for its JVM, which may outlive this process by a moment,
        and would continue its work."""
        self._file.parent.mkdir(parents=True, exist_ok=True)
        descriptor = os.open(self._file, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o644)
        try:
            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            os.close(descriptor)
            return False
        if spark is not None:
            try:
                self._of_jvm = _jvm_lock(spark, self._file)
            except BaseException:
                # Nobody else could take the lock while this process lives.
                os.close(descriptor)
                raise
            if self._of_jvm is None:
                os.close(descriptor)
                return False
        self._descriptor = descriptor
        return True

    @property
    def is_held(self) -> bool:
        return self._descriptor is not None

    def release(self) -> None:
        if self._of_jvm is not None:
            with contextlib.suppress(Exception):
                self._of_jvm.close()
            self._of_jvm = None
        if self._descriptor is not None:
            os.close(self._descriptor)
            self._descriptor = None

    def write(self, text: str) -> None:
        """Writes a text into the file for others to read."""
        assert self._descriptor is not None
        os.ftruncate(self._descriptor, 0)
        os.pwrite(self._descriptor, text.encode(), 0)


def _jvm_lock(spark: SparkSession, file: Path) -> Any:
    """Returns the open file whose lock Spark's JVM holds; None if another JVM holds it."""
    opened = java_class(spark, "java.io.RandomAccessFile")(str(file), "rw")
    try:
        if opened.getChannel().tryLock() is not None:
            return opened
    except Exception:
        # Locks do not work here at all, so that of this process must suffice.
        return opened
    opened.close()
    return None


def generation(pump: Entry) -> int:
    """Returns how often a pump was reset."""
    return int(pump.definition.get("generation", 0))


def pump_folder(store: Store, pump: Entry) -> Path:
    """Returns the folder of a pump's checkpoint, which a reset deletes."""
    return store.folder(pump.id, "pumps") / str(generation(pump))


class QueryFolder:
    """The folder of a query, under `queries` of the warehouse, and the lock that shows that its session is alive."""

    def __init__(self, warehouse: Path) -> None:
        self.name = uuid.uuid4().hex
        self.path = warehouse / "queries" / self.name
        # It appears with its lock; otherwise `sweep` would take it for one that a dead process has left.
        new = self.path.with_suffix(_NEW)
        with file_faults(warehouse):
            new.parent.mkdir(exist_ok=True)
            new.mkdir()
            self._lock = Lock(new / _OWNER)
            self._lock.acquire()
            new.rename(self.path)

    def remove(self) -> None:
        self._lock.release()
        remove_folder(self.path)


def sweep(warehouse: Path) -> int:
    """Deletes the folders of queries whose sessions have died. Returns their number. All other files and folders stay:
    a warehouse may be in a folder with a user's own `queries`."""
    count = 0
    ages = ages_in(warehouse)
    with contextlib.suppress(FileNotFoundError):
        for folder in list((warehouse / "queries").iterdir()):
            if _FOLDER.fullmatch(folder.name) and _is_left(folder, ages):
                remove_folder(folder)
                count += 1
    return count


def _is_left(folder: Path, ages: Ages) -> bool:
    """Returns whether a folder of a query belongs to a session that has died."""
    if folder.suffix == GONE:
        return True
    owner = folder / _OWNER
    if folder.suffix == _NEW and not owner.exists():
        return ages.age(folder.stat().st_mtime) >= _SECONDS_TO_APPEAR
    return owner.exists() and is_free(owner)
