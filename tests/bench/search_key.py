"""SEARCH_KEY in a database of SQLite: rows a second, and statements, by the size of a statement and with a cache."""

from __future__ import annotations

import sqlite3
import sys
import time
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
import pyarrow as pa
from printing import say

from rowtime.runtime.execute import Start
from rowtime.runtime.sinks import NoSink
from rowtime.streams.writes import WriteRequest

if TYPE_CHECKING:
    from rowtime.session import Session

START = 1_704_067_200_000_000
"""Microseconds."""
ROOT = Path(__file__).resolve().parents[2]


def search_key(rt: Session, brief: bool) -> None:
    """Each micro-batch asks for a tenth of the keys, one of ten such parts by chance."""
    sys.path.insert(0, str(ROOT / "tools"))
    import gradle

    gradle.run("drivers")
    (driver,) = gradle.DRIVERS.glob("sqlite-*.jar")
    keys, steps, rows = (1_000, 3, 2_000) if brief else (100_000, 20, 200_000)
    file = rt.runtime.store.warehouse / "keyed.db"
    with sqlite3.connect(file) as there:
        there.execute("CREATE TABLE keyed (k INTEGER PRIMARY KEY, name TEXT)")
        there.executemany("INSERT INTO keyed VALUES (?, ?)", ((n, f"name {n}") for n in range(keys)))
    rt.sql(
        f"CREATE FOREIGN TABLE keyed (k INT, name VARCHAR) OPTIONS (connector 'jdbc', url 'jdbc:sqlite:{file}', "
        f"table 'keyed', driver_jar '{driver}')"
    )
    rt.sql("CREATE STREAM asked (k INT)")
    print(f"SEARCH_KEY in SQLite: {steps} micro-batches of {rows:,} rows with {keys // 10:,} keys each")
    chance = np.random.default_rng(1)
    first = 0
    for options in ("'batch-size', '1'", "'batch-size', '100'", "'batch-size', '1000'",
                    "'async', 'true', 'batch-size', '1000'", "'cache-ttl', '1h', 'cache-max-rows', '1000000'"):  # fmt: skip
        query = rt.submit(
            f"SELECT STREAM a.rowtime, a.k, f.name FROM asked AS a, "
            f"LATERAL SEARCH_KEY(keyed, DESCRIPTOR(k), a.k, MAP[{options}]) AS f",
            NoSink(),
            start=Start(),
        )
        query.process_all_available()
        spent = 0.0
        for _ in range(steps):
            base = chance.integers(10) * (keys // 10)
            n = np.arange(first, first + rows, dtype=np.int64)
            values = (base + chance.integers(keys // 10, size=rows)).astype(np.int32)
            first += rows
            times = pa.array(START + n * 1000, pa.timestamp("us", "UTC"))
            rt.log("ASKED").submit(WriteRequest(rows=pa.table({"ROWTIME": times, "K": values})))
            began = time.perf_counter()
            query.process_all_available()
            spent += time.perf_counter() - began
        counts = query.progress.searches
        found = f"{counts.statements:,} statements, {counts.cache_hits / max(counts.keys, 1):.0%} of keys cached"
        say(options.replace("'", ""), f"{steps * rows / spent:,.0f} rows/s, {found}")
        query.stop()
