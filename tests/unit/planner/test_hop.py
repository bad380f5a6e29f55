"""HOP: what it becomes, and when groups over it are made of panes."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

WINDOW = "rowtime, INTERVAL '1' HOUR, INTERVAL '3' HOUR"


def nodes(plan: dict[str, Any]) -> Iterator[dict[str, Any]]:
    yield plan
    for child in plan["inputs"]:
        yield from nodes(child)


def operators(planning: Any, sql: str) -> list[str]:
    statement = planning.plan(sql)
    assert statement["notSupported"] == []
    return [node["op"] for node in nodes(statement["plan"]) if node["op"] not in ("project", "scan", "filter")]


def test_rows_are_combined_by_pane_before_they_are_copied(planning: Any) -> None:
    sql = f"SELECT STREAM HOP_END({WINDOW}), productId, COUNT(*), SUM(units) FROM Orders GROUP BY HOP({WINDOW}), productId"
    assert operators(planning, sql) == ["hop_aggregate"]
    (groups,) = [n for n in nodes(planning.plan(sql)["plan"]) if n["op"] == "hop_aggregate"]
    assert [(call["function"], call["mergedBy"]) for call in groups["calls"]] == [("COUNT", "SUM0"), ("SUM", "SUM")]
    assert (groups["pane"], groups["late"], groups["slide"], groups["size"]) == (0, 0, 3_600_000, 10_800_000)
    # the start of the window, of which the SELECT list makes the end; and the product
    assert groups["keys"] == ["START", 1]


@pytest.mark.parametrize(
    ("function", "operator"),
    [
        ("COUNT(DISTINCT units)", "group_aggregate"),
        ("STDDEV_POP(units)", "aggregate"),
        ("COLLECT(units)", "aggregate"),
    ],
)
def test_what_does_not_follow_from_panes_is_counted_row_by_row(planning: Any, function: str, operator: str) -> None:
    sql = f"SELECT STREAM productId, {function} FROM Orders GROUP BY HOP({WINDOW}), productId"
    assert operators(planning, sql) == [operator, "hop"]


def test_panes_that_are_too_short_are_not_made(planning: Any) -> None:
    sql = "SELECT STREAM COUNT(*) FROM Orders GROUP BY HOP(rowtime, INTERVAL '1' HOUR, INTERVAL '7007' SECOND(4))"
    assert operators(planning, sql) == ["aggregate", "hop"]


def test_conditions_on_rows_go_before_the_panes_and_those_on_windows_stay(planning: Any) -> None:
    source = "FROM TABLE(HOP(TABLE Orders, DESCRIPTOR(rowtime), INTERVAL '1' HOUR, INTERVAL '3' HOUR))"
    group = "GROUP BY window_start, window_end, productId"
    rows = f"SELECT STREAM window_end, productId, COUNT(*) {source} WHERE units > 3 {group}"
    assert operators(planning, rows) == ["hop_aggregate"]
    windows = f"SELECT STREAM window_end, productId, COUNT(*) {source} WHERE window_start > rowtime - INTERVAL '1' HOUR {group}"
    assert operators(planning, windows) == ["aggregate", "hop"]


def test_a_group_closes_at_the_end_of_its_window(planning: Any) -> None:
    statement = planning.plan(
        f"SELECT STREAM HOP_START({WINDOW}) AS rowtime, COUNT(*) FROM Orders GROUP BY HOP({WINDOW})"
    )
    field = statement["fields"][0]
    assert (field["name"], field["monotonicity"]) == ("ROWTIME", "STRICTLY_INCREASING")


@pytest.mark.parametrize(("call", "kept"), [("COUNT(DISTINCT units)", ["PT3H"]), ("COUNT(*)", ["PT3H"])])
def test_state_is_kept_for_the_length_of_a_window(planning: Any, call: str, kept: list[str]) -> None:
    plan = planning.plan(f"SELECT STREAM HOP_END({WINDOW}), {call} FROM Orders GROUP BY HOP({WINDOW})")["plan"]
    states = [node["state"] for node in nodes(plan) if node["op"].endswith("aggregate")]
    assert [state["retention"] for state in states] == kept
    why = "a group is complete, and is dropped, when the bound of ROWTIME passes its window of "
    assert [state["why"] for state in states] == [why + length for length in kept]


def test_rows_are_copied_above_an_over_not_below_it(planning: Any) -> None:
    ahead = (
        "SELECT rowtime, SUM(units) OVER (PARTITION BY productId RANGE INTERVAL '1' HOUR PRECEDING) AS s FROM Orders"
    )
    sql = f"SELECT STREAM HOP_END({WINDOW}), SUM(s) FROM ({ahead}) GROUP BY HOP({WINDOW})"
    assert operators(planning, sql) == ["hop_aggregate", "window"]


def test_one_operator_does_what_it_can_and_spark_the_rest(planning: Any) -> None:
    group = f"FROM Orders GROUP BY HOP({WINDOW}), productId"
    assert operators(planning, f"SELECT STREAM productId, AVG(CAST(units AS DOUBLE)) {group}") == ["hop_aggregate"]
    assert operators(planning, f"SELECT productId, COUNT(*) {group}") == ["aggregate", "hop"]
    assert operators(planning, f"SELECT STREAM productId, MEDIAN(units) {group}") == ["group_aggregate", "hop"]
    # Hours are no panes of windows that begin every seven minutes.
    hours = "SELECT FLOOR(rowtime TO HOUR) AS rowtime, productId, SUM(units) AS s FROM Orders GROUP BY FLOOR(rowtime TO HOUR), productId"
    seven = "rowtime, INTERVAL '7' MINUTE, INTERVAL '1' SECOND"
    sql = f"SELECT STREAM productId, SUM(s) FROM ({hours}) GROUP BY HOP({seven}), productId"
    assert operators(planning, sql) == ["aggregate", "hop", "aggregate"]
    # Days of a time zone have no fixed length: the panes are Spark's, and so are the windows.
    local = "FROM_UTC_TIMESTAMP(rowtime, 'Europe/Berlin'), INTERVAL '1' DAY, INTERVAL '2' DAY"
    sql = f"SELECT STREAM HOP_START({local}), SUM(units) FROM Orders GROUP BY HOP({local})"
    assert operators(planning, sql) == ["aggregate", "hop", "aggregate"]


def test_rows_are_split_into_panes_once_whatever_the_query_is_for(planning: Any) -> None:
    planning.plan("CREATE STREAM Counts (productId INTEGER, c BIGINT)")
    query = f"SELECT STREAM HOP_END({WINDOW}) AS rowtime, productId, COUNT(*) AS c FROM Orders GROUP BY HOP({WINDOW}), productId"
    assert operators(planning, query) == ["hop_aggregate"]
    assert operators(planning, f"INSERT INTO Counts {query}") == ["hop_aggregate"]
    planning.plan(f"CREATE VIEW Counted AS {query}")
    assert operators(planning, "SELECT STREAM c FROM Counted") == ["hop_aggregate"]
