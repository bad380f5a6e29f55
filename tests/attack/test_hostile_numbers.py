"""Short texts of numbers that no machine can write out: each gives an answer or an error quickly."""

from __future__ import annotations

import time
from decimal import Decimal
from typing import TYPE_CHECKING

import pytest

from rowtime.errors import RowtimeError
from rowtime.session import Session

if TYPE_CHECKING:
    from rowtime.runtime.relation import Relation

TINY, HUGE = "1e-300000000", "1e300000000"
LONG = "9" * 100_000


def value(rt: Session, sql: str) -> object:
    found: Relation = rt.sql(sql)  # type: ignore[assignment]
    (row,) = list(found)
    return row[0]


@pytest.mark.parametrize(
    ("expression", "expected"),
    [
        (f"CAST('{TINY}' AS DECIMAL(10, 2))", Decimal("0.00")),
        (f"CAST(t AS DECIMAL(10, 2)) FROM (VALUES ('{TINY}'), ('{TINY}')) AS v (t) LIMIT 1", Decimal("0.00")),
        (f"SAFE_CAST('{HUGE}' AS DECIMAL(10, 2))", None),
        (f"SAFE_CAST('{TINY}' AS INTEGER)", None),
        (f"SAFE_CAST('{LONG}' AS DECIMAL(10, 2))", None),
        ("ROUND(1.5, 300000000)", Decimal("1.5")),
        ("ROUND(1.5, -300000000)", Decimal("0.0")),
        ("ROUND(CAST(1.5 AS DOUBLE), 300000000)", 1.5),
        ("TRUNCATE(CAST(1.5 AS DOUBLE), -300000000)", 0.0),
        ("CAST('1e-2' AS DECIMAL(10, 2))", Decimal("0.01")),
        ("CAST(' 12.345e1 ' AS DECIMAL(10, 2))", Decimal("123.45")),
        ("JSON_VALUE('{\"a\": 1e-300000000}', '$.a' RETURNING DOUBLE)", 0.0),
    ],
)
def test_numbers_that_can_be_told(rt: Session, expression: str, expected: object) -> None:
    begun = time.monotonic()
    assert value(rt, f"SELECT {expression}") == expected
    assert time.monotonic() - begun < 60


@pytest.mark.parametrize(
    "expression",
    [
        f"CAST('{HUGE}' AS DECIMAL(10, 2))",
        f"CAST('{LONG}' AS DECIMAL(10, 2))",
        f"CAST('{HUGE}' AS INTEGER)",
        f"CAST('{TINY}' AS INTEGER)",
        TINY,
        f"DECIMAL '{TINY}'",
        f"DECIMAL '{HUGE}'",
        HUGE,
        LONG,
        "1.5e2147483648",
        f"INTERVAL '{LONG}' DAY",
    ],
)
def test_numbers_that_cannot(rt: Session, expression: str) -> None:
    begun = time.monotonic()
    with pytest.raises(RowtimeError) as fault:
        value(rt, f"SELECT {expression}")
    assert time.monotonic() - begun < 60
    message = fault.value.diagnostics[0].message
    assert fault.value.code != "RT0999"
    assert len(message) < 1_000
    assert "java" not in message
