"""Which expressions keep the order of a column (SEMANTICS: monotonic columns)."""

from __future__ import annotations

import pytest

from .conftest import Planning, nodes

INC, STRICT = "INCREASING", "STRICTLY_INCREASING"
DEC, CONST, NOT = "DECREASING", "CONSTANT", "NOT_MONOTONIC"
HOUR = {"fn": "FLOOR", "millis": 3600000, "offset": 0}


@pytest.mark.parametrize(
    ("expression", "expected"),
    [
        ("rowtime", INC),
        ("FLOOR(rowtime TO HOUR)", INC),
        ("CEIL(rowtime TO DAY)", INC),
        ("FLOOR(rowtime TO MONTH)", INC),
        ("rowtime + INTERVAL '1' HOUR", INC),
        ("rowtime - INTERVAL '1' MONTH", INC),
        ("TIMESTAMPADD(MINUTE, 5, rowtime)", INC),
        ("CAST(rowtime AS DATE)", INC),
        ("CAST(rowtime AS VARCHAR)", NOT),
        ("TIMESTAMP_TRUNC(rowtime, WEEK)", INC),
        ("TIMESTAMP_TRUNC(rowtime, ISOYEAR)", INC),
        ("DATE_TRUNC(rowtime, MINUTE)", INC),
        ("CAST((rowtime - TIMESTAMP '1970-01-01 00:00:00') HOUR AS INTEGER)", INC),
        ("CAST((TIMESTAMP '1970-01-01 00:00:00' - rowtime) HOUR AS INTEGER)", DEC),
        ("(rowtime - TIMESTAMP '1970-01-01 00:00:00') MINUTE", INC),
        ("EXTRACT(YEAR FROM rowtime)", INC),
        ("EXTRACT(EPOCH FROM rowtime)", INC),
        ("EXTRACT(HOUR FROM rowtime)", NOT),
        ("EXTRACT(MONTH FROM rowtime)", NOT),
        ("orderId", INC),
        ("orderId + 1", INC),
        ("orderId - 1", INC),
        ("1 - orderId", DEC),
        ("-orderId", DEC),
        ("-(-orderId)", INC),
        ("orderId * 2", INC),
        ("orderId * -2", DEC),
        ("orderId * 0", CONST),
        ("orderId * CAST(NULL AS INTEGER)", CONST),
        ("orderId / 100", INC),
        ("orderId / -100", DEC),
        ("orderId / 0", CONST),
        ("price * 0", CONST),
        ("CAST(price AS DOUBLE) * 0", NOT),
        ("100 / orderId", NOT),
        ("orderId + orderId", INC),
        ("orderId - orderId", NOT),
        ("orderId * orderId", NOT),
        ("orderId + units", NOT),
        ("CAST(orderId AS BIGINT)", INC),
        ("units", NOT),
        ("7", CONST),
        ("CASE WHEN units > 1 THEN orderId END", NOT),
    ],
)
def test_expressions(planning: Planning, expression: str, expected: str) -> None:
    fields = planning.plan(f"SELECT STREAM rowtime AS t, {expression} AS x FROM Orders")["fields"]
    assert fields[1]["monotonicity"] == expected


def test_lateness_is_disorder(planning: Planning) -> None:
    (taken, hour, _) = planning.plan("SELECT STREAM taken, FLOOR(taken TO HOUR) AS h, level FROM Readings")["fields"]
    assert (taken["monotonicity"], taken["disorder"]) == (INC, "PT10M")
    # 10:05 and, later, 09:58 are rounded to times that are an hour apart.
    assert (hour["monotonicity"], hour["disorder"]) == (INC, "PT1H")


@pytest.mark.parametrize(
    ("expression", "disorder"),
    [
        ("FLOOR(taken + INTERVAL '5' MINUTE TO HOUR)", "PT1H"),
        ("CEIL(taken TO MINUTE) - INTERVAL '1' HOUR", "PT10M"),
        ("FLOOR(taken TO MONTH)", "PT744H"),
        ("CAST(taken AS DATE)", "PT24H"),
        ("TIMESTAMP_TRUNC(taken, ISOYEAR)", "PT8904H"),
        # An hour when clocks are set back, and another one when they have been set forward in between.
        ("FROM_UTC_TIMESTAMP(taken, 'Europe/Berlin')", "PT2H10M"),
    ],
)
def test_what_becomes_of_the_disorder(planning: Planning, expression: str, disorder: str) -> None:
    (field,) = planning.plan(f"SELECT STREAM {expression} AS x FROM Readings")["fields"]
    assert (field["monotonicity"], field["disorder"]) == (INC, disorder)


