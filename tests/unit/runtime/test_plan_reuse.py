"""Plans of micro-batches are reused only if they mean the same at another time."""

from __future__ import annotations

import datetime as dt
import time
from pathlib import Path
from typing import Any

import pytest
from queries import drain

from rowtime.session import Session

pytestmark = pytest.mark.spark
HOUR = dt.datetime(2024, 5, 1, 10)


def test_the_current_time_is_that_of_the_micro_batch(rt: Session) -> None:
    """Spark's optimizer reads the clock for it, so each micro-batch has to be optimized."""
    rt.sql("CREATE STREAM a (n INTEGER)")
    begin = dt.datetime.now(dt.timezone.utc)
    later = (begin + dt.timedelta(seconds=8)).strftime("%H:%M:%S")
    if later < begin.strftime("%H:%M:%S"):
        pytest.skip("the day is about to end")
    query = rt.submit(f"SELECT STREAM n, CURRENT_TIME > TIME '{later}' AS after FROM a")
    producer = rt.producer("a")
    producer.insert([(HOUR, 1)])
    first = drain(query)
    seen = dt.datetime.now(dt.timezone.utc)
    time.sleep(max(0.0, 9.5 - (seen - begin).total_seconds()))
    producer.insert([(HOUR, 2)])
    assert drain(query) == [(2, True)]
    if (seen - begin).total_seconds() < 8:
        assert first == [(1, False)]


def test_a_users_own_query_reads_the_newest_version_of_a_delta_table(rt: Session, tmp_path: Path) -> None:
    rt.sql("CREATE STREAM a (n INTEGER)")
    table = str(tmp_path / "t")
    rows: Any = rt.spark.createDataFrame([(1, "one"), (2, "old")], "k INT, name STRING")
    rows.write.format("delta").save(table)
    found: list[tuple[int, str]] = []

    def take(batch: Any, number: int) -> None:
        found.extend((row["N"], row["name"]) for row in batch.collect())

    stream = rt.table("SELECT STREAM n FROM a")
    names = rt.spark.read.format("delta").load(table).withColumnRenamed("k", "N")
    joined = stream.join(names, "N")
    query = joined.writeStream.foreachBatch(take).option("checkpointLocation", str(tmp_path / "c")).start()
    try:
        producer = rt.producer("a")
        producer.insert([(HOUR, 1)])
        query.processAllAvailable()
        changed: Any = rt.spark.createDataFrame([(2, "new")], "k INT, name STRING")
        changed.write.format("delta").mode("overwrite").save(table)
        producer.insert([(HOUR, 2)])
        query.processAllAvailable()
    finally:
        query.stop()
    assert found == [(1, "one"), (2, "new")]
