"""OVER: in which order rows come, what that does to the clock, and the forms that mean the same."""

from __future__ import annotations

import pytest
from plans import without_origins

from .conftest import Planning, nodes

TEN = "INTERVAL '10' MINUTE"


def test_a_function_of_rowtime_orders_rows_and_holds_them_as_long_as_it_stays(planning: Planning) -> None:
    frame = "RANGE BETWEEN INTERVAL '5' MINUTE PRECEDING AND INTERVAL '90' SECOND FOLLOWING"
    plan = planning.plan(
        f"SELECT STREAM rowtime, COUNT(*) OVER (ORDER BY FLOOR(rowtime TO MINUTE) {frame}) FROM Orders"
    )["plan"]
    (window,) = nodes(plan, "window")
    minute = {"fn": "FLOOR", "millis": 60_000, "offset": 0}
    (one,) = window["passes"]
    assert one["time"]["clock"] == [minute]
    assert one["time"]["index"] == window["windows"][0]["order"][0]["index"]
    # a row of 10:00 waits until 10:02:30 is over: the bound of what came out is then 10:01
    assert window["clock"] == [{"fn": "SHIFT", "millis": -90_000}, minute]


def test_frames_that_end_at_the_row_leave_the_clock_alone(planning: Planning) -> None:
    plan = planning.plan(
        "SELECT STREAM rowtime, COUNT(*) OVER (ORDER BY FLOOR(rowtime TO MINUTE) ROWS 2 PRECEDING) FROM Orders"
    )["plan"]
    (window,) = nodes(plan, "window")
    assert window["clock"] == []


def test_what_waits_in_one_pass_comes_later_to_the_next(planning: Planning) -> None:
    ahead = "RANGE BETWEEN CURRENT ROW AND INTERVAL '60' SECOND FOLLOWING"
    plan = planning.plan(
        f"SELECT STREAM rowtime, COUNT(*) OVER (PARTITION BY orderId {ahead}) AS a, "
        f"COUNT(*) OVER (PARTITION BY productId {ahead}) AS b, COUNT(*) OVER (PARTITION BY units ROWS 1 PRECEDING) AS c "
        "FROM Orders"
    )["plan"]
    minute = {"fn": "SHIFT", "millis": -60_000}
    (window,) = nodes(plan, "window")
    # the one that waits for nothing goes first
    assert [(one["windows"], one["clock"]) for one in window["passes"]] == [([2], []), ([0], []), ([1], [minute])]
    assert plan["clock"] == [minute, minute]


def test_windows_over_groups_are_ordered_by_what_is_selected_as_rowtime(planning: Planning) -> None:
    plain, ordered = (
        planning.plan(
            "SELECT STREAM FLOOR(rowtime TO HOUR) AS rowtime, productId, "
            f"SUM(COUNT(*)) OVER (PARTITION BY productId {order} ROWS 2 PRECEDING) AS c "
            "FROM Orders GROUP BY FLOOR(rowtime TO HOUR), productId"
        )["plan"]
        for order in ("", "ORDER BY FLOOR(rowtime TO HOUR)")
    )
    assert without_origins(plain) == without_origins(ordered)


@pytest.mark.parametrize(
    "table",
    [
        f"SESSION(TABLE Orders, DESCRIPTOR(rowtime), DESCRIPTOR(productId), {TEN})",
        f"SESSION(TABLE Orders PARTITION BY productId, DESCRIPTOR(rowtime), {TEN})",
        f"SESSION(DATA => TABLE Orders, TIMECOL => DESCRIPTOR(rowtime), KEY => DESCRIPTOR(productId), SIZE => {TEN})",
    ],
)
def test_sessions_of_a_table_function_are_those_of_group_by(planning: Planning, table: str) -> None:
    function = planning.plan(
        "SELECT STREAM window_start, window_end AS rowtime, productId, COUNT(*) AS c "
        f"FROM TABLE({table}) GROUP BY window_start, window_end, productId"
    )
    (group,) = nodes(function["plan"], "session_aggregate")
    assert (group["session"]["gap"], len(group["keys"])) == (600_000, 2)
    assert not nodes(function["plan"], "session")