def test_months_and_hops_go_back_over_rows_in_order(planning: Planning) -> None:
    """January 29 at noon and January 31 at ten are both moved to February 28, each with its time of day."""
    (month, _) = planning.plan("SELECT STREAM rowtime + INTERVAL '1' MONTH AS x, units FROM Orders")["fields"]
    assert month["disorder"] == "PT23H59M59.999S"
    assert planning.error("SELECT STREAM rowtime + INTERVAL '1' MONTH AS rowtime FROM Orders")[:2] == (
        "RT0209",
        "ROWTIME must be increasing, and the expression given may be up to PT23H59M59.999S behind that of an earlier row",
    )
    hop = "TABLE(HOP(TABLE Orders, DESCRIPTOR(rowtime), INTERVAL '20' MINUTE, INTERVAL '50' MINUTE))"
    # A row at 10:45 is in windows from 10:00, 10:20 and 10:40 on; so is one a minute later.
    (start, _) = planning.plan(f"SELECT STREAM window_start AS x, units FROM {hop}")["fields"]
    assert start["disorder"] == "PT40M"
    assert planning.error(f"SELECT STREAM window_start AS rowtime FROM {hop}")[0] == "RT0209"


def test_rows_that_have_waited_are_in_order(planning: Planning) -> None:
    planning.plan(
        "CREATE STREAM Late (rowtime TIMESTAMP(3) LATENESS INTERVAL '10' MINUTE, id BIGINT MONOTONIC, x INTEGER)"
    )
    fields = planning.plan(
        "SELECT STREAM rowtime, FLOOR(rowtime TO HOUR) AS h, id FROM Late "
        "QUALIFY ROW_NUMBER() OVER (PARTITION BY FLOOR(rowtime TO DAY) ORDER BY x) <= 3"
    )["fields"]
    # They are in order of ROWTIME, and no longer in that of arrival.
    assert [(f["monotonicity"], f.get("disorder")) for f in fields] == [(INC, None), (INC, None), (NOT, None)]


def test_carried_through_filter_view_and_aggregate(planning: Planning) -> None:
    planning.plan("CREATE VIEW Big AS SELECT rowtime, orderId, units FROM Orders WHERE units > 10")
    fields = planning.plan("SELECT STREAM * FROM Big")["fields"]
    assert [f["monotonicity"] for f in fields] == [INC, INC, NOT]
    fields = planning.plan(
        "SELECT STREAM FLOOR(rowtime TO HOUR) AS rowtime, SUM(units) AS su FROM Big GROUP BY FLOOR(rowtime TO HOUR)"
    )["fields"]
    assert [f["monotonicity"] for f in fields] == [STRICT, NOT]


def test_union_keeps_what_follows_from_the_common_clock(planning: Planning) -> None:
    fields = planning.plan(
        "SELECT STREAM rowtime, orderId FROM Orders UNION ALL SELECT STREAM rowtime, orderId FROM Shipments"
    )["fields"]
    # Two branches that count upwards do not do so together.
    assert [f["monotonicity"] for f in fields] == [INC, NOT]


def test_union_has_the_least_of_its_branches_clocks(planning: Planning) -> None:
    later = "SELECT STREAM rowtime + INTERVAL '1' HOUR AS rowtime FROM Orders"
    hours = "SELECT STREAM FLOOR(rowtime TO HOUR) AS rowtime FROM Shipments"
    plain = "SELECT STREAM rowtime FROM Shipments"
    assert planning.plan(f"{later} UNION ALL {plain}")["plan"]["clock"] == []
    assert planning.plan(f"{hours} UNION ALL {plain}")["plan"]["clock"] == [HOUR]
    assert planning.plan(f"{later} UNION ALL {hours}")["plan"]["clock"] == [HOUR]
    # Up to half an hour ahead of the other branch, or as far behind it.
    near = "SELECT STREAM FLOOR(rowtime + INTERVAL '30' MINUTE TO HOUR) AS rowtime FROM Orders"
    assert planning.plan(f"{near} UNION ALL {plain}")["notSupported"]


def test_union_without_rowtime_merges_by_the_hidden_one(planning: Planning) -> None:
    statement = planning.plan("SELECT STREAM weight FROM Shipments UNION ALL SELECT STREAM weight * 2 FROM Shipments")
    (union,) = nodes(statement["plan"], "union")
    assert statement["notSupported"] == []
    assert (union["rowtime"], union["closes"], union["clock"]) == (None, None, [])


