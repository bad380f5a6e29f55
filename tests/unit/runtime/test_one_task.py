"""A small micro-batch is one task; others have a task for each partition of each stage."""

from __future__ import annotations

import datetime as dt
from collections import Counter
from typing import Any

import pytest
from queries import drain

from rowtime.runtime.query.query import Query
from rowtime.session import Session
from rowtime.streams.producer import Producer

PARTITIONED = "/*+ PARTITIONS(2) */"
QUERIES = {
    "group": f"SELECT STREAM {PARTITIONED} FLOOR(rowtime TO MINUTE) AS rowtime, n, COUNT(*) AS c"
    " FROM a GROUP BY FLOOR(rowtime TO MINUTE), n",
    "over": f"SELECT STREAM {PARTITIONED} rowtime, n, COUNT(*) OVER (PARTITION BY n ORDER BY rowtime"
    " RANGE INTERVAL '9' MINUTE PRECEDING) AS c FROM a",
    "join": f"SELECT STREAM {PARTITIONED} a.rowtime, a.n, b.n AS c FROM a JOIN a AS b ON a.n = b.n"
    " AND a.rowtime = b.rowtime",
    "two operators": f"SELECT STREAM {PARTITIONED} FLOOR(rowtime TO MINUTE) AS rowtime, n, SUM(c) AS c"
    " FROM (SELECT STREAM rowtime, n, COUNT(*) OVER (PARTITION BY n ORDER BY rowtime"
    " RANGE INTERVAL '9' MINUTE PRECEDING) AS c FROM a) AS q GROUP BY FLOOR(rowtime TO MINUTE), n",
}
FEW, MANY = 5, 1500


def put(producer: Producer, count: int, hour: int) -> list[tuple[dt.datetime, int]]:
    """Inserts rows of one minute, and says that it is over."""
    time = dt.datetime(2024, 5, 1, hour)
    rows = [(time, n % 7) for n in range(count)]
    producer.insert(rows)
    producer.set_rowtime_bound(time + dt.timedelta(minutes=1))
    return rows


def tasks(rt: Session, query: Query) -> list[list[int]]:
    """Returns the tasks of each stage, by job."""
    tracker = rt.spark.sparkContext.statusTracker()
    group = str(query._running.runId)
    found = []
    for job in sorted(tracker.getJobIdsForGroup(group)):
        info = tracker.getJobInfo(job)
        assert info is not None
        stages = [tracker.getStageInfo(stage) for stage in info.stageIds]
        found.append([stage.numTasks for stage in stages if stage is not None])
    return found


def expected(name: str, rows: list[tuple[dt.datetime, int]]) -> Counter[Any]:
    """Returns the rows of a query over rows of one minute."""
    of = Counter(rows)
    if name == "group":
        return Counter((time, n, count) for (time, n), count in of.items())
    if name == "over":
        return Counter((time, n, c + 1) for (time, n), count in of.items() for c in range(count))
    if name == "join":
        return Counter({(time, n, n): count * count for (time, n), count in of.items()})
    return Counter((time, n, count * (count + 1) // 2) for (time, n), count in of.items())


@pytest.mark.usefixtures("chosen_by_rowtime")
@pytest.mark.parametrize("name", QUERIES)
def test_a_small_micro_batch_is_one_task(rt: Session, name: str) -> None:
    """Between two large ones, which find the state that it leaves."""
    rt.sql("CREATE STREAM a (n INTEGER)")
    query = rt.submit(QUERIES[name])
    producer = rt.producer("a")
    for hour, count in enumerate((FEW, MANY, FEW, FEW)):
        before = len(tasks(rt, query))
        rows = put(producer, count, hour)
        assert Counter(drain(query)) == expected(name, rows)
        jobs = tasks(rt, query)[before:]
        if count == FEW:
            assert jobs and all(job == [1] for job in jobs), jobs
        else:
            assert any(2 in job for job in jobs), jobs
