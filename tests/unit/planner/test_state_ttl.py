"""STATE_TTL of results that change: what is planned for it, and what is refused."""

from __future__ import annotations

import json
from typing import Any

import pytest

from .conftest import Planning
from .test_changelogs import changes, nodes

DAY = "/*+ STATE_TTL('s' = '1d') */"
COUNTS = f"SELECT {DAY} k, COUNT(*) AS c FROM s GROUP BY k"


@pytest.fixture(scope="module")
def planning(planner: Any) -> Planning:
    planning = Planning(planner)
    planning.plan("CREATE STREAM s (rowtime TIMESTAMP(3) NOT NULL, k VARCHAR(10), v INTEGER)")
    planning.plan("CREATE STREAM r (rowtime TIMESTAMP(3) NOT NULL, k VARCHAR(10), v INTEGER)")
    planning.plan("CREATE TABLE t (k VARCHAR(10), c BIGINT, PRIMARY KEY (k))")
    planning.plan("CREATE TABLE pair (k VARCHAR(10), c BIGINT, PRIMARY KEY (k, c))")
    return planning


def groups(planning: Planning, query: str) -> list[dict[str, Any]]:
    statement = planning.plan(f"SELECT STREAM * FROM TO_CHANGELOG(({query}))")
    assert statement["notSupported"] == []
    return [node for node in nodes(statement["plan"]) if node["op"] == "updating_aggregate"]


@pytest.mark.parametrize(
    ("given", "millis"),
    [
        ("1d", 86_400_000),
        ("12 h", 43_200_000),
        ("30 min", 1_800_000),
        ("1 hour", 3_600_000),
        ("5s", 5000),
        ("7 DAYS", 604_800_000),
        ("20ms", 20),
    ],
)
def test_the_duration_is_in_the_plan(planning: Planning, given: str, millis: int) -> None:
    for query in (
        f"SELECT /*+ STATE_TTL('s' = '{given}') */ k, COUNT(*) AS c FROM s GROUP BY k",
        f"SELECT /*+ STATE_TTL('O' = '{given}') */ DISTINCT k FROM s AS o",
        f"SELECT /*+ STATE_TTL('x' = '{given}') */ k, COUNT(*) AS c FROM (SELECT k FROM s WHERE v > 1) AS x GROUP BY ROLLUP (k)",
        f"SELECT /*+ state_ttl('s' = '{given}') */ k, SUM(v) AS c FROM s GROUP BY k HAVING SUM(v) > 1",
    ):
        (node,) = groups(planning, query)
        assert node["ttl"] == millis
        assert node["combines"] is False
        assert set(node["needs"]) == {"WATERMARK", "STATE_STORE"}
        assert node["execution"]["steps"][0]["spec"]["ttl"] == millis * 1000
        assert node["state"]["bound"] == "window"


def test_only_the_groups_of_its_own_query_have_it(planning: Planning) -> None:
    outer, inner = groups(planning, f"SELECT c, COUNT(*) AS n FROM ({COUNTS}) GROUP BY c")
    assert (outer["ttl"], inner["ttl"]) == (None, 86_400_000)
    planning.plan(f"CREATE OR REPLACE VIEW w AS {COUNTS}")
    assert [node["ttl"] for node in groups(planning, "SELECT k, c FROM w")] == [86_400_000]


def test_it_is_a_part_of_what_the_state_means(planning: Planning) -> None:
    def parts(hint: str) -> dict[str, str]:
        (node,) = groups(planning, f"SELECT {hint} k, COUNT(*) AS c FROM s GROUP BY k")
        return dict(json.loads(node["signature"])["parts"])

    assert parts(DAY)["STATE_TTL"] == "86400000"
    assert parts(DAY) == parts("/*+ STATE_TTL('S' = '24h') */")
    # Pumps that were created before there was the hint go on.
    assert "STATE_TTL" not in parts("")


@pytest.mark.parametrize(
    ("query", "key", "renews"),
    [
        (COUNTS, [0], True),
        (f"SELECT c + 1 AS c, k FROM ({COUNTS})", [1], True),
        # Which row of a group replaces which is not known if a condition leaves some out.
        (f"SELECT k, c FROM ({COUNTS}) WHERE c > 1", None, False),
        (f"SELECT c, COUNT(*) AS n FROM ({COUNTS}) GROUP BY c", [0], False),
        ("SELECT k, COUNT(*) AS c FROM s GROUP BY k", [0], False),
    ],
)
def test_the_key_of_changes(planning: Planning, query: str, key: list[int] | None, renews: bool) -> None:
    plan = planning.plan(f"SELECT STREAM * FROM TO_CHANGELOG(({query}))")["plan"]
    (changelog,) = (node for node in nodes(plan) if node["op"] == "to_changelog")
    assert (changelog["key"], changelog["renews"]) == (key, renews)


