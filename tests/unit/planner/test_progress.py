"""Queries that could never make progress, or whose state would grow forever, are refused with the way out."""

from __future__ import annotations

import pytest

from .conftest import Planning, nodes


@pytest.mark.parametrize(
    ("sql", "code", "word"),
    [
        ("SELECT STREAM * FROM Orders o JOIN Shipments s ON o.orderId = s.orderId", "RT0205", "two whole streams"),
        ("SELECT STREAM * FROM Orders o JOIN Shipments s ON o.orderId = s.orderId AND o.rowtime >= s.rowtime", "RT0205",
         "two whole streams"),
        ("SELECT STREAM SUM(units) OVER (ORDER BY units) FROM Orders", "RT0207", "ordered by a monotonic"),
        ("SELECT STREAM NTILE(4) OVER (PARTITION BY productId ORDER BY rowtime) FROM Orders", "RT0207", "never complete"),
        ("SELECT STREAM SUM(units) OVER (ORDER BY rowtime ROWS BETWEEN CURRENT ROW AND UNBOUNDED FOLLOWING) FROM Orders",
         "RT0206", "UNBOUNDED FOLLOWING"),
        ("SELECT STREAM COUNT(DISTINCT units) OVER (ORDER BY rowtime) FROM Orders", "RT0208", "keep every value"),
        ("SELECT STREAM units AS rowtime FROM Orders", "RT0209", "increasing"),
        ("SELECT STREAM TIMESTAMP '2020-01-01 00:00:00' AS rowtime FROM Orders", "RT0209", "increasing"),
        ("SELECT STREAM productId FROM Orders UNION SELECT STREAM orderId FROM Shipments", "RT0201", "monotonic column"),
    ],
)  # fmt: skip
def test_refused(planning: Planning, sql: str, code: str, word: str) -> None:
    (found,) = planning.errors(sql)
    assert found["code"] == code
    assert word in found["message"]
    assert found["hint"]


@pytest.mark.parametrize(
    "sql",
    [
        "SELECT STREAM * FROM Orders o JOIN Shipments s ON o.orderId = s.orderId AND o.rowtime = s.rowtime",
        "SELECT STREAM * FROM Orders o JOIN Shipments s ON o.orderId = s.orderId "
        "WHERE s.rowtime BETWEEN o.rowtime AND o.rowtime + INTERVAL '1' HOUR",
        "SELECT STREAM * FROM Orders OVER (ROWS CURRENT ROW) AS o JOIN Shipments OVER (RANGE INTERVAL '1' HOUR FOLLOWING) "
        "AS s ON o.orderId = s.orderId",
        "SELECT STREAM NTILE(4) OVER (PARTITION BY FLOOR(rowtime TO HOUR) ORDER BY units) FROM Orders",
        "SELECT STREAM COUNT(DISTINCT units) OVER (PARTITION BY FLOOR(rowtime TO HOUR)) FROM Orders",
        "SELECT STREAM SUM(units) OVER (RANGE INTERVAL '1' HOUR PRECEDING) FROM Orders",
        "SELECT STREAM DISTINCT rowtime, productId FROM Orders",
        "SELECT STREAM orderId / 100, COUNT(*) FROM Orders GROUP BY orderId / 100, rowtime",
        "SELECT * FROM TO_CHANGELOG((SELECT productId, COUNT(*) AS c FROM Orders GROUP BY productId))",
    ],
)
def test_accepted(planning: Planning, sql: str) -> None:
    planning.plan(sql)


@pytest.mark.parametrize(
    ("sql", "code", "at"),
    [
        # in a sub-query that becomes a join
        ("SELECT STREAM units, (SELECT MAX(orderId) FROM Orders) AS m FROM Orders",
         "RT0201", "(SELECT MAX(orderId) FROM Orders)"),
        # of several windows the one that is wrong, and in the query that it stands in
        ("SELECT STREAM *, SUM(s) OVER (ROWS 1 PRECEDING) AS t FROM (SELECT STREAM rowtime, SUM(units) OVER (ORDER BY units)"
         " AS s FROM Orders) AS o", "RT0207", "SUM(units) OVER (ORDER BY units)"),
        ("SELECT STREAM * FROM (SELECT STREAM units AS rowtime, units AS n FROM Orders) AS o", "RT0209", "units AS rowtime"),
        # above a GROUP BY that runs in two steps
        ("SELECT STREAM productId, COUNT(*) AS c, RANK() OVER (ORDER BY COUNT(*)) AS r FROM Orders GROUP BY "
         "HOP(rowtime, INTERVAL '1' MINUTE, INTERVAL '1' HOUR), productId", "RT0207", "RANK() OVER (ORDER BY COUNT(*))"),
        ("SELECT STREAM * FROM Orders AS o JOIN (SELECT STREAM * FROM Shipments) AS s ON o.orderId = s.orderId "
         "WHERE s.rowtime > o.rowtime AND o.units > 3", "RT0205", "JOIN"),
    ],
)  # fmt: skip
def test_the_plan_that_runs_is_judged_and_the_text_is_pointed_at(
    planning: Planning, sql: str, code: str, at: str
) -> None:
    (found,) = planning.errors(sql)
    assert (found["code"], found["at"]) == (code, at)


