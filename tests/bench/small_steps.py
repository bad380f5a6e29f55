"""Small micro-batches: the time from INSERT to the resulting row, one row at a time, and where it goes."""

from __future__ import annotations

import itertools
import re
import statistics
import subprocess
import time
from collections import Counter
from pathlib import Path
from typing import TYPE_CHECKING, Any

from latency import Arrivals
from printing import milliseconds, say

if TYPE_CHECKING:
    from rowtime.session import Session

WARM_UP = 200
"""Rows that come first and do not count: most of the code is compiled by then."""
_PARTS = ("latestOffset", "walCommit", "getBatch", "queryPlanning", "addBatch", "commitOffsets", "triggerExecution")
_LONGEST_CHAIN = 10

QUERIES = {
    "stateless": "SELECT STREAM n + 1 AS n FROM {0}",
    "GROUP BY a second": "SELECT STREAM FLOOR(rowtime TO SECOND) AS rowtime, SUM(n) AS n FROM {0} "
    "GROUP BY FLOOR(rowtime TO SECOND)",
    "OVER ten seconds": "SELECT STREAM SUM(n) OVER (PARTITION BY n ORDER BY rowtime "
    "RANGE INTERVAL '10' SECOND PRECEDING) AS n FROM {0}",
    "a join of the stream with itself within ten seconds": "SELECT STREAM a.n FROM {0} AS a JOIN {0} AS b "
    "ON a.n = b.n AND b.rowtime BETWEEN a.rowtime - INTERVAL '10' SECOND AND a.rowtime",
}


def small_steps(rt: Session, brief: bool) -> None:
    """Measures a row at a time through each query, and through chains of pumps."""
    print("from INSERT to row, one row at a time, warm (goals: stateful 40 ms, three pumps 120 ms)")
    for number, (title, sql) in enumerate(QUERIES.items()):
        _measure(rt, title, f"small{number}", sql, 0, brief)
    for pumps in (1, 3, _LONGEST_CHAIN):
        title = "1 pump" if pumps == 1 else f"a chain of {pumps} pumps"
        _measure(rt, title, f"chain{pumps}", "SELECT STREAM n FROM {0}", pumps, brief)


def _measure(rt: Session, title: str, name: str, sql: str, pumps: int, brief: bool) -> None:
    streams = [f"{name}_{i}" for i in range(pumps + 1)]
    for stream in streams:
        rt.sql(f"CREATE STREAM {stream} (n BIGINT)")
    for source, target in itertools.pairwise(streams):
        rt.sql(f"CREATE PUMP {target}_pump STARTED AS INSERT INTO {target} SELECT STREAM * FROM {source}")
    arrivals = Arrivals()
    query = rt.submit(sql.format(streams[-1]), arrivals)
    producer = rt.producer(streams[0])
    producer.insert(_row(1))
    rt.runtime.settle([query])
    warm, count = (5, 10) if brief else (WARM_UP, 100)
    spent, inserting = [], []
    before: dict[str, tuple[str, float]] = {}
    for n in range(2, warm + count + 2):
        if n == warm + 2:
            before = _processor_time(rt)
        arrivals._came.clear()
        began = time.perf_counter()
        producer.insert(_row(n))
        inserting.append(time.perf_counter() - began)
        spent.append(arrivals.wait(began))
        rt.runtime.settle([query])
    used: Counter[str] = Counter()
    for thread, (kind, spent_by_now) in _processor_time(rt).items():
        # The time of a thread that has ended in between is unknown.
        used[kind] += spent_by_now - before.get(thread, (kind, 0.0))[1]
    reports = [r.durationMs for r in query._running.recentProgress if r.numInputRows][-count:]
    say(title, f"{milliseconds(spent[warm:])}; of which INSERT {milliseconds(inserting[warm:])}")
    medians = {part: statistics.median(report.get(part, 0) for report in reports) for part in _PARTS}
    say("  a micro-batch of the query (ms)", ", ".join(f"{part} {ms:.0f}" for part, ms in medians.items()))
    say("  processor time a row (ms)", ", ".join(f"{k} {v / count:.1f}" for k, v in used.most_common(8)))
    query.stop()
    producer.close()
    for target in streams[1:]:
        rt.sql(f"DROP PUMP {target}_pump")


def _processor_time(rt: Session) -> dict[str, tuple[str, float]]:
    """Returns the processor time (ms) of this process and of each thread of Spark's JVM, by its number, with the kind
    of the thread; without a JDK, only the first. Threads of tasks change their names."""
    found = {"": ("Python", time.process_time() * 1000)}
    jvm = rt.spark.sparkContext._jvm
    assert jvm is not None
    jcmd = Path(jvm.System.getProperty("java.home"), "bin", "jcmd")
    if not jcmd.exists():
        return found
    pid = str(jvm.java.lang.ProcessHandle.current().pid())
    dump = subprocess.run([jcmd, pid, "Thread.print"], capture_output=True, text=True, check=True).stdout
    for thread in re.finditer(r'^"([^"]*)".*? cpu=([0-9.]+)ms.*? tid=(\S+)', dump, re.MULTILINE):
        found[thread[3]] = (_kind(thread[1]), float(thread[2]))
    return found


_KINDS = {
    "stream execution": "queries",
    "Executor task": "tasks",
    "CompilerThread": "compiler",
    "dag-scheduler": "scheduler",
    "dispatcher": "scheduler",
    "task-result": "scheduler",
    "spark-listener": "listeners",
    "element-tracking": "listeners",
    "GC Thread": "collector",
}


def _kind(thread: str) -> str:
    return next((kind for part, kind in _KINDS.items() if part in thread), "other threads")


def _row(n: int) -> list[dict[str, Any]]:
    """Returns one row, a second after the one before."""
    return [{"rowtime": f"2024-01-01 {n // 3600:02}:{n // 60 % 60:02}:{n % 60:02}", "n": n}]
