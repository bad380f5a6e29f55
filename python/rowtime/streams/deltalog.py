"""The Delta table below a log, as far as commits go: versions, put-if-absent, what is durable when.

Commits are written here and not by a Delta library: one is three small files, done in about a millisecond, and a
removal can say that it changes no data, so that streaming readers pass over it. The protocol is Delta's own: whoever
creates `<version>.json` first has made that version. Checkpoints are left to the library.
"""

from __future__ import annotations

import contextlib
import fcntl
import os
import tempfile
import time
import uuid
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from pathlib import Path
from typing import Any

import msgspec
import pyarrow as pa
import pyarrow.parquet as pq

from rowtime.streams import checksum
from rowtime.streams.state import damaged

LOG = "_delta_log"

_PROPERTIES = {
    # Old log entries and files go when our own clean-up says so.
    "delta.enableExpiredLogCleanup": "false",
    "delta.logRetentionDuration": "interval 36500 days",
    "delta.deletedFileRetentionDuration": "interval 0 seconds",
}
_SMALL = 1000

_flusher = ThreadPoolExecutor(2, "rowtime-flush")


class Conflict(Exception):
    """Somebody else has made that version."""


class Added(msgspec.Struct, frozen=True):
    """A data file of the table: its name in the table's folder, bytes, rows."""

    name: str
    size: int
    rows: int


