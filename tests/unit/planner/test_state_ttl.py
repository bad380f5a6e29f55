"""STATE_TTL of results that change: what is planned for it, and what is refused."""

from __future__ import annotations

import json
from typing import Any

import pytest

from .conftest import Planning
from .test_changelogs import changes, nodes

DAY = "/*+ STATE_TTL('s' = '1d') */"
COUNTS = f"SELECT {DAY} k, COUNT(*) AS c FROM s GROUP BY k"
LAST = f"SELECT {DAY} k, v FROM s QUALIFY ROW_NUMBER() OVER (PARTITION BY k ORDER BY rowtime DESC) = 1"
FIRST = f"SELECT {DAY} k, v FROM s QUALIFY ROW_NUMBER() OVER (PARTITION BY k ORDER BY rowtime) = 1"
TOP = f"SELECT {DAY} s.*, ROW_NUMBER() OVER (PARTITION BY k ORDER BY v DESC) AS n FROM s"


@pytest.fixture(scope="module")
def planning(planner: Any) -> Planning:
    planning = Planning(planner)
    planning.plan("CREATE STREAM s (rowtime TIMESTAMP(3) NOT NULL, k VARCHAR(10), v INTEGER)")
    planning.plan("CREATE STREAM r (rowtime TIMESTAMP(3) NOT NULL, k VARCHAR(10), v INTEGER)")
    planning.plan("CREATE TABLE t (k VARCHAR(10), c BIGINT, PRIMARY KEY (k))")
    planning.plan("CREATE TABLE pair (k VARCHAR(10), c BIGINT, PRIMARY KEY (k, c))")
    planning.plan("CREATE TABLE lasts (k VARCHAR(10), v INTEGER, PRIMARY KEY (k))")
    planning.plan("CREATE TABLE ranked (k VARCHAR(10), n BIGINT, v INTEGER, PRIMARY KEY (k, n))")
    planning.plan("CREATE TABLE hours (h TIMESTAMP(3), k VARCHAR(10), c BIGINT, PRIMARY KEY (h, k))")
    return planning


def operators(planning: Planning, query: str, op: str) -> list[dict[str, Any]]:
    statement = planning.plan(f"SELECT STREAM * FROM TO_CHANGELOG(({query}))")
    assert statement["notSupported"] == []
    return [node for node in nodes(statement["plan"]) if node["op"] == op]


def groups(planning: Planning, query: str) -> list[dict[str, Any]]:
    return operators(planning, query, "updating_aggregate")


def first_rows(planning: Planning, query: str) -> list[dict[str, Any]]:
    return operators(planning, query, "updating_top_n")


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


@pytest.mark.parametrize(
    ("query", "function", "limit"),
    [
        (LAST, "ROW_NUMBER", 1),
        # Without the hint, no later row changes it, so it would be a window.
        (FIRST, "ROW_NUMBER", 1),
        (f"SELECT k, n, v FROM ({TOP}) WHERE n <= 3", "ROW_NUMBER", 3),
        (f"WITH w AS ({TOP}) SELECT k, v FROM w WHERE n < 3", "ROW_NUMBER", 2),
        (f"SELECT {DAY} k, v FROM s WHERE RANK() OVER (PARTITION BY k ORDER BY v DESC) <= 2", "RANK", 2),
        (f"SELECT {DAY} k, v FROM s QUALIFY DENSE_RANK() OVER (ORDER BY v) <= 2", "DENSE_RANK", 2),
        (f"SELECT {DAY} k, v FROM s QUALIFY v = MAX(v) OVER (PARTITION BY k RANGE BETWEEN UNBOUNDED PRECEDING AND"
         " UNBOUNDED FOLLOWING)", "RANK", 1),
        (f"SELECT {DAY} k, v, RANK() OVER w AS r FROM s QUALIFY r <= 2 WINDOW w AS (PARTITION BY k ORDER BY v DESC)", "RANK", 2),
    ],
)  # fmt: skip
def test_the_duration_of_first_rows_is_in_the_plan(planning: Planning, query: str, function: str, limit: int) -> None:
    (node,) = first_rows(planning, query)
    assert (node["function"], node["limit"], node["ttl"]) == (function, limit, 86_400_000)
    assert set(node["needs"]) == {"WATERMARK", "STATE_STORE"}
    spec = node["execution"]["steps"][0]["spec"]
    assert (spec["operator"], spec["ttl"]) == ("renewed_top_n", 86_400_000_000)
    assert (node["state"]["bound"], node["state"]["retention"]) == ("window", "PT24H")
    assert dict(json.loads(node["signature"])["parts"])["STATE_TTL"] == "86400000"


@pytest.mark.parametrize(
    "query",
    [
        f"SELECT {DAY} k, (SELECT MAX(c) FROM t WHERE t.k = s.k) AS m FROM s"
        " QUALIFY ROW_NUMBER() OVER (PARTITION BY k ORDER BY v) = 1",
        f"SELECT {DAY} k, (SELECT MAX(c) FROM t) AS m, ROW_NUMBER() OVER (PARTITION BY k ORDER BY v) AS n FROM s QUALIFY n <= 2",
        f"SELECT {DAY} k, v FROM s WHERE k IN (SELECT k FROM t) QUALIFY ROW_NUMBER() OVER (PARTITION BY k ORDER BY v) = 1",
    ],
)
def test_sub_queries_beside_first_rows_leave_it(planning: Planning, query: str) -> None:
    assert [node["ttl"] for node in first_rows(planning, query)] == [86_400_000]


