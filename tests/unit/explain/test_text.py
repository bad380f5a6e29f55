"""The text form of plans and expressions."""

from __future__ import annotations

from typing import Any

import pytest

from rowtime.explain.analysis import ScriptAnalysis, StatementAnalysis
from rowtime.explain.facts import duration
from rowtime.explain.json import explanations
from rowtime.explain.operators import describe
from rowtime.explain.text import render
from rowtime.plan.rex_text import rex_text
from rowtime.splitter import Statement


def ref(index: int) -> dict[str, Any]:
    return {"kind": "ref", "index": index, "type": "INTEGER", "nullable": True}


def literal(type: str, value: Any) -> dict[str, Any]:
    return {"kind": "literal", "type": type, "nullable": value is None, "value": value}


def call(op: str, *args: dict[str, Any]) -> dict[str, Any]:
    return {"kind": "call", "op": op, "type": "ANY", "nullable": True, "args": list(args)}


def symbol(value: str) -> dict[str, Any]:
    return {"kind": "symbol", "value": value}


ONE, TWO = literal("INTEGER", 1), literal("INTEGER", 2)


@pytest.mark.parametrize(
    ("rex", "text"),
    [
        (ref(1), "B"),
        (call("*", call("+", ref(0), ONE), TWO), "(A + 1) * 2"),
        (call("+", call("*", ref(0), ONE), TWO), "A * 1 + 2"),
        (call("-", ref(0), call("-", ref(1), ONE)), "A - (B - 1)"),
        (call("-", call("-", ref(0), ref(1)), ONE), "A - B - 1"),
        (call("AND", call("OR", ref(0), ref(1)), call("=", ref(0), ONE), ref(1)), "(A OR B) AND A = 1 AND B"),
        (call("NOT", call("AND", ref(0), ref(1))), "NOT (A AND B)"),
        (call("IS NOT NULL", ref(0)), "A IS NOT NULL"),
        (call("IS NULL", call("=", ref(0), ONE)), "(A = 1) IS NULL"),
        (call("NEGATE", call("+", ref(0), ONE)), "-(A + 1)"),
        (call("CASE", call(">", ref(0), ONE), TWO, literal("NULL", None)), "CASE WHEN A > 1 THEN 2 ELSE NULL END"),
        (call("FLOOR", ref(0), symbol("HOUR")), "FLOOR(A TO HOUR)"),
        (call("EXTRACT", symbol("YEAR"), ref(0)), "EXTRACT(YEAR FROM A)"),
        (call("DATETIME_PLUS", ref(0), literal("INTERVAL MINUTE", 90_000)), "A + INTERVAL '90' SECOND"),
        (call("DATETIME_MINUS", ref(0), literal("INTERVAL DAY TO SECOND", 7_200_000)), "A - INTERVAL '2' HOUR"),
        (literal("INTERVAL YEAR TO MONTH", -18), "INTERVAL '-18' MONTH"),
        (literal("CHAR(4)", "it's"), "'it''s'"),
        (literal("TIMESTAMP(3)", "2020-01-01T10:00:00.000"), "TIMESTAMP '2020-01-01 10:00:00.000'"),
        (literal("BOOLEAN", True), "TRUE"),
        ({"kind": "cast", "type": "BIGINT", "nullable": True, "safe": False, "args": [ref(0)]}, "CAST(A AS BIGINT)"),
        ({"kind": "field", "name": "X", "args": [ref(1)], "type": "ANY", "nullable": True}, "B.X"),
        (call("UPPER", ref(0)), "UPPER(A)"),
    ],
)  # fmt: skip
def test_expressions_read_like_sql(rex: dict[str, Any], text: str) -> None:
    assert rex_text(rex, ["A", "B"]) == text


def field(name: str, type: str, monotonicity: str = "NOT_MONOTONIC", **more: Any) -> dict[str, Any]:
    return {"name": name, "type": type, "nullable": name != "ROWTIME", "monotonicity": monotonicity, **more}


def node(op: str, fields: list[Any], inputs: list[Any], state: dict[str, Any], **more: Any) -> dict[str, Any]:
    needs = {"aggregate": ["WATERMARK"], "union": ["WATERMARK", "STATE_STORE"]}.get(op, [])
    shared = {"id": 1, "rowtime": "ROWTIME", "streaming": True, "clock": [], "changes": "append", "needs": needs}
    return {"op": op, "fields": fields, "inputs": inputs, "state": state, **shared, **more}


