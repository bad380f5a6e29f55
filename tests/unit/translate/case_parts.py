"""What expression cases are made of."""

from __future__ import annotations

from dataclasses import dataclass

NULL_INT = "CAST(NULL AS INTEGER)"
NULL_BIG = "CAST(NULL AS BIGINT)"
NULL_DEC = "CAST(NULL AS DECIMAL(10, 2))"
NULL_DBL = "CAST(NULL AS DOUBLE)"
NULL_STR = "CAST(NULL AS VARCHAR(10))"
NULL_BOOL = "CAST(NULL AS BOOLEAN)"
NULL_DATE = "CAST(NULL AS DATE)"
NULL_TIME = "CAST(NULL AS TIME(3))"
NULL_TS = "CAST(NULL AS TIMESTAMP(3))"


@dataclass(frozen=True)
class Group:
    name: str
    templates: tuple[str, ...]
    arguments: tuple[tuple[str, ...], ...]


def each(*values: str) -> tuple[tuple[str, ...], ...]:
    """One argument for each case."""
    return tuple((v,) for v in values)


def timestamp(text: str) -> str:
    return f"TIMESTAMP '{text}'"


TIMESTAMPS = (
    timestamp("2015-02-15 10:24:45.123"),
    timestamp("2016-02-29 00:00:00"),
    timestamp("1969-12-31 23:59:59.999"),
    timestamp("1960-01-01 12:00:00"),
    timestamp("2000-12-31 23:59:59.001"),
    timestamp("2001-01-01 00:00:00"),
    timestamp("2017-01-01 00:00:00"),  # a Sunday
    NULL_TS,
)
