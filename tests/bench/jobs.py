"""Runs streaming DataFrames from the first file to the last: their duration, state, and output."""

from __future__ import annotations

import contextlib
import json
import os
import shutil
import tempfile
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

import generator

import rowtime
from rowtime.runtime.cluster.spark import start_spark
from rowtime.sparksql.settings import starting

if TYPE_CHECKING:
    from pyspark.sql import DataFrame
    from pyspark.sql.streaming import StreamingQuery

    from rowtime.session import Session

T = TypeVar("T")
CORES = 2
HEAP = "6g"
"""For Spark, and for Flink as well."""
SIZES = {"batches of 0.2 M rows": 200_000, "batches of 2 M rows": 2_000_000}
"""Sizes of micro-batches, in rows."""

STREAMS = {
    "person": "id BIGINT, name VARCHAR, emailAddress VARCHAR, creditCard VARCHAR, city VARCHAR, state VARCHAR, extra VARCHAR",
    "auction": "id BIGINT, itemName VARCHAR, description VARCHAR, initialBid BIGINT, reserve BIGINT, expires TIMESTAMP, "
    "seller BIGINT, category BIGINT, extra VARCHAR",
    "auction_version": "id BIGINT PRIMARY KEY, version BIGINT, reserve BIGINT",
    "bid": "auction BIGINT, bidder BIGINT, price BIGINT, channel VARCHAR, url VARCHAR, extra VARCHAR",
    "transfer": "source BIGINT, target BIGINT, amount BIGINT",
}
"""Their columns, in addition to ROWTIME."""
READS = {"q8": ("person", "auction"), "O2": ("bid", "auction"), "O3": ("bid", "auction_version")}
"""The streams that joins read."""


def reads(query: str) -> tuple[str, ...]:
    """Returns the streams that a query reads."""
    return READS.get(query, ("bid",))


def files(rows: int, streams: Sequence[str]) -> int:
    """Returns how many files of each of these streams have about this many rows together."""
    rows_of_slice = sum(generator.ROWS_OF_FIFTY[stream] for stream in streams) * generator.EVENTS_A_SLICE // 50
    return max(1, round(rows / rows_of_slice))


@contextlib.contextmanager
def session() -> Iterator[Session]:
    """Yields rowtime on a Spark of its own, in a temporary warehouse."""
    os.environ.setdefault("ROWTIME_SPARK_CONF", f"spark.master=local[{CORES}],spark.driver.memory={HEAP}")
    folder = Path(tempfile.mkdtemp())
    spark = start_spark()
    try:
        with rowtime.connect(spark, folder / "warehouse") as rt:
            yield rt
    finally:
        spark.stop()
        shutil.rmtree(folder, ignore_errors=True)


@dataclass(frozen=True, slots=True)
class State:
    """The state that a query keeps between its batches: entries of the state store, and bytes in memory and (RocksDB)
    in files."""

    rows: int = 0
    memory: int = 0
    files: int = 0

    @property
    def bytes(self) -> int:
        return self.memory + self.files

    def __str__(self) -> str:
        return f"{self.rows:,} state rows, {self.memory / 1e6:.1f} MB in memory, {self.files / 1e6:.1f} MB in files"

    @staticmethod
    def most(query: StreamingQuery) -> State:
        """Returns the maximum of each over the batches of this query."""
        # As JSON: PySpark would fetch every number by a call of its own.
        reports = [json.loads(report.json()) for report in query._jsq.recentProgress()]  # type: ignore[attr-defined]
        found = [State.of(report["stateOperators"]) for report in reports] or [State()]
        return State(max(s.rows for s in found), max(s.memory for s in found), max(s.files for s in found))

    @staticmethod
    def of(operators: Sequence[Mapping[str, Any]]) -> State:
        """Returns the state of the operators in a progress report."""
        return State(
            sum(o["numRowsTotal"] for o in operators),
            sum(o["memoryUsedBytes"] for o in operators),
            sum(o["customMetrics"].get("rocksdbSstFileSize", 0) for o in operators),
        )


@dataclass(frozen=True, slots=True)
class Job:
    """A streaming DataFrame, and the settings of the session under which it is built and started."""

    frame: Callable[[], DataFrame]
    settings: Mapping[str, str]

    def run(self) -> tuple[float, State]:
        """Reads all input; returns the seconds that it took, and the state."""
        with tempfile.TemporaryDirectory() as folder, starting(_spark(), self.settings):
            writer = self.frame().writeStream.format("noop").trigger(availableNow=True)
            start = time.perf_counter()
            query = writer.option("checkpointLocation", folder).start()
            query.awaitTermination()
            return time.perf_counter() - start, State.most(query)

    def sums(self) -> list[int]:
        """Returns the sums of the output, see `sums`."""
        return self.output(sums)

    def output(self, read: Callable[[str], T]) -> T:
        """Returns what `read` makes of the folder with the output, as Parquet."""
        with tempfile.TemporaryDirectory() as folder, starting(_spark(), self.settings):
            writer = self.frame().writeStream.format("parquet").trigger(availableNow=True)
            writer = writer.option("path", f"{folder}/rows").option("checkpointLocation", f"{folder}/checkpoint")
            writer.start().awaitTermination()
            return read(f"{folder}/rows")


def timers_and_states(jobs: Mapping[str, Job]) -> tuple[dict[str, Callable[[], float]], dict[str, State]]:
    """Returns, for each job, a function that runs it and returns the seconds, and the state of the last run of each."""
    states: dict[str, State] = {}

    def seconds(name: str, job: Job) -> float:
        took, states[name] = job.run()
        return took

    return {name: partial(seconds, name, job) for name, job in jobs.items()}, states


def of_sql(rt: Session, sql: str, slices: Path, files: int, streams: Sequence[str] = ("bid",)) -> Job:
    """Returns a query of rowtime over these streams, with this many files per batch, under the settings that rowtime
    chooses."""
    _define(rt, slices, files, streams)
    plan = rt.plan(sql)

    def frame() -> DataFrame:
        # Another job may have redefined the streams.
        _define(rt, slices, files, streams)
        return rt.table(sql)

    return Job(frame, rt.settings_for(plan))


def _define(rt: Session, slices: Path, files: int, streams: Sequence[str]) -> None:
    for name in streams:
        rt.sql(
            f"CREATE OR REPLACE FOREIGN STREAM {name} (ROWTIME TIMESTAMP LATENESS INTERVAL '4' SECOND, {STREAMS[name]}) OPTIONS ("
            f"connector 'files', format 'parquet', path '{slices.absolute() / name}', rowtime 'dateTime', max_files_per_batch '{files}')"
        )


def sums(folder: str) -> list[int]:
    """Returns the number of rows in the Parquet files of a folder, and the sum of each column: lengths of strings,
    milliseconds of timestamps. Changes, which have a column `op`, count as the result that they lead to."""
    rows = _spark().read.parquet(folder)
    as_number = {"string": "length(`{}`)", "timestamp": "unix_millis(`{}`)"}
    sign = "CASE WHEN op IN (1, 3) THEN -1 ELSE 1 END" if any(name.lower() == "op" for name in rows.columns) else "1"
    # The sum of nine million times does not fit a BIGINT.
    texts = [
        f"sum({sign} * CAST({as_number.get(type_, '`{}`').format(name)} AS DECIMAL(36)))"
        for name, type_ in rows.dtypes
        if name.lower() != "op"
    ]
    row = rows.selectExpr(f"sum({sign})", *texts).first()
    return [0 if value is None else int(value) for value in row or ()]


def _spark() -> Any:
    from pyspark.sql import SparkSession

    return SparkSession.getActiveSession()
