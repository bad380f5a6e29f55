"""Operators with one key a shuffle partition: Spark sorts their rows by it only where it has to."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from queries import drain, eventually, start_query

from rowtime.runtime.query.query import Query
from rowtime.session import Session
from rowtime.sparksql.settings import applied, starting

from .conftest import settle

OVER = (
    "SELECT STREAM rowtime, n, COUNT(*) OVER (PARTITION BY n ORDER BY rowtime RANGE INTERVAL '4' HOUR PRECEDING) AS c"
    " FROM a"
)
JOIN = (
    "SELECT STREAM x.rowtime, x.n, y.n AS m FROM a AS x JOIN a AS y ON x.n = y.n"
    " AND y.rowtime BETWEEN x.rowtime - INTERVAL '1' MINUTE AND x.rowtime"
)
DISTINCT = (
    "SELECT STREAM FLOOR(rowtime TO HOUR) AS rowtime, n, COUNT(DISTINCT n) AS c"
    " FROM a GROUP BY FLOOR(rowtime TO HOUR), n"
)
HOLD = "SELECT STREAM rowtime, n FROM a UNION ALL SELECT STREAM rowtime, n + 10 AS n FROM a"
ABOVE = (
    "SELECT STREAM rowtime, n, SUM(m) OVER (PARTITION BY n ORDER BY rowtime RANGE INTERVAL '1' HOUR PRECEDING) AS s"
    f" FROM ({JOIN})"
)


def plan_of(query: Query) -> str:
    """Returns the plan of the last micro-batch."""
    return str(query._running._jsq.explainInternal(False))


def insert(rt: Session, hour: int) -> None:
    values = ", ".join(f"(TIMESTAMP '2024-05-01 {hour}:0{minute}:00', {minute % 3})" for minute in range(6))
    rt.sql(f"INSERT INTO a VALUES {values}")


@pytest.mark.parametrize(
    ("sql", "operators", "partitions"),
    [(OVER, 1, 1), (JOIN, 1, 1), (HOLD, 1, 1), (OVER, 1, 2), (DISTINCT, 1, 2), (JOIN, 1, 5), (ABOVE, 2, 5)],
)
def test_rows_are_not_sorted_also_after_a_restart(rt: Session, sql: str, operators: int, partitions: int) -> None:
    rt.sql("CREATE STREAM a (n INTEGER) OPTIONS (history 'all')")
    query = rt.submit(sql, partitions=partitions)
    rows: list[tuple[Any, ...]] = []
    for hour in (10, 12, 14):
        insert(rt, hour)
        rows += drain(query)
        plan = plan_of(query)
        assert plan.count("TransformWithState") == plan.count("KeyedPartitions") == operators
        assert plan.count("Exchange hashpartitioning(rowtime_partition") == operators
        assert f", {partitions}), ENSURE_REQUIREMENTS" in plan
        assert "Sort" not in plan
        # The rows on the way to it are one node, and not four of Spark's.
        assert plan.count("MapSide [rowtime_block") >= operators
        query.kill()
        query.restart()
    expected = rt.sql(sql.replace("STREAM ", "")).tuples()
    # Nothing waits for a later row any more.
    rt.sql("INSERT INTO a VALUES (TIMESTAMP '2024-05-03 00:00:00', NULL)")
    rows += [row for row in drain(query) if row[0].day == 1]
    assert len(rows) >= 9
    assert sorted(rows) == sorted(expected)


def stages_of_last(rt: Session, query: Query) -> int:
    """Returns the number of stages of the last micro-batch's job."""
    tracker = rt.spark.sparkContext.statusTracker()
    job = tracker.getJobInfo(max(tracker.getJobIdsForGroup(str(query._running.runId))))
    assert job is not None
    return len(job.stageIds)


@pytest.mark.parametrize(
    ("sql", "partitions", "stages"), [(OVER, 1, 1), (OVER, 2, 2), (DISTINCT, 1, 1), (JOIN, 1, 2), (ABOVE, 1, 3)]
)
def test_rows_of_one_task_are_not_shuffled_to_one_task(rt: Session, sql: str, partitions: int, stages: int) -> None:
    """In a micro-batch of more rows than are always computed in one task."""
    rt.sql("CREATE STREAM a (n INTEGER)")
    query = rt.submit(sql, partitions=partitions)
    rows: list[tuple[Any, ...]] = []
    for hour in (10, 12):
        values = ", ".join(f"(TIMESTAMP '2024-05-01 {hour}:00:00', {n})" for n in range(1200))
        rt.sql(f"INSERT INTO a VALUES {values}")
        rows += drain(query)
        assert stages_of_last(rt, query) == stages
    assert len(rows) >= 1200


