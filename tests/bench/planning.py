"""Planning against raw Calcite: a cold `rowtime validate` of ten statements, and warm planning in one process.

The opponent is RawCalcite.java, the smallest program that parses, validates and converts the same queries, without
class-data sharing. It has no DDL to do: its tables are written in Java.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

from pairs import pair

from rowtime.jvm.jars import planner_class_path
from rowtime.jvm.java import find_java
from rowtime.jvm.jpype import planner

SCHEMA = [
    "CREATE STREAM Orders (productId INTEGER, orderId INTEGER, units INTEGER) OPTIONS (history 'all')",
    "CREATE TABLE Products (rowtime TIMESTAMP, productId INTEGER, name VARCHAR)",
]
HOURLY = (
    "SELECT {stream}FLOOR(rowtime TO HOUR) AS rowtime, productId, COUNT(*) AS c, SUM(units) AS su FROM Orders "
    "GROUP BY FLOOR(rowtime TO HOUR), productId"
)
QUERIES = [
    "SELECT STREAM * FROM Orders",
    "SELECT STREAM * FROM Orders WHERE units > 3",
    "SELECT STREAM rowtime, CASE units WHEN 1 THEN 'unit' ELSE 'units' END AS word, UPPER('order') AS w FROM Orders",
    HOURLY.format(stream="STREAM "),
    HOURLY.format(stream="STREAM ") + " HAVING COUNT(*) > 2 OR SUM(units) > 10",
    f"SELECT STREAM rowtime, productId FROM ({HOURLY.format(stream='')}) WHERE c > 2 OR su > 10",
    "SELECT STREAM * FROM Orders WHERE productId = 10 UNION ALL SELECT STREAM * FROM Orders WHERE productId = 30",
    "SELECT p.name, COUNT(*) AS c FROM Products AS p JOIN Products AS q ON p.productId = q.productId GROUP BY p.name",
]
WARM_ROUNDS = 150


def compare() -> None:
    """Prints both comparisons."""
    java = find_java().executable
    with tempfile.TemporaryDirectory() as folder:
        classes = Path(folder)
        jars = os.pathsep.join(str(jar) for jar in planner_class_path())
        source = Path(__file__).with_name("RawCalcite.java")
        subprocess.run(
            [str(Path(java).with_name("javac")), "-nowarn", "-Xlint:none", "-cp", jars, "-d", folder, str(source)],
            check=True,
            stderr=subprocess.DEVNULL,
        )
        _cold(str(java), jars, classes)
        _warm(classes)


def _cold(java: str, jars: str, folder: Path) -> None:
    script, lines = folder / "ten.sql", folder / "queries.txt"
    script.write_text(";\n".join(SCHEMA + QUERIES) + ";\n")
    lines.write_text("\n".join(QUERIES) + "\n")
    rowtime = [str(Path(sys.executable).with_name("rowtime")), "validate", str(script)]
    raw = [java, "-Xshare:off", "-cp", f"{folder}{os.pathsep}{jars}", "RawCalcite", str(lines)]
    _seconds(rowtime)
    # The first run builds the archive of classes in parallel; it is not measured.
    time.sleep(15)
    ours, theirs = "rowtime validate, cold, ten statements", "raw Calcite, cold, no sharing"
    pair({ours: lambda: _seconds(rowtime), theirs: lambda: _seconds(raw)}, "at most 1.2 s, ratio at most 1.3")


def _seconds(command: list[str]) -> float:
    start = time.perf_counter()
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
    return time.perf_counter() - start


def _warm(classes: Path) -> None:
    service = planner()
    import jpype

    jpype.addClassPath(str(classes))
    raw = jpype.JClass("RawCalcite")()
    catalog = {"version": 1, "objects": [], "lateness": []}
    for ddl in SCHEMA:
        reply = json.loads(service.plan(json.dumps(catalog), json.dumps({"sql": ddl})))
        catalog["objects"] += [change["object"] for change in reply["statement"]["changes"]]
    # As the clients of the planner do: the whole catalog once, then its key.
    snapshot = json.dumps({"key": "bench"})
    service.plan(json.dumps({**catalog, "key": "bench"}), json.dumps({"sql": QUERIES[0]}))
    requests = [json.dumps({"sql": sql, "line": 1, "column": 1}) for sql in QUERIES]

    def ours() -> None:
        for request in requests:
            service.plan(snapshot, request)

    def theirs() -> None:
        for sql in QUERIES:
            raw.plan(sql)

    for _ in range(WARM_ROUNDS):
        ours()
        theirs()
    names = "rowtime plans a query, warm (JSON in and out)", "raw Calcite: parse, validate, convert"
    pair({names[0]: lambda: _per_query(ours), names[1]: lambda: _per_query(theirs)}, "ratio at most 1.5", unit="ms")


def _per_query(round_: Callable[[], None]) -> float:
    start = time.perf_counter()
    for _ in range(WARM_ROUNDS):
        round_()
    return (time.perf_counter() - start) * 1e3 / WARM_ROUNDS / len(QUERIES)
