"""Latency of queries over named streams: from the call of INSERT to the resulting row, one row at a time."""

from __future__ import annotations

import shutil
import statistics
import tempfile
import threading
import time
from typing import TYPE_CHECKING, Any

import pyarrow as pa
from printing import milliseconds, say

from rowtime.plan.parts import Field

if TYPE_CHECKING:
    from rowtime.runtime.query.query import Query
    from rowtime.session import Session
    from rowtime.streams.producer import Producer

WARM_UP = 5
"""So many rows come first and do not count."""
JOINED = 0.5
"""Seconds to a joined row that the median shall not exceed."""


class Arrivals:
    """A sink that records when a batch of rows was emitted."""

    def __init__(self) -> None:
        self._came = threading.Event()
        self._at = 0.0

    def open(self, fields: list[Field]) -> None: ...

    def write(self, rows: list[tuple[Any, ...]]) -> None:
        self._at = time.perf_counter()
        self._came.set()

    def write_batch(self, batch: Any, number: int) -> None:
        """Records the arrival of a micro-batch with rows: a function for PySpark's `foreachBatch`."""
        if batch.collect():
            self.write([])

    def wait(self, since: float) -> float:
        """Returns the seconds from `since` to the next rows."""
        if not self._came.wait(60):
            raise SystemExit("no row came out within a minute")
        self._came.clear()
        return self._at - since


def latency(rt: Session, brief: bool) -> None:
    """Measures seconds from the call of INSERT to the resulting row, one at a time on a quiet query."""
    print("from INSERT to output row (goals: median 0.7 s, through Hold 0.9 s, through a window 0.9 s)")
    count = 10 if brief else 100
    floor(rt, count)
    queries = {
        "one stream": "SELECT STREAM n FROM {0}",
        "Hold (UNION ALL with a stream that is ahead)": "SELECT STREAM n FROM {0} UNION ALL SELECT STREAM n FROM {1}",
        "one tumbling window of a second": "SELECT STREAM FLOOR(rowtime TO SECOND) AS rowtime, SUM(n) AS n FROM {0} "
        "GROUP BY FLOOR(rowtime TO SECOND)",
    }
    for number, (title, sql) in enumerate(queries.items()):
        names = [f"A{number}", f"B{number}"]
        for name in names:
            rt.sql(f"CREATE STREAM {name} (n BIGINT)")
        ahead = rt.producer(names[1])
        ahead.insert(_row(0))
        arrivals = Arrivals()
        query = rt.submit(sql.format(*names), arrivals)
        ahead.set_rowtime_bound("2100-01-01")
        producer = rt.producer(names[0])
        # The first row closes no window, and the first batches are cold.
        producer.insert(_row(1))
        query.process_all_available()
        spent = []
        for n in range(2, count + WARM_UP + 2):
            arrivals._came.clear()
            began = time.perf_counter()
            producer.insert(_row(n))
            spent.append(arrivals.wait(began))
            query.process_all_available()
        query.stop()
        producer.close()
        ahead.close()
        say(title, milliseconds(spent[WARM_UP:]))


def _row(n: int) -> list[dict[str, Any]]:
    """Returns one row, a second after the one before."""
    return [{"rowtime": f"2024-01-01 {n // 3600:02}:{n // 60 % 60:02}:{n % 60:02}", "n": n}]


