"""What the planner decides and writes on the nodes: operators, what they need, what their state depends on, what they read."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

from .conftest import Planning

HOURLY = "FLOOR(rowtime TO HOUR)"


def nodes(plan: dict[str, Any]) -> Iterator[dict[str, Any]]:
    yield plan
    for child in plan["inputs"]:
        yield from nodes(child)


def only(planning: Planning, sql: str, suffix: str) -> dict[str, Any]:
    (found,) = [node for node in nodes(planning.plan(sql)["plan"]) if node["op"].endswith(suffix)]
    return found


@pytest.mark.parametrize(
    ("call", "operator", "combines"),
    [
        ("COUNT(*)", "aggregate", None),
        ("SUM(units)", "aggregate", None),
        ("STDDEV(units)", "aggregate", None),
        ("MAX(DISTINCT units)", "aggregate", None),
        ("COUNT(DISTINCT units)", "group_aggregate", True),
        ("COUNT(DISTINCT units), AVG(units)", "group_aggregate", True),
        ("COUNT(DISTINCT units), SUM(CAST(units AS DOUBLE))", "group_aggregate", False),
        ("COUNT(DISTINCT units), STDDEV(units)", "group_aggregate", False),
        ("MEDIAN(units)", "group_aggregate", False),
        ("PERCENTILE_CONT(0.5) WITHIN GROUP (ORDER BY units)", "group_aggregate", False),
        ("PERCENTILE_DISC(0.5) WITHIN GROUP (ORDER BY units DESC)", "aggregate", None),
        ("COUNT(DISTINCT units), COLLECT(units)", "aggregate", None),
        ("COUNT(DISTINCT ROW(units, orderId))", "aggregate", None),
        ("COUNT(DISTINCT units, orderId)", "aggregate", None),
    ],
)
def test_who_groups_a_stream(planning: Planning, call: str, operator: str, combines: bool | None) -> None:
    node = only(planning, f"SELECT STREAM {HOURLY} AS h, {call} FROM Orders GROUP BY {HOURLY}", "aggregate")
    assert (node["op"], node.get("combines")) == (operator, combines)
    own = operator != "aggregate"
    assert node["needs"] == ["WATERMARK", *(["STATE_STORE"] if own else [])]


@pytest.mark.parametrize(
    ("call", "operator"), [("COUNT(*)", "session_aggregate"), ("COUNT(DISTINCT units)", "aggregate")]
)
def test_who_computes_sessions(planning: Planning, call: str, operator: str) -> None:
    session = "SESSION(rowtime, INTERVAL '1' HOUR)"
    node = only(planning, f"SELECT STREAM productId, {call} FROM Orders GROUP BY {session}, productId", "aggregate")
    assert (node["op"], node["session"]) == (operator, {"key": node["keys"][0], "gap": 3_600_000})
    relational = only(planning, f"SELECT productId, {call} FROM Orders GROUP BY {session}, productId", "aggregate")
    assert (relational["op"], relational["needs"], relational["signature"]) == ("aggregate", [], None)


def test_every_row_of_today_is_appended(planning: Planning) -> None:
    plan = planning.plan(f"SELECT STREAM {HOURLY} AS h, COUNT(*) AS c FROM Orders GROUP BY {HOURLY} ORDER BY h")["plan"]
    assert {node["changes"] for node in nodes(plan)} == {"append"}


def test_a_scan_says_which_columns_are_read_of_it(planning: Planning) -> None:
    def read(sql: str) -> list[str]:
        scan = only(planning, sql, "scan")
        return [scan["fields"][index]["name"] for index in scan["reads"][0]]

    assert read("SELECT STREAM units FROM Orders WHERE price > 1") == ["UNITS", "PRICE"]
    assert read(
        f"SELECT STREAM {HOURLY} AS h, SUM(units) FILTER (WHERE orderId > 3) AS s FROM Orders GROUP BY {HOURLY}"
    ) == [
        "ROWTIME",
        "ORDERID",
        "UNITS",
    ]
    hop = "HOP(rowtime, INTERVAL '1' HOUR, INTERVAL '2' HOUR)"
    assert read(f"SELECT STREAM productId, COUNT(*) AS c FROM Orders GROUP BY {hop}, productId") == [
        "ROWTIME",
        "PRODUCTID",
    ]
    # What is neither a projection nor an aggregation may ask for all.
    every = ["ROWTIME", "PRODUCTID", "ORDERID", "UNITS", "PRICE"]
    assert read("SELECT STREAM * FROM Orders WHERE units > 1") == every


def test_the_signature_changes_with_what_the_state_is_and_with_nothing_else(planning: Planning) -> None:
    def signed(call: str, keys: str, name: str = "x", op: str = "aggregate") -> str:
        query = f"SELECT STREAM {HOURLY} AS h, {call} AS {name} FROM Orders WHERE units > 1 GROUP BY {HOURLY}{keys}"
        return str(only(planning, query, op)["signature"])

    first = signed("COUNT(*)", ", productId")
    assert first == signed("COUNT(*)", ", orderId", name="x")
    assert (
        len({first, signed("COUNT(*)", ""), signed("SUM(units)", ", productId"), signed("COUNT(DISTINCT units)", "")})
        == 4
    )
    gaps = [
        only(
            planning,
            f"SELECT STREAM COUNT(*) AS c FROM Orders GROUP BY SESSION(rowtime, INTERVAL '{gap}' MINUTE)",
            "aggregate",
        )["signature"]
        for gap in (5, 6)
    ]
    assert gaps[0] != gaps[1]