@pytest.mark.parametrize(
    ("select", "keys"),
    [
        # What is left out of sessions; fewer keys than sessions have; a call over the windows.
        ("COUNT(*) AS c FROM {} WHERE units > 1 GROUP BY window_start, window_end, productId", 3),
        ("COUNT(*) AS c FROM {} GROUP BY window_start, window_end", 2),
        ("MIN(window_start) AS c FROM {} GROUP BY window_start, window_end, productId", 3),
    ],
)
def test_other_groups_of_sessions_are_of_their_rows(planning: Planning, select: str, keys: int) -> None:
    table = f"SESSION(Orders, DESCRIPTOR(rowtime), DESCRIPTOR(productId), {TEN})"
    plan = planning.plan(f"SELECT STREAM window_end AS rowtime, {select.format(table)}")["plan"]
    assert len(nodes(plan, "session")) == 1
    assert len(nodes(plan, "aggregate")[0]["keys"]) == keys


def test_window_and_qualify_in_either_order(planning: Planning) -> None:
    window, qualify = "WINDOW w AS (ORDER BY rowtime ROWS 2 PRECEDING)", "QUALIFY SUM(units) OVER w > 10"
    one, other = (
        without_origins(planning.plan(f"SELECT STREAM units FROM Orders {clauses}")["plan"])
        for clauses in (f"{window} {qualify}", f"{qualify} {window}")
    )
    assert one == other


def test_filter_is_a_case_within_the_function(planning: Planning) -> None:
    one, other = (
        planning.plan(f"SELECT STREAM {call} OVER (ROWS 2 PRECEDING) AS s FROM Orders")["plan"]
        for call in ("SUM(units) FILTER (WHERE units > 3)", "SUM(CASE WHEN units > 3 THEN units END)")
    )
    assert without_origins(one) == without_origins(other)


@pytest.mark.parametrize(
    ("call", "what"),
    [
        ("SUM(units) OVER (ORDER BY rowtime ROWS 2 PRECEDING EXCLUDE TIES)", "EXCLUDE in a window"),
        ("SUM(units) OVER (RANGE INTERVAL '1' MONTH PRECEDING)", "OVER on a stream with a RANGE of months (give it in days)"),
        ("MODE(units) OVER (ROWS 2 PRECEDING)", "MODE OVER on a stream"),
        ("LAG(units, units) OVER (PARTITION BY FLOOR(rowtime TO HOUR))",
         "LAG OVER on a stream with an argument that is not a constant"),
    ],
)  # fmt: skip
def test_what_does_not_run_yet_is_marked(planning: Planning, call: str, what: str) -> None:
    assert planning.plan(f"SELECT STREAM {call} AS c FROM Orders")["notSupported"] == [what]


@pytest.mark.parametrize(
    ("query", "part"),
    [
        ("SELECT SUM(units) OVER (ORDER BY rowtime ROWS 3 PRECEDING EXCLUDE GROUP) FROM Orders", "EXCLUDE GROUP"),
        ("SELECT STREAM SUM(units) OVER (ROWS 2 PRECEDING) AS a, SUM(price) OVER w AS b FROM Orders "
         "WINDOW w AS (PARTITION BY units ROWS 1 PRECEDING EXCLUDE CURRENT ROW)", "EXCLUDE CURRENT ROW"),
        ("SELECT STREAM MAX(s) OVER (ROWS 1 PRECEDING) AS m FROM (SELECT STREAM rowtime, SUM(units) OVER "
         "(RANGE INTERVAL '1' HOUR PRECEDING EXCLUDE TIES) AS s FROM Orders) AS v", "EXCLUDE TIES"),
        ("SELECT STREAM SUM(units) OVER (RANGE INTERVAL '1' HOUR PRECEDING) AS a, "
         "SUM(units) OVER (RANGE BETWEEN INTERVAL '1' YEAR PRECEDING AND CURRENT ROW) AS b FROM Orders",
         "INTERVAL '1' YEAR"),
        ("SELECT STREAM productId, COUNT(*) AS c FROM Orders GROUP BY productId, TUMBLE(rowtime, INTERVAL '2' MONTH)",
         "TUMBLE(rowtime, INTERVAL '2' MONTH)"),
        ("SELECT STREAM COUNT(*) AS c FROM Orders GROUP BY HOP(rowtime, INTERVAL '1' MONTH, INTERVAL '3' MONTH)",
         "HOP(rowtime, INTERVAL '1' MONTH, INTERVAL '3' MONTH)"),
        ("SELECT STREAM COUNT(*) AS c FROM Orders GROUP BY SESSION(rowtime, INTERVAL '1' MONTH)",
         "SESSION(rowtime, INTERVAL '1' MONTH)"),
        ("SELECT STREAM units FROM Orders WHERE units > 3 OR orderId IN (SELECT orderId FROM Shipments)",
         "SELECT orderId FROM Shipments"),
        ("SELECT STREAM units, EXISTS (SELECT 1 FROM Shipments AS s WHERE s.orderId = o.orderId) AS e FROM Orders AS o",
         "SELECT 1 FROM Shipments AS s WHERE s.orderId = o.orderId"),
    ],
)  # fmt: skip
def test_what_does_not_run_yet_is_marked_where_it_is(planning: Planning, query: str, part: str) -> None:
    planned = planning.plan(query)
    (reason,) = planned["notSupported"]
    place = planned["notSupportedAt"][reason]
    assert query[place["column"] - 1 : place["endColumn"]].strip("()") == part.strip("()")


