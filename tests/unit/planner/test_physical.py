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
    ("call", "operators"),
    [
        ("COUNT(*)", ["session_aggregate"]),
        ("COUNT(DISTINCT units)", ["group_aggregate", "session"]),
        ("COLLECT(units)", ["aggregate", "session"]),
    ],
)
def test_who_computes_sessions(planning: Planning, call: str, operators: list[str]) -> None:
    """Functions that need the rows of a session group what SESSION as a table function returns."""
    session = "SESSION(rowtime, INTERVAL '1' HOUR)"
    plan = planning.plan(f"SELECT STREAM productId, {call} FROM Orders GROUP BY {session}, productId")["plan"]
    found = [node for node in nodes(plan) if node["op"] not in ("project", "scan")]
    assert [node["op"] for node in found] == operators
    assert (found[-1].get("gap") or found[-1]["session"]["gap"]) == 3_600_000
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
    assert first == signed("COUNT(*)", ", productId", name="y")
    assert (
        len(
            {
                first,
                signed("COUNT(*)", ", orderId"),
                signed("COUNT(*)", ""),
                signed("SUM(units)", ", productId"),
                signed("COUNT(DISTINCT units)", ""),
            }
        )
        == 5
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


class Executed:
    """How an operator computes a node. `calls` are those of its spec in the order of the outputs, without null fields."""

    def __init__(self, planning: Planning, sql: str, suffix: str) -> None:
        execution = only(planning, sql, suffix)["execution"]
        step = execution["steps"][-1]
        (given,) = step["inputs"]
        self.copies: list[int] | None = given["copies"]
        self.columns: list[dict[str, Any]] = given["columns"]
        self.spec: dict[str, Any] = step["spec"]
        self.outputs: list[dict[str, Any]] = execution["outputs"]
        if suffix == "window":
            first, asked = len(self.columns), [call for window in self.spec["windows"] for call in window["calls"]]
        else:
            first, asked = len(self.spec["keys"]) + (suffix != "group_aggregate"), self.spec["calls"]
        made = [place for output in self.outputs for place in self._made(output)]
        self.calls = [
            {name: value for name, value in asked[place - first].items() if value not in (None, False)}
            for place in made
            if place >= first
        ]

    def _made(self, output: dict[str, Any]) -> list[int]:
        """Returns the places of the columns of the operator that an output is computed from."""
        if output["kind"] == "ref":
            return [int(output["index"])]
        return [place for arg in output.get("args", []) for place in self._made(arg)]

    def column(self, name: str) -> dict[str, Any]:
        """Returns the expression of a column of the input."""
        return self.columns[int(name.removeprefix("c"))]

    def args(self) -> list[dict[str, Any]]:
        """Returns the first arguments of the calls."""
        return [self.column(call["args"][0]) for call in self.calls]


def test_the_calls_of_a_window_as_the_operator_computes_them(planning: Planning) -> None:
    over = "OVER (ORDER BY rowtime ROWS 3 PRECEDING)"
    sql = f"SELECT STREAM AVG(units) {over} AS a, STDDEV(units) {over} AS s FROM Orders"
    window = Executed(planning, sql, "window")
    assert [(call["function"], call["type"]) for call in window.calls] == [
        ("SUM", "BIGINT"),
        ("COUNT", "BIGINT"),
        ("STDDEV_SAMP", "DOUBLE"),
    ]
    units = {"kind": "ref", "type": "INTEGER", "nullable": True, "index": 1}
    as_double = {"kind": "conversion", "type": "DOUBLE", "nullable": True, "args": [units]}
    assert window.args() == [units, units, as_double]
    assert [output["kind"] for output in window.outputs[-2:]] == ["average", "conversion"]
    window = Executed(planning, "SELECT STREAM LAG(units, 2, 0) OVER (ORDER BY rowtime) FROM Orders", "window")
    (lag,) = window.calls
    value, fallback = (window.column(name) for name in lag["args"])
    assert (lag["function"], lag["number"], value) == ("LAG", 2, units)
    assert (fallback["kind"], fallback["args"][0]["value"]) == ("conversion", 0)


def test_the_passes_of_a_window_are_steps(planning: Planning) -> None:
    sql = """SELECT STREAM SUM(units) OVER (PARTITION BY productId ORDER BY rowtime ROWS 3 PRECEDING) AS s,
        AVG(units) OVER (PARTITION BY units ORDER BY rowtime ROWS 3 PRECEDING) AS a FROM Orders"""
    node = only(planning, sql, "window")
    execution = node["execution"]
    one, two = execution["steps"]
    given = [step["inputs"][0]["columns"] for step in (one, two)]
    places = [int(step["spec"]["partition"][0].removeprefix("c")) for step in (one, two)]
    partitions = [node["windows"][number]["partition"] for each in node["passes"] for number in each["windows"]]
    assert [[given[0][place]["index"]] for place in places] == partitions
    assert given[0][-1] == {"kind": "carried", "what": "ARRIVAL", "type": "BIGINT", "nullable": True}
    results = sum(len(window["calls"]) for window in one["spec"]["windows"])
    assert [column["index"] for column in given[1]] == list(range(len(given[0]) + results)), "fields, arrival, results"
    assert one["spec"]["seq"] == two["spec"]["seq"] == f"c{len(given[0]) - 1}"
    assert execution["arrival"]["index"] == len(given[0]) - 1


def test_the_calls_of_a_group_as_the_operator_computes_them(planning: Planning) -> None:
    sql = f"""SELECT STREAM {HOURLY} AS h, COUNT(DISTINCT units), COUNT(*), SUM(units) FILTER (WHERE productId > 3)
        FROM Orders GROUP BY {HOURLY}"""
    groups = Executed(planning, sql, "group_aggregate")
    assert [(call["function"], call.get("distinct", False)) for call in groups.calls] == [
        ("COUNT", True),
        ("SUM", False),
        ("SUM", False),
    ]
    combined = sorted((call["function"], groups.column(call["args"][0])["kind"]) for call in groups.spec["combine"])
    assert combined == [("COUNT", "conversion"), ("MAX", "conversion"), ("SUM", "conversion")], "and the latest time"
    assert [arg["kind"] for arg in groups.args()] == ["ref", "conversion", "conversion"]
    assert [arg["args"][0]["kind"] for arg in groups.args()[1:]] == ["literal", "call"]
    assert [output["kind"] for output in groups.outputs] == ["ref"] + 3 * ["conversion"]
    assert all(call.get("filter") is None for call in groups.calls), "rows that do not count are 0, or are NULL"


def test_a_filter_of_rows_that_are_not_combined(planning: Planning) -> None:
    sql = f"SELECT STREAM MEDIAN(units), SUM(units) FILTER (WHERE productId > 3) FROM Orders GROUP BY {HOURLY}"
    groups = Executed(planning, sql, "group_aggregate")
    filters = [call.get("filter") for call in groups.calls]
    assert [name and groups.column(name)["type"] for name in filters] == [None, "BOOLEAN"]
    assert groups.spec["combine"] == []


def test_percentiles_from_above_are_those_of_the_rest(planning: Planning) -> None:
    sql = f"""SELECT STREAM PERCENTILE_CONT(0.2) WITHIN GROUP (ORDER BY units DESC), PERCENTILE_DISC(0.2) WITHIN GROUP
        (ORDER BY units) FROM Orders GROUP BY {HOURLY}"""
    groups = Executed(planning, sql, "group_aggregate")
    assert [(call["function"], call["fraction"], len(call["args"])) for call in groups.calls] == [
        ("PERCENTILE_CONT", 0.8, 1),
        ("PERCENTILE_DISC", 0.2, 1),
    ]


def test_windows_of_panes_merge(planning: Planning) -> None:
    group = "GROUP BY HOP(rowtime, INTERVAL '1' MINUTE, INTERVAL '1' HOUR), productId"
    windows = Executed(planning, f"SELECT STREAM productId, COUNT(*), MAX(units) FROM Orders {group}", "hop_aggregate")
    assert [(call["function"], call["type"]) for call in windows.calls] == [("SUM", "BIGINT"), ("MAX", "INT")]
    assert {call["function"] for call in windows.spec["combine"]} == {"COUNT", "MAX"}
    counted = windows.outputs[-2]["args"][0]
    place, zero = counted["args"]
    assert (counted["op"], place["kind"], zero["value"]) == ("COALESCE", "ref", 0)
    assert (windows.spec["slide"], windows.spec["size"]) == (60_000_000, 3_600_000_000)


def test_grouping_sets_are_copies_of_the_rows(planning: Planning) -> None:
    sql = f"""SELECT STREAM {HOURLY} AS h, productId, GROUPING(productId) AS g, COUNT(DISTINCT units) FROM Orders
        GROUP BY GROUPING SETS (({HOURLY}, productId), ({HOURLY}))"""
    groups = Executed(planning, sql, "group_aggregate")
    assert groups.copies == [0, 1]
    hour, product, number = (groups.column(key) for key in groups.spec["keys"])
    assert (hour["kind"], product["op"], number["what"]) == ("ref", "CASE", "COPY")
    assert groups.spec["partition"] == [groups.spec["keys"][1]], "groups of all times are in one task"


def test_zeros_are_one_key(planning: Planning) -> None:
    sql = (
        f"SELECT STREAM CAST(units AS DOUBLE) AS u, MEDIAN(units) FROM Orders GROUP BY {HOURLY}, CAST(units AS DOUBLE)"
    )
    groups = Executed(planning, sql, "group_aggregate")
    kinds = {groups.column(key)["type"]: groups.column(key)["kind"] for key in groups.spec["keys"]}
    assert kinds == {"TIMESTAMP(3)": "ref", "DOUBLE": "key"}


def test_relations_have_no_operator(planning: Planning) -> None:
    assert only(planning, "SELECT COUNT(*) OVER (ORDER BY rowtime) FROM Orders", "window")["execution"] is None


@pytest.mark.parametrize(
    "call", ["STRING_AGG(CAST(units AS VARCHAR), CAST(productId AS VARCHAR))", "NTH_VALUE(units, productId)"]
)
def test_what_has_to_be_a_constant_over_a_stream(planning: Planning, call: str) -> None:
    sql = f"SELECT STREAM {call} OVER (PARTITION BY {HOURLY} ORDER BY rowtime ROWS 3 PRECEDING) FROM Orders"
    refused = planning.plan(sql)["notSupported"]
    assert any("with an argument that is not a constant" in reason for reason in refused), refused
