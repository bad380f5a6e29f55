"""Changes of tables by key, against a dict; without Spark. Delta's library reads the tables."""

from __future__ import annotations

import errno
import json
import math
import os
import random
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pytest
from deltalake import DeltaTable

from rowtime import notices
from rowtime.catalog.changes import Entry
from rowtime.catalog.store import Store
from rowtime.delta import deletion_vectors
from rowtime.delta.batches import SentBatch
from rowtime.delta.log import Conflict
from rowtime.errors import RowtimeError
from rowtime.tables import compaction, key_hash, key_index, tables, upserts
from rowtime.types.columns import schema_of

Row = tuple[Any, ...]


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    with Store(tmp_path) as store:
        yield store


def table(store: Store, *columns: tuple[str, str]) -> Entry:
    made = [{"name": name, "type": type, "nullable": True} for name, type in columns]
    definition = {"name": "T", "kind": "TABLE", "columns": made, "options": {}, "primaryKey": []}
    store.commit([{"action": "create", "object": definition}])
    entry = store.get("T")
    assert entry is not None
    return entry


def arrow(entry: Entry, rows: list[Row], *names: str) -> pa.Table:
    schema = schema_of(tables.table_columns(entry))
    schema = pa.schema([schema.field(name) for name in names or schema.names])
    return pa.Table.from_pylist([dict(zip(schema.names, row, strict=True)) for row in rows], schema=schema)


def stored(store: Store, entry: Entry) -> list[Row]:
    found = pa.table(DeltaTable(str(tables.folder(store, entry))).scan())
    schema = schema_of(tables.table_columns(entry))
    return sorted(zip(*(found.column(name).to_pylist() for name in schema.names), strict=True), key=repr)


