"""Named streams: appends, latency from INSERT to output row, Hold, state under LATENESS, space on disk.

These have no opponents: the figures are compared with the minimum that Spark needs, which is measured too.
"""

from __future__ import annotations

import contextlib
import shutil
import statistics
import tempfile
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import TYPE_CHECKING

import jdbc
import latency
import numpy as np
import pyarrow as pa
import search_key
import skew
import small_steps
from printing import milliseconds, say

import rowtime
from rowtime.runtime.cluster.spark import start_spark
from rowtime.runtime.sinks import NoSink
from rowtime.streams.start import Start
from rowtime.streams.writes import WriteRequest

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

    from rowtime.session import Session

START = 1_704_067_200_000_000
"""Microseconds."""


def measure(parts: tuple[str, ...], *, brief: bool = False) -> None:
    """Prints the figures of these parts; `brief`: with a hundredth of the rows, to check that they work."""
    spark = start_spark()
    try:
        for part in parts:
            with _session(spark) as rt:
                MEASURES[part](rt, brief)
            print(flush=True)
    finally:
        spark.stop()


@contextlib.contextmanager
def _session(spark: SparkSession) -> Iterator[Session]:
    folder = tempfile.mkdtemp()
    try:
        with rowtime.connect(spark, Path(folder) / "warehouse") as rt:
            yield rt
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def _rows(first: int, count: int, micros_apart: int) -> pa.Table:
    """Returns rows (ROWTIME, n), `micros_apart` microseconds apart, n from `first` on."""
    n = np.arange(first, first + count, dtype=np.int64)
    return pa.table({"ROWTIME": pa.array(START + n * micros_apart, pa.timestamp("us", "UTC")), "N": n})


# --- appends -------------------------------------------------------------------------------------------------------


def appends(rt: Session, brief: bool) -> None:
    """Measures rows per second into a stream: one by one, one by one from sixteen threads that share commits, a million
    at once."""
    print("appends to a stream (goal: 1-row append 10 to 15 ms, a million rows in a second)")
    singles, threads, large = (30, 16, 10_000) if brief else (300, 16, 1_000_000)
    rt.sql("CREATE STREAM by_one (n BIGINT)")
    producer = rt.producer("BY_ONE")
    spent = []
    for n in range(singles):
        began = time.perf_counter()
        producer.insert([{"n": n}])
        spent.append(time.perf_counter() - began)
    producer.close()
    say("one row a commit, one producer", f"{milliseconds(spent)}, {singles / sum(spent):,.0f} rows/s")

    rt.sql("CREATE STREAM by_threads (n BIGINT)")
    log = rt.log("BY_THREADS")
    row = pa.table({"ROWTIME": pa.array([None], pa.timestamp("us", "UTC")), "N": pa.array([1], pa.int64())})
    before = log.version()
    began = time.perf_counter()
    with ThreadPoolExecutor(threads) as pool:
        for done in [pool.submit(log.submit, WriteRequest(rows=row)) for _ in range(singles * 4)]:
            done.result()
    took = time.perf_counter() - began
    commits = log.version() - before
    say(
        f"one row a step, {threads} threads (group commit)",
        f"{singles * 4 / took:,.0f} rows/s, {singles * 4 / commits:.1f} rows a commit",
    )

    rt.sql("CREATE STREAM by_million (n BIGINT)")
    spent = []
    for batch in range(3):
        rows = _rows(batch * large, large, 1000)
        began = time.perf_counter()
        rt.log("BY_MILLION").submit(WriteRequest(rows=rows))
        spent.append(time.perf_counter() - began)
    say(f"{large:,} rows a step", f"{large / statistics.median(spent):,.0f} rows/s")


# --- Hold ----------------------------------------------------------------------------------------------------------


def hold(rt: Session, brief: bool) -> None:
    """Measures the merge of two streams by rowtime."""
    million = 10_000 if brief else 1_000_000
    count = 5 * million
    print(f"Hold: UNION ALL of two streams of {count:,} rows each")
    for name in ("A", "B"):
        rt.sql(f"CREATE STREAM {name} (n BIGINT)")
    for part in range(5):
        for name in ("A", "B"):
            rt.log(name).submit(WriteRequest(rows=_rows(part * million, million, 100)))
    for name in ("A", "B"):
        rt.log(name).submit(WriteRequest(bound=START // 1000 + count))
    for attempt in ("cold", "warm"):
        began = time.perf_counter()
        sql = "SELECT STREAM n FROM A UNION ALL SELECT STREAM n FROM B"
        query = rt.submit(sql, NoSink(), start=Start(earliest=True))
        query.process_all_available()
        took = time.perf_counter() - began
        query.stop()
        say(attempt, f"{2 * count / took:,.0f} rows/s ({took:.1f} s)")


# --- state and disk ------------------------------------------------------------------------------------------------


def state(rt: Session, brief: bool) -> None:
    """Prints the state entries of a GROUP BY over a table with LATENESS while rows continue to arrive: constant."""
    steps, rows = (40, 100) if brief else (400, 10_000)
    print(f"state under LATENESS: {steps} steps of {rows:,} rows, a minute each; groups by minute and key")
    rt.sql("CREATE TABLE t (at_time TIMESTAMP(3) NOT NULL LATENESS INTERVAL '5' MINUTE, k INTEGER)")
    sql = "SELECT STREAM FLOOR(at_time TO MINUTE) AS m, k, COUNT(*) AS c FROM t GROUP BY FLOOR(at_time TO MINUTE), k"
    query = rt.submit(sql, NoSink())
    log = rt.runtime.log(rt.store.get("T"))
    random = np.random.default_rng(1)
    for step in range(steps):
        at = START + step * 60_000_000 - random.integers(0, 8 * 60_000_000, rows)
        keys = random.integers(0, 100, rows).astype(np.int32)
        log.submit(WriteRequest(rows=pa.table({"AT_TIME": pa.array(at, pa.timestamp("us", "UTC")), "K": keys})))
        query.process_all_available()
        if (step + 1) % (steps // 8) == 0:
            found = query.progress
            rejected = sum(log.state().rejected.values())
            say(f"after {step + 1} steps", f"{found.state_rows:,} state rows, {rejected:,} rows too late")
    query.stop()


def disk(rt: Session, brief: bool) -> None:
    """Prints the disk space of a stream without history while a query follows it: constant."""
    steps, rows = (600, 100) if brief else (4000, 1000)
    print(f"space of a stream without history: {steps:,} commits of {rows:,} rows, read by one query")
    rt.sql("CREATE STREAM s (n BIGINT)")
    query = rt.submit("SELECT STREAM n FROM s WHERE n < 0", NoSink())
    log = rt.log("S")
    for step in range(steps):
        log.submit(WriteRequest(rows=_rows(step * rows, rows, 1000)))
        if (step + 1) % (steps // 8) == 0:
            query.process_all_available()
            log.clean()
            files = [path for path in log.folder.rglob("*") if path.is_file()]
            size = sum(path.stat().st_size for path in files)
            say(f"after {step + 1:,} commits", f"{size / 1e6:.1f} MB in {len(files):,} files")
    query.stop()


MEASURES = {
    "appends": appends,
    "latency": latency.latency,
    "small_steps": small_steps.small_steps,
    "join_latency": latency.join_latency,
    "hold": hold,
    "state": state,
    "disk": disk,
    "search_key": search_key.search_key,
    "search_files": search_key.search_files,
    "skew": skew.skew,
    "jdbc": jdbc.jdbc,
}
"""The parts, by name."""
