"""A warehouse as a schema of Calcite's own JDBC driver: runs the example program with only the documented jars."""

from __future__ import annotations

import json
import os
import shutil
import sqlite3
import subprocess
import sys
from itertools import pairwise
from pathlib import Path

import pytest
from pyspark.sql import SparkSession
from upserting import upsert

from rowtime.catalog.schema import VERSION
from rowtime.catalog.store import Store
from rowtime.jvm.java import find_java
from rowtime.opening import connect
from rowtime.streams import retention
from rowtime.streams.log import StreamLog

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
CREATE STREAM recent (n INTEGER) OPTIONS (history '1 HOUR');
INSERT INTO recent VALUES (TIMESTAMP '2024-05-01 10:00:00', 1), (TIMESTAMP '2024-05-01 11:00:00', 2),
    (TIMESTAMP '2024-05-01 11:30:00', 3);
CREATE STREAM regrown (n INTEGER) OPTIONS (history '1 HOUR');
INSERT INTO regrown VALUES (TIMESTAMP '2024-05-01 10:00:00', 1);
INSERT INTO regrown VALUES (TIMESTAMP '2024-05-01 11:30:00', 2);
CREATE TABLE parts (id INTEGER, name VARCHAR);
INSERT INTO parts VALUES (1, 'a');
INSERT INTO parts VALUES (2, 'b');
CREATE VIEW sold AS SELECT o.rowtime, p.name, o.units * p.price AS total
    FROM orders AS o JOIN products AS p ON o.productId = p.id;
CREATE VIEW dear AS SELECT name || ' é' AS name, total FROM sold WHERE total > 6;
CREATE VIEW hourly AS SELECT STREAM FLOOR(rowtime TO HOUR) AS h, SUM(units) AS u, AVG(units) AS a FROM orders
    GROUP BY FLOOR(rowtime TO HOUR);
CREATE VIEW ranked AS SELECT id, ROW_NUMBER() OVER (ORDER BY price DESC) AS r FROM products
    WHERE EXISTS (SELECT * FROM orders WHERE productId = id);
CREATE VIEW tumbled AS SELECT window_end AS e, COUNT(*) AS c
    FROM TABLE(TUMBLE(TABLE orders, DESCRIPTOR(rowtime), INTERVAL '1' HOUR)) GROUP BY window_end;
CREATE VIEW zoned AS SELECT TO_UTC_TIMESTAMP(rowtime, 'Europe/Berlin') AS t FROM orders WHERE units = 4;
CREATE VIEW passed AS SELECT STREAM * FROM passing;
CREATE TABLE totals (k INTEGER PRIMARY KEY, n INTEGER);
CREATE TABLE spans AS
    SELECT INTERVAL '1 02:03:04' DAY TO SECOND AS dt, INTERVAL '1-2' YEAR TO MONTH AS ym FROM (VALUES (1)) AS t (x);