@pytest.mark.parametrize(
    ("query", "message", "hint"),
    [
        (
            "SELECT /*+ STATE_TTL('orders' = '1d') */ k, COUNT(*) AS c FROM s GROUP BY k",
            "STATE_TTL names 'orders'",
            "its source is 'S'",
        ),
        (
            "SELECT /*+ STATE_TTL('s' = '1d') */ k, COUNT(*) AS c FROM s AS o GROUP BY k",
            "STATE_TTL names 's'",
            "did you mean 'O'?",
        ),
        (
            "SELECT /*+ STATE_TTL('s' = '1 fortnight') */ k, COUNT(*) AS c FROM s GROUP BY k",
            "cannot be '1 fortnight'",
            "'12h'",
        ),
        ("SELECT /*+ STATE_TTL('s' = '0d') */ k, COUNT(*) AS c FROM s GROUP BY k", "cannot be '0d'", "above 0"),
        (
            "SELECT /*+ STATE_TTL('1d') */ k, COUNT(*) AS c FROM s GROUP BY k",
            "STATE_TTL takes the name of a source",
            "for example",
        ),
        (
            "SELECT /*+ STATE_TTL */ k, COUNT(*) AS c FROM s GROUP BY k",
            "STATE_TTL takes the name of a source",
            "for example",
        ),
        ("SELECT /*+ STATE_TTL('s' = '1d') */ k FROM s", "this query has neither", "leave the hint out"),
        ("SELECT /*+ STATE_TTL('s' = '1d') */ COUNT(*) AS c FROM s", "this query has neither", "leave the hint out"),
        (
            "SELECT /*+ STATE_TTL('s' = '1d') */ s.k, COUNT(*) AS c FROM s JOIN r ON s.k = r.k GROUP BY s.k",
            "the inputs of a join",
            "BETWEEN",
        ),
        (
            "SELECT /*+ STATE_TTL('x' = '1d') */ c, COUNT(*) AS n FROM (SELECT k, COUNT(*) AS c FROM s GROUP BY k) AS x GROUP BY c",
            "goes by ROWTIME",
            "the query below that reads the stream",
        ),
        (
            "SELECT /*+ STATE_TTL('s' = '1d') */ FLOOR(rowtime TO DAY) AS d, COUNT(*) AS c FROM s GROUP BY FLOOR(rowtime TO DAY)",
            "dropped when",
            "leave it out",
        ),
    ],
)
def test_what_is_refused(planning: Planning, query: str, message: str, hint: str) -> None:
    (error,) = planning.errors(f"SELECT STREAM * FROM TO_CHANGELOG(({query}))")
    assert error["code"] == "RT0217"
    assert message in error["message"]
    assert hint.lower() in error["hint"].lower()


def test_distinct_values_are_kept_as_long_as_their_group(planning: Planning) -> None:
    found = changes(planning, f"SELECT {DAY} k, COUNT(DISTINCT v) AS c FROM s GROUP BY k")
    state = found["updating_aggregate"]["state"]
    assert state["bound"] == "window"
    assert state["why"].startswith("the results of each group by 'K', and its distinct values, until")


@pytest.mark.parametrize(
    ("statement", "message"),
    [
        (
            f"CREATE PUMP p AS INSERT INTO t SELECT STREAM {DAY} k, COUNT(*) FROM s GROUP BY k HAVING COUNT(*) > 1",
            "With STATE_TTL",
        ),
        (f"CREATE PUMP p AS INSERT INTO t SELECT STREAM {DAY} UPPER(k), COUNT(*) FROM s GROUP BY k", "With STATE_TTL"),
        (
            f"CREATE MATERIALIZED VIEW m AS SELECT {DAY} k, COUNT(*) AS c FROM s GROUP BY k HAVING COUNT(*) > 1",
            "With STATE_TTL",
        ),
        # The rows of two lives of a group would be beside one another, or not, by the steps.
        (
            f"CREATE PUMP p AS INSERT INTO pair SELECT STREAM {DAY} k, COUNT(*) FROM s GROUP BY k",
            "the unique key of the query is (K)",
        ),
        (f"SELECT STREAM * FROM TO_CHANGELOG(({COUNTS}), on_key => DESCRIPTOR(k, c))", "Several rows can be equal"),
    ],
)
def test_the_key_is_that_of_the_groups(planning: Planning, statement: str, message: str) -> None:
    (error,) = planning.errors(statement)
    assert error["code"] == "RT0215"
    assert message in error["message"]
