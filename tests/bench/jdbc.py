"""JDBC over loopback: INSERT EXPEDITED from one connection, rows of a table and of a stream, a small query; compared
with the Python API, and with Calcite's own JDBC driver, which reads the warehouse in the client's process."""

from __future__ import annotations

import json
import os
import statistics
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from printing import say

from rowtime.jvm.jars import jdbc_driver, planner_class_path
from rowtime.jvm.java import find_java

if TYPE_CHECKING:
    from rowtime.session import Session

FOLDER = Path(__file__).parent
TABLE = "SELECT rowtime, n, word FROM kept"
STREAM = "SELECT STREAM /*+ FROM_EARLIEST */ ROWTIME, n, word FROM rates"
SMALL = "SELECT word, COUNT(*) AS c FROM kept WHERE n < 1000 GROUP BY word"
BATCH = 10_000


def jdbc(rt: Session, brief: bool) -> None:
    """Measures the JDBC server, with the driver in a process of its own."""
    rows, rounds = (100_000, 3) if brief else (1_000_000, 5)
    print(f"JDBC over loopback: {rows:,} rows (ROWTIME, BIGINT, VARCHAR); medians")
    rt.sql("CREATE STREAM rates (n BIGINT, word VARCHAR) OPTIONS (history 'all')")
    server = rt.serve_jdbc(0)
    driver = [jdbc_driver()]
    rates = _java(driver, server.url, "insert", rows, BATCH)[5:]
    say(f"INSERT EXPEDITED, batches of {BATCH:,} (goal: 100,000 rows/s)", f"{statistics.median(rates):,.0f} rows/s")
    rt.log("RATES").flush()
    rt.sql("CREATE TABLE kept AS SELECT rowtime, n, word FROM rates")

    _rate("a table, JDBC", _java(driver, server.url, "read", rounds, rows, TABLE))
    _rate("a table, Python (rt.sql(…).rows())", _python(rounds, rows, lambda: iter(rt.sql(TABLE).rows())))  # type: ignore[union-attr]
    schema = {
        "name": "WH",
        "type": "custom",
        "factory": "io.rowtime.schema.WarehouseSchemaFactory",
        "operand": {"warehouse": str(rt.store.warehouse)},
    }
    model = json.dumps({"version": "1.0", "defaultSchema": "WH", "schemas": [schema]})
    read = _java(_schema_jars(), f"jdbc:calcite:model=inline:{model}", "read", rounds, rows, TABLE)
    _rate("a table, Calcite's own JDBC driver over the warehouse", read)
    _rate("a stream, JDBC", _java(driver, server.url, "read", rounds, rows, STREAM))
    _rate("a stream, Python", _python(rounds, rows, lambda: _stream(rt)))

    times = _java(driver, server.url, "first", 30, SMALL)[10:]
    say("first row of a warm relational query, JDBC", f"{statistics.median(times):.0f} ms")
    spent = []
    for _ in range(20):
        began = time.perf_counter()
        rt.sql(SMALL).rows()  # type: ignore[union-attr]
        spent.append(time.perf_counter() - began)
    say("the same, Python", f"{statistics.median(spent) * 1e3:.0f} ms")
    server.close()


def _rate(what: str, rates: Sequence[float]) -> None:
    say(what, f"{statistics.median(rates[1:]):,.0f} rows/s")


def _stream(rt: Session) -> Iterator[Any]:
    query: Any = rt.sql(STREAM)
    try:
        yield from query
    finally:
        query.stop()


def _python(rounds: int, rows: int, read: Callable[[], Iterator[Any]]) -> list[float]:
    rates = []
    for _ in range(rounds):
        began = time.perf_counter()
        found = read()
        count = sum(1 for _ in zip(range(rows), found, strict=False))
        rates.append(count / (time.perf_counter() - began))
        close = getattr(found, "close", None)
        if close is not None:
            close()
    return rates


def _java(jars: Sequence[Path], url: str, *arguments: object) -> list[float]:
    path = os.pathsep.join(map(str, jars))
    line = [
        str(find_java().executable),
        "-Xmx1g",
        "-cp",
        path,
        str(FOLDER / "JdbcRates.java"),
        url,
        *map(str, arguments),
    ]
    done = subprocess.run(line, capture_output=True, text=True, check=False)
    if done.returncode:
        raise SystemExit(done.stderr)
    return [float(number) for number in done.stdout.split()]


def _schema_jars() -> list[Path]:
    """Returns the jars with which Calcite's driver reads a warehouse in the client's process."""
    root = FOLDER.parents[1]
    subprocess.run([sys.executable, str(root / "tools" / "gradle.py"), "schema"], check=True)
    return [*planner_class_path(), *sorted((root / "build" / "schema").glob("*.jar"))]
