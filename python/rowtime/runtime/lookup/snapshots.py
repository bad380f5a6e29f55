"""Versions of tables (SNAPSHOT) in a streaming query: read once, when the query starts, and kept while it lives."""

from __future__ import annotations

import shutil
import threading
import uuid
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any

import msgspec

from rowtime.catalog.changes import Entry
from rowtime.decoding import Decoder
from rowtime.jvm.py4j import java_class
from rowtime.plan.nodes import Scan
from rowtime.runtime.checkpoint.checkpoints import damaged_checkpoint
from rowtime.storage.smallfiles import sync

if TYPE_CHECKING:
    from pyspark.sql import DataFrame, SparkSession

_KEPT_CLASS = "io.rowtime.lookup.KeptRelation"


def kept_rows(folder: Path, entry: Entry, scan: Scan) -> Path:
    """Returns the path at which a query with this folder stores the rows of a version of a table. They belong to what
    the query reads them for: a query with another SNAPSHOT reads the table anew."""
    return folder / "snapshots" / f"{entry.id}-{scan.state_name}"


class KeptSnapshots:
    """The snapshots of one query. They are files in its `folder`, so that it finds the same rows after a restart, even
    if the tables have changed; without a folder they are in memory while the process lives."""

    def __init__(self, session: Callable[[], SparkSession], folder: Path | None) -> None:
        self._session = session
        self._folder = folder
        self._guard = threading.Lock()
        self._in_memory: dict[str, Any] = {}

    def rows(self, entry: Entry, scan: Scan, read: Callable[[], DataFrame]) -> DataFrame:
        """Returns the rows of a version of a table; `read` reads them, unless the query has read them before."""
        with self._guard:
            if self._folder is not None:
                return self._from_folder(kept_rows(self._folder, entry, scan), read)
            return self._from_memory(f"{entry.id} {scan.state_name}", read)

    def release(self) -> None:
        """Frees the memory."""
        with self._guard:
            for kept in self._in_memory.values():
                kept.release()
            self._in_memory.clear()

    def _from_memory(self, name: str, read: Callable[[], DataFrame]) -> DataFrame:
        from pyspark.sql import DataFrame

        if name not in self._in_memory:
            self._in_memory[name] = java_class(self._session(), _KEPT_CLASS).of(read()._jdf)
        return DataFrame(self._in_memory[name].frame(), self._session())

    def _from_folder(self, folder: Path, read: Callable[[], DataFrame]) -> DataFrame:
        session = self._session()
        if not folder.exists():
            # Only one process runs the query, so all others are remains of one that was killed.
            for left in folder.parent.glob(f".{folder.name}-*"):
                shutil.rmtree(left, ignore_errors=True)
            aside = folder.with_name(f".{folder.name}-{uuid.uuid4().hex}")
            try:
                read().write.parquet(f"file:{aside.absolute()}")
                sizes = {file.name: file.stat().st_size for file in aside.iterdir() if _is_data(file.name)}
                (aside / _FILES).write_bytes(msgspec.json.encode(sizes))
                for file in aside.iterdir():
                    sync(file)
                sync(aside)
                aside.rename(folder)
                sync(folder.parent)
            finally:
                shutil.rmtree(aside, ignore_errors=True)
        _check(folder)
        return session.read.parquet(f"file:{folder.absolute()}")


_FILES = "_files"
"""The file that lists the files of rows with their sizes. Spark reads what is there, and would not miss one."""
_sizes = Decoder(dict[str, int])


def _is_data(name: str) -> bool:
    # Spark ignores other files.
    return not name.startswith(("_", "."))


def _check(folder: Path) -> None:
    """Raises RowtimeError RT0607 if files of kept rows are missing or have another size. Folders of earlier builds have
    no list of them."""
    listed = folder / _FILES
    try:
        sizes = _sizes.decode(listed.read_bytes())
    except FileNotFoundError:
        return
    except msgspec.MsgspecError as fault:
        raise damaged_checkpoint("The query", listed, "is truncated or damaged") from fault
    for name, size in sizes.items():
        file = folder / name
        if not file.exists():
            raise damaged_checkpoint("The query", file, "is missing")
        if file.stat().st_size != size:
            raise damaged_checkpoint("The query", file, "is truncated or damaged")
