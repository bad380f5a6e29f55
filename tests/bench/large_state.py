"""State that is larger than the heap: a count and a sum of each of 8 M keys, which change again, in Spark with 1 GB."""

from __future__ import annotations

import contextlib
import os
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
import pyarrow as pa
from printing import say

if TYPE_CHECKING:
    from rowtime.plan.parts import Field
    from rowtime.session import Session

KEYS = 8_000_000
HEAP = "1g"
_STEP = 500_000
_CHANGES = 1_000_000
"""Rows for random keys, after each key has one."""
_START = 1_704_067_200_000_000
"""Microseconds."""
SQL = "SELECT STREAM op, payload.* FROM TO_CHANGELOG((SELECT k, COUNT(*) AS c, SUM(v) AS s FROM a GROUP BY k))"

TAKEN_BACK = (1, 3)
"""The kinds of changes that take a row back: the row before an update, and a deleted one."""


class Totals:
    """A sink that adds up what the changes say: `rows` and `sum` are those of all keys."""

    def __init__(self) -> None:
        self.changes = self.rows = self.sum = 0

    def open(self, fields: list[Field]) -> None: ...

    def write(self, rows: list[tuple[Any, ...]]) -> None:
        for op, _, count, total in rows:
            sign = -1 if op in TAKEN_BACK else 1
            self.rows += sign * count
            self.sum += sign * total
        self.changes += len(rows)


def measure(*, brief: bool = False) -> None:
    """Prints the rate, the heap and the state as the keys grow."""
    keys, step = (20_000, 5_000) if brief else (KEYS, _STEP)
    print(f"state larger than the heap: {keys:,} keys, {HEAP} of heap (goal: it runs, and the heap stays as it is)")
    random = np.random.default_rng(7)
    with _session() as rt:
        rt.sql("CREATE STREAM a (k BIGINT, v BIGINT)")
        totals, sent, added = Totals(), 0, 0
        query = rt.submit(SQL, totals)
        producer = rt.producer("a")
        columns = producer._log.stored
        steps = [np.arange(begin, begin + step) for begin in range(0, keys, step)]
        steps += [random.integers(0, keys, step) for _ in range(2 if brief else _CHANGES // step)]
        for number, ids in enumerate(steps):
            values = random.integers(0, 1000, len(ids))
            times = np.full(len(ids), _START + number * 1_000_000)
            begin = time.perf_counter()
            producer.insert_table(pa.table([pa.array(times).cast(columns[0].type), ids, values], schema=columns))
            rt.runtime.settle([query])
            seconds = time.perf_counter() - begin
            sent, added = sent + len(ids), added + int(values.sum())
            if (totals.rows, totals.sum) != (sent, added):
                raise SystemExit(f"{totals.rows:,} rows with the sum {totals.sum:,}; expected {sent:,} and {added:,}")
            if number % 4 == 3 or number == len(steps) - 1:
                what = "new keys" if number * step < keys else "known keys"
                say(
                    f"{sent:,} rows, the last {len(ids):,} of {what}",
                    f"{len(ids) / seconds:,.0f} rows/s, {_memory(rt, query)}",
                )
        producer.close()
        query.stop()


def _memory(rt: Session, query: Any) -> str:
    """Returns the heap after a collection, and the state."""
    machine = rt.spark._jvm.java.lang
    machine.System.gc()
    memory = machine.Runtime.getRuntime()
    heap = (memory.totalMemory() - memory.freeMemory()) >> 20
    operators = query._running.lastProgress.stateOperators
    rows, size = sum(one.numRowsTotal for one in operators), sum(one.memoryUsedBytes for one in operators)
    resident = int(Path(f"/proc/{_pid(rt)}/statm").read_text().split()[1]) * os.sysconf("SC_PAGE_SIZE") >> 20
    disk = sum(
        file.stat().st_size for file in Path(rt.store.warehouse).rglob("*") if file.is_file() and "state" in file.parts
    )
    return f"heap {heap:,} MB, process {resident:,} MB, {rows:,} rows of state, {size >> 20:,} MB of its memory, {disk >> 20:,} MB on disk"


def _pid(rt: Session) -> int:
    return int(rt.spark._jvm.java.lang.ProcessHandle.current().pid())


@contextlib.contextmanager
def _session() -> Iterator[Session]:
    """A session with little memory, whatever the environment says."""
    import rowtime
    from rowtime.runtime.cluster.spark import start_spark

    spark = start_spark({"spark.driver.memory": HEAP})
    try:
        with tempfile.TemporaryDirectory() as folder, rowtime.connect(spark, Path(folder) / "warehouse") as rt:
            yield rt
    finally:
        spark.stop()
