"""The Delta table below a log, and its commits: versions, put-if-absent, and durability.

Commits are written here and not by a Delta library: one is three small files, written in about a millisecond, and a
removal can be marked as changing no data, so that streaming readers skip it. The protocol is Delta's own: whoever
creates `<version>.json` first has made that version (`put_if_absent` of the log's storage). Checkpoints are left to the
library.
"""

from __future__ import annotations

import contextlib
import re
import tempfile
import time
import uuid
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Future
from pathlib import Path
from typing import TYPE_CHECKING, Any
from urllib.parse import unquote

import msgspec
import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq

from rowtime.delta import checksum, commits, deletion_vectors, head
from rowtime.delta.commits import Commit, DamagedFile, DataFile
from rowtime.delta.deletion_vectors import DamagedVector
from rowtime.delta.schema import evolved, spark_schema
from rowtime.delta.state import damaged_log, decode
from rowtime.errors import RowtimeError
from rowtime.storage.interface import Storage
from rowtime.storage.local import LocalStorage
from rowtime.storage.smallfiles import sync

if TYPE_CHECKING:
    from deltalake import DeltaTable
    from pyroaring import BitMap64

LOG = "_delta_log"

_PROPERTIES = {
    # Our own clean-up removes old log entries and files.
    "delta.enableExpiredLogCleanup": "false",
    "delta.logRetentionDuration": "interval 36500 days",
    "delta.deletedFileRetentionDuration": "interval 0 seconds",
}
_SMALL = 1000
_CHECKPOINT = re.compile(r"[0-9]{20}\.checkpoint.*\.parquet")


class Conflict(Exception):
    """Another process has made that version."""