@pytest.mark.parametrize(
    ("sql", "clock", "rowtime"),
    [
        ("SELECT STREAM rowtime + INTERVAL '1' HOUR AS rowtime FROM Orders", [{"fn": "SHIFT", "millis": 3600000}], "ROWTIME"),
        ("SELECT STREAM rowtime + 100 AS rowtime FROM Orders", [{"fn": "SHIFT", "millis": 100}], "ROWTIME"),
        ("SELECT STREAM units FROM Orders", [], None),
        ("SELECT STREAM FLOOR(rowtime TO HOUR) AS h, COUNT(*) FROM Orders GROUP BY FLOOR(rowtime TO HOUR)", [HOUR], "H"),
        ("SELECT STREAM TUMBLE_END(rowtime, INTERVAL '1' HOUR) AS rowtime, COUNT(*) FROM Orders "
         "GROUP BY TUMBLE(rowtime, INTERVAL '1' HOUR)", [HOUR, {"fn": "SHIFT", "millis": 3600000}], "ROWTIME"),
        ("SELECT STREAM TUMBLE_START(rowtime, INTERVAL '1' HOUR, TIME '00:15:00') AS rowtime, COUNT(*) FROM Orders "
         "GROUP BY TUMBLE(rowtime, INTERVAL '1' HOUR, TIME '00:15:00')",
         [{"fn": "FLOOR", "millis": 3600000, "offset": 900000}], "ROWTIME"),
        ("SELECT STREAM FLOOR(rowtime TO WEEK) AS rowtime, COUNT(*) FROM Orders GROUP BY FLOOR(rowtime TO WEEK)",
         [{"fn": "FLOOR", "millis": 604800000, "offset": 259200000}], "ROWTIME"),
    ],
)  # fmt: skip
def test_clock(planning: Planning, sql: str, clock: list, rowtime: str | None) -> None:
    plan = planning.plan(sql)["plan"]
    assert plan["rowtime"] == rowtime
    assert plan["clock"] == clock


def _millis(closes: dict) -> int:
    """Returns what is added to the key: `closes` is the key plus this interval."""
    assert closes["op"] == "DATETIME_PLUS", closes
    assert closes["args"][0]["kind"] == "ref"
    return closes["args"][1]["value"]


@pytest.mark.parametrize(
    ("key", "after"),
    [
        ("FLOOR(rowtime TO HOUR)", 3_600_000),
        ("FLOOR(rowtime TO DAY)", 86_400_000),
        ("CEIL(rowtime TO HOUR)", 1),
        ("rowtime", 1),
        ("TUMBLE(rowtime, INTERVAL '10' MINUTE)", 600_000),
    ],
)
def test_groups_close_when_no_row_of_them_can_come(planning: Planning, key: str, after: int) -> None:
    (aggregate,) = nodes(planning.plan(f"SELECT STREAM COUNT(*) FROM Orders GROUP BY {key}")["plan"], "aggregate")
    assert _millis(aggregate["closes"]) == after
    assert aggregate["state"]["bound"] == "window"


def test_of_two_time_keys_the_finer_closes(planning: Planning) -> None:
    sql = "SELECT STREAM COUNT(*) FROM Orders GROUP BY FLOOR(rowtime TO DAY), FLOOR(rowtime TO MINUTE)"
    (aggregate,) = nodes(planning.plan(sql)["plan"], "aggregate")
    assert aggregate["closes"]["args"][0]["index"] == 1
    assert _millis(aggregate["closes"]) == 60_000


def test_days_of_hours(planning: Planning) -> None:
    sql = (
        "SELECT STREAM FLOOR(rowtime TO DAY) AS rowtime, SUM(c) FROM (SELECT FLOOR(rowtime TO HOUR) AS rowtime, "
        "COUNT(*) AS c FROM Orders GROUP BY FLOOR(rowtime TO HOUR)) GROUP BY FLOOR(rowtime TO DAY)"
    )
    days, hours = nodes(planning.plan(sql)["plan"], "aggregate")
    assert (_millis(days["closes"]), _millis(hours["closes"])) == (86_400_000, 3_600_000)
    assert hours["clock"] == [HOUR]


def test_of_a_number_with_lateness_the_disorder_is_known_but_not_written(planning: Planning) -> None:
    """It is not a duration; but rows are not in order of it, and OVER must not assume that they are."""
    planning.plan("CREATE STREAM Counted (x BIGINT NOT NULL LATENESS 5, y BIGINT NOT NULL MONOTONIC)")
    plain, moved, exact = (
        planning.plan(f"SELECT STREAM {x} AS x, COUNT(*) OVER (ORDER BY {x}) AS c FROM Counted")
        for x in ("x", "x * 2 + 1", "y")
    )
    assert "disorder" not in plain["fields"][0]
    (why,) = plain["notSupported"]
    assert why == moved["notSupported"][0]
    assert "an exact number that is MONOTONIC" in why
    assert exact["notSupported"] == []
