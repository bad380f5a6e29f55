"""Changes of plain tables by key, as pumps make them whose results change: rows replace those that are equal to them in
the key, or delete them. A step is one commit, which also records the micro-batch.

Data files never change: those that contain a changed key are written again without its row. Rows are equal in a key as
they are in one group: NULL equals NULL, NaN equals NaN, and zero has no sign."""

from __future__ import annotations

import contextlib
import time
from collections.abc import Sequence
from concurrent.futures import Future
from dataclasses import dataclass, field
from typing import Any
from urllib.parse import unquote

import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq
from deltalake import DeltaTable
from deltalake.exceptions import DeltaError

from rowtime.catalog.changes import Entry
from rowtime.catalog.store import Store
from rowtime.locks import locked
from rowtime.sources import tables
from rowtime.streams import commits
from rowtime.streams.batches import CONTENT, SentBatch, is_repeated
from rowtime.streams.columns import schema_of
from rowtime.streams.commits import DataFile
from rowtime.streams.deltalog import Conflict, DeltaLog
from rowtime.streams.ranges import check_times

_FILE_BYTES = 64 << 20
"""The size of rows in memory from which on they get a file of their own."""
_SMALL_BYTES = 1 << 20
_SMALL_FILES = 16
"""How many small files a table may have before they become one."""
_CHECKPOINT = 100


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
    names), and removes the rows with the keys `deleted`. Returns how many changes there are; 0 if the table has the
    batch of the sender already; None if nothing had to be changed, and the batch is not recorded."""
    check_times(entry.name, rows)
    changed = KeySet(pa.concat_tables([rows.select(key), deleted.select(key)]))
    log = tables.delta_log(store, entry)
    # The first batch creates the table.
    tables.open_table(store, entry)
    # Statements that have read the table commit one by one; an INSERT of others may come between.
    with tables.faults(store, entry), locked(log.folder / tables.LOCK, f"table '{entry.name}'", store.waits):
        while True:
            table = tables.open_table(store, entry)
            if is_repeated(batch, tables.last_batch(table, sender), f"table '{entry.name}'"):
                return 0
            step = _Rewrite(log, table.version() + 1, schema_of(tables.table_columns(entry)))
            try:
                step.replace(table, key, changed, rows)
                if not step.added and not step.removed:
                    return None
                step.commit(sender, batch)
            except Conflict:
                step.discard()
                continue
            except BaseException:
                step.discard()
                raise
            break
    _keep_short(log, step.version)
    return int(rows.num_rows + deleted.num_rows)


class KeySet:
    """A set of keys: rows of some columns. Without columns, all rows have the same key."""

    def __init__(self, keys: pa.Table) -> None:
        self._names = keys.column_names
        self._values = [_comparable(keys.column(name)).unique() for name in self._names]
        # For each column but the first: the pairs of the key so far and the value in this column.
        self._pairs: list[pa.Array] = []
        if not self._names:
            return
        found = pc.index_in(_comparable(keys.column(0)), value_set=self._values[0])
        for place in range(1, len(self._names)):
            pairs = self._paired(keys, place, found)
            self._pairs.append(pairs.unique())
            found = pc.index_in(pairs, value_set=self._pairs[-1])

    def contains(self, rows: pa.Table) -> pa.ChunkedArray:
        """Returns for each row whether its key is in the set."""
        if not self._names:
            return pa.chunked_array([pa.repeat(True, rows.num_rows)])
        found = pc.index_in(_comparable(rows.column(self._names[0])), value_set=self._values[0])
        for place, known in enumerate(self._pairs, start=1):
            found = pc.index_in(self._paired(rows, place, found), value_set=known)
        return pc.is_valid(found)

    def _paired(self, rows: pa.Table, place: int, found: pa.ChunkedArray) -> pa.ChunkedArray:
        """Returns numbers for the key so far, given as `found`, and the value of the next column; NULL if one of them
        is not in the set."""
        values = self._values[place]
        own = pc.index_in(_comparable(rows.column(self._names[place])), value_set=values)
        return pc.add(pc.multiply(found.cast(pa.int64()), max(len(values), 1)), own.cast(pa.int64()))


def _comparable(values: pa.ChunkedArray) -> pa.ChunkedArray:
    # -0.0 becomes 0.0.
    return pc.add(values, pa.scalar(0, values.type)) if pa.types.is_floating(values.type) else values


@dataclass
class _Rewrite:
    """The files of a future version."""

    log: DeltaLog
    version: int
    schema: pa.Schema
    added: list[DataFile] = field(default_factory=list)
    removed: list[DataFile] = field(default_factory=list)
    _written: list[Future[None]] = field(default_factory=list)
    _pending: list[pa.Table] = field(default_factory=list)

    def replace(self, table: DeltaTable, key: Sequence[str], changed: KeySet, rows: pa.Table) -> None:
        """Writes the rows of all files that contain a changed key, without those of these keys, and the new rows."""
        untouched = []
        # Large ones first, so that only small ones are put together.
        for file in sorted(_files(table), key=lambda each: -each.size):
            if not key or pc.any(changed.contains(self._keys(file, key))).as_py():
                self._keep(file, changed)
            else:
                untouched.append(file)
        small = [file for file in untouched if file.size < _SMALL_BYTES]
        if len(small) > _SMALL_FILES:
            for file in small:
                self._keep(file, changed)
        self._add(rows)
        self._write()

    def commit(self, sender: str, batch: SentBatch) -> None:
        """Makes the version, which is durable on return. Raises Conflict."""
        now = time.time_ns() // 1_000_000
        info = {"timestamp": now, "operation": "MERGE", "operationParameters": {}, tables.BLIND: False}
        actions: list[dict[str, Any]] = [{"commitInfo": {**info, "readVersion": self.version - 1}}]
        actions.append({"txn": {"appId": sender, "version": batch.number, "lastUpdated": now}})
        if batch.content is not None:
            actions.append({"txn": {"appId": sender + CONTENT, "version": batch.content, "lastUpdated": now}})
        actions += [commits.add_action(file, now) for file in self.added]
        actions += [commits.remove_action(file, now, changes=True) for file in self.removed]
        self.log.commit_actions(self.version, actions, self._written)

    def discard(self) -> None:
        """Deletes the files, which no version has."""
        for file in self.added:
            (self.log.folder / file.name).unlink(missing_ok=True)

    def _keys(self, file: DataFile, key: Sequence[str]) -> pa.Table:
        return pq.read_table(self.log.folder / file.name, columns=list(key), schema=self.schema)

    def _keep(self, file: DataFile, changed: KeySet) -> None:
        rows = self.log.read(file)
        self.removed.append(file)
        self._add(rows.filter(pc.invert(changed.contains(rows))))

    def _add(self, rows: pa.Table) -> None:
        if rows.num_rows:
            self._pending.append(rows.select(self.schema.names).cast(self.schema))
        if sum(each.nbytes for each in self._pending) > _FILE_BYTES:
            self._write()

    def _write(self) -> None:
        if self._pending:
            file, durable = self.log.write(self.version, pa.concat_tables(self._pending))
            self._pending.clear()
            self.added.append(file)
            self._written.append(durable)


def _files(table: DeltaTable) -> list[DataFile]:
    added = pa.table(table.get_add_actions()).select(["path", "size_bytes", "num_records"])
    return [DataFile(unquote(path), size, rows) for path, size, rows in zip(*added.to_pydict().values(), strict=True)]


def _keep_short(log: DeltaLog, version: int) -> None:
    """Writes a checkpoint from time to time, and deletes commits that are older than the history of the table, as
    Delta's library does after commits of its own."""
    if version % _CHECKPOINT == 0:
        # The next one will do.
        with contextlib.suppress(DeltaError, OSError):
            table = DeltaTable(str(log.folder), version=version)
            table.create_checkpoint()
            table.cleanup_metadata()
