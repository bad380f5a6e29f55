"""What the planner calls runnable is translated: nothing that `validate` and `explain` let through is refused later."""

from __future__ import annotations

import importlib
import json
import sys
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from scripts import statements

from rowtime.connectors import CONNECTORS
from rowtime.foreign.jdbc import DATABASE_CLASS, KEYED_COLUMN_CLASS, KEYED_TABLE_CLASS
from rowtime.jvm.py4j import java_class, java_list, java_map
from rowtime.operators.search_key import SearchCounts, TableOfFiles
from rowtime.plan.codec import decode_plan
from rowtime.plan.functions import FUNCTIONS
from rowtime.plan.nodes import Node, Project, Scan
from rowtime.plan.types import parse_type
from rowtime.sparksql.result import Translated
from rowtime.translate import translate
from rowtime.translate.rex import Scope, to_expression

if TYPE_CHECKING:
    from pyspark.sql import DataFrame, SparkSession

LANGUAGE = Path(__file__).parents[1] / "planner" / "language.sql"
SCHEMA = [
    "CREATE STREAM Orders (productId INTEGER, orderId INTEGER, units INTEGER) OPTIONS (history 'all')",
    "CREATE TABLE Products (rowtime TIMESTAMP, productId INTEGER, name VARCHAR)",
]
GROUP = "FROM Orders GROUP BY FLOOR(rowtime TO HOUR)"
CALLS = {
    "PERCENTILE_CONT": "PERCENTILE_CONT(0.5) WITHIN GROUP (ORDER BY units)",
    "PERCENTILE_DISC": "PERCENTILE_DISC(0.5) WITHIN GROUP (ORDER BY units)",
    "LISTAGG": "LISTAGG({0}CAST(units AS VARCHAR))",
    "STRING_AGG": "STRING_AGG({0}CAST(units AS VARCHAR), ',')",
    "NTH_VALUE": "NTH_VALUE(units, 2)",
    "NTILE": "NTILE(4)",
    "GROUPING": "GROUPING(FLOOR(rowtime TO HOUR))",
    "GROUPING_ID": "GROUPING_ID(FLOOR(rowtime TO HOUR))",
    "GROUP_ID": "GROUP_ID()",
    **{name: name + "({0}units > 1)" for name in ("EVERY", "SOME", "BOOL_AND", "BOOL_OR", "LOGICAL_AND", "LOGICAL_OR")},
    **{name: name + "()" for name in ("ROW_NUMBER", "RANK", "DENSE_RANK", "PERCENT_RANK", "CUME_DIST")},
    **{name: name + "(units, orderId)" for name in FUNCTIONS if name.startswith(("REGR_", "COVAR_", "MAX_BY", "ARG_"))},
    "MIN_BY": "MIN_BY(units, orderId)",
}
"""Functions that do not take a single number."""
UNWRITTEN = ("SUM0", "SINGLE_VALUE", "LITERAL_AGG", "CORR", "REGR_SLOPE", "REGR_INTERCEPT", "REGR_R2", "REGR_AVGX",
             "REGR_AVGY", "REGR_SXY")  # fmt: skip
"""Calcite rewrites them to other calls, or its grammar has no name for them."""


