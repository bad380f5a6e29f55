"""The times that USING merges: that of the inputs is the ROWTIME of the join, and another one is not."""

from __future__ import annotations

from typing import Any

import pytest

from .conftest import Planning

WIDTH = 3
"""The number of columns of each stream; behind those of both is the ROWTIME of the join."""


@pytest.fixture(scope="module")
def streams(planner: Any) -> Planning:
    planning = Planning(planner)
    for name in "ab":
        planning.plan(f"CREATE STREAM {name} (k INTEGER, ts TIMESTAMP(3))")
    return planning


@pytest.mark.parametrize(
    ("kind", "rowtime", "ts"),
    [
        ("FULL", 2 * WIDTH, "COALESCE"),
        # Each row has a right side.
        ("RIGHT", WIDTH, WIDTH + 2),
        ("LEFT", 0, "COALESCE"),
        ("INNER", 0, "COALESCE"),
    ],
)
def test_merged_times(streams: Planning, kind: str, rowtime: int, ts: int | str) -> None:
    plan = streams.plan(f"SELECT STREAM * FROM a {kind} JOIN b USING (rowtime, k, ts)")["plan"]
    assert [field["name"] for field in plan["fields"]] == ["ROWTIME", "K", "TS"]
    time, _, other = (expr.get("index", expr.get("op")) for expr in plan["exprs"])
    assert (time, other) == (rowtime, ts)


@pytest.mark.parametrize(
    ("joined", "rowtime"),
    [
        ("a JOIN d USING (rowtime, k)", 0),
        ("a LEFT JOIN d USING (k)", 0),
        ("a JOIN d ON a.k = d.k", 0),
        ("d JOIN a ON a.k = d.k AND a.rowtime > d.rowtime", WIDTH),
        ("a JOIN b USING (rowtime, k) JOIN LATERAL SNAPSHOT(d, a.rowtime) AS d ON d.k = a.k", 0),
    ],
)
def test_a_table_with_a_rowtime(streams: Planning, joined: str, rowtime: int) -> None:
    """The ROWTIME of a row of a stream that is joined with a table is that of the stream."""
    streams.plan("CREATE OR REPLACE TABLE d (rowtime TIMESTAMP(3), k INTEGER, n INTEGER) DROP ROWS")
    statement = streams.plan(f"SELECT STREAM rowtime, n FROM {joined}")
    assert statement["plan"]["exprs"][0]["index"] == rowtime
    assert statement["notSupported"] == []
