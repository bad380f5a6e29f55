"""The rows for generated queries: two tables and three streams with history, with NULLs, ties and duplicates; in the
forms of rowtime and of DuckDB."""

from __future__ import annotations

import datetime as dt
import random
from collections.abc import Sequence
from dataclasses import dataclass
from decimal import Decimal
from typing import Any

from .text import Kind

START = dt.datetime(2015, 2, 15, 9, 58)
END = dt.datetime(2017, 1, 1)
"""The bound of the streams at the end: every group is complete."""
_FIRST = dt.datetime(2015, 1, 1)


@dataclass(frozen=True)
class Relation:
    """`letter` represents its name in generated text. Streams have ROWTIME first, and `id` in order of arrival."""

    letter: str
    stream: bool
    columns: tuple[tuple[str, Kind], ...]
    count: int
    key: str = ""
    """The primary key, for a stream whose rows are versions; no two of them have the same ROWTIME."""
    declared: str = ""
    """LATENESS or WATERMARK of ROWTIME, which allows for a disorder of ten minutes."""
    foreign: bool = False
    """As a stream, its rows come in files."""

    @property
    def name(self) -> str:
        return f"G_{self.letter}"

    def types(self, engine: str) -> str:
        """Returns the columns for a CREATE statement."""
        listed = [f"{n} {_TYPES[k]}{' NOT NULL' if n in ('id', 'rowtime') else ''}" for n, k in self.columns]
        if self.declared and engine == "rowtime":
            listed[0] += f" {self.declared} INTERVAL '10' MINUTE"
        if self.key and engine == "rowtime":
            listed.append(f"PRIMARY KEY ({self.key})")
        return ", ".join(listed).replace("TIMESTAMP(3)", "TIMESTAMP" if engine == "duckdb" else "TIMESTAMP(3)")


_TYPES: dict[Kind, str] = {
    "INTEGER": "INTEGER",
    "BIGINT": "BIGINT",
    "DECIMAL": "DECIMAL(10, 2)",
    "DOUBLE": "DOUBLE",
    "VARCHAR": "VARCHAR(10)",
    "BOOLEAN": "BOOLEAN",
    "DATE": "DATE",
    "TIMESTAMP": "TIMESTAMP(3)",
}

_ALL: tuple[tuple[str, Kind], ...] = (
    ("id", "INTEGER"),
    ("k", "INTEGER"),
    ("b", "BIGINT"),
    ("d", "DECIMAL"),
    ("x", "DOUBLE"),
    ("s", "VARCHAR"),
    ("f", "BOOLEAN"),
    ("dt", "DATE"),
    ("ts", "TIMESTAMP"),
)
_SOME: tuple[tuple[str, Kind], ...] = (
    ("k", "INTEGER"),
    ("n", "INTEGER"),
    ("d", "DECIMAL"),
    ("s", "VARCHAR"),
    ("f", "BOOLEAN"),
    ("ts", "TIMESTAMP"),
)
_ROWTIME: tuple[str, Kind] = ("rowtime", "TIMESTAMP")

T = Relation("T", False, _ALL, 26)
U = Relation("U", False, _SOME, 18)
S = Relation("S", True, (_ROWTIME, *_ALL), 48)
R = Relation("R", True, (_ROWTIME, *_ALL), 30)
P = Relation("P", True, (_ROWTIME, *_ALL), 30, "k")
RELATIONS = (T, U, S, R, P)
_FEW: tuple[tuple[str, Kind], ...] = (_ROWTIME, ("id", "INTEGER"), *_SOME)
D = Relation("D", True, _FEW, 40, declared="LATENESS")
E = Relation("E", True, _FEW, 24, declared="WATERMARK", foreign=True)
F = Relation("F", True, _FEW, 30, declared="LATENESS", foreign=True)
ALL_RELATIONS = (*RELATIONS, D, E, F)
"""Those of composed queries."""
_BEHIND = (0, 0, 0, 1000, 60_000, 300_000, 600_000)
"""How far rows go back that may, in milliseconds."""

