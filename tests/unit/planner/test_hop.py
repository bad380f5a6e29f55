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
