"""Values on their way into a stream, and timestamps."""

from __future__ import annotations

import datetime as dt
from decimal import Decimal
from typing import Any

import pyarrow as pa
import pytest

from rowtime.plan.types import parse_type
from rowtime.types import times
from rowtime.types.columns import arrow_type, columns
from rowtime.types.values import BadValue, from_stored, stored_array, to_stored


def column(type: str, nullable: bool = True) -> Any:
    return columns([{"name": "C", "type": type, "nullable": nullable}])[0]


NOON = dt.datetime(2020, 1, 1, 12, 0, 0, 123456)
TAKEN: list[tuple[str, Any, Any]] = [
    ("INTEGER", 4, 4),
    ("INTEGER", "4", 4),
    ("INTEGER", 4.0, 4),
    ("BIGINT", str(2**63 - 1), 2**63 - 1),
    ("DECIMAL(5, 2)", "3.145", Decimal("3.15")),
    ("DECIMAL(5, 2)", 3, Decimal("3.00")),
    ("DECIMAL(38, 0)", str(10**37), Decimal(10**37)),
    ("DECIMAL(5, 2)", Decimal("1e-999999999"), Decimal("0.00")),
    ("DECIMAL(5, 2)", "1e-300000000", Decimal("0.00")),
    ("DOUBLE", 1, 1.0),
    ("DOUBLE", "1e-300000000", 0.0),
    ("BOOLEAN", "TRUE", True),
    ("VARCHAR(3)", "ab   ", "ab "),
    ("CHAR(3)", "a", "a  "),
    ("VARBINARY", "00FF", b"\x00\xff"),
    ("DATE", "2020-02-29", dt.date(2020, 2, 29)),
    ("TIME(0)", "10:11:12", (10 * 3600 + 11 * 60 + 12) * 1_000_000),
    ("TIMESTAMP(3)", NOON, 1_577_880_000_123_000),
    ("TIMESTAMP(3)", "2020-01-01T12:00:00.123456Z", 1_577_880_000_123_000),
    ("TIMESTAMP(6)", NOON, 1_577_880_000_123_456),
    ("TIMESTAMP(3)", NOON.replace(tzinfo=dt.timezone(dt.timedelta(hours=2))), 1_577_872_800_123_000),
    ("TIMESTAMP(3)", "1969-12-31 23:59:59.9999", -1000),
    ("INTERVAL DAY TO SECOND", dt.timedelta(hours=1), 3_600_000),
    ("INTEGER ARRAY", [1, None, "3"], [1, None, 3]),
    ("MAP<VARCHAR, INTEGER>", {"a": 1}, [("a", 1)]),
    ("ROW(A INTEGER, B VARCHAR)", {"A": 1, "B": "x"}, {"A": 1, "B": "x"}),
    ("ROW(A INTEGER, B VARCHAR)", {"b": "x", "a": 1}, {"A": 1, "B": "x"}),
    ("ROW(A INTEGER, B VARCHAR)", {"B": "x"}, {"A": None, "B": "x"}),
]


@pytest.mark.parametrize(("type", "value", "expected"), TAKEN)
def test_taken(type: str, value: Any, expected: Any) -> None:
    found = to_stored(value, column(type))
    assert found == expected
    # It is what the log can hold, and values of a whole column become the same.
    held = pa.array([found, None], arrow_type(parse_type(type)))
    assert stored_array([value, None], column(type)).equals(held)


def test_what_cannot_be_written_out_is_refused() -> None:
    with pytest.raises(BadValue) as fault:
        to_stored(10**5_000, column("INTEGER"))
    assert str(fault.value) == "C: an integer of 16,610 bits does not fit in INTEGER"
    with pytest.raises(BadValue) as fault:
        to_stored("\ud800", column("VARCHAR"))
    assert str(fault.value) == "C: '\\ud800' contains an unpaired surrogate"


