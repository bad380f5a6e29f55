"""Changes of plain tables by key, as pumps make them whose results change: rows replace those that are equal to them in
the key, or delete them. A step is one commit, which also records the micro-batch.

Data files never change. Rows that are replaced or deleted are marked in the deletion vectors of their files, and where
they are says the index of the keys, so a step costs what it changes. From time to time files become one
(`compaction`). Rows are equal in a key as they are in one group: NULL equals NULL, NaN equals NaN, and zero has no
sign."""

from __future__ import annotations

import contextlib
import time
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import Future
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import msgspec
import numpy as np
import numpy.typing as npt
import pyarrow as pa
from deltalake import DeltaTable
from deltalake.exceptions import DeltaError

from rowtime import notices
from rowtime.catalog.changes import Entry
from rowtime.catalog.store import Store
from rowtime.delta import checksum, commits, deletion_vectors
from rowtime.delta import files as table_files
from rowtime.delta.batches import CONTENT, TAKEN, SentBatch, is_repeated
from rowtime.delta.commits import DataFile
from rowtime.delta.log import Conflict, DeltaLog
from rowtime.errors import RowtimeError
from rowtime.locks import locked
from rowtime.tables import compaction, tables
from rowtime.tables.key_index import KeyIndex, Positions
from rowtime.types.columns import schema_of
from rowtime.types.ranges import check_times

_FILE_BYTES = 64 << 20
"""The size of rows in memory from which on they get a file of their own."""
_CHECKPOINT = 100
_VECTORS = "delta.enableDeletionVectors"
_FEED = "delta.enableChangeDataFeed"
"""Whoever reads the change feed finds an update as a deletion and an insertion in one version: Delta's readers derive
them from the files and the deletion vectors of a commit, so that no file of changes is written."""


def apply(
    store: Store,
    entry: Entry,
    key: Sequence[str],
    rows: pa.Table,
    deleted: pa.Table,
    sender: str,
    batch: SentBatch,
) -> int | None:
    """Puts rows of stored values into a table in place of those with the same values in the columns `key` (stored
    names), and removes the rows with the keys `deleted`, unless the table has the batch of the sender already. Returns
    how many changes there are, or were then; None if nothing had to be changed, and the batch is not recorded."""
    check_times(entry.name, rows)

    def change(step: _Step) -> int:
        step.mark(pa.concat_tables([rows.select(key), deleted.select(key)]))
        step.write(rows)
        return int(rows.num_rows + deleted.num_rows)

    return _apply(store, entry, key, change, sender, batch)


@dataclass(frozen=True)
class Changed:
    """Rows of a table that depend on what they were: the new ones, the places of those that they replace or that are
    deleted, and how many changes these are."""

    rows: pa.Table
    removed: npt.NDArray[np.int64]
    count: int


def merge(
    store: Store,
    entry: Entry,
    key: Sequence[str],
    keys: pa.Table,
    compute: Callable[[pa.Table], Changed],
    sender: str,
    batch: SentBatch,
) -> int | None:
    """Changes rows of a table that depend on what they were. `compute` gets all rows with one of the `keys`. Returns
    what `apply` returns."""

    def change(step: _Step) -> int:
        changed = compute(step.rows(keys))
        check_times(entry.name, changed.rows)
        step.mark_rows(changed.removed)
        step.write(changed.rows)
        return changed.count

    return _apply(store, entry, key, change, sender, batch)


def _apply(
    store: Store,
    entry: Entry,
    key: Sequence[str],
    change: Callable[[_Step], int],
    sender: str,
    batch: SentBatch,
) -> int | None:
    log, schema = tables.delta_log(store, entry), schema_of(tables.table_columns(entry))
    index = KeyIndex(log, key, schema) if key else None
    # The first batch creates the table.
    tables.open_table(store, entry)
    # Statements that have read the table commit one by one; an INSERT of others may come between.
    with tables.faults(store, entry), locked(log.folder / tables.LOCK, f"table '{entry.name}'", store.wait_control):
        while True:
            table = tables.open_table(store, entry)
            if is_repeated(batch, tables.last_batch(table, sender), f"table '{entry.name}'"):
                return table.transaction_version(sender + TAKEN) or 0
            step = _Step(log, table, schema, index)
            try:
                changes = change(step)
                if not step.added and not step.removed:
                    return None
                step.commit(sender, batch, changes)
            except Conflict:
                step.discard()
                continue
            except BaseException:
                step.discard()
                raise
            break
        _compact(store, entry, step, changes)
    _keep_short(log, step.version)
    return changes


_not_compacted: set[str] = set()
"""The folders of the tables whose last compaction has failed: this is said once."""


def _compact(store: Store, entry: Entry, step: _Step, changes: int) -> None:
    """Puts files together after a step, if there are any to be. The table is right without it: if it fails, the next
    step tries again."""
    folder = str(step.log.folder)
    try:
        with tables.faults(store, entry):
            compaction.compact(step.log, step.version, step.files, step.schema, step.index, changes)
        _not_compacted.discard(folder)
    except RowtimeError as fault:
        if folder not in _not_compacted:
            _not_compacted.add(folder)
            notices.warn(
                "RT0533",
                f"Small files of table '{entry.name}' cannot be put together: {fault.diagnostics[0].message}",
                "Its rows are complete; each change tries again",
            )


