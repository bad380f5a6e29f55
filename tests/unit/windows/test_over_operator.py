"""The OVER operator in Spark: the same rows as Spark's own OVER over all of them, however they are cut into steps."""

from __future__ import annotations

import datetime as dt
import os
import random
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from rowtime.operators.run import run
from rowtime.sparksql.settings import applied, streaming_settings

if TYPE_CHECKING:
    from pyspark.sql import DataFrame, SparkSession

Spec = dict[str, Any]

START = dt.datetime(2024, 1, 1, tzinfo=dt.timezone.utc)
SCHEMA = "k STRING, ts TIMESTAMP, seq BIGINT, v BIGINT, d DOUBLE"
TYPES = pa.schema(
    [("k", pa.string()), ("ts", pa.timestamp("us", "UTC")), ("seq", pa.int64()), ("v", pa.int64()), ("d", pa.float64())]
)


@pytest.fixture(autouse=True)
def settings(spark: SparkSession) -> Iterator[None]:
    with applied(spark, streaming_settings(2, operators=True, local=True)):
        yield


def rows(seed: int, count: int) -> list[dict[str, Any]]:
    """Returns rows in order of time, with ties and NULLs."""
    rng = random.Random(seed)
    time, made = 0, []
    for seq in range(count):
        time += rng.choice([0, 0, 1, 1000, 2500])
        made.append(
            {
                "k": rng.choice(["a", "b", "c", None]),
                "ts": START + dt.timedelta(milliseconds=time),
                "seq": seq,
                "v": rng.choice([None, rng.randrange(100)]),
                "d": rng.uniform(-1e9, 1e9),
            }
        )
    return made


def window(lower: Any, upper: Any, *calls: Spec, by_rows: bool = False) -> Spec:
    ends = [{"kind": kind, "offset": None if offset is None else str(offset)} for kind, offset in (lower, upper)]
    order = [{"column": "ts", "descending": False, "nullsFirst": True}]
    return {"order": order, "rows": by_rows, "lower": ends[0], "upper": ends[1], "calls": list(calls)}


def call(name: str, function: str, *args: str, type: str = "BIGINT", **more: Any) -> Spec:
    without = dict.fromkeys(("number", "fraction", "separator", "filter"))
    options = {**without, "distinct": False, "ignoreNulls": False, **more}
    return {"name": name, "function": function, "args": list(args), "type": type, **options}


def spec(partition: list[str], windows: list[Spec], closes: str | None = None) -> Spec:
    """Describes OVER on rows that arrive in order, as the planner does."""
    arrival = {"disordered": False, "maxDisorder": 0, "early": False}
    return {
        "operator": "over",
        "partition": partition,
        "time": "ts",
        "clock": [],
        "seq": "seq",
        "arrivals": {"ordered": arrival, "unordered": arrival},
        "closes": closes,
        "windows": windows,
    }


def over(rows: DataFrame, spec: Spec) -> DataFrame:
    return run(spec, [rows], ordered=False)


class Steps:
    """Runs a query over files, one for each step; it is stopped after each step and restarted from its checkpoint."""

    def __init__(self, spark: SparkSession, folder: Path, spec: Spec) -> None:
        self.spark, self.folder, self.spec, self.count = spark, folder, spec, 0
        (folder / "in").mkdir()

    def source(self) -> DataFrame:
        stream = self.spark.readStream.schema(SCHEMA).option("maxFilesPerTrigger", 1).parquet(str(self.folder / "in"))
        clocked = stream.withColumn("clock", stream.ts).withWatermark("clock", "0 seconds")
        return clocked.where("clock > TIMESTAMP '1900-01-01'").drop("clock")

    def step(self, batch: list[dict[str, Any]]) -> None:
        path = self.folder / "in" / f"{self.count:04}.parquet"
        pq.write_table(pa.Table.from_pylist(batch, schema=TYPES), path)
        os.utime(path, (1_700_000_000 + self.count,) * 2)
        self.count += 1
        writer = over(self.source(), self.spec).writeStream.format("parquet").trigger(availableNow=True)
        writer = writer.option("checkpointLocation", str(self.folder / "checkpoint"))
        writer.start(str(self.folder / "out")).awaitTermination()

    def out(self, columns: list[str]) -> list[tuple[Any, ...]]:
        found = self.spark.read.parquet(str(self.folder / "out")).where("k IS NULL OR k <> 'end'").orderBy("seq")
        return [tuple(row) for row in found.select("seq", *columns).collect()]


