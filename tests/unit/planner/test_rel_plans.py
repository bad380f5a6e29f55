"""Plans in Calcite's own forms: what is written is read back as the same plan, and a Calcite program's plans are checked."""

from __future__ import annotations

import json
import subprocess
from pathlib import Path
from typing import Any

import pytest

from rowtime.catalog.memory import MemoryCatalog
from rowtime.errors import RowtimeError
from rowtime.explain import facts
from rowtime.explain.analysis import analyze
from rowtime.explain.forms import FORMS
from rowtime.jvm.java import find_java
from rowtime.planner import PlannedStatement, plan_rel

ROOT = Path(__file__).parents[3]
EXAMPLE = ROOT / "java" / "examples" / "TotalsByHour.java"
DELTA = {"id": "9", "relOp": "org.apache.calcite.rel.stream.LogicalDelta"}
DDL = """
CREATE STREAM orders (productId INTEGER, units INTEGER);
CREATE STREAM trades (productId INTEGER, price DECIMAL(8, 2));
CREATE TABLE products (id INTEGER, name VARCHAR(10));
CREATE VIEW big AS SELECT STREAM * FROM orders WHERE units > 5;
"""


@pytest.fixture
def catalog(planner: Any) -> MemoryCatalog:
    made = MemoryCatalog()
    assert analyze(DDL, made, planner).valid
    return made


def scan(table: str) -> dict[str, Any]:
    return {"id": "0", "relOp": "LogicalTableScan", "table": [table], "inputs": []}


def plan_of(planner: Any, catalog: MemoryCatalog, *rels: dict[str, Any]) -> PlannedStatement:
    return plan_rel(planner, catalog.snapshot(), json.dumps({"rels": list(rels)})).statement


@pytest.mark.parametrize(
    "sql",
    [
        "SELECT STREAM FLOOR(rowtime TO HOUR) AS rowtime, productId, SUM(units) AS u, COUNT(*) AS c FROM orders"
        " GROUP BY FLOOR(rowtime TO HOUR), productId HAVING COUNT(*) > 1",
        "SELECT STREAM o.rowtime, p.name FROM orders AS o JOIN products AS p ON o.productId = p.id WHERE name LIKE 'a%'",
        "SELECT STREAM o.rowtime, t.price FROM orders AS o JOIN trades AS t ON o.productId = t.productId"
        " AND t.rowtime BETWEEN o.rowtime AND o.rowtime + INTERVAL '10' MINUTE",
        "SELECT STREAM rowtime, SUM(units) OVER (PARTITION BY productId ORDER BY rowtime"
        " RANGE INTERVAL '1' HOUR PRECEDING) AS s FROM big",
        "SELECT STREAM rowtime, units FROM orders UNION ALL SELECT STREAM rowtime, productId FROM trades",
        "SELECT STREAM * FROM TABLE(TUMBLE(TABLE orders, DESCRIPTOR(rowtime), INTERVAL '1' HOUR))",
        "SELECT STREAM rowtime, units, CASE WHEN units > 1 THEN CAST(units AS VARCHAR(5)) END AS c FROM orders ORDER BY rowtime",
        "SELECT name, COUNT(DISTINCT id) AS n FROM products GROUP BY name ORDER BY n DESC LIMIT 3",
        "SELECT id, LEVENSHTEIN(name, 'abc') AS l FROM products WHERE id NOT IN (1, 2, 3)",
        "SELECT * FROM (VALUES (1, DATE '2020-01-01', TIMESTAMP '2020-01-01 10:00:00.123'), (2, NULL, NULL)) AS t (a, b, c)",
    ],
)
def test_a_plan_that_is_written_is_read_back(planner: Any, catalog: MemoryCatalog, sql: str) -> None:
    (written,) = analyze(sql, catalog, planner, exchange=("calcite",)).statements
    assert written.planned is not None, written.diagnostics
    (form,) = json.loads(FORMS["rel-json"](analyze(sql, catalog, planner, exchange=("calcite",)), "a.sql"))
    read = plan_rel(planner, catalog.snapshot(), json.dumps(form["rel"])).statement
    assert without_origin(read.raw_plan) == without_origin(written.planned["plan"])
    assert read.streaming == written.planned["streaming"]


def without_origin(node: dict[str, Any] | None) -> dict[str, Any]:
    assert node is not None
    return {key: value for key, value in node.items() if key not in ("origin", "inputs")} | {
        "inputs": [without_origin(child) for child in node["inputs"]]
    }


def test_views_are_read_by_their_names(planner: Any, catalog: MemoryCatalog) -> None:
    plan = plan_of(planner, catalog, scan("BIG"), DELTA).raw_plan
    assert plan is not None
    assert [(node["op"], node.get("source")) for node in facts.nodes(plan)][-2:] == [
        ("filter", None),
        ("scan", "ORDERS"),
    ]


