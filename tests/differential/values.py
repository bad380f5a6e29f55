"""The table of values for tests of functions: one column per type and purpose, with extremes, NULL and others."""

# Tables are most readable with one row per line.
# ruff: noqa: E501

from __future__ import annotations

import json
import random
from collections.abc import Callable
from dataclasses import dataclass
from datetime import date, datetime, timezone
from typing import Any

EPOCH = datetime(1970, 1, 1, tzinfo=timezone.utc)


@dataclass(frozen=True)
class Column:
    """`pool` contains the important values, in Calcite's internal form (see InternalValues.java); `draw` returns
    others."""

    name: str
    type: str
    pool: tuple[Any, ...]
    draw: Callable[[random.Random], Any]


def _stamp(text: str) -> int:
    return round((datetime.fromisoformat(text).replace(tzinfo=timezone.utc) - EPOCH).total_seconds() * 1000)


def _day(text: str) -> int:
    return (date.fromisoformat(text) - date(1970, 1, 1)).days


_DAYS = tuple(map(_day, ("1970-01-01", "2016-02-29", "2015-03-31", "1969-12-31", "1900-01-01", "2000-12-31", "2001-01-01",
                         "2017-01-01", "2024-12-30", "0001-01-01", "9999-12-31")))  # fmt: skip
_STAMPS = tuple(map(_stamp, ("1970-01-01 00:00:00", "2015-02-15 10:24:45.123", "2016-02-29 23:59:59.999", "1969-12-31 23:59:59.999",
                             "1900-03-01 12:00:00", "2000-12-31 23:59:59.001", "2001-01-01 00:00:00", "2024-03-31 02:30:00",
                             "2017-01-01 00:00:00", "1583-01-01 00:00:00")))  # fmt: skip
_TIMES = (0, 37_485_123, 86_399_999, 43_200_000, 1)
_TEXTS = ("abc", "", "a", " aBc  ", "Hello wORLD-foo 1st", "aaa", "Ünïcode ß", "日本語", "🙂x", "it's \\ \"q\"", "a,b,,c", "12",
          "ab\ncd", "a_c", "100%", "abcabc", "ﬁ ﬀ İ", "a.c")  # fmt: skip
_LETTERS = "abcXYZ ,.%_1é"
_INTS = (0, 1, -1, 7, 2147483647, -2147483648, 100, -13, 2)
_LONGS = (0, 1, -1, 9223372036854775807, -9223372036854775808, 10**15 + 1, -7, 3)
_CENTS = ("0.00", "0.50", "-0.50", "1.25", "-2.50", "10.25", "99999999.99", "-99999999.99", "3.00", "1.15")
_MICROS = (
    "0.000000",
    "0.333333",
    "-1.500000",
    "2.345000",
    "149.995000",
    "9999999999999.999999",
    "-0.000001",
    "4.000000",
)
_WIDE = ("0.0000000000", "1.5000000000", "-2.5000000000", "9999999999999999999999999999.9999999999", "0.0000000001",
         "-12345678901234567890.1234567890")  # fmt: skip
_FLOATS = (
    "0.0",
    "1.5",
    "-2.5",
    "0.5",
    "1.15",
    "-0.4",
    "1.0E20",
    "1.0E-10",
    "123456.789",
    "9.007199254740993E15",
    "1.0E300",
    "-1.0",
)
_REALS = ("0.0", "1.5", "-2.5", "0.1", "1.0E10", "3.0")


def _of(*values: Any) -> Callable[[random.Random], Any]:
    return lambda source: source.choice(values)


def _text(source: random.Random) -> str:
    return "".join(source.choice(_LETTERS) for _ in range(source.randrange(8)))


def _decimal(digits: int, scale: int) -> Callable[[random.Random], str]:
    def draw(source: random.Random) -> str:
        unscaled = source.randrange(-(10 ** source.randint(1, digits)), 10 ** source.randint(1, digits))
        sign, all_digits = "-" if unscaled < 0 else "", str(abs(unscaled)).zfill(scale + 1)
        return f"{sign}{all_digits[:-scale]}.{all_digits[-scale:]}"

    return draw