class DeltaLog:
    """The versions of one table. Any number of threads and processes may use it."""

    def __init__(
        self, name: str, folder: Path, schema: pa.Schema, kind: str = "log of", storage: Storage | None = None
    ) -> None:
        """`storage` has the files of the log; None: those in `folder`."""
        self.name = name
        self._kind = kind
        self.folder = folder
        self.log = folder / LOG
        self.storage = LocalStorage(folder) if storage is None else storage
        self._schema = schema
        self._latest = -1
        self.is_headless = False
        """Whether the log had commits, and no head, when it was last looked at."""
        self._known_heading: tuple[dict[str, Any], dict[str, Any]] | None = None

    # --- versions ----------------------------------------------------------------------------------------------------

    def create(self) -> None:
        """Creates the table, version 0, unless it exists."""
        if self.latest() >= 0:
            return
        from deltalake import DeltaTable
        from deltalake.exceptions import DeltaError

        # The library reads the table that it has created, and fails if others continue from there meanwhile: it makes
        # the commit aside, and the first process that moves it to its place has created the table.
        with tempfile.TemporaryDirectory(prefix="rowtime-") as aside:
            try:
                DeltaTable.create(aside, self._schema, configuration=_PROPERTIES)
            except DeltaError as fault:
                raise damaged_log(self.name, str(fault)) from fault
            lines = (Path(aside) / LOG / self.path(0).name).read_bytes().splitlines()
        content = commits.content_of(self.storage.name, 0, [msgspec.json.decode(line) for line in lines if line])
        self.storage.prepare(LOG)
        try:
            self.storage.put_if_absent(self.file(0), content)
        except FileNotFoundError:
            # Whoever has created it meanwhile may have cleaned up, and this draft looks like a remain.
            if self._newest_listed() < 0:
                raise
        head.create(self.storage)

    def latest(self) -> int:
        """Returns the newest version; -1 if there is no table. Raises RowtimeError RT0605 if commits are missing."""
        # Read first: the version that it names was committed before.
        known, named = self._latest, head.read(self.storage)
        # This process has seen those before it, too.
        committed = max(named, known)
        if known >= 0 and self._exists(known):
            while self._exists(known + 1):
                known += 1
            # Clean-up deletes from the oldest version on: while this one exists, none after it was deleted.
            found = known if self._exists(known) else self._newest_listed(named)
        else:
            found = self._newest_listed(named)
        if found < committed:
            raise self.missing(found + 1)
        self._latest = found
        self.is_headless = found >= 0 and named < 0 and head.is_missing(self.storage)
        return found

    def versions(self) -> list[int]:
        """Returns the versions whose commits still exist, in order."""
        return sorted(
            int(name[:-5]) for name in self.storage.list(LOG) if name.endswith(".json") and name[:-5].isdigit()
        )

    def file(self, version: int, suffix: str = "json") -> str:
        """Returns the name of a file of the log in its storage."""
        return f"{LOG}/{version:020d}.{suffix}"

    def path(self, version: int, suffix: str = "json") -> Path:
        return self.folder / self.file(version, suffix)

    def commit_of(self, version: int) -> Commit:
        """Returns the commit `version`. Raises FileNotFoundError if it does not exist, whether cleaned up or lost, and
        RowtimeError RT0605 if it is damaged."""
        content = self._content(version)
        try:
            return commits.read(self.storage.name, version, content)
        except DamagedFile as fault:
            raise self._damaged_commit(version, str(fault)) from None

    def actions(self, version: int) -> list[dict[str, Any]]:
        """Returns the actions of a commit; raises as `commit_of`."""
        return self.commit_of(version).actions

    def state(self, version: int) -> str | None:
        """Returns the state in a commit, None if it has none; raises as `commit_of`."""
        return self.commit_of(version).state

    def check(self, first: int, last: int) -> None:
        """Raises RowtimeError RT0605 unless all commits from `first` to `last` are complete, and FileNotFoundError as
        `commit_of`."""
        sealed = False
        for version in range(first, last + 1):
            try:
                has_checksum = commits.check(self.storage.name, version, self._content(version))
                if sealed and not has_checksum:
                    raise DamagedFile("has lost its checksum")
                sealed = has_checksum
            except DamagedFile as fault:
                raise self._damaged_commit(version, str(fault)) from None

    def check_library(self) -> None:
        """Raises RowtimeError RT0605 if a commit after the last checkpoint is missing or damaged, for a table to which
        Delta's library writes. The library would read the rest without an error."""
        # Read first: the version that it names was committed before.
        committed = head.read(self.storage)
        begin = self.last_checkpoint() + 1
        found = [version for version in self.versions() if version >= begin]
        for version in range(begin, max(committed, *found[-1:]) + 1 if found else committed + 1):
            try:
                commits.check_library(version, self._content(version))
            except FileNotFoundError:
                if version >= self.last_checkpoint() + 1:
                    raise self.missing(version) from None
            except DamagedFile as fault:
                raise self._damaged_commit(version, str(fault)) from None

    def read(self, added: DataFile) -> pa.Table:
        """Returns the rows of a data file that are not deleted. Raises FileNotFoundError if it does not exist, and
        RowtimeError RT0605 if it differs from what was written."""
        path = self.storage.place(added.name)
        try:
            content = self.storage.get_buffer(added.name)
            if content.size != added.size:
                raise DamagedFile(f"has {content.size:,} bytes instead of {added.size:,}")
            if added.checksum is not None and commits.content_checksum(content) != added.checksum:
                raise DamagedFile("does not match its checksum")
            found = pq.read_table(pa.BufferReader(content), schema=self._schema)
            if added.rows is not None and found.num_rows != added.rows:
                raise DamagedFile(f"has {found.num_rows:,} rows instead of {added.rows:,}")
            return found if added.deleted is None else found.filter(self._is_kept(added, found.num_rows))
        except FileNotFoundError:
            raise
        except DamagedFile as fault:
            raise damaged_log(self.name, f"the file '{path}' {fault}") from None
        except (pa.ArrowException, OSError, ValueError) as fault:
            raise damaged_log(self.name, f"the file '{path}' cannot be read ({_first_line(fault)})") from fault

    def deleted(self, file: DataFile) -> BitMap64:
        """Returns the positions of the rows of a data file that are deleted. Raises RowtimeError RT0605 if they are
        lost or differ from what was written."""
        try:
            return deletion_vectors.read(self.folder, file.deleted)
        except DamagedVector as fault:
            raise damaged_log(self.name, f"the deletion vector of '{file.name}' {fault}", kind=self._kind) from None
        except OSError as fault:
            what = f"the deletion vector of '{file.name}' cannot be read ({fault.strerror})"
            raise damaged_log(self.name, what, kind=self._kind) from fault

    def _is_kept(self, file: DataFile, rows: int) -> pa.Array:
        kept = np.ones(rows, dtype=bool)
        kept[np.asarray(self.deleted(file).to_array())] = False
        return pa.array(kept)

    def missing(self, version: int, path: Path | str | None = None) -> RowtimeError:
        """Returns the error for a missing commit, or for a missing file of it."""
        return self._damaged_commit(version, "is missing", path)

    # --- writing -----------------------------------------------------------------------------------------------------

    def evolve(self, table: DeltaTable) -> bool:
        """Commits the columns of the table's definition, if its files do not have them yet, to an open table of Delta's
        library. Returns whether there is a new version, by whomever."""
        _, known = checksum.heading(table)
        metadata = evolved(known, self._schema)
        if metadata is known:
            return False
        now = time.time_ns() // 1_000_000
        info = {"timestamp": now, "operation": "CHANGE COLUMN", "operationParameters": {}}
        with contextlib.suppress(Conflict):
            self.commit_actions(table.version() + 1, [{"commitInfo": info}, {"metaData": metadata}], ())
        return True

    def keep_library(self, before: int) -> None:
        """Makes the commits of Delta's library after the version `before` durable, and records the newest version."""
        version = make_durable(self.folder, before)
        if version > head.read(self.storage):
            head.write(self.storage, version)

    def write(self, version: int, table: pa.Table) -> tuple[DataFile, Future[None]]:
        """Writes the data file of a future version. It is durable when the returned future is done."""
        name = f"part-{version:020d}-{uuid.uuid4().hex}.parquet"
        content = _parquet(table)
        file = DataFile(name, content.size, table.num_rows, commits.content_checksum(content))
        return file, self.storage.put_new(name, content)

    def data_files(self) -> list[tuple[str, int]]:
        """Returns the data files in the folder, and the version that each was written for."""
        found = [
            name for name in self.storage.list(after="part-") if name.startswith("part-") and name.endswith(".parquet")
        ]
        return [(name, int(name[5:25])) for name in found if name[5:25].isdigit()]

    def commit(
        self,
        version: int,
        state: str,
        added: Sequence[DataFile],
        removed: Sequence[DataFile],
        files: int,
        size: int,
        written: Sequence[Future[None]] = (),
    ) -> None:
        """Makes a version once the files that it names are `written`; it is durable on return. `files` and `size` are
        those of the table afterwards. Raises Conflict."""
        now = time.time_ns() // 1_000_000
        operation = "WRITE" if added else "DELETE"
        actions: list[dict[str, Any]] = [
            {"commitInfo": {"timestamp": now, "operation": operation, "operationParameters": {}, "rowtime": state}}
        ]
        actions += [commits.add_action(one, now) for one in added]
        actions += [commits.remove_action(one, now) for one in removed]
        protocol, known = self._heading_of_checksum(version - 1) or self._heading()
        metadata = evolved(known, self._schema)
        if metadata is not known:
            actions.insert(1, {"metaData": metadata})

        def write_checksum() -> None:
            # A reader may be faster than a checksum written after the commit; but a Delta library that finds one
            # without its commit cannot open the table.
            if self.storage.hints_are_free:
                self.storage.put_hint(self.file(version, "crc"), checksum.content(protocol, metadata, files, size))

        try:
            self.commit_actions(version, actions, written, write_checksum)
        except Conflict:
            # This checksum may have replaced that of the other process; readers work without it.
            self.storage.delete(self.file(version, "crc"))
            raise

    def commit_actions(
        self,
        version: int,
        actions: Sequence[dict[str, Any]],
        written: Sequence[Future[None]],
        prepare: Callable[[], None] = lambda: None,
    ) -> None:
        """Makes a version of `actions` once the files that they name are `written`, and after a call of `prepare`; it
        is durable on return. Raises Conflict."""

        def ready() -> None:
            for done in written:
                done.result()
            prepare()

        if not self.storage.put_if_absent(
            self.file(version), commits.content_of(self.storage.name, version, actions), ready
        ):
            raise Conflict
        self._latest = version
        head.write(self.storage, version)

    @property
    def id(self) -> str:
        """Returns the id of the table."""
        return str(self._heading()[1]["id"])

    @property
    def columns(self) -> str:
        """Returns the columns of the table in the form of Delta's metadata: Spark's JSON of a struct. Files that were
        written before a column was added lack it; readers take it as NULL."""
        return spark_schema(self._schema)

    def table(self, version: int) -> DeltaTable:
        """Returns the table at a version, as the library sees it. Raises RowtimeError RT0605."""
        # The version is explicit because of the checksum that the next commit may have written already.
        with self._library_errors():
            from deltalake import DeltaTable

            location, settings = self.storage.for_library()
            return DeltaTable(location, version=version, storage_options=settings)

    def checkpoint(self) -> int:
        """Writes a checkpoint of the newest version, from which readers can begin. Returns the version."""
        table = self.table(self.latest())
        with self._library_errors():
            table.create_checkpoint()
        return int(table.version())

    def last_checkpoint(self) -> int:
        """Returns the version of the newest checkpoint, 0 if there is none."""
        try:
            return int(msgspec.json.decode(self.storage.get(f"{LOG}/_last_checkpoint"))["version"])
        except (FileNotFoundError, msgspec.DecodeError, KeyError):
            return 0

    def checkpoints(self) -> list[tuple[int, str]]:
        """Returns the checkpoints and the names of their files."""
        found = [name for name in self.storage.list(LOG) if _CHECKPOINT.fullmatch(name)]
        return [(int(name[:20]), f"{LOG}/{name}") for name in found]

    # --- inside ------------------------------------------------------------------------------------------------------

    def _exists(self, version: int) -> bool:
        return self.storage.exists(self.file(version))

    def _newest_listed(self, named: int = -1) -> int:
        """Returns the newest version, if all after the last one that was cleaned up exist. A listing may be older than
        the head, which names the version `named`."""
        found = self.versions()
        if not (found and found[-1] >= named) and named >= 0 and self._exists(named):
            found = [*found, named]
        if not found:
            return -1
        while self._exists(found[-1] + 1):
            found.append(found[-1] + 1)
        newest = found[-1]
        if len(found) <= newest - found[0] or found[0] > 0:
            kept = range(self._cleaned_up_to(newest), newest + 1)
            for version in sorted(set(kept) - set(found)):
                # A listing may miss files that are written or deleted meanwhile.
                if not self._exists(version) and version >= self._cleaned_up_to(max(self.versions(), default=0)):
                    raise self.missing(version)
        return newest

    def _cleaned_up_to(self, version: int) -> int:
        """Returns the version up to which commits may have been deleted. The last version that was cleaned up stays."""
        if version == 0:
            return 0
        try:
            written = self.state(version)
        except FileNotFoundError:
            return version
        return 0 if written is None else decode(self.name, written).cleaned

    def _content(self, version: int) -> bytes:
        try:
            return self.storage.get(self.file(version))
        except FileNotFoundError:
            raise
        except OSError as fault:
            raise self._damaged_commit(version, f"cannot be read ({fault.strerror})") from fault

    def _damaged_commit(self, version: int, what: str, path: Path | str | None = None) -> RowtimeError:
        found = [one for one in self.versions() if one < version]
        first = next(
            (found[i] for i in range(len(found) - 1, 0, -1) if found[i - 1] != found[i] - 1), *found[:1] or [0]
        )
        readable = f"versions {first} to {found[-1]} can be read" if found else "no earlier version can be read"
        place = path or self.storage.place(self.file(version))
        return damaged_log(self.name, f"the file '{place}' {what}; {readable}", kind=self._kind)

    @contextlib.contextmanager
    def _library_errors(self) -> Iterator[None]:
        """Turns errors of Delta's library into diagnostics. It panics on contents that it does not expect."""
        try:
            yield
        except (RowtimeError, KeyboardInterrupt, SystemExit):
            raise
        except BaseException as fault:
            raise damaged_log(self.name, f"'{self.log}': {_first_line(fault)}") from fault

    def _heading(self) -> tuple[dict[str, Any], dict[str, Any]]:
        """Returns the protocol and metadata, in the form of the log."""
        if self._known_heading is None:
            self._known_heading = (
                self._heading_of_first() or self._heading_of_checksum(self.latest()) or self._heading_of_table()
            )
        return self._known_heading

    def _heading_of_first(self) -> tuple[dict[str, Any], dict[str, Any]] | None:
        try:
            merged = {key: value for action in self.actions(0) for key, value in action.items()}
        except FileNotFoundError:
            return None
        return (merged["protocol"], merged["metaData"]) if "protocol" in merged and "metaData" in merged else None

    def _heading_of_checksum(self, version: int) -> tuple[dict[str, Any], dict[str, Any]] | None:
        with contextlib.suppress(FileNotFoundError, msgspec.DecodeError, KeyError):
            found = msgspec.json.decode(self.storage.get(self.file(version, "crc")))
            return found["protocol"], found["metadata"]
        return None

    def _heading_of_table(self) -> tuple[dict[str, Any], dict[str, Any]]:
        return checksum.heading(self.table(self.latest()))