"""

QUERIES = {
    "SELECT * FROM totals": ["2 | 20", "3 | 31", "4 | 40"],
    "SELECT n FROM totals WHERE k <= 3": ["20", "31"],
    "SELECT * FROM products": [
        "1 | Bread | 2.50 | 2024-01-02",
        "2 | Milk | 1.20 | null",
        "3 | Käse | 9.99 | 1850-03-04",
    ],
    # Of the columns and rows that the scan reads, it returns only those that the query uses.
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
    # The result is right, whether or not the filter can select files.
    "SELECT id FROM products WHERE made IN (DATE '2024-01-02', DATE '1850-03-04') AND price < 3 OR name LIKE 'M%'": [
        "1",
        "2",
    ],
    "SELECT id FROM products WHERE CAST(id AS BIGINT) >= 2 AND made IS NULL AND NOT name = 'Bread'": ["2"],
    "SELECT units FROM orders WHERE rowtime BETWEEN TIMESTAMP '2024-05-01 11:00:00' AND"
    " TIMESTAMP '2024-05-01 11:30:00.5'": ["5", "6"],
    "SELECT b FROM types WHERE ti = TIME '10:11:12.345' AND ts < TIMESTAMP '1900-01-01 00:00:00' AND l < 5 AND dc > 1"
    " AND r > 1 AND c = 'ab   ' AND v = 'é'": ["true"],
    "SELECT * FROM sold": [
        "2024-05-01 10:10:00.000 | Bread | 10.00",
        "2024-05-01 11:00:00.000 | Milk | 6.00",
        "2024-05-01 11:30:00.500 | Bread | 15.00",
    ],
    "SELECT * FROM dear": ["Bread é | 10.00", "Bread é | 15.00"],
    "SELECT * FROM hourly WHERE u > 4": ["2024-05-01 11:00:00.000 | 11 | 5.500000"],
    "SELECT * FROM ranked": ["1 | 1", "2 | 2"],
    "SELECT * FROM zoned": ["2024-05-01 08:10:00.000"],
    "SELECT * FROM tumbled": [
        "error: RT0900: View 'TUMBLED' needs TUMBLE, which Calcite does not compute. Query it with rowtime"
    ],
    # A filter above a view reaches the scan below it.
    "EXPLAIN PLAN FOR SELECT total FROM sold WHERE rowtime > TIMESTAMP '2024-05-01 10:30:00'": [
        "EnumerableCalc(expr#0..4=[{inputs}], expr#5=[*($t2, $t4)], TOTAL=[$t5])",
        "  EnumerableHashJoin(condition=[=($1, $3)], joinType=[inner])",
        "    EnumerableInterpreter",
        "      BindableTableScan(table=[[WH, ORDERS]], filters=[[>($0, 2024-05-01 10:30:00)]])",
        "    EnumerableInterpreter",
        "      BindableTableScan(table=[[WH, PRODUCTS]], projects=[[0, 2]])",
    ],
    "SELECT * FROM recent": [
        "error: RT0520: The query needs all rows of stream 'RECENT', and its history ('1 HOUR') begins at 2024-05-01"
        " 10:30:00.000. Add a condition such as ROWTIME >= TIMESTAMP '2024-05-01 10:30:00.000', or keep more history"
    ],
    # A longer history does not bring rows back.
    "SELECT n FROM regrown": [
        "error: RT0520: The query needs all rows of stream 'REGROWN', and its history ('all') begins at 2024-05-01"
        " 10:00:00.001. Add a condition such as ROWTIME >= TIMESTAMP '2024-05-01 10:00:00.001', or keep more history"
    ],
    "SELECT n FROM regrown WHERE rowtime > TIMESTAMP '2024-05-01 10:00:00'": ["2"],
    "SELECT n FROM recent WHERE rowtime > TIMESTAMP '2024-05-01 10:30:00'": ["2", "3"],
    'SELECT "tableName", "tableType" FROM "metadata".TABLES WHERE "tableSchem" = \'WH\' AND "tableName" < \'P\'': [
        "DEAR | VIEW",
        "HOURLY | VIEW",
        "NOTHING | TABLE",
        "ORDERS | TABLE",
    ],
    "SELECT * FROM types WHERE b": [
        "true | 1 | 2 | 3 | 4 | 1.5 | 2.5 | 3.5 | 12345678901234567890.1230000000 | ab    | é | 0102 | 03"
        " | 0001-01-01 | 10:11:12.345 | 1899-12-31 23:59:59.999 | [1, null, 3] | {k=1} | {1, z} | 7"
    ],
    "SELECT * FROM types WHERE b IS NULL": [" | ".join(["null"] * 19) + " | 8"],
    "SELECT * FROM spans": ["+1 02:03:04.000000 | +1-02"],
    # Calcite's other schemas can be used with it.
    "SELECT p.name, t.table_schema FROM products AS p JOIN other.tables AS t ON t.id = p.id": ["Milk | x"],
}


@pytest.fixture(scope="module")
def warehouse(spark: SparkSession, tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("calcite") / "wh"
    with connect(spark, folder) as rt:
        for statement in SETUP.strip().removesuffix(";").split(";\n"):
            rt.sql(statement)
        upsert(rt, "TOTALS", 0, [(1, 10), (2, 20), (3, 30)])
        upsert(rt, "TOTALS", 1, [(3, 31), (4, 40)], [1])
        grown = rt.store.get("REGROWN")
        assert grown is not None and retention.clean(StreamLog(rt.store, grown), eager=True).files > 0
        rt.sql("CREATE OR REPLACE STREAM regrown (n INTEGER) OPTIONS (history 'all')")
    return folder


@pytest.fixture(scope="module")
def jars() -> str:
    """Returns the class path that the documentation states: it contains no jar of Spark's."""
    subprocess.run([sys.executable, str(ROOT / "tools" / "gradle.py"), "schema"], check=True)
    folders = [ROOT / "build" / "jars" / "app", ROOT / "build" / "jars" / "planner", ROOT / "build" / "schema"]
    return os.pathsep.join(str(folder / "*") for folder in folders)


def run(jars: str, warehouse: Path, *queries: str) -> list[list[str]]:
    """Returns the rows of each query as the example prints them, or one line for an error; an error of the model
    replaces all."""
    model = warehouse.parent / "model.json"
    model.write_text(json.dumps(model_of(warehouse.name)))
    java = [str(find_java().executable), "-ea", "-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC"]
    program = [*java, "-Dcalcite.default.charset=UTF-8", "-cp", jars, str(EXAMPLE)]
    done = subprocess.run([*program, str(model), *queries], capture_output=True, text=True, timeout=300, check=False)
    assert done.returncode == 0 and not done.stderr, done.stderr
    lines = done.stdout.splitlines()
    if not lines[0].startswith("> "):
        return [lines]
    begins = [number for number, line in enumerate(lines) if line.startswith("> ")]
    return [lines[begin + 1 : end] for begin, end in pairwise([*begins, len(lines)])]


