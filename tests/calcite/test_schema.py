"""A warehouse as a schema of Calcite's own JDBC driver: the example program, run against the jars alone."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest
from pyspark.sql import SparkSession

from rowtime.jvm.java import find_java
from rowtime.session import connect

ROOT = Path(__file__).parents[2]
EXAMPLE = ROOT / "java" / "examples" / "QueryWarehouse.java"

SETUP = """
CREATE TABLE products (id INTEGER NOT NULL PRIMARY KEY, name VARCHAR(20), price DECIMAL(10, 2), made DATE);
INSERT INTO products VALUES (1, 'Bread', 2.50, DATE '2024-01-02'), (2, 'Milk', 1.20, NULL),
    (3, 'Käse', 9.99, DATE '1850-03-04');
CREATE STREAM orders (productId INTEGER, units INTEGER) OPTIONS (history 'all');
INSERT INTO orders VALUES (TIMESTAMP '2024-05-01 10:10:00', 1, 4), (TIMESTAMP '2024-05-01 11:00:00', 2, 5),
    (TIMESTAMP '2024-05-01 11:30:00.5', 1, 6);
CREATE STREAM passing (n INTEGER);
CREATE TABLE nothing (id INTEGER);
CREATE TABLE types (b BOOLEAN, t TINYINT, s SMALLINT, i INTEGER, l BIGINT, r REAL, d DOUBLE, f FLOAT,
    dc DECIMAL(38, 10), c CHAR(5), v VARCHAR, bi BINARY(2), vb VARBINARY(5), da DATE, ti TIME, ts TIMESTAMP,
    a INTEGER ARRAY, m MAP<VARCHAR, INTEGER>, ro ROW(x INTEGER, y VARCHAR), "odd name" INTEGER);
INSERT INTO types VALUES (TRUE, 1, 2, 3, 4, 1.5, 2.5, 3.5, 12345678901234567890.123, 'ab', 'é', X'0102', X'03',
    DATE '0001-01-01', TIME '10:11:12.345', TIMESTAMP '1899-12-31 23:59:59.999', ARRAY[1, NULL, 3], MAP['k', 1],
    ROW(1, 'z'), 7);
INSERT INTO types ("odd name") VALUES (8);
CREATE TABLE spans AS
    SELECT INTERVAL '1 02:03:04' DAY TO SECOND AS dt, INTERVAL '1-2' YEAR TO MONTH AS ym FROM (VALUES (1)) AS t (x);
"""

QUERIES = {
    "SELECT * FROM products": [
        "1 | Bread | 2.50 | 2024-01-02",
        "2 | Milk | 1.20 | null",
        "3 | Käse | 9.99 | 1850-03-04",
    ],
    # Of the columns and rows that the scan reads, only those that the query uses come out of it.
    "EXPLAIN PLAN FOR SELECT name FROM products WHERE id > 1": [
        "EnumerableInterpreter",
        "  BindableTableScan(table=[[WH, PRODUCTS]], filters=[[>($0, 1)]], projects=[[1]])",
    ],
    "SELECT price FROM products WHERE name = 'Milk'": ["1.20"],
    # Rows that only carry the bound are not rows of the stream.
    "SELECT * FROM orders": [
        "2024-05-01 10:10:00.000 | 1 | 4",
        "2024-05-01 11:00:00.000 | 2 | 5",
        "2024-05-01 11:30:00.500 | 1 | 6",
    ],
    "SELECT p.name, SUM(o.units) FROM orders AS o JOIN products AS p ON o.productId = p.id GROUP BY p.name": [
        "Bread | 10",
        "Milk | 5",
    ],
    "SELECT * FROM nothing": [],
    "SELECT * FROM types WHERE b": [
        "true | 1 | 2 | 3 | 4 | 1.5 | 2.5 | 3.5 | 12345678901234567890.1230000000 | ab    | é | 0102 | 03"
        " | 0001-01-01 | 10:11:12.345 | 1899-12-31 23:59:59.999 | [1, null, 3] | {k=1} | {1, z} | 7"
    ],
    "SELECT * FROM types WHERE b IS NULL": [" | ".join(["null"] * 19) + " | 8"],
    "SELECT * FROM spans": ["+1 02:03:04.000000 | +1-02"],
    # Calcite's other schemas are beside it.
    "SELECT p.name, t.table_schema FROM products AS p JOIN other.tables AS t ON t.id = p.id": ["Milk | x"],
}


@pytest.fixture(scope="module")
def warehouse(spark: SparkSession, tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("calcite") / "wh"
    with connect(spark, folder) as rt:
        for statement in SETUP.strip().removesuffix(";").split(";\n"):
            rt.sql(statement)
    return folder


@pytest.fixture(scope="module")
def jars() -> str:
    """What the documentation says that a program needs: no jar of Spark's is there."""
    subprocess.run([sys.executable, str(ROOT / "tools" / "gradle.py"), "schema"], check=True)
    folders = [ROOT / "build" / "jars" / "app", ROOT / "build" / "jars" / "planner", ROOT / "build" / "schema"]
    return os.pathsep.join(str(folder / "*") for folder in folders)


def run(jars: str, warehouse: Path, *queries: str) -> list[list[str]]:
    """The rows of each query as the example prints them; the line of an error in their place."""
    model = warehouse.parent / "model.json"
    model.write_text(json.dumps(model_of(warehouse.name)))
    java = [str(find_java().executable), "-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC", "-cp", jars, str(EXAMPLE)]
    done = subprocess.run([*java, str(model), *queries], capture_output=True, text=True, timeout=300, check=False)
    assert done.returncode == 0 and not done.stderr, done.stderr
    return [part.split("\n") if part else [] for part in done.stdout.removesuffix("\n").split("\n\n")]


def model_of(folder: str) -> dict[str, object]:
    """A model with the warehouse, and beside it a view of Calcite's."""
    wh = {
        "name": "WH",
        "type": "custom",
        "factory": "io.rowtime.schema.WarehouseSchemaFactory",
        "operand": {"warehouse": folder},
    }
    view = {"name": "TABLES", "type": "view", "sql": "SELECT * FROM (VALUES (2, 'x')) AS t (id, table_schema)"}
    return {"version": "1.0", "defaultSchema": "WH", "schemas": [wh, {"name": "OTHER", "tables": [view]}]}


def test_queries_of_the_example(jars: str, warehouse: Path) -> None:
    found = run(jars, warehouse, *QUERIES)
    for (query, expected), rows in zip(QUERIES.items(), found, strict=True):
        assert sorted(rows) == sorted(expected), query
