"""Results that change: what is planned for them, what is kept, and what is refused."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

from .conftest import Planning


@pytest.fixture(scope="module")
def planning(planner: Any) -> Planning:
    planning = Planning(planner)
    planning.plan("CREATE STREAM s (rowtime TIMESTAMP(3) NOT NULL, k VARCHAR(10), g INTEGER, v INTEGER)")
    planning.plan("CREATE TABLE t (k VARCHAR(10) NOT NULL PRIMARY KEY, v INTEGER)")
    return planning


def changes(planning: Planning, query: str, on_key: str = "") -> dict[str, dict[str, Any]]:
    """Returns the nodes of the changes of a query, by their operators; of several, the outermost."""
    statement = planning.plan(f"SELECT STREAM * FROM TO_CHANGELOG(({query}){on_key})")
    assert statement["notSupported"] == []
    return {node["op"]: node for node in reversed(list(nodes(statement["plan"])))}


def nodes(plan: dict[str, Any]) -> Iterator[dict[str, Any]]:
    yield plan
    for below in plan["inputs"]:
        yield from nodes(below)


@pytest.mark.parametrize(
    ("query", "key"),
    [
        ("SELECT k, g, COUNT(*) AS c FROM s GROUP BY k, g", [0, 1]),
        ("SELECT COUNT(*) AS c, g, k FROM s GROUP BY k, g HAVING COUNT(*) > 1", [2, 1]),
        ("SELECT k, COUNT(*) AS c FROM s GROUP BY k, g", None),
        ("SELECT UPPER(k) AS k, COUNT(*) AS c FROM s GROUP BY k", None),
        ("SELECT COUNT(*) AS c FROM s", []),
        ("SELECT DISTINCT k FROM s", [0]),
        ("SELECT k, COUNT(*) AS c FROM s GROUP BY ROLLUP (k)", None),
        ("SELECT c, COUNT(*) AS n FROM (SELECT k, COUNT(*) AS c FROM s GROUP BY k) GROUP BY c", [0]),
    ],
)
def test_the_unique_key_of_a_result(planning: Planning, query: str, key: list[int] | None) -> None:
    found = changes(planning, query)
    assert (found["to_changelog"]["key"], found["to_changelog"]["upserts"]) == (key, False)
    assert found["updating_aggregate"]["changes"] == "retract"
    assert found["updating_aggregate"]["needs"] == ["STATE_STORE"]
    assert found["to_changelog"]["changes"] == "append"


def test_upserts_go_by_the_columns_that_are_named(planning: Planning) -> None:
    found = changes(planning, "SELECT COUNT(*) AS c, k FROM s GROUP BY k", ", on_key => DESCRIPTOR(k, c)")
    assert (found["to_changelog"]["key"], found["to_changelog"]["upserts"]) == ([1, 0], True)


@pytest.mark.parametrize(
    "query",
    [
        "SELECT * FROM s",
        "SELECT FLOOR(rowtime TO HOUR) AS h, k, COUNT(*) AS c FROM s GROUP BY FLOOR(rowtime TO HOUR), k",
        "SELECT k, COUNT(*) OVER (PARTITION BY k ORDER BY rowtime ROWS 3 PRECEDING) AS c FROM s",
    ],
)
def test_where_nothing_changes_rows_are_inserted(planning: Planning, query: str) -> None:
    found = changes(planning, query)
    assert not {"to_changelog", "updating_aggregate"} & set(found)
    assert {node["changes"] for node in found.values()} == {"append"}


@pytest.mark.parametrize(
    ("query", "bound", "why"),
    [
        (
            "SELECT k, g, COUNT(*) AS c FROM s GROUP BY k, g",
            "unbounded",
            "the results of each group by 'K', 'G': no key is monotonic, so a group is never complete",
        ),
        (
            "SELECT k, COUNT(DISTINCT v) AS c FROM s GROUP BY k",
            "unbounded",
            "the results of each group by 'K', and an entry for each of its distinct values: no key is monotonic, so a"
            " group is never complete",
        ),
        ("SELECT COUNT(*) AS c FROM s", "constant", "the results of all rows"),
    ],
)
def test_what_is_kept(planning: Planning, query: str, bound: str, why: str) -> None:
    state = changes(planning, query)["updating_aggregate"]["state"]
    assert (state["bound"], state["why"]) == (bound, why)


COUNTS = "(SELECT k, COUNT(*) AS c FROM s GROUP BY k)"


@pytest.mark.parametrize(
    ("query", "reason"),
    [
        ("SELECT k, MEDIAN(v) AS m FROM s GROUP BY k", "MEDIAN in a result that changes"),
        (f"SELECT c, MEDIAN(c) AS m FROM {COUNTS} GROUP BY c", "MEDIAN in a result that changes"),
        (f"SELECT * FROM {COUNTS} UNION ALL SELECT * FROM {COUNTS}", "UNION over a result that changes"),
        (f"SELECT k, c, t.v FROM {COUNTS} JOIN t USING (k)", "LOOKUP JOIN over a result that changes"),
        (f"SELECT a.k FROM {COUNTS} AS a CROSS JOIN UNNEST(ARRAY[1, 2]) AS u (x)", "UNNEST over a result that changes"),
    ],
)
def test_what_cannot_read_changes_says_so(planning: Planning, query: str, reason: str) -> None:
    statement = planning.plan(f"SELECT STREAM * FROM TO_CHANGELOG(({query}))")
    assert reason in statement["notSupported"]


def test_a_query_whose_result_changes_is_told_how_to_read_it(planning: Planning) -> None:
    (error,) = planning.errors("SELECT STREAM k, COUNT(*) FROM s GROUP BY k")
    assert error["code"] == "RT0201"
    assert "TO_CHANGELOG" in error["hint"]
