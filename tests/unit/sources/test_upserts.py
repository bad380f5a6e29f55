"""Changes of tables by key, against a dict; without Spark. Delta's library reads the tables."""

from __future__ import annotations

import math
import random
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pyarrow as pa
import pytest
from deltalake import DeltaTable

from rowtime.catalog.changes import Entry
from rowtime.catalog.store import Store
from rowtime.errors import RowtimeError
from rowtime.sources import tables, upserts
from rowtime.streams.batches import SentBatch
from rowtime.streams.columns import schema_of

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
    found = DeltaTable(str(tables.folder(store, entry))).to_pyarrow_table()
    schema = schema_of(tables.table_columns(entry))
    return sorted(zip(*(found.column(name).to_pylist() for name in schema.names), strict=True), key=repr)


def test_a_table_is_the_sum_of_its_changes(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    """Keys of two columns, one of them NULL at times; files of few rows, batches that come twice, and rows of others
    that are inserted while a batch is being written."""
    monkeypatch.setattr(upserts, "_FILE_BYTES", 600)
    monkeypatch.setattr(upserts, "_SMALL_FILES", 3)
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
        assert upserts.apply(store, entry, ["K", "G"], rows, deleted, "pump:1", batch) == 0
        assert DeltaTable(str(folder)).version() == version
        assert len(DeltaTable(str(folder)).file_uris()) < 12
    assert len(others) == 4
    assert list((folder / "_delta_log").glob("*.checkpoint*.parquet"))
    assert tables.last_batch(tables.open_table(store, entry), "pump:1") == SentBatch(39, 39 * 7)
    with pytest.raises(RowtimeError, match="RT0607"):
        upserts.apply(store, entry, ["K", "G"], rows, deleted, "pump:1", SentBatch(39, 1))


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

    known = upserts.KeySet(pa.table({"A": values([*keys, *keys]), "B": pa.array([1] * len(keys) + [2] * len(keys))}))
    asked: Callable[[list[Any], int], pa.Table] = lambda given, b: pa.table(  # noqa: E731
        {"B": pa.array([b] * len(given)), "A": values(given)}
    )
    assert known.contains(asked(keys, 2)).to_pylist() == [True] * len(keys)
    assert known.contains(asked(keys, 3)).to_pylist() == [False] * len(keys)
    assert known.contains(asked(others, 1)).to_pylist() == [False] * len(others)
    if 0.0 in keys and pa.types.is_floating(type):
        assert known.contains(asked([0.0, -0.0], 1)).to_pylist() == [True, True]