def floor(rt: Session, count: int) -> None:
    """Measures Spark alone: a Delta table read as a stream by hand, to a sink that does nothing; a row appended to it
    by the same writer that rowtime uses."""
    from deltalake import write_deltalake

    folder = tempfile.mkdtemp()
    table = f"{folder}/table"
    write_deltalake(table, pa.table({"n": [0]}))
    arrivals = Arrivals()
    query = (
        rt.spark.readStream.format("delta").load(table).writeStream.foreachBatch(arrivals.write_batch)
        .option("checkpointLocation", f"{folder}/checkpoint").start()
    )  # fmt: skip
    query.processAllAvailable()
    spent = []
    for n in range(count + WARM_UP):
        arrivals._came.clear()
        began = time.perf_counter()
        write_deltalake(table, pa.table({"n": [n]}), mode="append")
        spent.append(arrivals.wait(began))
        query.processAllAvailable()
    batches = [p.durationMs["triggerExecution"] / 1000 for p in query.recentProgress if p.numInputRows]
    query.stop()
    say("floor: Spark on a Delta table, by hand, default settings", milliseconds(spent[WARM_UP:]))
    say("  of which one micro-batch of a row", milliseconds(batches[WARM_UP:]))
    arrivals = Arrivals()
    rt.sql("CREATE STREAM empty_batches (n BIGINT)")
    running = rt.submit("SELECT STREAM n FROM empty_batches", arrivals)
    for _ in range(count // 2 + WARM_UP):
        log = rt.log("EMPTY_BATCHES")
        log.mark(least=log.version() + 1)
        running.process_all_available()
    batches = [p.durationMs["triggerExecution"] / 1000 for p in running._running.recentProgress]
    running.stop()
    say("floor: an empty micro-batch with rowtime's settings", milliseconds(batches[WARM_UP:]))
    shutil.rmtree(folder, ignore_errors=True)


def join_latency(rt: Session, brief: bool) -> None:
    """Seconds from the call of INSERT to the joined row in `Query.rows()`, one at a time on a quiet query."""
    print(f"from INSERT to joined row (goal: median at most {JOINED} s)")
    count = 10 if brief else 100
    rt.sql("CREATE TABLE products (n BIGINT, name VARCHAR)")
    rt.sql("INSERT INTO products VALUES " + ", ".join(f"({n}, 'product {n}')" for n in range(1000)))
    queries = {
        "join of two streams within ten seconds": "SELECT STREAM t.rowtime, o.n FROM {trades} AS t JOIN {orders} AS o "
        "ON o.n = t.n AND t.rowtime BETWEEN o.rowtime AND o.rowtime + INTERVAL '10' SECOND",
        "join of a stream with a table of 1,000 rows": "SELECT STREAM t.rowtime, p.name FROM {trades} AS t "
        "LEFT JOIN products AS p ON p.n = t.n",
        "temporal join of a stream with the versions of another": "SELECT STREAM t.rowtime, o.n FROM {trades} AS t "
        "LEFT JOIN {orders} FOR SYSTEM_TIME AS OF t.rowtime AS o ON o.n = t.n",
    }
    for number, (title, sql) in enumerate(queries.items()):
        names = {"orders": f"orders{number}", "trades": f"trades{number}"}
        rt.sql(f"CREATE STREAM {names['orders']} (n BIGINT PRIMARY KEY)")
        rt.sql(f"CREATE STREAM {names['trades']} (n BIGINT)")
        spent = _joined(
            rt.submit(sql.format(**names)), rt.producer(names["orders"]), rt.producer(names["trades"]), count
        )
        found = spent[WARM_UP:]
        met = "met" if statistics.median(found) <= JOINED else "missed"
        say(title, f"{milliseconds(found, 95)}; goal {met}")


def _joined(query: Query, orders: Producer, trades: Producer, count: int) -> list[float]:
    """Seconds to the joined row of each trade. Its order comes first, and the next one, which says that no other order
    of that time comes; both do not count."""
    spent = []
    orders.insert(_row(0))
    for n in range(WARM_UP + count):
        orders.insert(_row(n + 1))
        query.process_all_available()
        began = time.perf_counter()
        trades.insert(_row(n))
        spent.append(_until_row(query) - began)
        query.process_all_available()
    query.stop()
    orders.close()
    trades.close()
    return spent


def _until_row(query: Query) -> float:
    """Waits for a row; returns its time of arrival."""
    deadline = time.perf_counter() + 60
    while not query.rows():
        if time.perf_counter() > deadline:
            raise SystemExit("no row came out within a minute")
        time.sleep(0.001)
    return time.perf_counter()