def test_it_is_never_lost_in_silence(planning: Planning) -> None:
    query = (
        "SELECT k, v FROM s WHERE EXISTS (SELECT 1 FROM (SELECT /*+ STATE_TTL('r' = '1d') */ k, v FROM r WHERE r.v > s.v"
        " QUALIFY ROW_NUMBER() OVER (PARTITION BY k ORDER BY v) = 1) AS x WHERE x.k = s.k)"
    )
    (error,) = planning.errors(f"SELECT STREAM * FROM TO_CHANGELOG(({query}))")
    assert (error["code"], "read the columns of a query around it" in error["message"]) == ("RT0217", True)


def test_first_rows_without_the_hint_have_none(planning: Planning) -> None:
    (node,) = first_rows(planning, LAST.replace(DAY, ""))
    assert (node["ttl"], node["execution"]["steps"][0]["spec"]["operator"]) == (None, "updating_top_n")
    # Pumps that were created before there was the hint go on.
    assert "STATE_TTL" not in dict(json.loads(node["signature"])["parts"])
    outer, inner = first_rows(planning, f"SELECT * FROM ({LAST}) AS x QUALIFY ROW_NUMBER() OVER (ORDER BY v DESC) <= 3")
    assert (outer["ttl"], inner["ttl"]) == (None, 86_400_000)


