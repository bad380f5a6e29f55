"""Windows that no opponent has: a cascading sum and a median over the bids, and a long window that fills.

The long window is one hour, over 200 keys; a second of rows arrives at a time. The cost of a batch depends on the rows
that arrive and leave, so its time must not grow with the rows that are held.
"""

from __future__ import annotations

import json
import statistics
import time
from typing import TYPE_CHECKING, Any

import events
import generator
import jobs
import numpy as np
import pyarrow as pa
from nexmark import DATA, EVENTS
from pairs import rounds

from rowtime.runtime.sinks import NoSink
from rowtime.streams.start import Start
from rowtime.streams.writes import WriteRequest

if TYPE_CHECKING:
    from rowtime.runtime.query.query import Query
    from rowtime.session import Session

SQL = {
    "cascading sum, anew with each minute, for each auction": "SELECT STREAM auction, rowtime, SUM(price) OVER w AS total "
    "FROM bid WINDOW w AS (PARTITION BY FLOOR(rowtime TO MINUTE), auction ORDER BY rowtime ROWS UNBOUNDED PRECEDING)",
    "median of the last ten seconds, for each auction": "SELECT STREAM auction, rowtime, MEDIAN(price) OVER w AS middle "
    "FROM bid WINDOW w AS (PARTITION BY auction RANGE INTERVAL '10' SECOND PRECEDING)",
}
KEYS = 200
ROWS_A_SECOND = 2_000
LAST_BATCHES = 50
"""The number of batches for the median time."""


def measure(*, brief: bool = False) -> None:
    """Prints the figures of all."""
    with jobs.session() as rt:
        over_bids(rt, brief)
        long_window(rt, 60 if brief else 3600)


def over_bids(rt: Session, brief: bool) -> None:
    """Prints bids per second, and the state."""
    count = EVENTS // 10 if brief else EVENTS
    found = events.write_events(DATA / f"events-{count}", count, ["bid"])
    for title, sql in SQL.items():
        print(f"{title}: {found.rows['bid']:,} bids")
        runs = {
            size: jobs.of_sql(rt, sql, found.slices, jobs.files(rows, ["bid"])) for size, rows in jobs.SIZES.items()
        }
        seconds, states = jobs.timers_and_states(runs)
        if not brief:
            rounds(seconds, 1)
        measured = rounds(seconds, 1 if brief else 3).rates(found.rows["bid"], "bids/s")
        measured.show({name: str(state) for name, state in states.items()})
        print(flush=True)


def long_window(rt: Session, filled: int) -> None:
    """Prints the time of a batch while a window of this many seconds fills, and when it is full."""
    print(f"a window of {filled:,} s, {KEYS} keys, batches of a second of {ROWS_A_SECOND:,} rows (goal: flat)")
    rt.sql("CREATE STREAM ticks (k INTEGER, v BIGINT)")
    sql = (
        "SELECT STREAM rowtime, k, SUM(v) OVER w AS total, MAX(v) OVER w AS highest FROM ticks "
        f"WINDOW w AS (PARTITION BY k RANGE INTERVAL '{filled}' SECOND(4) PRECEDING)"
    )
    query = rt.submit(sql, NoSink(), start=Start(earliest=True))
    log = rt.log("TICKS")
    random = np.random.default_rng(1)
    times = []
    count = min(LAST_BATCHES, filled // 4)
    marks = {filled * part // 4: f"{part}/4 filled" for part in (1, 2, 3)} | {filled + count: "full"}
    for second in range(1, max(marks) + 1):
        rows = _second(second, random)
        began = time.perf_counter()
        log.submit(WriteRequest(rows=rows))
        query.process_all_available()
        times.append(time.perf_counter() - began)
        if second in marks:
            spent = f"median {statistics.median(times[-count:]) * 1e3:,.0f} ms from INSERT to the end of a batch"
            batch, state = _batches(query, count)
            print(f"  {marks[second]:<62} {spent}, {batch * 1e3:,.0f} ms in the batch; {state}", flush=True)
    query.stop()
    print(flush=True)


def _second(second: int, random: np.random.Generator) -> pa.Table:
    apart = 1_000_000 // ROWS_A_SECOND
    micros = generator.START_MILLIS * 1000 + second * 1_000_000 + np.arange(ROWS_A_SECOND, dtype=np.int64) * apart
    return pa.table(
        {
            "ROWTIME": pa.array(micros, pa.timestamp("us", "UTC")),
            "K": random.integers(0, KEYS, ROWS_A_SECOND).astype(np.int32),
            "V": random.integers(0, 1_000_000, ROWS_A_SECOND),
        }
    )


def _batches(query: Query, last: int) -> tuple[float, jobs.State]:
    """Returns the median of the seconds of the last batches, from Spark's reports, and the state after the latest."""
    reports: list[dict[str, Any]] = [json.loads(r.json()) for r in query._running._jsq.recentProgress()]
    busy = [report for report in reports if report["numInputRows"] > 0][-last:]
    median = statistics.median(report["durationMs"]["triggerExecution"] for report in busy) / 1000
    return median, jobs.State.of(busy[-1]["stateOperators"])