@pytest.mark.parametrize(
    ("frame", "word"),
    [
        ("ROWS units PRECEDING", "whole number"),
        ("RANGE INTERVAL '-1' HOUR PRECEDING", "non-negative"),
        ("RANGE units PRECEDING", "constant"),
    ],
)
def test_the_ends_of_a_frame_are_constants(planning: Planning, frame: str, word: str) -> None:
    (found,) = planning.errors(f"SELECT STREAM SUM(units) OVER ({frame}) FROM Orders")
    assert found["code"] == "RT0121"
    assert word in found["message"]


def test_names_in_qualify_are_columns_before_they_are_aliases(planning: Planning) -> None:
    one, other = (
        planning.plan(
            f"SELECT STREAM rowtime, units + 1 AS {alias} FROM Orders WHERE LAG(units) OVER (ORDER BY rowtime) > 3"
        )["plan"]["inputs"][0]
        for alias in ("units", "other")
    )
    (filter_,) = nodes(one, "filter")
    assert filter_["condition"] == nodes(other, "filter")[0]["condition"]
    (window,) = nodes(one, "window")
    (same,) = nodes(other, "window")
    assert window["windows"][0]["calls"][0]["args"] == same["windows"][0]["calls"][0]["args"]


def test_over_groups_names_are_columns_within_aggregates_and_aliases_elsewhere(planning: Planning) -> None:
    one, other = (
        planning.plan(
            "SELECT STREAM FLOOR(rowtime TO HOUR) AS rowtime, productId, SUM(units) AS units FROM Orders "
            f"GROUP BY FLOOR(rowtime TO HOUR), productId QUALIFY RANK() OVER (PARTITION BY rowtime ORDER BY {key}) = 1"
        )["plan"]
        for key in ("units", "SUM(units)")
    )
    assert without_origins(one) == without_origins(other)


def test_a_window_is_not_partitioned_by_a_sub_query(planning: Planning) -> None:
    query = "SELECT COUNT(*) OVER w FROM Orders WINDOW w AS (PARTITION BY units + (SELECT MAX(id) FROM Products))"
    (found,) = planning.errors(query)
    assert found["code"] == "RT0117" and "PARTITION BY" in found["message"]


@pytest.mark.parametrize(
    "measures", ["", "MEASURES a.units AS u ", "MEASURES MATCH_NUMBER() AS n, LAST(a.units) AS u "]
)
def test_matches_of_a_pattern_are_valid_and_do_not_run_yet(planning: Planning, measures: str) -> None:
    pattern = f"MATCH_RECOGNIZE (ORDER BY rowtime {measures}PATTERN (a) DEFINE a AS a.units > 1)"
    sql = f"SELECT STREAM * FROM Orders {pattern} AS m"
    planned = planning.plan(sql)
    (reason,) = planned["notSupported"]
    assert reason.startswith("MATCH_RECOGNIZE (compare ")
    place = planned["notSupportedAt"][reason]
    assert sql[place["column"] - 1 : place["endColumn"]] == pattern


@pytest.mark.parametrize("name", ["FIRST", "LAST", "PREV", "NEXT"])
def test_functions_of_patterns_are_of_no_use_elsewhere(planning: Planning, name: str) -> None:
    (found,) = planning.errors(f"SELECT {name}(units) FROM Orders")
    assert (found["code"], found["message"]) == ("RT0110", f"{name} can be used only in MATCH_RECOGNIZE")
    assert "MIN_BY(x, ROWTIME)" in found["hint"]