def test_a_pump_does_not_sort_either(rt: Session) -> None:
    rt.sql("CREATE STREAM a (n INTEGER)")
    rt.sql("CREATE STREAM b (n INTEGER, c BIGINT) OPTIONS (history 'all')")
    rt.sql(f"CREATE PUMP p STARTED AS INSERT INTO b {OVER}")
    insert(rt, 10)
    settle(rt)
    (pump,) = rt.runtime.pumps.running()
    plan = str(pump._running._jsq.explainInternal(False))
    assert "KeyedPartitions" in plan
    assert "Sort" not in plan
    assert [row[1:] for row in rt.sql("SELECT * FROM b").tuples()] == [(n % 3, 1 + n // 3) for n in range(6)]


def test_a_session_keeps_no_strategy(rt: Session) -> None:
    rt.sql("CREATE STREAM a (n INTEGER)")
    start_query(rt, OVER)
    assert rt.spark._jsparkSession.experimental().extraStrategies().isEmpty()


def run(rt: Session, folder: Path, partitions: int, out: list[Any]) -> str:
    """Runs a DataFrame as a user would; returns the plan of the last micro-batch."""
    rt.spark.conf.set("spark.sql.shuffle.partitions", str(partitions))
    frame = rt.table(OVER.replace("STREAM ", "STREAM /*+ FROM_EARLIEST */ "))
    query = (
        frame.writeStream.foreachBatch(lambda df, _: out.extend((r.N, r.C) for r in df.collect()))
        .option("checkpointLocation", str(folder))
        .start()
    )
    query.processAllAvailable()
    plan = str(query._jsq.explainInternal(False))  # type: ignore[attr-defined]
    query.stop()
    eventually(lambda: not query.isActive)
    return plan


def test_without_the_strategy_spark_sorts_and_rows_are_the_same(rt: Session, tmp_path: Path) -> None:
    """Of a DataFrame: first in a session as it is, then from the same checkpoint with the strategy, in a session with
    another number of partitions."""
    rt.sql("CREATE STREAM a (n INTEGER) OPTIONS (history 'all')")
    out: list[Any] = []
    wanted = rt.settings_for(OVER)
    insert(rt, 10)
    with applied(rt.spark, wanted):
        plan = run(rt, tmp_path / "checkpoint", 3, out)
        assert "KeyedPartitions" not in plan
        assert "MapSide [rowtime_block" not in plan
        assert "Sort [rowtime_partition" in plan
        assert plan.count("Exchange") == 1
    insert(rt, 12)
    with starting(rt.spark, wanted):
        plan = run(rt, tmp_path / "checkpoint", 7, out)
        assert "KeyedPartitions" in plan
        assert "Sort" not in plan
        assert ", 3), ENSURE_REQUIREMENTS" in plan
    assert sorted(out) == [(n, count) for n in range(3) for count in (1, 2, 3, 4)]


def test_other_repartitions_are_sparks(spark: Any) -> None:
    """The operator claims no order if a partition may have several keys."""
    from pyspark.sql.functions import col

    key = (col("id") % 3).cast("int")
    tagged = spark.range(9).select(key.alias("k", metadata={"rowtime.partition_key": True}))

    def plan(frame: Any) -> str:
        return str(frame.sortWithinPartitions("k")._jdf.queryExecution().executedPlan().toString())

    with starting(spark, {"spark.sql.adaptive.enabled": "false", "spark.sql.shuffle.partitions": "3"}):
        assert "Sort" not in plan(tagged.repartition("k"))
        for other in (
            tagged.repartition(3, "k"),
            tagged.repartition(3),
            tagged.repartition("k", "k"),
            tagged.repartition(col("k") + 1),
            spark.range(9).select(key.alias("k")).repartition("k"),
        ):
            assert "Sort" in plan(other)
            assert "KeyedPartitions" not in plan(other)
