"""SEARCH_KEY in a database of SQLite, by the size of a statement and with a cache; and in a Delta table of many files,
by the size of a micro-batch and with a cache, compared with a join with the table. Rows per second, and statements or
reads."""

from __future__ import annotations

import sqlite3
import sys
import time
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
import pyarrow as pa
from deltalake import write_deltalake
from printing import say

from rowtime.runtime.sinks import NoSink
from rowtime.streams.start import Start
from rowtime.streams.writes import WriteRequest

if TYPE_CHECKING:
    from rowtime.runtime.query.query import Query
    from rowtime.session import Session

START = 1_704_067_200_000_000
"""Microseconds."""
ROOT = Path(__file__).resolve().parents[2]


def search_key(rt: Session, brief: bool) -> None:
    """Each micro-batch looks up a tenth of the keys, one of ten such parts at random."""
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
    arrivals = _Arrivals(rt, keys)
    for options in ("'batch-size', '1'", "'batch-size', '100'", "'batch-size', '1000'",
                    "'async', 'true', 'batch-size', '1000'", "'cache-ttl', '1h', 'cache-max-rows', '1000000'"):  # fmt: skip
        query = rt.submit(_looked_up(options), NoSink(), start=Start())
        spent = arrivals.take(query, steps, rows)
        counts = query.progress.searches
        found = f"{counts.statements:,} statements, {counts.cache_hits / max(counts.keys, 1):.0%} of keys cached"
        say(options.replace("'", ""), f"{steps * rows / spent:,.0f} rows/s, {found}")
        query.stop()


def search_files(rt: Session, brief: bool) -> None:
    """A Delta table in files with narrow ranges of keys. Each micro-batch looks up a hundredth of the keys, one of ten
    such parts at random; compared with a join, which reads the whole table."""
    keys, files, steps = (20_000, 20, 2) if brief else (2_000_000, 200, 20)
    folder = rt.runtime.store.warehouse / "keyed"
    for n in range(files):
        k = np.arange(n * (keys // files), (n + 1) * (keys // files), dtype=np.int32)
        some = pa.table({"k": k, "name": pa.array([f"name {key}" for key in k])})
        write_deltalake(folder, some, mode="append")
    rt.sql(f"CREATE FOREIGN TABLE keyed (k INT, name VARCHAR) OPTIONS (connector 'delta', path '{folder}')")
    rt.sql("CREATE STREAM asked (k INT)")
    print(
        f"SEARCH_KEY in a Delta table of {keys:,} rows in {files} files: {steps} micro-batches, each of {keys // 100:,} keys"
    )
    arrivals = _Arrivals(rt, keys, parts=100)
    joined = "SELECT STREAM a.rowtime, a.k, f.name FROM asked AS a JOIN keyed AS f ON f.k = a.k"
    cached = "'cache-ttl', '1h', 'cache-max-rows', '10000000'"
    for rows in (keys // 1000, keys // 10):
        for name, sql in (
            ("SEARCH_KEY, 10,000 rows cached", _looked_up()),
            ("SEARCH_KEY, not cached", _looked_up("'cache-ttl', '1ms'")),
            ("SEARCH_KEY, all cached", _looked_up(cached)),
            ("join with the table", joined),
        ):
            query = rt.submit(sql, NoSink(), start=Start())
            spent = arrivals.take(query, steps, rows)
            counts = query.progress.searches
            found = (
                f", {counts.statements} reads, {counts.cache_hits / counts.keys:.0%} of keys cached"
                if counts.keys
                else ""
            )
            say(f"{name}, {rows:,} rows a micro-batch", f"{steps * rows / spent:,.0f} rows/s{found}")
            query.stop()


def _looked_up(options: str = "") -> str:
    given = f", MAP[{options}]" if options else ""
    return f"SELECT STREAM a.rowtime, a.k, f.name FROM asked AS a, LATERAL SEARCH_KEY(keyed, DESCRIPTOR(k), a.k{given}) AS f"


class _Arrivals:
    """Rows with look-up keys: those of a micro-batch for one of ten parts, each a `parts`th of the keys."""

    def __init__(self, rt: Session, keys: int, parts: int = 10) -> None:
        self._log = rt.log("ASKED")
        self._part = keys // parts
        self._chance = np.random.default_rng(1)
        self._first = 0

    def take(self, query: Query, steps: int, rows: int) -> float:
        """Returns the seconds that a query takes for this many micro-batches, once it has started."""
        query.process_all_available()
        spent = 0.0
        for _ in range(steps):
            base = self._chance.integers(10) * self._part
            n = np.arange(self._first, self._first + rows, dtype=np.int64)
            values = (base + self._chance.integers(self._part, size=rows)).astype(np.int32)
            self._first += rows
            times = pa.array(START + n * 1000, pa.timestamp("us", "UTC"))
            self._log.submit(WriteRequest(rows=pa.table({"ROWTIME": times, "K": values})))
            began = time.perf_counter()
            query.process_all_available()
            spent += time.perf_counter() - began
        return spent