NONE = {"bound": "none", "retention": None, "why": "row by row"}
SCAN = node(
    "scan",
    [field("ROWTIME", "TIMESTAMP(3)", "INCREASING", disorder="PT1H"), field("UNITS", "INTEGER")],
    [],
    NONE,
    source="ORDERS",
    kind="STREAM",
    mode="stream",
    bound="ROWTIME",
)
HOURLY = node(
    "aggregate",
    [field("ROWTIME", "TIMESTAMP(3)", "INCREASING"), field("C", "BIGINT")],
    [SCAN],
    {"bound": "window", "retention": "PT1H", "why": "a group for each hour that is open"},
    keys=[0],
    calls=[
        {
            "function": "COUNT",
            "args": [],
            "distinct": False,
            "ofSet": False,
            "filter": None,
            "order": [],
            "type": "BIGINT",
            "nullable": False,
            "name": "C",
        }
    ],
    sets=None,
    session=None,
    closes=call("DATETIME_PLUS", ref(0), literal("INTERVAL HOUR", 3_600_000)),
    clock=[{"fn": "FLOOR", "millis": 3_600_000, "offset": 0}, {"fn": "SHIFT", "millis": -90_000}],
)
PLANNED = {"kind": "SELECT", "streaming": True, "fields": HOURLY["fields"], "plan": HOURLY, "changes": []}


def analysis(planned: dict[str, Any]) -> ScriptAnalysis:
    return ScriptAnalysis([StatementAnalysis(1, Statement("SELECT …", 4, 1), [], planned)], [])


def test_a_plan_is_a_tree_with_order_bound_and_state() -> None:
    assert render(analysis(PLANNED), "orders.sql").split("\n") == [
        "1  SELECT (streaming)  orders.sql:4",
        "   waits for the bound of ORDERS.ROWTIME",
        "   changes: append, rows are final",
        "   aggregate by ROWTIME: COUNT(*) AS C; a group closes at ROWTIME + INTERVAL '1' HOUR",
        "   │   ROWTIME *  TIMESTAMP(3) NOT NULL  increasing",
        "   │   C          BIGINT",
        "   │   bound: FLOOR to 1 h then - 90 s, from that of its sources",
        "   │   state: window, kept PT1H — a group for each hour that is open",
        "   └─ scan ORDERS (stream, read as a stream)",
        "          ROWTIME *  TIMESTAMP(3) NOT NULL  increasing, with rows up to PT1H late",
        "          UNITS      INTEGER",
        "          state: none",
    ]


def test_settings_are_said_once_for_all_statements() -> None:
    planned = [PLANNED, {**PLANNED, "plan": SCAN}, {**PLANNED, "kind": "CREATE VIEW"}, PLANNED]
    analyzed = [StatementAnalysis(i, Statement("…", i, 1), [], one) for i, one in enumerate(planned, 1)]
    shown = render(
        ScriptAnalysis(analyzed, []), settings=lambda planned: ["shared=1", f"store={planned['plan']['op']}"]
    )
    assert shown[shown.index("Spark settings") :].split("\n") == [
        "Spark settings for these streaming queries",
        "   shared=1",
        "",
        "and for statements 1, 4",
        "   store=aggregate",
        "",
        "and for statement 2",
        "   store=scan",
    ]
    assert "settings" not in render(ScriptAnalysis(analyzed, []), settings=lambda plan: [])


def test_what_is_that_of_the_input_is_not_said_again() -> None:
    filtered = node("filter", HOURLY["fields"], [HOURLY], NONE, condition=ref(1), clock=HOURLY["clock"])
    assert render(analysis({**PLANNED, "plan": filtered})).split("\n")[3:6] == [
        "   filter C",
        "   │   state: none",
        "   └─ aggregate by ROWTIME: COUNT(*) AS C; a group closes at ROWTIME + INTERVAL '1' HOUR",
    ]


def test_what_cannot_run_yet_is_marked() -> None:
    marked = {**PLANNED, "notSupported": ["PTF SNAPSHOT"]}
    assert "   not supported yet: PTF SNAPSHOT" in render(analysis(marked)).split("\n")
    assert explanations(analysis(marked))[0]["notSupported"] == ["PTF SNAPSHOT"]


