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
