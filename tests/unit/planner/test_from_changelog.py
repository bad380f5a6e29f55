"""FROM_CHANGELOG of a stream: what is planned for it, and what is refused."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

from .conftest import Planning


@pytest.fixture(scope="module")
def planning(planner: Any) -> Planning:
    planning = Planning(planner)
    planning.plan("CREATE STREAM c (rowtime TIMESTAMP(3) NOT NULL, op TINYINT, payload ROW(k VARCHAR(10), v INTEGER))")
    planning.plan("CREATE STREAM s (rowtime TIMESTAMP(3) NOT NULL, k VARCHAR(10), v INTEGER)")
    planning.plan("CREATE TABLE kept (op TINYINT, payload ROW(k VARCHAR(10), v INTEGER))")
    planning.plan("CREATE TABLE latest (k VARCHAR(10) PRIMARY KEY, v INTEGER)")
    return planning


def nodes(plan: dict[str, Any]) -> Iterator[dict[str, Any]]:
    yield plan
    for below in plan["inputs"]:
        yield from nodes(below)


def changes(planning: Planning, query: str) -> dict[str, dict[str, Any]]:
    statement = planning.plan(f"SELECT STREAM * FROM TO_CHANGELOG(({query}))")
    assert statement["notSupported"] == []
    return {node["op"]: node for node in reversed(list(nodes(statement["plan"])))}


@pytest.mark.parametrize(
    ("call", "key", "unique", "why"),
    [
        ("c", None, None, "how often each row has been added and not retracted"),
        ("c, on_key => DESCRIPTOR(k)", [1], [0], "the row of each 'K'"),
        ("c, on_key => DESCRIPTOR(v, k)", [2, 1], [1, 0], "the row of each 'K', 'V'"),
        ("(SELECT op, payload FROM c WHERE op > 0)", None, None, "how often each row has been added and not retracted"),
    ],
)
def test_changes_are_applied(
    planning: Planning, call: str, key: list[int] | None, unique: list[int] | None, why: str
) -> None:
    found = changes(planning, f"SELECT * FROM FROM_CHANGELOG({call})")
    applied = found["from_changelog"]
    assert (applied["changeKind"], applied["key"], applied["changes"]) == (0, key, "retract")
    assert (applied["state"]["bound"], applied["state"]["why"]) == ("unbounded", why)
    assert found["to_changelog"]["key"] == unique


def test_the_changes_of_a_result_are_the_result(planning: Planning) -> None:
    grouped = "SELECT k, COUNT(*) AS n FROM s GROUP BY k"
    for key, applies in (("", False), (", on_key => DESCRIPTOR(k)", False)):
        found = changes(planning, f"SELECT * FROM FROM_CHANGELOG(TO_CHANGELOG(({grouped})){key})")
        assert ("from_changelog" in found) == applies


@pytest.mark.parametrize(
    ("query", "code"),
    [
        ("SELECT STREAM * FROM FROM_CHANGELOG(c)", "RT0216"),
        ("SELECT STREAM k, v FROM s EXCEPT ALL SELECT STREAM k, v + 1 FROM s", "RT0216"),
        ("SELECT STREAM * FROM FROM_CHANGELOG(kept)", "RT0102"),
        ("SELECT * FROM FROM_CHANGELOG(kept, on_key => DESCRIPTOR(k))", "RT0131"),
        ("SELECT STREAM * FROM TO_CHANGELOG((SELECT * FROM FROM_CHANGELOG(c, on_key => DESCRIPTOR(op))))", "RT0112"),
        ("CREATE PUMP p AS INSERT INTO latest SELECT STREAM k, v FROM FROM_CHANGELOG(c)", "RT0215"),
    ],
)
def test_what_is_refused(planning: Planning, query: str, code: str) -> None:
    (error,) = planning.errors(query)
    assert error["code"] == code
    assert error["hint"]


def test_the_latest_change_needs_the_order_of_arrival(planning: Planning) -> None:
    changed = "SELECT CAST(0 AS TINYINT) AS op, CAST(ROW(k, n) AS ROW(k VARCHAR(10), n BIGINT)) AS payload FROM (SELECT FLOOR(rowtime TO HOUR) AS h, k, COUNT(*) AS n FROM s"
    statement = planning.plan(
        f"SELECT STREAM * FROM TO_CHANGELOG((SELECT * FROM FROM_CHANGELOG(({changed} GROUP BY FLOOR(rowtime TO HOUR), k)), "
        "on_key => DESCRIPTOR(k))))"
    )
    assert any("lost the order in which they arrived" in what for what in statement["notSupported"])