def test_equal_to_sparks_own_over_across_restarts(spark, tmp_path):
    data = rows(1, 400)
    asked = spec(
        ["k"],
        [
            window(
                ("PRECEDING", 10_000_000),
                ("PRECEDING", 0),
                call("cnt", "COUNT"),
                call("total", "SUM", "v"),
                call("top", "MAX", "v"),
                call("mid", "MEDIAN", "v", type="DOUBLE"),
            ),
            window(("UNBOUNDED_PRECEDING", None), ("PRECEDING", 0), call("all", "COUNT", "v")),
            window(("PRECEDING", 2_000_000), ("FOLLOWING", 3_000_000), call("around", "MIN", "v")),
            window(("PRECEDING", 2), ("CURRENT_ROW", None), call("three", "SUM", "v"), by_rows=True),
            window(("CURRENT_ROW", None), ("CURRENT_ROW", None), call("before", "LAG", "v", number=1)),
        ],
    )
    steps = Steps(spark, tmp_path, asked)
    rng, at = random.Random(2), 0
    while at < len(data):
        count = rng.choice([1, 30, 120])
        steps.step(data[at : at + count])
        at += count
    late = data[-1]["ts"] + dt.timedelta(seconds=60)
    steps.step([{**data[-1], "k": "end", "ts": late, "seq": 10_000}])
    spark.createDataFrame(data, SCHEMA).createOrReplaceTempView("rows_of_the_test")
    peers = "OVER (PARTITION BY k ORDER BY ts RANGE BETWEEN"
    ten = f"{peers} INTERVAL '10' SECOND PRECEDING AND CURRENT ROW)"
    expected = spark.sql(
        f"""SELECT seq, COUNT(*) {ten}, SUM(v) {ten}, MAX(v) {ten}, percentile(v, 0.5) {ten},
        COUNT(v) {peers} UNBOUNDED PRECEDING AND CURRENT ROW),
        MIN(v) {peers} INTERVAL '2' SECOND PRECEDING AND INTERVAL '3' SECOND FOLLOWING),
        SUM(v) OVER (PARTITION BY k ORDER BY ts, seq ROWS 2 PRECEDING),
        LAG(v) OVER (PARTITION BY k ORDER BY ts, seq) FROM rows_of_the_test ORDER BY seq"""
    )
    names = ["cnt", "total", "top", "mid", "all", "around", "three", "before"]
    assert steps.out(names) == [tuple(row) for row in expected.collect()]


def test_a_partition_that_closes_comes_out_whole_and_leaves_nothing(spark, tmp_path):
    data = rows(3, 200)
    ranks = window(
        ("UNBOUNDED_PRECEDING", None),
        ("UNBOUNDED_FOLLOWING", None),
        call("share", "PERCENT_RANK", type="DOUBLE"),
        call("third", "NTILE", number=3),
    )
    ranks["order"] = [{"column": "d", "descending": True, "nullsFirst": False}]
    steps = Steps(spark, tmp_path, spec(["k", "minute"], [ranks], "closes"))
    plain = steps.source
    steps.source = lambda: plain().selectExpr(  # type: ignore[method-assign]
        "*", "date_trunc('MINUTE', ts) AS minute", "date_trunc('MINUTE', ts) + INTERVAL '1' MINUTE AS closes"
    )
    for at in range(0, 200, 70):
        steps.step(data[at : at + 70])
    steps.step([{**data[-1], "k": "end", "ts": data[-1]["ts"] + dt.timedelta(minutes=2), "seq": 10_000}])
    spark.createDataFrame(data, SCHEMA).createOrReplaceTempView("rows_of_the_test")
    by = "OVER (PARTITION BY k, date_trunc('MINUTE', ts) ORDER BY d DESC)"
    expected = spark.sql(f"SELECT seq, percent_rank() {by}, ntile(3) {by} FROM rows_of_the_test ORDER BY seq")
    assert steps.out(["share", "third"]) == [tuple(row) for row in expected.collect()]


def test_state_without_limit_is_refused(spark, tmp_path):
    from pyspark.errors.exceptions.captured import UnsupportedOperationException

    endless = window(("UNBOUNDED_PRECEDING", None), ("CURRENT_ROW", None), call("n", "MEDIAN", "v", type="DOUBLE"))
    asked = spec(["k"], [endless])
    source = Steps(spark, tmp_path, asked).source()
    with pytest.raises(UnsupportedOperationException, match="has no limit"):
        over(source, asked)