@dataclass
class _Step:
    """The files of a future version."""

    log: DeltaLog
    table: DeltaTable
    schema: pa.Schema
    index: KeyIndex | None
    added: list[DataFile] = field(default_factory=list)
    removed: list[DataFile] = field(default_factory=list)
    _before: list[DataFile] = field(init=False)
    _written: list[Future[None]] = field(default_factory=list)
    _made: list[Path] = field(default_factory=list)
    _read: list[tuple[DataFile, Positions]] = field(default_factory=list)

    def __post_init__(self) -> None:
        found = table_files.files_of(self.log, self.table)
        self._before = [table_files.counted(self.log, file) for file in found]

    @property
    def version(self) -> int:
        return int(self.table.version()) + 1

    @property
    def files(self) -> list[DataFile]:
        """Those of the version."""
        return [*set(self._before).difference(self.removed), *self.added]

    def rows(self, keys: pa.Table) -> pa.Table:
        """Returns the rows of the version before that have one of the keys."""
        assert self.index is not None
        parts = [self.schema.empty_table()]
        for file, places in self.index.find(self._before, keys).items():
            gone = self.log.deleted(file)
            kept = np.array([place for place in places.tolist() if place not in gone], np.uint32)
            if len(kept):
                parts.append(table_files.rows_at(self.log, file, kept, self.schema))
                self._read.append((file, kept))
        return pa.concat_tables(parts)

    def mark_rows(self, places: npt.NDArray[np.int64]) -> None:
        """Marks some of the `rows` as deleted, by their places."""
        places, begin, found = np.sort(places), 0, {}
        for file, rows in self._read:
            own = places[np.searchsorted(places, begin) : np.searchsorted(places, begin + len(rows))] - begin
            if len(own):
                found[file] = rows[own]
            begin += len(rows)
        self._mark(found)

    def mark(self, keys: pa.Table) -> None:
        """Marks the rows with one of the keys as deleted."""
        if self.index is None:
            # Without columns, all rows have the same key.
            self.removed += self._before
        else:
            self._mark(self.index.find(self._before, keys))

    def write(self, rows: pa.Table) -> None:
        """Writes new rows."""
        for part in _parts(rows.select(self.schema.names).cast(self.schema)):
            file, durable = self.log.write(self.version, part)
            self._made.append(self.log.folder / file.name)
            self.added.append(file)
            self._written.append(durable)
            if self.index is not None:
                self.index.add(file, part)

    def commit(self, sender: str, batch: SentBatch, changes: int) -> None:
        """Makes the version, which is durable on return. Raises Conflict."""
        now = time.time_ns() // 1_000_000
        info = {"timestamp": now, "operation": "MERGE", "operationParameters": {}, tables.BLIND: False}
        actions: list[dict[str, Any]] = [{"commitInfo": {**info, "readVersion": self.version - 1}}]
        actions += self._heading()
        recorded = {sender: batch.number, sender + CONTENT: batch.content, sender + TAKEN: changes}
        for name, number in recorded.items():
            if number is not None:
                actions.append({"txn": {"appId": name, "version": number, "lastUpdated": now}})
        actions += [commits.remove_action(file, now, changes=True) for file in self.removed]
        actions += [commits.add_action(file, now) for file in self.added]
        self.log.commit_actions(self.version, actions, self._written)

    def discard(self) -> None:
        """Deletes the files, which no version has."""
        for path in self._made:
            path.unlink(missing_ok=True)

    def _mark(self, found: Mapping[DataFile, Positions]) -> None:
        marked, vectors = [], []
        for file, rows in found.items():
            before = self.log.deleted(file)
            vector = before | type(before)(rows)
            if len(vector) == len(before):
                continue
            self.removed.append(file)
            if len(vector) != file.rows:
                marked.append(file)
                vectors.append(vector)
        written, path, durable = deletion_vectors.write(self.log.folder, vectors)
        if path is not None:
            self._made.append(path)
        self._written += durable
        self.added += [
            msgspec.structs.replace(file, deleted=vector) for file, vector in zip(marked, written, strict=True)
        ]

    def _heading(self) -> list[dict[str, Any]]:
        """Returns the actions that allow what the table does not have yet: a change feed with the first step, and
        deletion vectors with the first step that needs them."""
        needed = {}
        if _FEED not in self.table.metadata().configuration:
            needed[_FEED] = "changeDataFeed"
        if not table_files.has_vectors(self.table) and any(file.deleted is not None for file in self.added):
            needed[_VECTORS] = deletion_vectors.FEATURE
        if not needed:
            return []
        protocol, metadata = checksum.heading(self.table)
        # The features that the versions below 3 and 7 have without naming them.
        writer = protocol.get("writerFeatures", ["appendOnly", "invariants"])
        raised = {**protocol, "minWriterVersion": 7, "writerFeatures": sorted({*writer, *needed.values()})}
        if _VECTORS in needed:
            raised["minReaderVersion"] = 3
            raised["readerFeatures"] = sorted({*protocol.get("readerFeatures", []), deletion_vectors.FEATURE})
        configuration = {**metadata["configuration"], **dict.fromkeys(needed, "true")}
        return [{"protocol": raised}, {"metaData": {**metadata, "configuration": configuration}}]


def _parts(rows: pa.Table) -> list[pa.Table]:
    """Divides rows into those of the files."""
    if not rows.num_rows:
        return []
    size = max(1, rows.num_rows * _FILE_BYTES // max(rows.nbytes, 1))
    return [rows.slice(begin, size) for begin in range(0, rows.num_rows, size)]


def _keep_short(log: DeltaLog, version: int) -> None:
    """Writes a checkpoint from time to time, and deletes commits that are older than the history of the table, as
    Delta's library does after commits of its own."""
    if version % _CHECKPOINT == 0:
        # The next one will do.
        with contextlib.suppress(DeltaError, OSError):
            table = DeltaTable(str(log.folder), version=version)
            table.create_checkpoint()
            table.cleanup_metadata()
