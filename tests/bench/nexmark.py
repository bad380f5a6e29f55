"""Nexmark q0, q2, q5 and q7 over Parquet: rowtime against the same jobs written by hand in PySpark.

Both run in one SparkSession with the settings that rowtime chooses, over the same files, with a watermark four seconds
behind where the job has state; events a second, the start of the session not counted.
"""

from __future__ import annotations

import shutil
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

import bids
from pairs import Pairs

import rowtime
from rowtime.runtime.spark import start_spark

if TYPE_CHECKING:
    from pyspark.sql import DataFrame, SparkSession

EVENTS = 10_000_000
SIZES = {"small batches, 0.2 M events": 2, "large batches, 2 M events": 20}
DATA = Path(".bench/bids")
SCHEMA = "auction BIGINT, bidder BIGINT, price BIGINT, channel STRING, url STRING, dateTime TIMESTAMP, extra STRING"

STREAM = """CREATE OR REPLACE FOREIGN STREAM bid (
  ROWTIME TIMESTAMP LATENESS INTERVAL '4' SECOND, auction BIGINT, bidder BIGINT, price BIGINT, channel VARCHAR, url VARCHAR, extra VARCHAR
) OPTIONS (connector 'files', format 'parquet', path '{path}', rowtime 'dateTime', max_files_per_batch '{files}')"""
SQL = {
    "q0": "SELECT STREAM auction, bidder, price, rowtime, extra FROM bid",
    "q2": "SELECT STREAM auction, price FROM bid WHERE MOD(auction, 123) = 0",
    "q5": "SELECT STREAM HOP_START(rowtime, INTERVAL '2' SECOND, INTERVAL '10' SECOND) AS rowtime, HOP_END(rowtime, "
    "INTERVAL '2' SECOND, INTERVAL '10' SECOND) AS ends, auction, COUNT(*) AS num FROM bid "
    "GROUP BY HOP(rowtime, INTERVAL '2' SECOND, INTERVAL '10' SECOND), auction",
    "q7": "SELECT STREAM TUMBLE_START(rowtime, INTERVAL '10' SECOND) AS rowtime, TUMBLE_END(rowtime, INTERVAL '10' SECOND) "
    "AS ends, MAX(price) AS maxprice, COUNT(*) AS num FROM bid GROUP BY TUMBLE(rowtime, INTERVAL '10' SECOND)",
}


def by_hand(spark: SparkSession, query: str, path: str, files: int) -> DataFrame:
    """The job as somebody who knows Structured Streaming writes it."""
    from pyspark.sql import functions as F

    bid = spark.readStream.schema(SCHEMA).option("maxFilesPerTrigger", files).parquet(path)
    if query == "q0":
        return bid.select("auction", "bidder", "price", "dateTime", "extra")
    if query == "q2":
        return bid.where("auction % 123 = 0").select("auction", "price")
    clocked = bid.withWatermark("dateTime", "4 seconds")
    if query == "q5":
        hops = F.window("dateTime", "10 seconds", "2 seconds").alias("w")
        counts = clocked.groupBy(hops, "auction").agg(F.count("*").alias("num"))
        return counts.select(F.col("w.start").alias("ws"), F.col("w.end").alias("we"), "auction", "num")
    windows = clocked.groupBy(F.window("dateTime", "10 seconds").alias("w"))
    totals = windows.agg(F.max("price").alias("maxprice"), F.count("*").alias("num"))
    return totals.select(F.col("w.start").alias("ws"), F.col("w.end").alias("we"), "maxprice", "num")


def compare(queries: tuple[str, ...] = tuple(SQL)) -> None:
    """Prints the comparison of each query at both sizes of batches, after proving that the results are equal."""
    path = str(DATA.absolute())
    count = bids.write(DATA, EVENTS)
    folder = Path(tempfile.mkdtemp())
    spark = start_spark()
    try:
        with rowtime.connect(spark, folder / "warehouse") as rt:
            for query in queries:
                for size, files in SIZES.items():
                    rt.sql(STREAM.format(path=path, files=files))
                    plan = rt.plan(SQL[query])
                    for key, value in rt.settings_for(plan).items():
                        spark.conf.set(key, value)
                    ours = lambda: rt.table(SQL[query])  # noqa: E731, B023
                    theirs = lambda: by_hand(spark, query, path, files)  # noqa: E731, B023
                    rows = _same(ours, theirs, folder)
                    # Both have run twice by now, so that both are compiled.
                    _seconds(ours, folder), _seconds(theirs, folder)
                    print(f"{query}, {size}: {count:,} bids in, {rows:,} rows out, equal")
                    Pairs("rowtime", "by hand in PySpark", unit="events/s", rate=True).run(
                        lambda: count / _seconds(ours, folder),  # noqa: B023
                        lambda: count / _seconds(theirs, folder),  # noqa: B023
                        goal="ratio at least 1.2" if query == "q5" else "ratio at least 0.95",
                    )
    finally:
        spark.stop()
        shutil.rmtree(folder, ignore_errors=True)


def _seconds(frame: Callable[[], DataFrame], folder: Path) -> float:
    checkpoint = tempfile.mkdtemp(dir=folder)
    writer = frame().writeStream.format("noop").trigger(availableNow=True).option("checkpointLocation", checkpoint)
    start = time.perf_counter()
    query = writer.start()
    query.awaitTermination()
    seconds = time.perf_counter() - start
    state = [op.numRowsTotal for progress in query.recentProgress for op in progress.stateOperators]
    if state:
        _seen.append(max(state))
    shutil.rmtree(checkpoint, ignore_errors=True)
    return seconds


_seen: list[int] = []


def _same(ours: Callable[[], DataFrame], theirs: Callable[[], DataFrame], folder: Path) -> int:
    """Runs both once into files and compares counts and sums of all columns; returns the number of rows."""
    sums = [_sums(frame(), folder) for frame in (ours, theirs)]
    if sums[0] != sums[1]:
        raise SystemExit(f"the results differ: {sums[0]} and {sums[1]}")
    return int(sums[0][0])


def _sums(frame: DataFrame, folder: Path) -> list[int]:
    spark, out = frame.sparkSession, tempfile.mkdtemp(dir=folder)
    columns = frame.dtypes
    query = frame.writeStream.format("parquet").option("path", out + "/rows").trigger(availableNow=True)
    query.option("checkpointLocation", out + "/checkpoint").start().awaitTermination()
    as_number = {"string": "length(`{}`)", "timestamp": "unix_millis(`{}`)"}
    # The sum of nine million times does not fit a BIGINT.
    sums = [f"sum(CAST({as_number.get(type_, '`{}`').format(name)} AS DECIMAL(38)))" for name, type_ in columns]
    row = spark.read.parquet(out + "/rows").selectExpr("count(*)", *sums).first()
    shutil.rmtree(out, ignore_errors=True)
    return [0 if value is None else int(value) for value in row or ()]


def state_rows() -> int | None:
    """The most rows of state that any run has kept."""
    return max(_seen) if _seen else None
