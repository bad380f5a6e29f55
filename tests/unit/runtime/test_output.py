"""The order of rows within a batch, and values as JSON and text show them."""

from __future__ import annotations

import datetime as dt
import random
from decimal import Decimal
from typing import Any

import pytest

from rowtime.display.printers import Columns
from rowtime.display.values import as_text, shown_timestamp, writers
from rowtime.plan.parts import Field
from rowtime.runtime.launch.output import RowSortKey, merge_pieces, sort_rows

NAN = float("nan")


def test_keys_count_from_the_first_to_the_last() -> None:
    rows = [(1, "b"), (2, "a"), (1, "a"), (2, "b")]
    assert sort_rows(rows, [RowSortKey(0), RowSortKey(1, descending=True)]) == [(1, "b"), (1, "a"), (2, "b"), (2, "a")]


def test_equal_rows_stay_as_they_came() -> None:
    rows = [(1, "x"), (0, "y"), (1, "z"), (0, "w")]
    assert sort_rows(rows, [RowSortKey(0)]) == [(0, "y"), (0, "w"), (1, "x"), (1, "z")]
    assert sort_rows(rows, [RowSortKey(0, descending=True)]) == [(1, "x"), (1, "z"), (0, "y"), (0, "w")]


def test_nulls_go_where_they_are_told() -> None:
    rows = [(2,), (None,), (1,)]
    assert sort_rows(rows, [RowSortKey(0, nulls_first=True)]) == [(None,), (1,), (2,)]
    assert sort_rows(rows, [RowSortKey(0, descending=True)]) == [(2,), (1,), (None,)]


def test_nan_is_the_greatest_number() -> None:
    found = sort_rows([(NAN,), (float("inf"),), (1.0,)], [RowSortKey(0)])
    assert found[:2] == [(1.0,), (float("inf"),)]
    assert sort_rows([([1, None],), ([1],), ([0, 5],)], [RowSortKey(0)]) == [([0, 5],), ([1],), ([1, None],)]


def test_merged_pieces_are_in_the_order_of_all_rows() -> None:
    """Pieces that lie apart, overlap, are equal, empty or without order."""
    rng = random.Random(7)
    for case in range(300):
        span = rng.choice([1, 3, 50])
        pieces = [
            [
                (rng.choice([None, NAN, piece * rng.choice([0, 1]) + rng.random()]), rng.randrange(span), (piece, i))
                for i in range(rng.choice([0, 1, 9]))
            ]
            for piece in range(rng.randrange(6))
        ]
        keys = [
            RowSortKey(index, descending=rng.random() < 0.5, nulls_first=rng.random() < 0.5)
            for index in rng.sample([0, 1], rng.randrange(3))
        ]
        whole = sort_rows([row for piece in pieces for row in piece], keys)
        merged = list(merge_pieces(range(len(pieces)), pieces.__getitem__, keys))
        assert [row[2] for row in merged] == [row[2] for row in whole], case


def test_pieces_that_lie_apart_are_not_in_memory_together() -> None:
    read: list[int] = []

    def load(piece: int) -> list[tuple[Any, ...]]:
        read.append(piece)
        return [(piece * 10 + i,) for i in range(3)]

    merged = merge_pieces([0, 1, 2], load, [RowSortKey(0)])
    assert next(merged) == (0,)
    # Once each for its first key; then the first one.
    assert read == [0, 1, 2, 0]
    assert list(merged) == [(1,), (2,), (10,), (11,), (12,), (20,), (21,), (22,)]


WRITTEN: list[tuple[str, Any, Any, str]] = [
    ("TIMESTAMP(3)", dt.datetime(2015, 2, 15, 10, 17), "2015-02-15T10:17:00.000", "2015-02-15T10:17:00.000"),
    ("TIMESTAMP(3)", dt.datetime(2015, 2, 15, 10, 17, 0, 5000), "2015-02-15T10:17:00.005", "2015-02-15T10:17:00.005"),
    ("DECIMAL(10, 2)", Decimal("1E+3"), "1000", "1000"),
    ("DECIMAL(10, 2)", Decimal("3.50"), "3.50", "3.50"),
    ("BIGINT", 2**53 + 1, 2**53 + 1, "9007199254740993"),
    ("DOUBLE", 1.5, 1.5, "1.5"),
    ("DOUBLE", float("-inf"), "-Infinity", "-Infinity"),
    ("DOUBLE", NAN, "NaN", "NaN"),
    ("BOOLEAN", False, False, "FALSE"),
    ("DATE", dt.date(2020, 2, 29), "2020-02-29", "2020-02-29"),
    ("TIME(0)", dt.time(10, 11, 12), "10:11:12", "10:11:12"),
    ("VARBINARY", b"\x00\xff", "00FF", "00FF"),
    ("VARCHAR", None, None, ""),
    ("INTERVAL HOUR", dt.timedelta(hours=5), "PT5H", "PT5H"),
    ("INTERVAL DAY TO SECOND", dt.timedelta(days=1, seconds=61, milliseconds=500), "P1DT1M1.5S", "P1DT1M1.5S"),
    ("INTERVAL SECOND", dt.timedelta(milliseconds=-1), "-PT0.001S", "-PT0.001S"),
    ("INTERVAL DAY", dt.timedelta(0), "PT0S", "PT0S"),
    ("INTERVAL YEAR TO MONTH", 14, "P1Y2M", "P1Y2M"),
    ("INTERVAL MONTH", -3, "-P3M", "-P3M"),
    ("INTEGER ARRAY", [1, None], [1, None], "[1,null]"),
    ("MAP<VARCHAR, DATE>", {"a": dt.date(2020, 1, 1)}, {"a": "2020-01-01"}, '{"a":"2020-01-01"}'),
    ("ROW(A INTEGER, B DATE)", (1, dt.date(2020, 1, 1)), {"A": 1, "B": "2020-01-01"}, '{"A":1,"B":"2020-01-01"}'),
]


@pytest.mark.parametrize(("type", "value", "json", "text"), WRITTEN)
def test_written(type: str, value: Any, json: Any, text: str) -> None:
    (write,) = writers([type])
    assert write(value) == json
    assert as_text(write(value)) == text


def test_columns_of_a_table() -> None:
    fields = [
        Field(name=n, type=t, nullable=True, monotonicity="NOT_MONOTONIC")
        for n, t in (("A", "TIMESTAMP(3)"), ("a", "INTEGER"), ("A", "VARCHAR"))
    ]
    columns = Columns(fields)
    assert columns.names == ["A", "a_2", "A_3"]
    assert columns.texts((dt.datetime(2015, 2, 15, 10, 17), 4, None)) == ["2015-02-15 10:17:00", "4", ""]
    assert shown_timestamp("2015-02-15T10:17:00.500") == "2015-02-15 10:17:00.500"