def _double(source: random.Random) -> str:
    return repr(source.choice((-1, 1)) * source.random() * 10 ** source.randint(-6, 9))


def _int(low: int, high: int) -> Callable[[random.Random], int]:
    return lambda source: source.randint(low, high)


def _some_ints(source: random.Random) -> list[Any]:
    return [source.choice((1, 2, 3, None, -5)) for _ in range(source.randrange(5))]


_DAY = 86_400_000
_INTERVALS = (0, 1000, -1000, 90_061_001, -90_061_001, 30 * _DAY, 3_599_999)
_MONTHS = (0, 1, -1, 12, 25, -25, 120)
_DOCUMENTS = ('{"a": 1, "b": [1, "x", null]}', '{"a": "text", "b": {"c": 2.5}}', "{}", "[]", "[1, 2, 3]", '"scalar"', "17", "null",
              "not json", "", '{"a": null}', '{"b": []}', '{"a": true, "a": 2}', '{"a": "ß🙂\\n"}')  # fmt: skip

COLUMNS: tuple[Column, ...] = (
    Column("B1", "BOOLEAN", (True, False, None), _of(True, False, None)),
    Column("B2", "BOOLEAN", (False, None, True), _of(True, False, None)),
    Column("I1", "INTEGER", (*_INTS, None), _int(-100_000, 100_000)),
    Column("I2", "INTEGER", (1, None, 3, -2, 2147483647, 10, 0), _int(-1000, 1000)),
    Column("N", "INTEGER", (2, 1, 0, 3, -1, None, 5, 10, -3), _int(-3, 12)),
    Column("L1", "BIGINT", (*_LONGS, None), _int(-(10**12), 10**12)),
    Column("L2", "BIGINT", (1, 2, None, -3, 9223372036854775807, 0), _int(-(10**6), 10**6)),
    Column("S16", "SMALLINT", (0, 1, 32767, -32768, 7, None), _int(-100, 100)),
    Column("S8", "TINYINT", (0, 1, 127, -128, 7, None), _int(-10, 10)),
    Column("D1", "DECIMAL(10, 2)", (*_CENTS, None), _decimal(9, 2)),
    Column("D2", "DECIMAL(19, 6)", (*_MICROS, None), _decimal(12, 6)),
    Column("D3", "DECIMAL(38, 10)", (*_WIDE, None), _decimal(20, 10)),
    Column("X1", "DOUBLE", (*_FLOATS, None), _double),
    Column("X2", "DOUBLE", ("2.0", "0.5", None, "-3.25", "1.0E10", "0.0"), _double),
    Column("R1", "REAL", (*_REALS, None), _of(*_REALS)),
    Column("S1", "VARCHAR(40)", (*_TEXTS, None), _text),
    Column("S2", "VARCHAR(40)", ("b", "", None, "abc", "zz", "é", "ab"), _text),
    Column("CH1", "VARCHAR(1)", ("a", "b", " ", None, ",", "!", "é"), _of(*"abc ,.%_1é")),
    Column("NUM1", "VARCHAR(20)", ("12", "-7", "+7", " 12 ", "1.5", "2.555", "-1.5", "1e2", ".5", "abc", "", "12x", "2147483648", None),
           _of("1", "99", "100000", "-0.25")),
    Column("BOOL1", "VARCHAR(10)", ("true", "FALSE", " True ", "t", "1", "", None, "no"), _of("true", "false")),
    Column("DATE1", "VARCHAR(30)", ("2015-02-15", "2016-02-29", "2015-02-30", "nonsense", "", "1900-01-01", None), _of("2020-01-01")),
    Column("TIME1", "VARCHAR(30)", ("10:24:45", "10:24:45.123", "24:00:00", "nonsense", "00:00:00", None), _of("12:13:14")),
    Column("STAMP1", "VARCHAR(30)", ("2015-02-15 10:24:45", "2015-02-15 10:24:45.123", "nonsense", "", "1969-12-31 23:59:59.999", None),
           _of("2020-01-01 00:00:00")),
    Column("DT1", "DATE", (*_DAYS[:-2], None), _int(-30_000, 30_000)),
    Column("DT2", "DATE", (_DAYS[1], _DAYS[0], None, _DAYS[3], _DAYS[5]), _int(-30_000, 30_000)),
    Column("TM1", "TIME(3)", (*_TIMES, None), _int(0, _DAY - 1)),
    Column("TM2", "TIME(3)", (1000, None, 86_399_999, 0), _int(0, _DAY - 1)),
    Column("TS1", "TIMESTAMP(3)", (*_STAMPS, None), _int(-(10**12), 2 * 10**12)),
    Column("TS2", "TIMESTAMP(3)", (_STAMPS[2], _STAMPS[0], None, _STAMPS[3], _STAMPS[6]), _int(-(10**12), 2 * 10**12)),
    Column("IV1", "INTERVAL DAY TO SECOND", (*_INTERVALS, None), _int(-10 * _DAY, 10 * _DAY)),
    Column("IV2", "INTERVAL DAY TO SECOND", (1000, None, -5000, _DAY), _int(-10 * _DAY, 10 * _DAY)),
    Column("YM1", "INTERVAL YEAR TO MONTH", (*_MONTHS, None), _int(-50, 50)),
    Column("YM2", "INTERVAL YEAR TO MONTH", (1, None, -7, 12), _int(-50, 50)),
    Column("BIN1", "VARBINARY(20)", ("616263", "", "00ff10", None, "ff"), _of("0102", "abcdef")),
    Column("BIN2", "VARBINARY(20)", ("61", "616263", None), _of("0102", "ab")),
    Column("J1", "VARCHAR(80)", (*_DOCUMENTS, None), _of(*_DOCUMENTS)),
    Column("RE1", "VARCHAR(20)", ("a", "b.", "[a-c]+", "^a.*c$", "(a)(b)", None, "x*", "\\d+"), _of("a|b", "\\w", "[^a]")),
    Column("LIKE1", "VARCHAR(20)", ("a%", "%b_", "", None, "%\\%", "_", "%.%", "abc"), _of("%", "a_c", "%1%")),
    Column("SIM1", "VARCHAR(20)", ("a%", "(a|b)%", "[a-c]+", None, "%b_", "[^x]*", "abc?"), _of("%", "a_c", "[[:ALPHA:]]+")),
    Column("A1", "INTEGER ARRAY", ([1, 2, 3], [], [None, 1, 1], None, [3, 2, 3]), _some_ints),
    Column("A2", "INTEGER ARRAY", ([2, 3], [None], [], None, [1]), _some_ints),
    Column("AS1", "VARCHAR ARRAY", (["a", "b"], [], ["x", None, "z"], None), _of(["c"], ["", "é"])),
    Column("M1", "MAP<VARCHAR, INTEGER>", ([["a", 1], ["b", 2]], [], [["c", None]], None), _of([["a", 5]])),
    Column("ROW1", "ROW(A INTEGER, B VARCHAR)", ([1, "x"], [None, "y"], [2, None], None), _of([3, "z"])),
)  # fmt: skip


def rows(count: int, seed: int = 1) -> list[list[Any]]:
    """Returns `count` rows: each column first uses its pool, in random order, then random values."""
    columns = []
    for number, column in enumerate(COLUMNS):
        source = random.Random(f"{seed} {number}")
        pool = list(column.pool)
        if count < len(pool) or number % 2:
            source.shuffle(pool)
        values = (pool * 2)[:count] if count < 60 else pool * 3
        values += [
            column.draw(source) if source.random() < 0.9 else source.choice(pool) for _ in range(count - len(values))
        ]
        columns.append(values[:count])
    return [list(row) for row in zip(*columns, strict=True)]


def catalog() -> str:
    """A catalog snapshot with the table, T."""
    columns = [{"name": c.name, "type": c.type, "nullable": True} for c in COLUMNS]
    table = {"name": "T", "kind": "TABLE", "columns": columns, "primaryKey": [], "options": {}, "query": None, "started": False,
             "uses": [], "sql": ""}  # fmt: skip
    return json.dumps({"version": 1, "objects": [table], "lateness": []})