AGGREGATE = {"id": "1", "relOp": "LogicalAggregate", "group": [1], "aggs": []}
SUB_QUERY = {
    "id": "1",
    "relOp": "LogicalFilter",
    "condition": {"op": {"name": "IN", "kind": "IN", "syntax": "BINARY"}, "operands": [{"input": 0, "name": "$0"}]},
}
HARMFUL = {
    "id": "1",
    "relOp": "LogicalFilter",
    "condition": {
        "op": {"name": "NOPE", "kind": "OTHER_FUNCTION", "syntax": "FUNCTION", "class": "java.lang.ProcessBuilder"},
        "operands": [],
    },
}


@pytest.mark.parametrize(
    ("rels", "code", "message"),
    [
        ([scan("ORDERS")], "RT0103", "Cannot convert stream 'ORDERS' to a table"),
        ([scan("PRODUCTS"), DELTA], "RT0102", "Cannot convert table 'PRODUCTS' to a stream"),
        (
            [scan("ORDERS"), AGGREGATE, DELTA],
            "RT0201",
            "Streaming aggregation requires at least one monotonic expression",
        ),
        ([scan("NOPE")], "RT0422", "The plan reads 'NOPE', which is not in the catalog"),
        ([{"id": "0", "relOp": "java.lang.String"}], "RT0422", "The plan has the operator 'java.lang.String'"),
        (
            [scan("PRODUCTS"), HARMFUL],
            "RT0422",
            "a function of the class 'java.lang.ProcessBuilder', which is not Calcite's",
        ),
        ([{"id": "0", "relOp": "LogicalFilter"}], "RT0422", "The plan does not fit the catalog"),
        ([scan("PRODUCTS"), SUB_QUERY], "RT0422", "The plan contains a sub-query"),
        ([], "RT0422", "The plan has no array 'rels' of operators"),
    ],
)
def test_what_cannot_run_is_refused(
    planner: Any, catalog: MemoryCatalog, rels: list[dict[str, Any]], code: str, message: str
) -> None:
    with pytest.raises(RowtimeError) as refused:
        plan_of(planner, catalog, *rels)
    (diagnostic,) = refused.value.diagnostics
    assert diagnostic.code == code and message in diagnostic.message and diagnostic.line is None


@pytest.mark.parametrize("text", ["", "x", "[1]", '{"rels": 1}', "\ud800"])
def test_what_is_no_plan_is_refused(planner: Any, catalog: MemoryCatalog, text: str) -> None:
    with pytest.raises(RowtimeError) as refused:
        plan_rel(planner, catalog.snapshot(), text)
    assert refused.value.diagnostics[0].code == "RT0422"


def test_a_plan_that_calcites_json_cannot_express_is_null(planner: Any, catalog: MemoryCatalog) -> None:
    analysis = analyze(
        "LATENESS big.rowtime INTERVAL '1' HOUR; SELECT STREAM * FROM big", catalog, planner, exchange=("calcite",)
    )
    assert "LatenessFilter" in FORMS["rel"](analysis, "a.sql")
    assert json.loads(FORMS["rel-json"](analysis, "a.sql")) == [{"statement": 2, "line": 1, "rel": None}]
    # Calcite writes a sub-query without its query.
    analysis = analyze(
        "SELECT id FROM products WHERE id IN (SELECT id + 1 FROM products)", catalog, planner, exchange=("calcite",)
    )
    assert json.loads(FORMS["rel-json"](analysis, "a.sql")) == [{"statement": 1, "line": 1, "rel": None}]


def run_example(*arguments: str) -> str:
    """Returns the output of the Java example, which is compiled and run with only the jars on its class path."""
    jars = [str(ROOT / "build" / "jars" / group / "*") for group in ("app", "planner")]
    command = [str(find_java().executable), "-cp", ":".join(jars), str(EXAMPLE), *arguments]
    return subprocess.run(command, capture_output=True, text=True, timeout=300, check=True).stdout


def test_the_example_parses_streaming_sql() -> None:
    assert run_example("parse", "CREATE PUMP p STARTED AS INSERT INTO t SELECT STREAM * FROM s") == (
        "SqlCreatePump: CREATE PUMP `P` STARTED AS INSERT INTO `T` SELECT STREAM * FROM `S`\n"
    )


def test_the_plan_of_the_example_is_that_of_sql(planner: Any, catalog: MemoryCatalog) -> None:
    read = plan_rel(planner, catalog.snapshot(), run_example("plan")).statement
    assert [(field.name, field.type, field.monotonicity) for field in read.fields or []] == [
        ("ROWTIME", "TIMESTAMP(3)", "INCREASING"),
        ("PRODUCTID", "INTEGER", "NOT_MONOTONIC"),
        ("UNITS", "BIGINT", "NOT_MONOTONIC"),
    ]
    assert read.raw_plan is not None and read.raw_plan["op"] == "aggregate" and read.raw_plan["closes"]