def test_ddl_is_one_line() -> None:
    ddl = {"kind": "CREATE STREAM", "streaming": False, "fields": None, "plan": None,
           "changes": [{"action": "create", "object": {"name": "S"}, "replace": False}]}  # fmt: skip
    assert render(analysis(ddl)) == "1  CREATE STREAM S  line 4"


def test_an_operator_of_a_later_version_is_shown_by_its_name() -> None:
    unknown = node("teleport", SCAN["fields"], [SCAN], NONE)
    shown = render(analysis({**PLANNED, "plan": unknown}))
    assert "   teleport\n" in shown
    assert "└─ scan ORDERS" in shown


def test_json_has_exactly_the_documented_keys() -> None:
    (one,) = explanations(analysis(PLANNED))
    assert one == {
        "statement": 1,
        "line": 4,
        "kind": "SELECT",
        "streaming": True,
        "fields": HOURLY["fields"],
        "plan": HOURLY,
    }


def test_the_settings_are_those_of_the_runtime() -> None:
    from rowtime.explain.settings import settings

    union = node("union", SCAN["fields"], [SCAN, SCAN], NONE, all=True, closes=None)
    hourly, merged = settings({"plan": HOURLY}), settings({"plan": {**HOURLY, "inputs": [union]}})
    (provider,) = (line for line in hourly if "providerClass" in line)
    assert "RocksDB" not in provider
    assert provider.replace("HDFSBacked", "RocksDB") in merged
    assert "spark.sql.session.timeZone=UTC" in hourly
    assert settings({"plan": {**HOURLY, "streaming": False}}) == []


def test_the_partitions_that_a_query_or_a_pump_asks_for() -> None:
    from rowtime.explain.settings import settings

    partitions = "spark.sql.shuffle.partitions="
    assert f"{partitions}3" in settings({"plan": HOURLY, "partitions": 3})
    pump = {"action": "create", "object": {"name": "P", "options": {"partitions": "7"}}}
    assert f"{partitions}7" in settings({"plan": HOURLY, "partitions": None, "changes": [pump]})


@pytest.mark.parametrize(
    ("millis", "text"), [(0, "0 ms"), (1, "1 ms"), (1500, "1500 ms"), (90_000, "90 s"), (604_800_000, "7 d")]
)
def test_durations(millis: int, text: str) -> None:
    assert duration(millis) == text


def test_a_query_of_several_sources_waits_for_the_least_bound() -> None:
    def scan(source: str) -> dict[str, Any]:
        return node("scan", SCAN["fields"], [], NONE, source=source, kind="STREAM", mode="stream", bound="ROWTIME")

    held = {"bound": "window", "retention": None, "why": "rows wait"}
    union = node("union", SCAN["fields"], [scan("P"), scan("Q"), scan("P"), scan("R")], held, all=True, closes=ref(0))
    shown = render(analysis({**PLANNED, "plan": union})).split("\n")
    assert shown[1] == "   waits for the least of the bounds of P.ROWTIME, Q.ROWTIME and R.ROWTIME"
    assert not any("waits for" in line for line in render(analysis({**PLANNED, "plan": scan("P")})).split("\n"))


def test_lateness_says_how_late_a_row_may_be() -> None:
    columns = [
        {"index": 0, "lateness": literal("INTERVAL SECOND", 600_000)},
        {"index": 1, "lateness": literal("INTEGER", 5)},
    ]
    late = node("lateness", SCAN["fields"], [SCAN], NONE, columns=columns, bound=None)
    assert "   lateness drops late rows: ROWTIME by INTERVAL '10' MINUTE, UNITS by 5" in render(
        analysis({**PLANNED, "plan": late})
    ).split("\n")


@pytest.mark.parametrize(
    ("as_of", "text"),
    [
        (None, "T (table, read as a relation)"),
        ({"by": "START", "time": None}, "T (table, as it is when the query starts)"),
        ({"by": "COMMIT", "time": 1_705_708_800_000}, "T (table, as of 2024-01-20 00:00:00.000)"),
    ],
)
def test_a_scan_says_as_of_when_it_reads(as_of: dict[str, Any] | None, text: str) -> None:
    scan = {"op": "scan", "source": "T", "kind": "TABLE", "mode": "relation", "start": None, "asOf": as_of}
    assert describe(scan) == f"scan {text}"