def test_measures_of_a_pattern_are_checked(planning: Planning) -> None:
    query = "SELECT STREAM * FROM Orders MATCH_RECOGNIZE (MEASURES a.weight AS w PATTERN (a) DEFINE a AS a.units > 1)"
    assert planning.error(query) == ("RT0112", "Column 'WEIGHT' not found in table 'A'", "weight")


@pytest.mark.parametrize("value", ["FLOOR(a.rowtime TO HOUR)", "SUM(a.units) OVER ()"])
def test_patterns_with_what_calcite_fails_on_are_refused(planning: Planning, value: str) -> None:
    query = f"SELECT STREAM * FROM Orders MATCH_RECOGNIZE (MEASURES {value} AS v PATTERN (a) DEFINE a AS a.units > 1)"
    assert planning.error(query)[0::2] == ("RT0900", value)


HOURLY = "PARTITION BY FLOOR(rowtime TO HOUR)"
WHOLE = "ROWS BETWEEN UNBOUNDED PRECEDING AND UNBOUNDED FOLLOWING"


@pytest.mark.parametrize(
    "sql",
    [
        f"SELECT STREAM * FROM Orders QUALIFY units = MAX(units) OVER ({HOURLY})",
        f"SELECT STREAM * FROM Orders WHERE MAX(units) OVER ({HOURLY}) = units",
        f"SELECT STREAM * FROM Orders QUALIFY COUNT(*) OVER ({HOURLY}) > 10",
        f"SELECT STREAM units = MAX(Orders.units) OVER w AS best FROM Orders WINDOW w AS ({HOURLY})",
        f"SELECT STREAM * FROM (SELECT STREAM rowtime, units, MAX(units) OVER ({HOURLY}) AS m FROM Orders) AS o WHERE o.m = units",
        "SELECT STREAM FLOOR(rowtime TO HOUR) AS rowtime, productId, COUNT(*) AS c FROM Orders "
        f"GROUP BY FLOOR(rowtime TO HOUR), productId QUALIFY COUNT(*) = MAX(COUNT(*)) OVER ({HOURLY})",
        f"SELECT * FROM Orders QUALIFY units = MAX(units) OVER ({HOURLY})",
    ],
)
def test_a_running_value_that_looks_like_one_of_the_whole_partition_is_a_warning(planning: Planning, sql: str) -> None:
    reply = planning.reply(sql)
    assert reply["statement"]
    (warning,) = reply["diagnostics"]
    assert (warning["code"], warning["severity"]) == ("RT0251", "warning")
    assert WHOLE in warning["hint"]
    assert sql[warning["column"] - 1 :].startswith(("MAX(", "COUNT("))


@pytest.mark.parametrize(
    "sql",
    [
        f"SELECT STREAM * FROM Orders QUALIFY units = MAX(units) OVER ({HOURLY} {WHOLE})",
        f"SELECT STREAM * FROM Orders QUALIFY units = MAX(units) OVER ({HOURLY} ORDER BY rowtime)",
        f"SELECT STREAM * FROM Orders QUALIFY ROW_NUMBER() OVER ({HOURLY}) = 1",
        f"SELECT STREAM units - AVG(units) OVER ({HOURLY}) AS above FROM Orders",
        "SELECT sensor FROM Readings QUALIFY level = MAX(level) OVER (PARTITION BY sensor)",
    ],
)
def test_what_is_meant_to_run_or_has_no_time_is_not(planning: Planning, sql: str) -> None:
    reply = planning.reply(sql)
    assert reply["statement"], reply["diagnostics"]
    assert [d for d in reply["diagnostics"] if d["code"] == "RT0251"] == []


@pytest.mark.parametrize("stream", ["STREAM ", ""])
def test_columns_beside_a_window_have_the_names_they_are_given(planning: Planning, stream: str) -> None:
    plan = planning.plan(
        f"SELECT {stream}rowtime, productId AS p, orderId, COUNT(*) OVER (ORDER BY rowtime) AS c FROM Orders"
    )
    assert [field["name"] for field in plan["fields"]] == ["ROWTIME", "P", "ORDERID", "C"]


@pytest.mark.parametrize("call", ["TUMBLE(Orders, DESCRIPTOR(rowtime)", f"HOP(Orders, DESCRIPTOR(rowtime), {TEN}"])
def test_table_functions_name_their_columns_alike(planning: Planning, call: str) -> None:
    plan = planning.plan(f"SELECT STREAM * FROM {call}, {TEN})")["plan"]
    assert [field["name"] for field in plan["fields"]][-2:] == ["WINDOW_START", "WINDOW_END"]