def model_of(folder: str) -> dict[str, object]:
    """Returns a model with the warehouse and a view of Calcite's."""
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


def test_filters_choose_the_files_that_are_read(jars: str, warehouse: Path, tmp_path: Path) -> None:
    """A query that needs no rows of a missing file does not notice. Damage is RT0605, a file of a later version RT0603;
    other tables can be read."""
    copy = tmp_path / "wh"
    shutil.copytree(warehouse, copy)
    parts, orders, recent, types, products, spans = (
        folder_of(copy, name) for name in ("PARTS", "ORDERS", "RECENT", "TYPES", "PRODUCTS", "SPANS")
    )
    [first] = [row["path"] for row in rows_of(parts) if json.loads(row["stats"])["maxValues"]["ID"] == 1]
    (parts / first).unlink()
    commits(orders)[-1].unlink()
    broken = commits(recent)[-1]
    broken.write_bytes(broken.read_bytes().replace(b"WRITE", b"WRITF"))
    next(types.glob("*.parquet")).write_bytes(b"PAR1 is not enough")
    following = products / "_delta_log" / f"{len(commits(products)):020d}.json"
    following.write_text('{"protocol":{"minReaderVersion":99,"minWriterVersion":99}}\n')
    shutil.rmtree(spans)
    found = run(
        jars,
        copy,
        "SELECT name FROM parts WHERE id = 2",
        "SELECT name FROM parts WHERE name = 'b' AND id IN (2, 3)",
        "SELECT name FROM parts",
        "SELECT * FROM orders",
        "SELECT * FROM recent",
        "SELECT * FROM types",
        "SELECT * FROM products",
        "SELECT * FROM spans",
    )
    assert found[:2] == [["b"], ["b"]]
    errors = [line.partition(". Run the query again")[0] for [line] in found[2:]]
    assert errors[0].startswith("error: RT0605: The log of 'PARTS' is damaged: a file is missing (")
    lost = orders / "_delta_log" / f"{len(commits(orders)):020d}.json"
    assert errors[1] == f"error: RT0605: The log of 'ORDERS' is damaged: the file '{lost}' is missing"
    assert (
        errors[2] == f"error: RT0605: The log of 'RECENT' is damaged: the file '{broken}' does not match its checksum"
    )
    assert errors[3].startswith("error: RT0605: The log of 'TYPES' is damaged: ")
    assert errors[4] == (
        f"error: RT0603: The log of 'PRODUCTS' ('{products}') was written by a newer version of rowtime."
        " Use the jars of that version"
    )
    assert errors[5] == f"error: RT0605: The log of 'SPANS' is damaged: the folder '{spans}/_delta_log' is missing"


def test_a_catalog_that_cannot_be_read(jars: str, tmp_path: Path) -> None:
    file = tmp_path / "wh" / "catalog.db"
    query = "SELECT 1"
    again = "Name another folder as 'warehouse' of the schema"
    assert run(jars, file.parent, query) == [
        [f"error: RT0601: The warehouse '{file.parent}' cannot be used: there is no such folder. {again}"]
    ]
    Store(file.parent).close()
    with sqlite3.connect(file) as db:
        db.execute("PRAGMA user_version = 99")
        db.execute("UPDATE format SET version = '7.1.0'")
    assert run(jars, file.parent, query) == [
        [f"error: RT0603: The warehouse '{file.parent}' was written by rowtime 7.1.0. Use the jars of that version"]
    ]
    with sqlite3.connect(file) as db:
        db.execute(f"PRAGMA user_version = {VERSION}")
        db.execute("UPDATE object SET definition = replace(definition, 'BIGINT', 'DOUBLE')")
    [[damaged]] = run(jars, file.parent, query)
    assert damaged.startswith(f"error: RT0602: The file '{file}' is not a rowtime catalog, or it is damaged: a row of")
    (file.parent / "catalog.json").write_text("{}")
    [[elsewhere]] = run(jars, file.parent, query)
    assert elsewhere == (
        f"error: RT0659: The catalog of the warehouse '{file.parent}' is in a database, which the schema for Calcite "
        "does not read. Query it with the JDBC driver of rowtime, from 'rowtime serve'"
    )


def folder_of(warehouse: Path, name: str) -> Path:
    with Store(warehouse) as store:
        entry = store.get(name)
        assert entry is not None
        return store.folder(entry.id, "streams" if entry.kind == "STREAM" else "tables")


def commits(table: Path) -> list[Path]:
    return sorted((table / "_delta_log").glob("*.json"))


def rows_of(table: Path) -> list[dict[str, str]]:
    """Returns the add actions of a table."""
    lines = [json.loads(line) for commit in commits(table) for line in commit.read_text().splitlines()]
    return [line["add"] for line in lines if "add" in line]
