"""Conditions on the current time in results that change: what is planned for them, and what is refused."""

from __future__ import annotations

from typing import Any

import pytest

from .conftest import Planning
from .test_changelogs import changes

HOUR = 3_600_000


@pytest.fixture(scope="module")
def planning(planner: Any) -> Planning:
    planning = Planning(planner)
    planning.plan("CREATE STREAM s (rowtime TIMESTAMP(3) NOT NULL, k VARCHAR(10), v INTEGER, f TIMESTAMP(3), d DATE)")
    planning.plan("CREATE TABLE t (k VARCHAR(10) NOT NULL PRIMARY KEY, ts TIMESTAMP(3))")
    return planning


def limit(column: int, millis: int, *, after: bool = False) -> dict[str, Any]:
    return {"column": column, "millis": millis, "after": after}


@pytest.mark.parametrize(
    ("condition", "enters", "leaves"),
    [
        ("rowtime > NOW() - INTERVAL '1' HOUR", [], [limit(0, HOUR)]),
        ("NOW() - INTERVAL '1' HOUR < rowtime", [], [limit(0, HOUR)]),
        ("rowtime >= CURRENT_TIMESTAMP - INTERVAL '1' HOUR", [], [limit(0, HOUR, after=True)]),
        ("NOT rowtime <= NOW() - INTERVAL '1' HOUR", [], [limit(0, HOUR)]),
        ("rowtime + INTERVAL '90' MINUTE - INTERVAL '1' HOUR > NOW()", [], [limit(0, HOUR // 2)]),
        ("INTERVAL '1' HOUR + rowtime > NOW() - INTERVAL '1' HOUR", [], [limit(0, 2 * HOUR)]),
        ("d + INTERVAL '1' HOUR > NOW()", [], [limit(5, 0)]),
        ("rowtime <= NOW() - INTERVAL '1' HOUR", [limit(0, HOUR)], []),
        ("f < NOW() + INTERVAL '1' HOUR", [limit(3, -HOUR, after=True)], []),
        ("d > NOW() - INTERVAL '1' HOUR", [], [limit(5, HOUR)]),
        ("f BETWEEN NOW() - INTERVAL '2' HOUR AND NOW()", [limit(3, 0)], [limit(3, 2 * HOUR, after=True)]),
        ("f <= NOW() AND NOW() < rowtime + INTERVAL '1' HOUR AND v > 1", [limit(3, 0)], [limit(0, HOUR)]),
        ("(NOW() - rowtime) SECOND < INTERVAL '1' HOUR", [], [limit(0, HOUR)]),
        ("(rowtime - NOW()) SECOND >= INTERVAL '-1' HOUR", [], [limit(0, HOUR, after=True)]),
        ("COALESCE(f, rowtime) > NOW() + INTERVAL '1' HOUR", [], [limit(5, -HOUR)]),
    ],
)
def test_comparisons_are_times_to_enter_and_leave(
    planning: Planning, condition: str, enters: list[Any], leaves: list[Any]
) -> None:
    found = changes(planning, f"SELECT k, v FROM s WHERE {condition}")["temporal_filter"]
    assert (found["enters"], found["leaves"]) == (enters, leaves)
    assert (found["changes"], found["needs"]) == ("retract", ["WATERMARK", "STATE_STORE"])
    assert found["execution"]["steps"][0]["spec"]["change"] is None


def test_a_row_of_a_result_that_changes_keeps_its_key(planning: Planning) -> None:
    grouped = "SELECT k, MAX(rowtime) AS latest FROM s GROUP BY k HAVING MAX(rowtime) > NOW() - INTERVAL '1' DAY"
    found = changes(planning, grouped, ", on_key => DESCRIPTOR(k)")
    assert found["to_changelog"]["key"] == [0]
    assert found["temporal_filter"]["execution"]["steps"][0]["spec"]["change"] is not None


def test_conditions_limit_all_state_above(planning: Planning) -> None:
    recent = "(SELECT * FROM s WHERE rowtime > NOW() - INTERVAL '1' DAY)"
    found = changes(planning, f"SELECT a.k, COUNT(*) FROM {recent} AS a JOIN {recent} AS b ON a.k = b.k GROUP BY a.k")
    for op in ("temporal_filter", "updating_join", "updating_aggregate"):
        assert found[op]["state"]["bound"] == "window", op
    assert found["temporal_filter"]["state"]["retention"] == "PT24H"
    assert found["updating_join"]["state"]["why"].endswith("conditions on the current time below limit the rows")
    one = changes(planning, f"SELECT a.k, COUNT(*) FROM {recent} AS a JOIN s AS b ON a.k = b.k GROUP BY a.k")
    assert one["updating_join"]["state"]["bound"] == "unbounded"
    entering = changes(planning, "SELECT k, COUNT(*) FROM s WHERE rowtime < NOW() - INTERVAL '1' DAY GROUP BY k")
    assert entering["updating_aggregate"]["state"]["bound"] == "unbounded"


def test_conditions_get_below_inner_joins_and_out_of_their_conditions(planning: Planning) -> None:
    below = changes(
        planning, "SELECT a.k FROM s AS a JOIN s AS b ON a.k = b.k WHERE a.rowtime > NOW() - INTERVAL '1' DAY"
    )
    assert [node["op"] for node in below["updating_join"]["inputs"]].count("temporal_filter") == 1
    both = changes(planning, "SELECT a.k FROM s AS a JOIN s AS b ON a.k = b.k AND GREATEST(a.f, b.f) > NOW()")
    assert both["temporal_filter"]["inputs"][0]["op"] == "project"
    assert "updating_join" in both


@pytest.mark.parametrize(
    ("query", "code"),
    [
        ("SELECT STREAM * FROM s WHERE rowtime > NOW() - INTERVAL '1' HOUR", "RT0216"),
        ("CREATE PUMP p AS INSERT INTO s SELECT STREAM * FROM s WHERE rowtime > NOW() - INTERVAL '1' HOUR", "RT0216"),
        (
            "SELECT STREAM FLOOR(rowtime TO HOUR) AS rowtime, COUNT(*) AS n FROM s GROUP BY FLOOR(rowtime TO HOUR) "
            "HAVING MAX(f) > NOW()",
            "RT0216",
        ),
        (
            "SELECT STREAM a.k FROM s AS a JOIN s AS b ON a.k = b.k AND a.f > NOW() "
            "AND a.rowtime BETWEEN b.rowtime - INTERVAL '1' HOUR AND b.rowtime",
            "RT0216",
        ),
        ("SELECT STREAM * FROM s WHERE v > 1 OR f > NOW()", "RT0216"),
        ("SELECT STREAM * FROM s WHERE d = CURRENT_DATE", "RT0216"),
        ("SELECT STREAM * FROM s WHERE f > NOW() - INTERVAL '1' MONTH", "RT0216"),
        ("SELECT STREAM s.k FROM s LEFT JOIN t ON s.k = t.k AND s.f > NOW()", "RT0216"),
        (
            "SELECT STREAM a.k FROM s AS a LEFT JOIN s AS b ON a.k = b.k AND b.f > NOW() "
            "AND a.rowtime BETWEEN b.rowtime - INTERVAL '1' HOUR AND b.rowtime",
            "RT0216",
        ),
        (
            "SELECT STREAM FLOOR(rowtime TO HOUR) AS rowtime, COUNT(*) FILTER (WHERE f > NOW()) AS n FROM s "
            "GROUP BY FLOOR(rowtime TO HOUR)",
            "RT0216",
        ),
        ("CREATE MATERIALIZED VIEW v AS SELECT k, COUNT(*) AS n FROM s WHERE f > NOW() OR v > 1 GROUP BY k", "RT0218"),
        ("CREATE MATERIALIZED VIEW v AS SELECT k, COUNT(*) AS n FROM s WHERE f > PROCTIME() GROUP BY k", "RT0218"),
        ("CREATE MATERIALIZED VIEW v AS SELECT k, COUNT(*) AS n FROM s WHERE f = NOW() GROUP BY k", "RT0218"),
        ("CREATE MATERIALIZED VIEW v AS SELECT k, COUNT(*) AS n FROM s WHERE d >= CURRENT_DATE GROUP BY k", "RT0218"),
        (
            "CREATE MATERIALIZED VIEW v AS SELECT k, COUNT(*) AS n FROM s "
            "WHERE f > NOW() - INTERVAL '1' MONTH GROUP BY k",
            "RT0218",
        ),
        ("CREATE MATERIALIZED VIEW v AS SELECT k, COUNT(*) AS n, NOW() AS seen FROM s GROUP BY k", "RT0218"),
        (
            "CREATE MATERIALIZED VIEW v AS SELECT k, COUNT(*) FILTER (WHERE f > NOW()) AS n FROM s GROUP BY k",
            "RT0218",
        ),
        (
            "CREATE MATERIALIZED VIEW v AS "
            "SELECT k, SUM(CASE WHEN f > NOW() - INTERVAL '1' HOUR THEN v ELSE 0 END) AS n FROM s GROUP BY k",
            "RT0218",
        ),
        (
            "CREATE MATERIALIZED VIEW v AS SELECT a.k, COUNT(*) AS n FROM s AS a LEFT JOIN s AS b "
            "ON a.k = b.k AND b.f > NOW() AND a.f > NOW() GROUP BY a.k",
            "RT0218",
        ),
        ("CREATE MATERIALIZED VIEW v AS SELECT k, ts FROM t WHERE ts > NOW() - INTERVAL '1' HOUR", "RT0218"),
    ],
)
def test_refused(planning: Planning, query: str, code: str) -> None:
    assert [found["code"] for found in planning.errors(query)] == [code]


def test_relations_have_the_time_of_the_system(planning: Planning) -> None:
    assert planning.plan("SELECT * FROM t WHERE ts > NOW() - INTERVAL '1' HOUR")["notSupported"] == []


@pytest.mark.parametrize(
    "query",
    [
        "SELECT STREAM * FROM s WHERE v > 1 OR f > PROCTIME() - INTERVAL '1' HOUR",
        "SELECT STREAM s.k FROM s LEFT JOIN t ON s.k = t.k AND t.ts > PROCTIME()",
        # A value of a row, and a table that is read when a row is processed.
        "SELECT STREAM k, NOW() AS seen, CASE WHEN f > NOW() THEN v END AS later FROM s",
        "SELECT STREAM * FROM s WHERE EXISTS (SELECT * FROM t WHERE t.k = s.k AND t.ts > NOW())",
    ],
)
def test_a_row_has_the_time_of_the_system_when_it_is_processed(planning: Planning, query: str) -> None:
    plan = planning.plan(query)
    assert plan["notSupported"] == [] and "CURRENT_TIMESTAMP" in str(plan)