REFUSED = [
    ("INTEGER", Decimal("1e999999999"), "C: 1E+999999999 does not fit in INTEGER"),
    ("INTEGER", Decimal("1e-999999999"), "C: 1E-999999999 is not an INTEGER"),
    ("INTEGER", "1_000", "C: '1_000' is not an INTEGER"),
    ("INTEGER", "²", "C: '²' is not an INTEGER"),
    ("INTEGER", "9" * 5_000, "C: '99999999999999999999999999999999999999999999999999999999... does not fit in INTEGER"),
    ("DECIMAL(5, 2)", Decimal("1e999999999"), "C: 1E+999999999 does not fit in DECIMAL(5, 2)"),
    ("DECIMAL(5, 2)", "١", "C: '١' is not a DECIMAL(5, 2)"),
    ("DOUBLE", "1_0", "C: '1_0' is not a DOUBLE"),
    ("INTERVAL DAY TO SECOND", Decimal("1e999999999"), "C: 1E+999999999 does not fit in INTERVAL DAY TO SECOND"),
    ("INTEGER", "abc", "C: 'abc' is not an INTEGER"),
    ("INTEGER", 4.5, "C: 4.5 is not an INTEGER"),
    ("INTEGER", True, "C: True is not an INTEGER"),
    ("INTEGER", 2**31, "C: 2147483648 does not fit in INTEGER"),
    ("TINYINT", -129, "C: -129 does not fit in TINYINT"),
    ("DECIMAL(5, 2)", "1000", "C: '1000' does not fit in DECIMAL(5, 2)"),
    ("DECIMAL(5, 2)", "NaN", "C: 'NaN' is not a DECIMAL(5, 2)"),
    ("VARCHAR(3)", "abcd", "C: 'abcd' does not fit in VARCHAR(3)"),
    ("VARCHAR(3)", 7, "C: 7 is not a VARCHAR(3)"),
    ("DATE", "2019-02-29", "C: '2019-02-29' is not a DATE"),
    ("TIMESTAMP(3)", "noon", "C: 'noon' is not a TIMESTAMP(3)"),
    ("BOOLEAN", 1, "C: 1 is not a BOOLEAN"),
    ("BIGINT", Decimal("4.5"), "C: 4.5 is not a BIGINT"),
    ("DOUBLE", True, "C: True is not a DOUBLE"),
    ("VARCHAR", b"a", "C: b'a' is not a VARCHAR"),
    ("VARBINARY", 3, "C: 3 is not a VARBINARY"),
    ("BINARY(2)", True, "C: True is not a BINARY(2)"),
    ("INTEGER ARRAY", b"a", "C: b'a' is not an INTEGER ARRAY"),
    ("ROW(A INTEGER)", {"a": 1, "b": 2}, "C: {'a': 1, 'b': 2} is not a ROW(A INTEGER)"),
    ("ROW(A INTEGER)", {"a": 1, "A": 2}, "C: {'a': 1, 'A': 2} is not a ROW(A INTEGER)"),
]


@pytest.mark.parametrize(("type", "value", "reason"), REFUSED)
def test_refused(type: str, value: Any, reason: str) -> None:
    with pytest.raises(BadValue) as fault:
        to_stored(value, column(type))
    assert str(fault.value) == reason
    with pytest.raises(BadValue) as fault:
        stored_array([value], column(type))
    assert str(fault.value) == reason


def test_null() -> None:
    assert to_stored(None, column("INTEGER")) is None
    with pytest.raises(BadValue, match="C: NULL in a column that is NOT NULL"):
        to_stored(None, column("INTEGER", nullable=False))


@pytest.mark.parametrize("value", [dt.datetime(1969, 7, 20, 20, 17, 40, 5000), dt.datetime(2038, 1, 19, 3, 14, 8)])
def test_timestamps_come_back(value: dt.datetime) -> None:
    assert from_stored(to_stored(value, column("TIMESTAMP(3)")), column("TIMESTAMP(3)")) == value


def test_texts_of_instants() -> None:
    assert times.text(times.parse_millis("2006-09-11 12:05")) == "2006-09-11 12:05:00.000"
    assert times.text(times.parse_millis("2006-09-11T14:05:00.5+02:00"), "T") == "2006-09-11T12:05:00.500"
    for text in ("", "12:05", "2006-09-11 25:00:00", "2006-13-01", "2006-09-11 12:05:00 CET"):
        with pytest.raises(ValueError, match=r"timestamp|must be"):
            times.parse_millis(text)


def test_names_that_a_log_cannot_have() -> None:
    found = columns(
        [{"name": n, "type": "INTEGER"} for n in ("A", "a b", "x;y", "B", "b", "_seq", "column_1", "ROWTIME", "é")]
    )
    assert [c.stored for c in found] == [
        "A", "column_1", "column_2", "column_3", "column_4", "column_5", "column_6", "ROWTIME", "column_8",
    ]  # fmt: skip