# DOUBLEs are few binary digits each, so that sums of them are exact in any order.
_POOLS: dict[str, tuple[Any, ...]] = {
    "k": (None, 1, 2, 2, 3, 4),
    "n": (None, -3, 0, 1, 2, 7),
    "b": (None, 0, 5, -7, 3_000_000_000, 40),
    "d": tuple(Decimal(v) if v else None for v in (None, "0.00", "1.25", "-2.50", "10.75", "99.99", "1.25")),
    "x": (None, 0.25, 1.5, -2.75, 8.0, 0.0),
    "s": (None, "a", "b", "ab", "", "A b", "zz"),
    "f": (None, True, False),
    "dt": (None, *(dt.date(2015, m, d) for m, d in ((1, 1), (1, 31), (2, 15), (2, 28), (2, 15)))),
    "ts": (None, *(_FIRST + dt.timedelta(days=45, minutes=m) for m in (0, 17, 59, 60, 600, 601))),
}
_STEPS = (0, 0, 1, 500, 1000, 10_000, 60_000, 420_000, 1_200_000, 3_600_000)


def rows(relation: Relation, seed: int) -> list[tuple[Any, ...]]:
    """Returns the rows, those of a stream in order of arrival; every fourth row of U occurs twice."""
    chance = random.Random(f"{seed} {relation.letter}")
    found: list[tuple[Any, ...]] = []
    clock = START
    for number in range(1, relation.count + 1):
        clock += dt.timedelta(milliseconds=max(chance.choice(_STEPS), 1 if relation.key else 0))
        behind = dt.timedelta(milliseconds=chance.choice(_BEHIND)) if relation.declared else dt.timedelta(0)
        drawn: dict[str, Any] = {"rowtime": clock - behind, "id": number}
        if relation.key:
            drawn[relation.key] = chance.choice([value for value in _POOLS[relation.key] if value is not None])
        row = tuple(drawn[n] if n in drawn else chance.choice(_POOLS[n]) for n, _ in relation.columns)
        found.append(found[-1] if relation is U and number % 4 == 0 else row)
    return found


def insert(name: str, some: Sequence[tuple[Any, ...]]) -> str:
    """Returns an INSERT of those rows, in either dialect."""
    return f"INSERT INTO {name} VALUES {', '.join('(' + ', '.join(map(literal, row)) + ')' for row in some)}"


def literal(value: Any) -> str:
    if value is None:
        return "NULL"
    if isinstance(value, bool):
        return str(value).upper()
    if isinstance(value, float):
        return f"{value}E0"
    if isinstance(value, dt.datetime):
        return f"TIMESTAMP '{value.isoformat(' ', 'milliseconds' if value.microsecond else 'seconds')}'"
    if isinstance(value, dt.date):
        return f"DATE '{value}'"
    return f"'{value}'" if isinstance(value, str) else str(value)


VIEWS = {
    "V": "SELECT STREAM rowtime, id, k, d * 2 AS d, s, ts FROM ~S~ WHERE k IS NOT NULL OR f",
    "W": "SELECT STREAM FLOOR(rowtime TO HOUR) AS rowtime, k, COUNT(*) AS c, SUM(d) AS d FROM ~S~ "
    "GROUP BY FLOOR(rowtime TO HOUR), k",
}
"""Views over S. `~S~` is the name that S has where the view is made."""
LATE_VIEWS = {"L": "SELECT STREAM rowtime, id, k, b, d, s, ts FROM ~S~ WHERE id > 2"}
"""Views with a LATENESS of half an hour on ROWTIME, for which no row of S is late."""
LATENESS = "INTERVAL '30' MINUTE"
VIEWS_IN_DUCKDB = {
    "V": "SELECT rowtime, id, k, d * 2 AS d, s, ts FROM G_S WHERE k IS NOT NULL OR f",
    "L": "SELECT rowtime, id, k, b, d, s, ts FROM G_S WHERE id > 2",
    "W": "SELECT date_trunc('hour', rowtime) AS rowtime, k, COUNT(*) AS c, SUM(d) AS d FROM G_S GROUP BY ALL",
}
VIEW_COLUMNS: dict[str, tuple[tuple[str, Kind], ...]] = {
    "V": (
        ("rowtime", "TIMESTAMP"),
        ("id", "INTEGER"),
        ("k", "INTEGER"),
        ("d", "DECIMAL"),
        ("s", "VARCHAR"),
        ("ts", "TIMESTAMP"),
    ),
    "L": (
        ("rowtime", "TIMESTAMP"),
        ("id", "INTEGER"),
        ("k", "INTEGER"),
        ("b", "BIGINT"),
        ("d", "DECIMAL"),
        ("s", "VARCHAR"),
        ("ts", "TIMESTAMP"),
    ),
    "W": (("rowtime", "TIMESTAMP"), ("k", "INTEGER"), ("c", "BIGINT"), ("d", "DECIMAL")),
}
