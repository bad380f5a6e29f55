"""Values of every type that has an order, as keys and back."""

from __future__ import annotations

import datetime as dt
from decimal import Decimal
from typing import Any

import numpy as np
import pyarrow as pa
import pytest
from tests.unit.streams.conftest import column

from rowtime.streams.late_filter import LateRecordFilter
from rowtime.streams.rules import Rules
from rowtime.types.columns import arrow_type, columns
from rowtime.types.orders import ColumnOrder, largest, plain

# In their order.
VALUES: list[tuple[str, list[Any]]] = [
    ("TINYINT", [-128, 0, 127]),
    ("BIGINT", [-(2**63), -1, 2**63 - 1]),
    ("DECIMAL(5, 2)", [Decimal("-9.99"), Decimal("0.01"), Decimal("999.99")]),
    ("DECIMAL(18, 0)", [Decimal(-(10**17)), Decimal(5), Decimal(10**18 - 1)]),
    ("DECIMAL(38, 4)", [Decimal("-1E33"), Decimal("0.0001"), Decimal("1E33")]),
    ("REAL", [-1.5, 0.0, 2.25]),
    ("DOUBLE", [float("-inf"), -0.1, float("inf")]),
    ("DATE", [dt.date(1, 1, 1), dt.date(1969, 12, 31), dt.date(9999, 12, 31)]),
    ("TIMESTAMP(6)", [-62_135_596_800_000_000, -1, 253_402_300_799_999_999]),
    ("TIME(3)", [0, 1, 86_399_999_000]),
    ("VARCHAR", ["", "A", "Z", "a"]),
    ("VARBINARY", [b"", b"\x00", b"\xff"]),
    ("BOOLEAN", [False, True]),
    ("INTERVAL DAY TO SECOND", [-5, 0, 7]),
]


def order_of(type: str) -> ColumnOrder:
    return ColumnOrder(columns([column("c", type)])[0])


def array(order: ColumnOrder, values: list[Any]) -> pa.ChunkedArray:
    return pa.chunked_array([values[:1], values[1:]], arrow_type(order.column.type))


@pytest.mark.parametrize(("type", "values"), VALUES)
def test_keys_are_ordered_as_the_values(type: str, values: list[Any]) -> None:
    order = order_of(type)
    keys, known = order.keys(array(order, [None, *values, None]))
    assert known.tolist() == [False, *[True] * len(values), False]
    found = [plain(key) for key in keys[known]]
    assert found == sorted(found) and len(set(found)) == len(values)
    for key, value in zip(found, values, strict=True):
        assert order.stored(key) == value
        assert order.load(order.dump(key)) == key
    assert order.stored(largest(keys, known)) == values[-1]


@pytest.mark.parametrize(("type", "values"), VALUES)
@pytest.mark.parametrize("up", [True, False])
def test_monotonic(type: str, values: list[Any], up: bool) -> None:
    order = order_of(type)
    rules = Rules("T", (order.column,), None, None, (), (), ((order, up),))
    last: dict[str, Any] = {}
    came = values if up else values[::-1]
    given = [came[0], None, came[-1], came[0], came[-1]]
    timely, ordered = LateRecordFilter(rules, {}, last).check(pa.table({"c": array(order, given)}))
    assert timely.all()
    assert ordered.tolist() == [True, True, True, False, True]
    again = LateRecordFilter(rules, {}, last).check(pa.table({"c": array(order, [came[0], came[-1]])}))[1]
    assert again.tolist() == [False, True]


def test_nan_has_no_place() -> None:
    order = order_of("DOUBLE")
    keys, known = order.keys(array(order, [float("nan"), 1.0, None]))
    assert (known.tolist(), largest(keys, known)) == ([False, True, False], 1.0)
    assert largest(keys, np.zeros(3, bool)) is None


def test_distances() -> None:
    assert order_of("TIMESTAMP(3)").distance({"millis": 5}, up=False) == 5000
    assert order_of("DATE").distance({"millis": 5}, up=False) == 5
    assert order_of("DECIMAL(5, 2)").distance({"number": "1.255"}, up=False) == 125
    assert order_of("INTEGER").distance({"number": "1.5"}, up=True) == 2
    assert order_of("DOUBLE").distance({"number": "1.5"}, up=True) == 1.5


def test_bounds_are_values_of_the_column() -> None:
    date, day = order_of("DATE"), 86_400_000
    # Nothing before the bound: the first day that begins after it.
    assert date.stored(day + 1) == dt.date(1970, 1, 3)
    assert date.instant(day + 1) == 2 * day
    assert date.stored(10**18) is None
    assert order_of("TINYINT").stored(-129) is None
    assert order_of("DECIMAL(5, 2)").stored(-(10**5)) is None
    assert order_of("DECIMAL(5, 2)").instant(-150) == -2
    assert order_of("DOUBLE").instant(-0.5) == -1
    assert order_of("DOUBLE").instant(float("inf")) is None
    assert order_of("TIMESTAMP(3)").instant(-1) == -1
    assert order_of("VARCHAR").instant("x") is None
