"""Rows between Spark and the log: their order, their columns, what may not be NULL."""

from __future__ import annotations

import datetime as dt

import pyarrow as pa
import pytest

from rowtime.errors import RowtimeError
from rowtime.runtime.target.rows import _sort_indices, complete
from rowtime.sparksql.result import OrderKey
from rowtime.types.columns import columns

COLUMNS = columns(
    [
        {"name": "ROWTIME", "type": "TIMESTAMP(3)", "nullable": False},
        {"name": "N", "type": "INTEGER", "nullable": False},
        {"name": "two words", "type": "VARCHAR(5)", "nullable": True},
    ]
)
NAN = float("nan")


@pytest.mark.parametrize(
    ("values", "key", "expected"),
    [
        ([3, None, 1, 2], OrderKey("k"), [1, 2, 3, 0]),
        ([3, None, 1, 2], OrderKey("k", nulls_first=False), [2, 3, 0, 1]),
        ([3, None, 1, 2], OrderKey("k", ascending=False, nulls_first=False), [0, 3, 2, 1]),
        ([3, None, 1, 2], OrderKey("k", ascending=False), [1, 0, 3, 2]),
        ([1.0, NAN, None, 9.0], OrderKey("k"), [2, 0, 3, 1]),
        ([1.0, NAN, None, 9.0], OrderKey("k", ascending=False, nulls_first=False), [1, 3, 0, 2]),
        ([2, 1, 2, 1, 1], OrderKey("k"), [1, 3, 4, 0, 2]),
        ([2, 1, 2, 1, 1], OrderKey("k", ascending=False), [0, 2, 1, 3, 4]),
    ],
)
def test_order(values: list[float | None], key: OrderKey, expected: list[int]) -> None:
    assert _sort_indices(pa.table({"k": pa.array(values)}), [key]).to_pylist() == expected


def test_several_keys() -> None:
    rows = pa.table({"a": [1, 1, 0, None], "b": ["x", "a", "z", "q"]})
    keys = [OrderKey("a", ascending=False), OrderKey("b")]
    assert _sort_indices(rows, keys).to_pylist() == [3, 1, 0, 2]


def test_columns_that_are_left_out_are_null_and_types_are_the_logs() -> None:
    at = dt.datetime(2006, 9, 11, tzinfo=dt.timezone.utc)
    rows = complete("stream 'S'", pa.table({"N": pa.array([1], pa.int64()), "ROWTIME": [at]}), COLUMNS, None)
    assert rows.schema.names == ["ROWTIME", "N", "column_2"]
    assert [str(t) for t in rows.schema.types] == ["timestamp[us, tz=UTC]", "int32", "string"]
    assert rows.to_pylist() == [{"ROWTIME": at, "N": 1, "column_2": None}]


def test_null_where_none_may_be() -> None:
    rows = pa.table({"N": pa.array([1, 2], pa.int32())})
    assert complete("stream 'S'", rows, COLUMNS, "ROWTIME").column("ROWTIME").null_count == 2
    with pytest.raises(RowtimeError) as fault:
        complete("stream 'S'", rows, COLUMNS, None)
    assert fault.value.code == "RT0502"
    assert "stream 'S': ROWTIME: NULL" in str(fault.value)