def test_a_table_is_the_sum_of_its_changes(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    """Keys of two columns, one of them NULL at times; files of few rows, batches that come twice, rows of others that
    are inserted while a batch is being written, and an index that is lost or damaged."""
    monkeypatch.setattr(upserts, "_FILE_BYTES", 600)
    monkeypatch.setattr(deletion_vectors, "_INLINE_BYTES", 40)
    monkeypatch.setattr(compaction, "_SMALLEST", 2)
    monkeypatch.setattr(upserts, "_CHECKPOINT", 7)
    entry = table(store, ("K", "VARCHAR(10)"), ("G", "INTEGER"), ("V", "BIGINT"))
    folder = tables.folder(store, entry)
    random.seed(11)
    model: dict[Row, int] = {}
    others: list[Row] = []
    commit = upserts.DeltaLog.commit_actions
    meddles = False

    def meddle(log: Any, version: int, *args: Any) -> None:
        nonlocal meddles
        if meddles:
            meddles = False
            others.append(("other", version, version))
            tables.append(store, entry, arrow(entry, others[-1:]))
        commit(log, version, *args)

    monkeypatch.setattr(upserts.DeltaLog, "commit_actions", meddle)
    for number in range(40):
        meddles = number % 9 == 4
        if number % 6 == 5:
            lose_keys(folder, damage=number % 4 == 3)
        keys = {(random.choice(["a", "b", None, "c"]), random.choice([None, *range(12)])) for _ in range(6)}
        gone = {key for key in keys if key in model and random.random() < 0.4}
        new = dict.fromkeys(keys - gone, number * 10)
        batch = SentBatch(number, number * 7)
        rows, deleted = arrow(entry, [(*key, v) for key, v in new.items()]), arrow(entry, list(gone), "K", "G")
        taken = upserts.apply(store, entry, ["K", "G"], rows, deleted, "pump:1", batch)
        assert taken == len(keys)
        model = {key: v for key, v in model.items() if key not in gone} | new
        assert stored(store, entry) == sorted([*((*key, v) for key, v in model.items()), *others], key=repr)
        version = DeltaTable(str(folder)).version()
        assert upserts.apply(store, entry, ["K", "G"], rows, deleted, "pump:1", batch) == taken
        assert DeltaTable(str(folder)).version() == version
        assert len(DeltaTable(str(folder)).file_uris()) < 24
    assert len(others) == 4
    assert list((folder / "_delta_log").glob("*.checkpoint*.parquet"))
    assert tables.last_batch(tables.open_table(store, entry), "pump:1") == SentBatch(39, 39 * 7)
    with pytest.raises(RowtimeError, match="RT0607"):
        upserts.apply(store, entry, ["K", "G"], rows, deleted, "pump:1", SentBatch(39, 1))


def lose_keys(folder: Path, *, damage: bool) -> None:
    """Deletes the index of a table's keys, or spoils it, as a process finds it that begins."""
    key_index._known.clear()
    for path in (folder / key_index.FOLDER).iterdir():
        if damage:
            path.write_bytes(path.read_bytes()[:-9] + bytes(9))
        else:
            path.unlink()


def test_a_step_writes_what_it_changes(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    """No rows of the table are read or written again, unless files become one."""
    entry = table(store, ("K", "INTEGER"), ("V", "INTEGER"))
    log = tables.delta_log(store, entry)

    def apply(batch: int, keys: range, value: int) -> None:
        rows = arrow(entry, [(key, value) for key in keys])
        upserts.apply(store, entry, ["K"], rows, arrow(entry, [], "K"), "pump:1", SentBatch(batch))

    apply(0, range(20_000), 0)
    monkeypatch.setattr(upserts.DeltaLog, "read", lambda *_: pytest.fail("a data file is read"))
    monkeypatch.setattr(key_index.pq, "read_table", lambda *_, **__: pytest.fail("keys are read"))
    for batch in range(1, 6):
        apply(batch, range(batch * 50, batch * 50 + 100), batch)
        added = log.commit_of(log.latest()).added
        assert sum(file.rows or 0 for file in added if file.deleted is None) == 100
    assert len(stored(store, entry)) == 20_000


def test_a_compaction_that_does_not_end_changes_nothing(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    """Also one that loses against an INSERT; the next step makes up for it."""
    entry = table(store, ("K", "INTEGER"), ("V", "INTEGER"))
    log = tables.delta_log(store, entry)
    model: dict[int, int] = {}
    commit = upserts.DeltaLog.commit_actions
    faults = [Conflict(), RuntimeError("killed")]

    def fail(log: Any, version: int, actions: Any, *args: Any) -> None:
        if actions[0]["commitInfo"]["operation"] == "OPTIMIZE" and faults:
            raise faults.pop(0)
        commit(log, version, actions, *args)

    monkeypatch.setattr(upserts.DeltaLog, "commit_actions", fail)
    for batch in range(12):
        rows = dict.fromkeys(range(batch, batch + 5), batch)
        new = arrow(entry, list(rows.items()))
        sent = (store, entry, ["K"], new, new.slice(5).select(["K"]), "pump:1", SentBatch(batch))
        before = len(faults)
        if before == 1:
            with pytest.raises(RuntimeError, match="killed"):
                upserts.apply(*sent)
            assert upserts.apply(*sent) == 5
        else:
            assert upserts.apply(*sent) == 5
        model |= rows
        assert stored(store, entry) == sorted(model.items(), key=repr)
    assert not faults
    names = {path.name for path in log.folder.glob("part-*")}
    current = {file.name for file in tables.files(log, log.latest())}
    assert current <= names and len(current) < 8
    assert {path.stem for path in (log.folder / key_index.FOLDER).iterdir()} == current


def test_a_compaction_that_fails_ends_nothing(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    """The pump goes on and says so once; when there is room again, files become one."""
    entry = table(store, ("K", "INTEGER"), ("V", "INTEGER"))
    log = tables.delta_log(store, entry)
    said: list[str] = []
    monkeypatch.setattr(notices, "on_warning", said.append)
    commit = upserts.DeltaLog.commit_actions
    is_full = True

    def fail(log: Any, version: int, actions: Any, *args: Any) -> None:
        if is_full and actions[0]["commitInfo"]["operation"] == "OPTIMIZE":
            raise OSError(errno.ENOSPC, "No space left on device")
        commit(log, version, actions, *args)

    monkeypatch.setattr(upserts.DeltaLog, "commit_actions", fail)
    model: dict[int, int] = {}
    for batch in range(20):
        is_full = batch < 15
        rows = dict.fromkeys(range(batch, batch + 5), batch)
        new = arrow(entry, list(rows.items()))
        assert upserts.apply(store, entry, ["K"], new, new.slice(5).select(["K"]), "pump:1", SentBatch(batch)) == 5
        model |= rows
        current = {file.name for file in tables.files(log, log.latest())}
        assert {path.name for path in log.folder.glob("part-*")} >= current
        assert {path.stem for path in (log.folder / key_index.FOLDER).iterdir()} == current
        if batch == 14:
            assert len(current) > 8
    assert stored(store, entry) == sorted(model.items(), key=repr)
    assert len(current) < 8
    assert len(said) == 1
    assert "RT0533" in said[0]
    assert "no space is left on the disk" in said[0]


def test_a_file_without_statistics(store: Store) -> None:
    """The number of its rows, without which it cannot have a deletion vector, comes from the file."""
    entry = table(store, ("K", "INTEGER"), ("V", "INTEGER"))
    log = tables.delta_log(store, entry)
    tables.append(store, entry, arrow(entry, [(1, 0), (2, 0)]))
    lines = [json.loads(line) for line in log.path(log.latest()).read_text().splitlines()]
    for line in lines:
        line.get("add", {}).pop("stats", None)
    log.path(log.latest()).write_text("\n".join(map(json.dumps, lines)))
    upserts.apply(store, entry, ["K"], arrow(entry, []), arrow(entry, [(2,)], "K"), "pump:1", SentBatch(0))
    assert stored(store, entry) == [(1, 0)]
    assert [(file.rows, file.live_rows) for file in tables.files(log, log.latest())] == [(2, 1)]


def test_old_deletion_vectors_stay_for_an_hour(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    """A query may still be reading the version that has them. Those of the current version always stay."""
    monkeypatch.setattr(deletion_vectors, "_INLINE_BYTES", 0)
    entry = table(store, ("K", "INTEGER"), ("V", "INTEGER"))
    log = tables.delta_log(store, entry)
    for batch, keys in enumerate((range(100), range(3), range(5, 9), range(20, 25))):
        rows = arrow(entry, [(key, batch) for key in keys])
        upserts.apply(store, entry, ["K"], rows, arrow(entry, [], "K"), "pump:1", SentBatch(batch))
    vectors = sorted(log.folder.glob("deletion_vector_*.bin"))
    assert len(vectors) == 3
    for path in vectors:
        os.utime(path, times=(0, 0))
    assert tables.sweep(store, entry) == 0
    monkeypatch.setattr(tables, "KEPT_HOURS", 0)
    assert tables.sweep(store, entry) == 2
    assert len(stored(store, entry)) == 100


@pytest.mark.parametrize("has_key", [True, False])
def test_rows_without_a_key_or_all_of_them(store: Store, has_key: bool) -> None:
    """Without columns, all rows have one key. A file without rows is no longer part of the table."""
    entry = table(store, ("K", "INTEGER"), ("V", "INTEGER"))
    key, log = ["K"] if has_key else [], tables.delta_log(store, entry)
    for batch in range(3):
        rows = arrow(entry, [(1, batch)])
        upserts.apply(store, entry, key, rows, rows.slice(1).select(key), "p:1", SentBatch(batch))
        assert stored(store, entry) == [(1, batch)]
        assert len(tables.files(log, log.latest())) == 1
    assert tables.has_rows(store, entry)


def test_a_batch_that_changes_nothing_is_no_commit(store: Store) -> None:
    entry = table(store, ("K", "INTEGER"), ("V", "INTEGER"))
    version = tables.open_table(store, entry).version()
    nothing, deleted = arrow(entry, []), arrow(entry, [(1,)], "K")
    assert upserts.apply(store, entry, ["K"], nothing, deleted, "pump:1", SentBatch(0)) is None
    assert tables.newest(store, entry) == version


@pytest.mark.parametrize(
    ("type", "keys", "others"),
    [
        (pa.float64(), [0.0, math.nan, 1.5, None], [-1.5, math.inf]),
        (pa.float64(), [-0.0], [1.0, None, math.nan]),
        (pa.string(), ["", "ä", None], ["a", " "]),
        (pa.binary(), [b"", b"\x00"], [b"\x00\x00", None]),
        (pa.bool_(), [True], [False, None]),
        (pa.decimal128(10, 2), ["1.10", "-3.00"], ["1.11", None]),
        (pa.timestamp("us"), [0, 1], [2, None]),
        (pa.date32(), [0, None], [1]),
    ],
)
def test_which_keys_are_equal(type: pa.DataType, keys: list[Any], others: list[Any]) -> None:
    def values(given: list[Any]) -> pa.Array:
        return pa.array(given).cast(type) if pa.types.is_decimal(type) else pa.array(given, type)

    asked: Callable[[list[Any], int], pa.Table] = lambda given, b: pa.table(  # noqa: E731
        {"B": pa.array([b] * len(given)), "A": values(given)}
    )

    def equal(left: list[Any], b: int, right: list[Any]) -> bool:
        one, other = asked(left, 2), asked(right, b)
        same = key_hash.equal(one, other).tolist()
        assert (key_hash.hashes(one) == key_hash.hashes(other)).tolist() == same
        return all(same)

    assert equal(keys, 2, keys)
    assert not equal(keys, 3, keys)
    for other in others:
        assert not key_hash.equal(asked(keys, 2), asked([other] * len(keys), 2)).any()
        assert not np.isin(key_hash.hashes(asked(keys, 2)), key_hash.hashes(asked([other], 2))).any()
    if 0.0 in keys and pa.types.is_floating(type):
        assert equal([0.0, -0.0], 2, [-0.0, 0.0])
