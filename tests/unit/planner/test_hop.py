"""HOP: what it becomes, and when groups over it are made of panes."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

from rowtime.plan.codec import decode_plan
from rowtime.plan.hops import hops
from rowtime.plan.nodes import Aggregate
from rowtime.plan.operators import nodes as operators_of

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
    assert operators(planning, sql) == ["aggregate", "hop", "aggregate"]
    (window, pane) = [n for n in nodes(planning.plan(sql)["plan"]) if n["op"] == "aggregate"]
    assert [call["function"] for call in pane["calls"]] == ["COUNT", "SUM"]
    assert [call["function"] for call in window["calls"]] == ["SUM0", "SUM"]


@pytest.mark.parametrize("function", ["COUNT(DISTINCT units)", "STDDEV_POP(units)", "COLLECT(units)"])
def test_what_does_not_follow_from_panes_is_counted_row_by_row(planning: Any, function: str) -> None:
    sql = f"SELECT STREAM productId, {function} FROM Orders GROUP BY HOP({WINDOW}), productId"
    assert operators(planning, sql) == ["aggregate", "hop"]


def test_panes_that_are_too_short_are_not_made(planning: Any) -> None:
    sql = "SELECT STREAM COUNT(*) FROM Orders GROUP BY HOP(rowtime, INTERVAL '1' HOUR, INTERVAL '7007' SECOND(4))"
    assert operators(planning, sql) == ["aggregate", "hop"]


def test_conditions_on_rows_go_before_the_panes_and_those_on_windows_stay(planning: Any) -> None:
    source = "FROM TABLE(HOP(TABLE Orders, DESCRIPTOR(rowtime), INTERVAL '1' HOUR, INTERVAL '3' HOUR))"
    group = "GROUP BY window_start, window_end, productId"
    rows = f"SELECT STREAM window_end, productId, COUNT(*) {source} WHERE units > 3 {group}"
    assert operators(planning, rows) == ["aggregate", "hop", "aggregate"]
    windows = f"SELECT STREAM window_end, productId, COUNT(*) {source} WHERE window_start > rowtime - INTERVAL '1' HOUR {group}"
    assert operators(planning, windows) == ["aggregate", "hop"]


def test_a_group_closes_at_the_end_of_its_window(planning: Any) -> None:
    statement = planning.plan(
        f"SELECT STREAM HOP_START({WINDOW}) AS rowtime, COUNT(*) FROM Orders GROUP BY HOP({WINDOW})"
    )
    field = statement["fields"][0]
    assert (field["name"], field["monotonicity"]) == ("ROWTIME", "STRICTLY_INCREASING")


@pytest.mark.parametrize(("call", "kept"), [("COUNT(DISTINCT units)", ["PT3H"]), ("COUNT(*)", ["PT3H", "PT1H"])])
def test_state_is_kept_for_the_length_of_a_window_and_rows_of_a_pane_for_that_of_a_pane(
    planning: Any, call: str, kept: list[str]
) -> None:
    plan = planning.plan(f"SELECT STREAM HOP_END({WINDOW}), {call} FROM Orders GROUP BY HOP({WINDOW})")["plan"]
    states = [node["state"] for node in nodes(plan) if node["op"] == "aggregate"]
    assert [state["retention"] for state in states] == kept
    why = "a group is complete, and leaves, when the bound of ROWTIME passes its window of "
    assert [state["why"] for state in states] == [why + length for length in kept]


def test_rows_are_copied_above_an_over_not_below_it(planning: Any) -> None:
    ahead = (
        "SELECT rowtime, SUM(units) OVER (PARTITION BY productId RANGE INTERVAL '1' HOUR PRECEDING) AS s FROM Orders"
    )
    sql = f"SELECT STREAM HOP_END({WINDOW}), SUM(s) FROM ({ahead}) GROUP BY HOP({WINDOW})"
    assert operators(planning, sql) == ["aggregate", "hop", "aggregate", "window"]


def test_what_one_operator_does_is_what_the_planner_has_split(planning: Any) -> None:
    def found(sql: str) -> list[bool]:
        root = decode_plan(planning.plan(sql)["plan"])
        return [hops(node) is not None for node in operators_of(root) if isinstance(node, Aggregate)]

    group = f"FROM Orders GROUP BY HOP({WINDOW}), productId"
    assert found(f"SELECT STREAM HOP_END({WINDOW}), productId, COUNT(*), AVG(CAST(units AS DOUBLE)) {group}") == [
        True,
        False,
    ]
    assert found(f"SELECT productId, COUNT(*) {group}") == [False]
    assert found(f"SELECT STREAM productId, COUNT(DISTINCT units) {group}") == [False]
    # Hours are no panes of windows that begin every seven minutes.
    hours = "SELECT FLOOR(rowtime TO HOUR) AS rowtime, productId, SUM(units) AS s FROM Orders GROUP BY FLOOR(rowtime TO HOUR), productId"
    seven = "rowtime, INTERVAL '7' MINUTE, INTERVAL '1' SECOND"
    assert found(f"SELECT STREAM productId, SUM(s) FROM ({hours}) GROUP BY HOP({seven}), productId") == [False, False]