def make_durable(folder: Path, before: int) -> int:
    """Makes the commits of a Delta table after the version `before` durable, with their files. Returns the newest
    version."""
    version = before
    homes = {folder, folder / LOG}
    while (commit := folder / LOG / f"{version + 1:020d}.json").exists():
        version += 1
        for action in map(msgspec.json.decode, commit.read_bytes().splitlines()):
            if "add" in action:
                path = folder / unquote(action["add"]["path"])
                homes.add(path.parent)
                # Another process may have replaced and swept it already.
                with contextlib.suppress(FileNotFoundError):
                    sync(path)
        sync(commit)
    for home in homes:
        with contextlib.suppress(FileNotFoundError):
            sync(home)
    return version


def _parquet(table: pa.Table) -> pa.Buffer:
    small = table.num_rows < _SMALL
    found = pa.BufferOutputStream()
    # Statistics and dictionaries are for large files; Spark's scan of a stream uses neither.
    pq.write_table(
        table,
        found,
        compression="snappy",
        use_dictionary=not small,
        write_statistics=not small,
        # Spark checks these; readers without Spark check the checksum of the whole file.
        write_page_checksum=True,
    )
    return found.getvalue()


def _first_line(fault: BaseException) -> str:
    return (str(fault).strip().splitlines() or [type(fault).__name__])[0]