class Rows:
    """Returns no rows, with the columns that a scan needs."""

    ordered = True
    checks_claims = False

    def skipped(self, stream: str) -> tuple[str, ...]:
        return ()

    def __init__(self, spark: SparkSession, folder: Path) -> None:
        self.spark = spark
        self.folder = folder

    def lookup(self, relation: Node, fields: Sequence[int], *, varies: bool, rows: Node) -> Translated:
        return translate(relation, self)

    def keyed_table(self, node: Scan) -> Any:
        database = java_class(self.spark, DATABASE_CLASS)(
            "jdbc:none:", "none", java_map(self.spark, {}), java_list(self.spark, [])
        )
        types = {field.name: parse_type(field.type).spark() for field in node.fields}
        column = java_class(self.spark, KEYED_COLUMN_CLASS)
        columns = java_map(self.spark, {name: column(name, name, type, 12, "") for name, type in types.items()})
        return java_class(self.spark, KEYED_TABLE_CLASS)(database, "a table", "t", False, columns)

    def table_of_files(self, node: Scan, names: Mapping[int, str]) -> TableOfFiles:
        found = self.scan(node)
        return TableOfFiles(found.df.selectExpr(*[f"{found.columns[i]} AS {name}" for i, name in names.items()]), None)

    def searched(self, counts: Callable[[], SearchCounts]) -> None:
        pass

    def bounds(self, node: Scan) -> DataFrame:
        return self.spark.readStream.format("rate").load().select("timestamp")

    def scan(self, node: Scan) -> Translated:
        some = self.spark.readStream.format("rate").load() if node.mode == "stream" else self.spark.range(0)
        names = tuple(f"s{node.id}_{i}" for i in range(len(node.fields)))
        typed = [
            f"CAST(NULL AS {parse_type(field.type).spark()}) AS {name}"
            for name, field in zip(names, node.fields, strict=True)
        ]
        index = node.rowtime_index
        df = some.selectExpr(*typed, f"CAST(0 AS BIGINT) AS s{node.id}_seq")
        return Translated(df, names, None if index is None else names[index], f"s{node.id}_seq")


class Planning:
    """Plans statements one after another; `translated` builds the DataFrame of one that can run."""

    def __init__(self, planner: Any, session: SparkSession, folder: Path) -> None:
        self._planner = planner
        self._rows = Rows(session, folder)
        self._catalog: dict[str, Any] = {"version": 0, "objects": [], "lateness": []}

    def _reply(self, sql: str) -> dict[str, Any]:
        request = json.dumps({"sql": sql, "line": 1, "column": 1})
        return dict(json.loads(self._planner.plan(json.dumps(self._catalog), request)))

    def errors(self, sql: str) -> list[str]:
        return [said["code"] for said in self._reply(sql)["diagnostics"] if said["severity"] == "error"]

    def statement(self, sql: str) -> dict[str, Any]:
        reply = self._reply(sql)
        assert reply["statement"] is not None, (sql, reply["diagnostics"])
        for change in reply["statement"].get("changes") or []:
            if change["action"] == "create":
                self._catalog["objects"].append(change["object"])
            elif change["action"] == "lateness":
                self._catalog["lateness"].append({key: change[key] for key in ("view", "column", "value")})
            self._catalog["version"] += 1
        return dict(reply["statement"])

    def translated(self, sql: str) -> bool:
        statement = self.statement(sql)
        if statement.get("notSupported") or not statement.get("plan"):
            return False
        translate(decode_plan(statement["plan"]), self._rows)
        return True


@pytest.fixture
def planning(planner: Any, session: SparkSession, tmp_path: Path) -> Planning:
    made = Planning(planner, session, tmp_path)
    for sql in SCHEMA:
        made.statement(sql)
    return made


def test_the_language_of_the_seeds(planning: Planning) -> None:
    found = statements(LANGUAGE.read_text())
    assert sum(planning.translated(sql) for sql in found) > 15


def calls(use: str, distinct: str) -> list[str]:
    """Returns a call of each function that can be computed there according to the table."""
    found = []
    for name, function in FUNCTIONS.items():
        call = CALLS.get(name, name + "({0}units)")
        possible = not distinct or (function.distinct_of_set and "{0}" in call)
        if use in function.uses and name not in UNWRITTEN and possible:
            found.append(call.format(distinct))
    return found


@pytest.mark.parametrize("distinct", ["", "DISTINCT "])
def test_aggregate_functions_in_groups(planning: Planning, distinct: str) -> None:
    listed = calls("GROUP_BY", distinct)
    assert len(listed) > 10
    assert planning.translated(f"SELECT {', '.join(listed)} {GROUP}")
    refused = [call for call in listed if not planning.translated(f"SELECT STREAM {call} {GROUP}")]
    assert refused == []


