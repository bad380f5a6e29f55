"""Rows of a source by their keys: what is equal, and in what order they are."""

from __future__ import annotations

import datetime as dt
from decimal import Decimal
from typing import Any

import pyarrow as pa
import pytest

from rowtime.runtime.target.rows_by_key import rows_by_key


def groups(source: pa.Table, before: pa.Table, key: list[str]) -> list[tuple[list[int], int | None]]:
    found = rows_by_key(source, [f"k{i}" for i in range(len(key))], before, key)
    return sorted(((row["places"], row["place"]) for row in found.to_pylist()), key=lambda each: each[0])


@pytest.mark.parametrize(
    ("type", "one", "other"),
    [
        (pa.int32(), 1, 2),
        (pa.string(), "", "a"),
        (pa.binary(), b"", b"\0"),
        (pa.bool_(), False, True),
        (pa.date32(), dt.date(1969, 12, 31), dt.date(2024, 5, 1)),
        (pa.timestamp("us", "UTC"), dt.datetime(1969, 12, 31), dt.datetime(2024, 5, 1)),
        (pa.decimal128(38, 2), Decimal("-0.01"), Decimal("1e30")),
        (pa.float64(), 0.0, float("inf")),
        (pa.float64(), float("nan"), 0.0),
    ],
)
def test_rows_of_a_key_are_in_order_beside_that_of_the_table(type: pa.DataType, one: Any, other: Any) -> None:
    source = pa.table({"k0": pa.array([one, other, None, one, None, one], type)})
    before = pa.table({"X": pa.array([7, 8]), "K": pa.array([None, one], type)})
    assert groups(source, before, ["K"]) == [([0, 3, 5], 1), ([1], None), ([2], None), ([4], None)]
    assert groups(source, before.slice(0, 0), ["K"]) == [([0, 3, 5], None), ([1], None), ([2], None), ([4], None)]


def test_zero_has_no_sign() -> None:
    source = pa.table({"k0": pa.array([0.0, -0.0], pa.float32())})
    assert groups(source, pa.table({"K": pa.array([-0.0], pa.float32())}), ["K"]) == [([0, 1], 0)]


def test_all_columns_of_a_key_are_compared() -> None:
    source = pa.table({"k0": ["a", "a", "b", "a", None], "k1": [1, 2, 1, 1, 1]})
    before = pa.table({"L": [1, 2, 1], "K": ["a", "a", None]})
    assert groups(source, before, ["K", "L"]) == [([0, 3], 0), ([1], 1), ([2], None), ([4], None)]


def test_each_row_of_the_table_gets_the_rows_of_its_key() -> None:
    source, before = pa.table({"k0": [5, 5]}), pa.table({"K": [5, 6, 5]})
    assert groups(source, before, ["K"]) == [([0, 1], 0), ([0, 1], 2)]


def test_no_rows() -> None:
    source = pa.table({"k0": pa.array([], pa.int32())})
    assert groups(source, pa.table({"K": pa.array([1], pa.int32())}), ["K"]) == []