def test_it_is_that_of_the_groups_if_a_query_has_both(planning: Planning) -> None:
    query = f"SELECT {DAY} k, COUNT(*) AS c FROM s GROUP BY k QUALIFY ROW_NUMBER() OVER (ORDER BY COUNT(*) DESC) <= 3"
    assert [node["ttl"] for node in groups(planning, query)] == [86_400_000]
    assert [node["ttl"] for node in first_rows(planning, query)] == [None]


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
        (LAST, [0], True),
        (FIRST, [0], True),
        (f"SELECT v, n, k FROM ({TOP}) WHERE n < 2", [2], True),
        (f"SELECT v, k FROM (SELECT * FROM ({TOP}) WHERE n = 1)", [1], True),
        # A row that a condition leaves out would not replace the earlier one.
        (f"SELECT k, v FROM ({TOP}) WHERE n = 1 AND v > 3", None, False),
        (f"SELECT k, v FROM (SELECT * FROM ({TOP}) WHERE n = 1) WHERE v > 3", None, False),
        (f"SELECT k, n, v FROM ({TOP}) WHERE n BETWEEN 2 AND 3", None, False),
        # Rows with the numbers 2 and 3 of an earlier life could be beside those of the last one.
        (f"SELECT k, n, v FROM ({TOP}) WHERE n <= 3", None, False),
        (f"SELECT {DAY} k, v FROM s QUALIFY RANK() OVER (PARTITION BY k ORDER BY v) = 1", None, False),
        (f"SELECT v FROM ({LAST})", None, False),
        # A row is in one life, so what is unique of the rows stays so.
        (
            "SELECT rowtime AS h, k, c FROM (SELECT /*+ STATE_TTL('x' = '1d') */ x.*, ROW_NUMBER() OVER (PARTITION BY k ORDER BY c"
            " DESC) AS n FROM (SELECT FLOOR(rowtime TO HOUR) AS rowtime, k, COUNT(*) AS c FROM s GROUP BY FLOOR(rowtime TO"
            " HOUR), k) AS x) WHERE n <= 3",
            [0, 1],
            False,
        ),
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
        (
            "SELECT /*+ STATE_TTL('s' = '1d', 's' = '2d') */ k, COUNT(*) AS c FROM s GROUP BY k",
            "STATE_TTL names 's' more than once",
            "one duration",
        ),
        (
            "SELECT /*+ STATE_TTL('s' = '1d', 'S' = '1d') */ k, COUNT(*) AS c FROM s GROUP BY k",
            "more than once",
            "one duration",
        ),
        (
            "SELECT /*+ STATE_TTL('s' = '1d'), STATE_TTL('s' = '2d') */ k, COUNT(*) AS c FROM s GROUP BY k",
            "STATE_TTL names 's' more than once",
            "one duration",
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
        ("SELECT /*+ STATE_TTL('s' = '1d') */ k FROM s", "this query has none of them", "leave the hint out"),
        (
            "SELECT /*+ STATE_TTL('s' = '1d') */ COUNT(*) AS c FROM s",
            "this query has none of them",
            "leave the hint out",
        ),
        (
            "SELECT /*+ STATE_TTL('x' = '1d') */ k FROM (SELECT k, ROW_NUMBER() OVER (PARTITION BY k ORDER BY v) AS n FROM s)"
            " AS x WHERE n = 1",
            "this query has none of them",
            "put it into the query that has one",
        ),
        # The hint names no groups or partitions whose rows are limited.
        (
            f"SELECT {DAY} k, ROW_NUMBER() OVER (PARTITION BY k ORDER BY v) AS n FROM s",
            "the first rows of partitions",
            "QUALIFY ROW_NUMBER() OVER (…) = 1",
        ),
        (
            f"SELECT {DAY} k, SUM(v) OVER (PARTITION BY k ORDER BY rowtime) AS t FROM s",
            "the first rows of partitions",
            "leave the hint out",
        ),
        (
            f"SELECT {DAY} k, v FROM s QUALIFY ROW_NUMBER() OVER (PARTITION BY FLOOR(rowtime TO HOUR), k ORDER BY v) = 1",
            "partitions are kept, and these are dropped",
            "leave it out",
        ),
        (
            f"SELECT {DAY} k, v FROM s QUALIFY ROW_NUMBER() OVER (PARTITION BY FLOOR(rowtime TO HOUR), k ORDER BY rowtime) = 1",
            "partitions are kept, and these are dropped",
            "leave it out",
        ),
        (
            "SELECT /*+ STATE_TTL('x' = '1d') */ k FROM (SELECT k, COUNT(*) AS c FROM s GROUP BY k) AS x"
            " QUALIFY ROW_NUMBER() OVER (ORDER BY c DESC) <= 3",
            "the rows that are ranked here have none",
            "the query below that reads the stream",
        ),
        (
            "SELECT /*+ STATE_TTL('x' = '1d') */ k FROM (SELECT * FROM s WHERE rowtime > NOW() - INTERVAL '1' HOUR) AS x"
            " QUALIFY ROW_NUMBER() OVER (PARTITION BY k ORDER BY v DESC) = 1",
            "the rows that are ranked here have none",
            "the query below that reads the stream",
        ),
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


def test_first_rows_of_a_relation_are_kept_for_no_time(planning: Planning) -> None:
    planning.plan("CREATE TABLE IF NOT EXISTS plain (k VARCHAR(10), v INTEGER)")
    query = (
        "SELECT /*+ STATE_TTL('plain' = '1d') */ k FROM plain QUALIFY ROW_NUMBER() OVER (PARTITION BY k ORDER BY v) = 1"
    )
    (error,) = planning.errors(query)
    assert (error["code"], "only to a streaming query" in error["message"]) == ("RT0217", True)


def test_first_rows_that_nobody_may_change_are_none(planning: Planning) -> None:
    """At the top of a plain SELECT STREAM, the first row of a key is a window, whose rows are final."""
    (error,) = planning.errors(FIRST.replace("SELECT", "SELECT STREAM", 1).replace("STREAM " + DAY, DAY + " STREAM"))
    assert error["code"] == "RT0217"
    assert "the first rows of partitions of a result that changes" in error["message"]


@pytest.mark.parametrize(
    "statement",
    [
        f"CREATE PUMP p AS INSERT INTO lasts SELECT STREAM * FROM ({LAST})",
        f"CREATE PUMP q AS INSERT INTO lasts SELECT STREAM k, v FROM ({TOP}) WHERE n = 1",
        f"CREATE MATERIALIZED VIEW m AS {FIRST}",
        f"SELECT STREAM * FROM TO_CHANGELOG(({LAST}), on_key => DESCRIPTOR(k))",
    ],
)
def test_a_row_replaces_that_of_an_earlier_life(planning: Planning, statement: str) -> None:
    (changelog,) = (node for node in nodes(planning.plan(statement)["plan"]) if node["op"] == "to_changelog")
    assert (changelog["key"], changelog["renews"]) == ([0], True)


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
        (
            f"CREATE PUMP p AS INSERT INTO ranked SELECT STREAM k, n, v FROM ({TOP}) WHERE n <= 3",
            "a partition begins anew",
        ),
        (
            f"CREATE PUMP p AS INSERT INTO lasts SELECT STREAM k, v FROM ({TOP}) WHERE n <= 1 AND v > 2",
            "a partition begins anew",
        ),
        (
            f"CREATE PUMP p AS INSERT INTO ranked SELECT STREAM k, n, v FROM ({TOP}) WHERE n = 1",
            "the unique key of the query is (K)",
        ),
        (f"CREATE MATERIALIZED VIEW m AS SELECT k, n, v FROM ({TOP}) WHERE n <= 3", "a partition begins anew"),
        (
            f"CREATE MATERIALIZED VIEW m AS SELECT {DAY} v FROM s QUALIFY ROW_NUMBER() OVER (ORDER BY v) = 1",
            "a partition begins anew",
        ),
        (
            f"SELECT STREAM * FROM TO_CHANGELOG((SELECT k, n, v FROM ({TOP}) WHERE n <= 3), on_key => DESCRIPTOR(k, n))",
            "Several rows",
        ),
    ],
)
def test_the_key_is_that_of_the_groups(planning: Planning, statement: str, message: str) -> None:
    (error,) = planning.errors(statement)
    assert error["code"] == "RT0215"
    assert message in error["message"]
