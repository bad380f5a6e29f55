"""Substrait plans of relational queries. Arrow's engine, Acero, runs them over the same rows; the expected rows are
made by hand."""

from __future__ import annotations

import json
from typing import Any

import pyarrow as pa
import pytest
from pyarrow import substrait
from pyarrow._substrait import _parse_json_plan

from rowtime.catalog.memory import MemoryCatalog
from rowtime.explain.analysis import analyze
from rowtime.explain.forms import EXCHANGE, FORMS

DDL = """
CREATE TABLE orders (id INTEGER, product VARCHAR, units INTEGER, price DOUBLE, paid BOOLEAN);
CREATE TABLE stock (name VARCHAR, pieces BIGINT);
CREATE STREAM arrivals (id INTEGER);
CREATE VIEW big AS SELECT id, units FROM orders WHERE units > 3;
"""
TABLES = {
    "ORDERS": pa.table(
        {
            "ID": pa.array([1, 2, 3, 4], pa.int32()),
            "PRODUCT": ["a", "b", "a", None],
            "UNITS": pa.array([5, 3, 7, None], pa.int32()),
            "PRICE": [1.5, 2.5, 3.5, 4.5],
            "PAID": [True, False, None, True],
        }
    ),
    "STOCK": pa.table({"NAME": ["a", "b", "c"], "PIECES": pa.array([10, 20, 30], pa.int64())}),
}


def plans(planner: Any, sql: str) -> list[dict[str, Any]]:
    catalog = MemoryCatalog()
    assert analyze(DDL, catalog, planner).valid
    analysis = analyze(sql, catalog, planner, exchange=EXCHANGE["substrait"])
    assert analysis.valid, analysis.diagnostics
    found: list[dict[str, Any]] = json.loads(FORMS["substrait"](analysis, "a.sql"))
    return found


@pytest.mark.parametrize(
    ("sql", "rows"),
    [
        ("SELECT id, units + 1 FROM orders WHERE units > 3", [(1, 6), (3, 8)]),
        ("SELECT * FROM big", [(1, 5), (3, 7)]),
        (
            "SELECT product, COUNT(*), SUM(price) FROM orders WHERE price < 4 GROUP BY product ORDER BY product DESC",
            [("b", 1, 2.5), ("a", 2, 5.0)],
        ),
        (
            "SELECT o.id, s.pieces FROM orders AS o JOIN stock AS s ON o.product = s.name ORDER BY o.id",
            [(1, 10), (2, 20), (3, 10)],
        ),
        ("SELECT id FROM orders WHERE paid OR product IS NULL ORDER BY price DESC LIMIT 1", [(4,)]),
        ("SELECT DISTINCT product FROM orders ORDER BY product NULLS FIRST", [(None,), ("a",), ("b",)]),
        ("SELECT CASE WHEN units IS NULL THEN 0 ELSE units END FROM orders", [(5,), (3,), (7,), (0,)]),
    ],
)
def test_acero_gives_the_rows(planner: Any, sql: str, rows: list[tuple[Any, ...]]) -> None:
    (found,) = plans(planner, sql)
    assert found["reason"] is None
    plan = _parse_json_plan(json.dumps(found["substrait"]).encode())
    read = substrait.run_query(plan, table_provider=lambda names, _: TABLES[names[-1]]).read_all()
    assert list(zip(*(column.to_pylist() for column in read.columns), strict=True)) == rows


@pytest.mark.parametrize(
    ("sql", "reason"),
    [
        ("SELECT STREAM id FROM arrivals", "Substrait has no streaming queries"),
        ("SELECT SPLIT_INDEX(product, ',', 0) FROM orders", "Substrait cannot express SPLIT(string?, char<1>)"),
        ("SELECT x FROM UNNEST(ARRAY[1, 2]) AS t (x)", "Substrait cannot express Unnest"),
    ],
)
def test_what_substrait_cannot_express_has_a_reason(planner: Any, sql: str, reason: str) -> None:
    (found,) = plans(planner, sql)
    assert found["substrait"] is None
    assert found["reason"] == reason


def test_a_script_has_an_entry_for_each_query(planner: Any) -> None:
    found = plans(planner, "CREATE TABLE t (a INTEGER);\nSELECT a FROM t;\n\nINSERT INTO t SELECT id FROM orders;")
    assert [(entry["statement"], entry["line"]) for entry in found] == [(2, 2), (3, 4)]
    assert [entry["substrait"]["relations"][0]["root"]["names"] for entry in found] == [["A"], ["ID"]]
