"""Pumps in real time: what the planner says of them, from their definition on. The refusals are a script."""

from __future__ import annotations

from typing import Any

import pytest

from .conftest import Planning

PUMP = "INSERT INTO done SELECT STREAM n FROM orders"


@pytest.fixture(scope="module")
def planning(planner: Any) -> Planning:
    planning = Planning(planner)
    for name in ("orders", "done"):
        planning.plan(
            f"CREATE FOREIGN STREAM {name} (n INTEGER) OPTIONS (connector 'kafka', servers 'b:1', topic '{name}')"
        )
    return planning


@pytest.mark.parametrize(
    ("options", "mode", "millis"),
    [
        ("", "microbatch", None),
        ("OPTIONS (mode 'Microbatch')", "microbatch", None),
        ("OPTIONS (mode 'RealTime')", "realtime", 30_000),
        ("OPTIONS (mode 'realtime', commit_interval '2 MINUTES')", "realtime", 120_000),
    ],
)
def test_the_stored_query_says_the_mode(planning: Planning, options: str, mode: str, millis: int | None) -> None:
    statement = planning.plan(f"CREATE OR REPLACE PUMP p {options} AS {PUMP}")
    (change,) = statement["changes"]
    stored = planning.plan(change["object"]["query"])
    for planned in (statement, stored):
        assert (planned["mode"], planned.get("commitMillis")) == (mode, millis)
    assert "REALTIME" not in change["object"]["sql"]