class DeltaLog:
    """The versions of one table. Any number of threads and processes may use it."""

    def __init__(self, name: str, folder: Path, schema: pa.Schema) -> None:
        self.name = name
        self.folder = folder
        self.log = folder / LOG
        self._schema = schema
        self._latest = -1
        self._head: tuple[dict[str, Any], dict[str, Any]] | None = None

    # --- versions ----------------------------------------------------------------------------------------------------

    def create(self) -> None:
        """Makes the table, version 0, unless it is there."""
        if self.latest() >= 0:
            return
        from deltalake import DeltaTable
        from deltalake.exceptions import DeltaError

        # The library reads what it has made, and does not bear that others go on from there while it does: it makes
        # the commit aside, and whoever puts it in its place first has made the table.
        with tempfile.TemporaryDirectory(prefix="rowtime-") as aside:
            try:
                DeltaTable.create(aside, self._schema, configuration=_PROPERTIES)
            except DeltaError as fault:
                raise damaged(self.name, str(fault)) from fault
            content = (Path(aside) / LOG / self.path(0).name).read_bytes()
        self.log.mkdir(parents=True, exist_ok=True)
        with _written(self.log, content) as half, contextlib.suppress(FileExistsError):
            os.link(half, self.path(0))
        _flush(self.log, os.fsync)

    def latest(self) -> int:
        """The newest version; -1 where there is no table."""
        known = self._latest
        if known >= 0 and self._exists(known):
            while self._exists(known + 1):
                known += 1
            # Clean-up deletes from the oldest version on: while this one is there, none after it was deleted.
            if self._exists(known):
                self._latest = known
                return known
        self._latest = max(self.versions(), default=-1)
        return self._latest

    def versions(self) -> list[int]:
        """The versions whose commits are still there, in order."""
        with contextlib.suppress(FileNotFoundError):
            return sorted(
                int(entry.name[:-5])
                for entry in os.scandir(self.log)
                if entry.name.endswith(".json") and entry.name[:-5].isdigit()
            )
        return []

    def path(self, version: int, suffix: str = "json") -> Path:
        return self.log / f"{version:020d}.{suffix}"

    def actions(self, version: int) -> list[dict[str, Any]]:
        """What a commit did. Raises FileNotFoundError where it has been cleaned up."""
        return [msgspec.json.decode(line) for line in self.path(version).read_bytes().splitlines() if line]

    def state(self, version: int) -> str | None:
        """The state that a commit carries, None where it carries none. Raises FileNotFoundError as `actions`."""
        with open(self.path(version), "rb") as file:
            info = msgspec.json.decode(file.readline()).get("commitInfo", {})
        found: str | None = info.get("rowtime")
        return found

    # --- writing -----------------------------------------------------------------------------------------------------

    def write(self, version: int, table: pa.Table) -> tuple[Added, Future[None]]:
        """Writes the data file of a version to come. It is durable when the future is done."""
        name = f"part-{version:020d}-{uuid.uuid4().hex}.parquet"
        path = self.folder / name
        small = table.num_rows < _SMALL
        # Statistics and dictionaries are for large files; Spark's scan of a stream looks at neither.
        pq.write_table(table, path, compression="snappy", use_dictionary=not small, write_statistics=not small)
        return Added(name, path.stat().st_size, table.num_rows), flush(path)

    def data_files(self) -> list[tuple[str, int]]:
        """The data files in the folder, and the version that each was written for."""
        found = [name for name in os.listdir(self.folder) if name.startswith("part-") and name.endswith(".parquet")]
        return [(name, int(name[5:25])) for name in found if name[5:25].isdigit()]

    def commit(
        self,
        version: int,
        state: str,
        added: Sequence[Added],
        removed: Sequence[Added],
        files: int,
        size: int,
        written: Sequence[Future[None]] = (),
    ) -> None:
        """Makes a version once the files that it names are `written`; it is durable on return. `files` and `size` are
        the table's afterwards. Raises Conflict."""
        now = time.time_ns() // 1_000_000
        operation = "WRITE" if added else "DELETE"
        actions: list[dict[str, Any]] = [
            {"commitInfo": {"timestamp": now, "operation": operation, "operationParameters": {}, "rowtime": state}}
        ]
        for one in added:
            stats = f'{{"numRecords":{one.rows}}}'
            common = {"path": one.name, "size": one.size, "partitionValues": {}, "modificationTime": now}
            actions.append({"add": {**common, "dataChange": True, "stats": stats}})
        for one in removed:
            common = {"path": one.name, "size": one.size, "partitionValues": {}, "deletionTimestamp": now}
            # The rows have been read by all who need them; readers are not to see this as a change.
            actions.append({"remove": {**common, "dataChange": False, "extendedFileMetadata": True}})
        protocol, metadata = self._heading()
        with _written(self.log, b"\n".join(map(msgspec.json.encode, actions)) + b"\n") as half:
            for done in written:
                done.result()
            # A reader may be quicker than a checksum written after the commit; but a Delta library that finds one
            # without its commit will not open the table.
            checksum.write(self.path(version, "crc"), protocol, metadata, files, size)
            try:
                os.link(half, self.path(version))
            except FileExistsError:
                # The checksum may have replaced the other's; readers do without.
                self.path(version, "crc").unlink(missing_ok=True)
                raise Conflict from None
        _flush(self.log, os.fsync)
        self._latest = version

    @property
    def id(self) -> str:
        """The id of the table."""
        return str(self._heading()[1]["id"])

    def checkpoint(self) -> int:
        """Writes a checkpoint of the newest version, from which readers can begin; the version."""
        from deltalake import DeltaTable

        # The version is named because of the checksum that the next commit may have written already.
        table = DeltaTable(str(self.folder), version=self.latest())
        table.create_checkpoint()
        return int(table.version())

    def last_checkpoint(self) -> int:
        """The version of the newest checkpoint, 0 where there is none."""
        try:
            return int(msgspec.json.decode((self.log / "_last_checkpoint").read_bytes())["version"])
        except (FileNotFoundError, msgspec.DecodeError, KeyError):
            return 0

    def checkpoints(self) -> list[tuple[int, Path]]:
        """The checkpoints and their files."""
        return sorted((int(path.name[:20]), path) for path in self.log.glob("*.checkpoint*.parquet"))

    # --- inside ------------------------------------------------------------------------------------------------------

    def _exists(self, version: int) -> bool:
        return os.path.exists(self.path(version))

    def _heading(self) -> tuple[dict[str, Any], dict[str, Any]]:
        """Protocol and metadata, as the log has them."""
        if self._head is None:
            self._head = self._first() or self._of_checksum() or self._of_table()
        return self._head

    def _first(self) -> tuple[dict[str, Any], dict[str, Any]] | None:
        try:
            merged = {key: value for action in self.actions(0) for key, value in action.items()}
        except FileNotFoundError:
            return None
        return (merged["protocol"], merged["metaData"]) if "protocol" in merged and "metaData" in merged else None

    def _of_checksum(self) -> tuple[dict[str, Any], dict[str, Any]] | None:
        with contextlib.suppress(FileNotFoundError, msgspec.DecodeError, KeyError):
            found = msgspec.json.decode(self.path(self.latest(), "crc").read_bytes())
            return found["protocol"], found["metadata"]
        return None

    def _of_table(self) -> tuple[dict[str, Any], dict[str, Any]]:
        from deltalake import DeltaTable
        from deltalake.exceptions import DeltaError

        try:
            table = DeltaTable(str(self.folder), version=self.latest())
        except DeltaError as fault:
            raise damaged(self.name, str(fault)) from fault
        return checksum.heading(table)


@contextlib.contextmanager
def locked(path: Path) -> Iterator[None]:
    """A lock over all threads and processes, kept by a file. Raises FileNotFoundError where it has no folder."""
    descriptor = os.open(path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o644)
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX)
        yield
    finally:
        os.close(descriptor)


def flush(path: Path) -> Future[None]:
    """Makes a written file durable, beside what the caller does meanwhile."""
    return _flusher.submit(_flush, path, os.fdatasync)


def _flush(path: Path, sync: Callable[[int], None]) -> None:
    descriptor = os.open(path, os.O_RDONLY)
    try:
        sync(descriptor)
    finally:
        os.close(descriptor)


@contextlib.contextmanager
def _written(folder: Path, content: bytes) -> Iterator[Path]:
    """A durable file of that content which nobody reads yet, to be linked where it is to stand."""
    path = folder / f".{uuid.uuid4().hex}.tmp"
    try:
        with open(path, "wb") as file:
            file.write(content)
            file.flush()
            os.fdatasync(file.fileno())
        yield path
    finally:
        path.unlink(missing_ok=True)