@pytest.mark.parametrize("use", ["OVER_RELATION", "OVER_STREAM"])
def test_functions_over(planning: Planning, use: str) -> None:
    stream = "STREAM " if use == "OVER_STREAM" else ""
    listed = [call for call in calls(use, "") if "WITHIN GROUP" not in call]
    over = ", ".join(f"{call} OVER (PARTITION BY FLOOR(rowtime TO HOUR) ORDER BY rowtime)" for call in listed)
    assert len(listed) > 20
    assert planning.translated(f"SELECT {stream}{over} FROM Orders")


def test_filter_over(planning: Planning) -> None:
    """For functions that skip NULLs, FILTER replaces the argument by NULL."""
    for call in calls("OVER_RELATION", ""):
        if "WITHIN GROUP" not in call:
            sql = f"SELECT {call} FILTER (WHERE units > 1) OVER (ORDER BY rowtime) FROM Orders"
            refused = [] if FUNCTIONS[call.partition("(")[0]].skips_nulls else ["RT0118"]
            assert planning.errors(sql) == refused, sql
            assert refused or planning.translated(sql), sql


OPTIONS = {
    "files": "path '/data/orders', format 'json'",
    "kafka": "servers 'broker:9092', topic 'orders'",
    "socket": "host 'there', port '99'",
    "rate": "rows_per_second '5'",
    "delta": "path '/data/orders'",
    "jdbc": "url 'jdbc:postgresql://db/shop', table 'orders'",
    "python": "class 'my:Adapter'",
    "java": "class 'my.Adapter'",
    "dataframe": "rowtime 'at'",
}


@pytest.mark.parametrize("name", CONNECTORS)
def test_connectors(planning: Planning, name: str) -> None:
    """A stream, a table and a target of each connector: what the planner accepts, its module can do."""
    connector = CONNECTORS[name]
    columns = '"VALUE" BIGINT, ROWTIME TIMESTAMP'
    for kind in ("STREAM", "TABLE"):
        planning.statement(f"CREATE FOREIGN {kind} F{kind} ({columns}) OPTIONS (connector '{name}', {OPTIONS[name]})")
    readable = {
        "SELECT STREAM * FROM FSTREAM": connector.streams,
        "SELECT * FROM FSTREAM": False,
        "SELECT * FROM FTABLE": connector.tables,
        "INSERT INTO FSTREAM VALUES (1, CURRENT_TIMESTAMP)": connector.writer is not None,
        "INSERT INTO FTABLE SELECT STREAM units, rowtime FROM Orders": connector.writer is not None,
    }
    assert {sql: not planning.errors(sql) and planning.translated(sql) for sql in readable} == readable
    assert hasattr(importlib.import_module(connector.reader), "read")
    assert connector.writer is None or hasattr(importlib.import_module(connector.writer), "write")


def test_scalar_functions(planner: Any) -> None:
    """Yields each form of each function in the comparison with Calcite."""
    folder = str(Path(__file__).parents[2] / "differential")
    sys.path.insert(0, folder)
    try:
        functions, values = importlib.import_module("functions"), importlib.import_module("values")
    finally:
        sys.path.remove(folder)
    catalog, run = values.catalog(), 0
    for templates in functions.CATEGORIES.values():
        for form in (form for forms in templates.values() for form in forms):
            request = {"sql": f"SELECT {form} AS x FROM T", "line": 1, "column": 1}
            statement = json.loads(planner.plan(catalog, json.dumps(request)))["statement"]
            if statement is None or statement["notSupported"]:
                continue
            plan = decode_plan(statement["plan"])
            if isinstance(plan, Project):
                to_expression(plan.exprs[0], Scope([f.name for f in plan.inputs[0].fields]))
                run += 1
    assert run > 800