@pytest.mark.parametrize(
    ("body", "code"),
    [
        ("SELECT STREAM rowtime, SUM(units) OVER (ORDER BY units) AS s FROM Orders", "RT0207"),
        ("SELECT STREAM units AS rowtime FROM Orders", "RT0209"),
        ("SELECT STREAM productId, COUNT(*) AS c FROM Orders GROUP BY productId", "RT0201"),
    ],
)
def test_what_a_view_does_is_refused_at_its_name(planning: Planning, body: str, code: str) -> None:
    planning.plan(f"CREATE VIEW made AS {body}")
    (found,) = planning.errors("SELECT STREAM * FROM made")
    assert (found["code"], found["at"]) == (code, "made")


def test_a_query_for_rows_of_another_whole_stream_is_refused(planning: Planning) -> None:
    exists = "EXISTS (SELECT * FROM Shipments AS s WHERE s.orderId = o.orderId)"
    (found,) = planning.errors(f"SELECT STREAM * FROM Orders AS o WHERE {exists}")
    assert (found["code"], found["at"]) == ("RT0205", exists)


def test_nullable_key_alone_is_refused(planning: Planning) -> None:
    (found,) = planning.errors("SELECT STREAM orderId, COUNT(*) FROM Orders GROUP BY orderId")
    assert (found["code"], found["at"]) == ("RT0204", "GROUP BY orderId")


def test_state_for_every_key_is_a_warning(planning: Planning) -> None:
    reply = planning.reply("SELECT STREAM SUM(units) OVER (PARTITION BY productId ORDER BY rowtime) FROM Orders")
    assert reply["statement"]
    assert [(d["severity"], d["code"]) for d in reply["diagnostics"]] == [("warning", "RT0250")]


def test_state_says_how_long_and_why(planning: Planning) -> None:
    plan = planning.plan(
        "SELECT STREAM FLOOR(taken TO HOUR) AS rowtime, MAX(level) FROM Readings GROUP BY FLOOR(taken TO HOUR)"
    )["plan"]
    (aggregate,) = nodes(plan, "aggregate")
    # The hour, and the ten minutes that a reading may be late.
    assert aggregate["state"]["retention"] == "PT1H10M"
    assert "complete" in aggregate["state"]["why"]
    (scan,) = nodes(plan, "scan")
    assert scan["state"]["bound"] == "none"


@pytest.mark.parametrize(
    ("sql", "what"),
    [
        (
            "SELECT STREAM SUM(units) OVER (ORDER BY orderId RANGE 3 PRECEDING) FROM Orders",
            "OVER on a stream that is ordered by something other than ROWTIME, a function of it, or an exact number that is "
            "MONOTONIC and NOT NULL",
        ),
        ("SELECT STREAM orderId / 10, COUNT(*) FROM Orders GROUP BY orderId / 10, COALESCE(orderId, 0), units", None),
    ],
)
def test_what_later_work_runs_is_valid_and_marked(planning: Planning, sql: str, what: str | None) -> None:
    reply = planning.reply(sql)
    if what is None:
        assert reply["diagnostics"][0]["code"] == "RT0204"
    else:
        assert what in reply["statement"]["notSupported"]


def test_types(planning: Planning) -> None:
    fields = planning.plan(
        "SELECT SUM(units) AS s, AVG(units) AS a, AVG(price) AS p, COUNT(*) AS c, MAX(weight) AS w, AVG(weight) AS aw "
        "FROM (SELECT o.units, o.price, CAST(1 AS DOUBLE) AS weight FROM Orders o)"
    )["fields"]
    assert [f["type"] for f in fields] == ["BIGINT", "DECIMAL(16, 6)", "DECIMAL(14, 6)", "BIGINT", "DOUBLE", "DOUBLE"]


@pytest.mark.parametrize(
    ("sql", "at"),
    [
        (
            "SELECT STREAM rowtime, SUM(units) OVER (ORDER BY units) AS s FROM Orders",
            "SUM(units) OVER (ORDER BY units)",
        ),
        ("SELECT STREAM productId, units AS rowtime FROM Orders", "units AS rowtime"),
    ],
)
def test_points_at_the_expression(planning: Planning, sql: str, at: str) -> None:
    (found,) = planning.errors(sql)
    assert found["at"] == at
