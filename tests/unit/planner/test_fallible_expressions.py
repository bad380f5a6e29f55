"""Which expressions can fail for a row."""

from __future__ import annotations

import pytest

from .conftest import Planning
from .test_changelogs import nodes

COLUMNS = "a INTEGER ARRAY, w VARCHAR(5) ARRAY, d DECIMAL(4, 1) ARRAY, m MAP<VARCHAR(5), INTEGER>, r ROW(x INTEGER, y VARCHAR(5))"


@pytest.mark.parametrize(
    ("cast", "can_fail"),
    [
        ("CAST(w AS INTEGER ARRAY)", True),
        ("CAST(d AS DECIMAL(3, 1) ARRAY)", True),
        ("CAST(r AS ROW(x INTEGER, y INTEGER))", True),
        ("CAST(m AS MAP<VARCHAR(5), TINYINT>)", True),
        # 'a' and 'a ' become the same key.
        ("CAST(m AS MAP<CHAR(5), INTEGER>)", True),
        ("CAST(w AS CHAR(3) ARRAY)", False),
        ("CAST(a AS VARCHAR(9) ARRAY)", False),
        ("CAST(r AS ROW(p INTEGER, q VARCHAR(2)))", False),
        ("CAST(m AS MAP<VARCHAR(5), VARCHAR(9)>)", False),
    ],
)
def test_casts_of_parts(planning: Planning, cast: str, can_fail: bool) -> None:
    """Casts of arrays, maps and rows can fail if those of their parts can."""
    planning.plan(f"CREATE STREAM values_of (rowtime TIMESTAMP NOT NULL, {COLUMNS})")
    plan = planning.plan(f"SELECT STREAM rowtime, {cast} AS c FROM values_of")["plan"]
    assert any(node.get("fallible") for node in nodes(plan)) == can_fail


@pytest.mark.parametrize(
    ("group", "can_fail"),
    [
        ("FLOOR(rowtime TO MINUTE)", False),
        ("TUMBLE(rowtime, INTERVAL '10' MINUTE)", False),
        ("TUMBLE(rowtime, INTERVAL '10' MINUTE, TIME '00:03:00')", False),
        ("TUMBLE(rowtime, INTERVAL '1' MONTH)", False),
        ("HOP(rowtime, INTERVAL '2' MINUTE, INTERVAL '10' MINUTE)", False),
        ("HOP(rowtime, INTERVAL '3' MINUTE, INTERVAL '10' MINUTE)", False),
        ("SESSION(rowtime, INTERVAL '10' MINUTE)", False),
        ("FLOOR(rowtime TO MINUTE), 10 / a", True),
    ],
)
def test_keys_of_windows(planning: Planning, group: str, can_fail: bool) -> None:
    """The window of a row is never an error: queries of windows carry no positions of rows for one."""
    planning.plan("CREATE STREAM values_of (rowtime TIMESTAMP NOT NULL, a INTEGER)")
    plan = planning.plan(f"SELECT STREAM COUNT(*) AS c FROM values_of GROUP BY {group}")["plan"]
    assert any(node.get("fallible") for node in nodes(plan)) == can_fail
