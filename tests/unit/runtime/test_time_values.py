"""TIME in a session of Spark that has the type switched off, as every session of a user has."""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterator
from pathlib import Path

import pytest

from rowtime.session import Session

TIMES = [
    ("SELECT MAX(t) AS m FROM a", [(dt.time(11),)]),
    ("SELECT n, MIN(t) AS m FROM a GROUP BY n", [(1, dt.time(10)), (2, dt.time(11))]),
    ("SELECT t, COUNT(*) AS c FROM a GROUP BY t", [(dt.time(10), 1), (dt.time(11), 1)]),
    ("SELECT DISTINCT t FROM a", [(dt.time(10),), (dt.time(11),)]),
    ("SELECT a.n FROM a JOIN (SELECT MAX(t) AS m FROM a) AS b ON a.t = b.m", [(2,)]),
]


@pytest.mark.parametrize(("sql", "expected"), TIMES)
def test_times_of_relations(rt: Session, sql: str, expected: list[tuple[object, ...]]) -> None:
    # Other tests of the session may have switched it on, by a DataFrame.
    rt.spark.conf.set("spark.sql.timeType.enabled", "false")
    rt.sql("CREATE TABLE a (t TIME, n INTEGER)")
    rt.sql("INSERT INTO a VALUES (TIME '10:00:00', 1), (TIME '11:00:00', 2)")
    relation = rt.sql(sql)
    assert sorted(relation.tuples()) == expected


def test_times_of_a_relation_that_a_stream_is_joined_with(rt: Session) -> None:
    rt.sql("CREATE TABLE a (t TIME, n INTEGER)")
    rt.sql("INSERT INTO a VALUES (TIME '10:00:00', 1), (TIME '11:00:00', 1)")
    rt.sql("CREATE STREAM s (n INTEGER)")
    query = rt.submit("SELECT STREAM s.n, b.m FROM s JOIN (SELECT n, MAX(t) AS m FROM a GROUP BY n) AS b ON b.n = s.n")
    rt.sql("INSERT INTO s VALUES (1)")
    query.process_all_available()
    assert [tuple(row) for row in query.rows()] == [(1, dt.time(11))]


@pytest.fixture
def restored(rt: Session) -> Iterator[Session]:
    """A session of rowtime; what it sets in that of Spark ends with the test."""
    yield rt
    rt.spark.conf.unset("spark.sql.timeType.enabled")


def test_times_of_dataframes(restored: Session, tmp_path: Path) -> None:
    rt = restored
    rt.sql("CREATE STREAM s (n INTEGER, t TIME) OPTIONS (history 'all')")
    rt.sql("INSERT INTO s VALUES (TIMESTAMP '2024-05-01 10:00:00', 1, TIME '10:00:00')")
    assert [tuple(row) for row in rt.table("SELECT COUNT(*) AS c FROM s").collect()] == [(1,)]
    assert [tuple(row) for row in rt.table("SELECT n, ARRAY[t] AS ts FROM s").collect()] == [(1, [dt.time(10)])]
    found: list[tuple[object, ...]] = []
    started = (
        rt.table("SELECT STREAM t FROM s")
        .writeStream.foreachBatch(lambda df, _: found.extend(tuple(row) for row in df.collect()))
        .option("checkpointLocation", str(tmp_path / "checkpoint"))
        .start()
    )
    try:
        rt.sql("INSERT INTO s VALUES (TIMESTAMP '2024-05-01 11:00:00', 2, TIME '11:00:00')")
        started.processAllAvailable()
    finally:
        started.stop()
    assert found == [(dt.time(11),)]


def test_dataframes_without_times_leave_the_type_switched_off(rt: Session) -> None:
    rt.spark.conf.set("spark.sql.timeType.enabled", "false")
    rt.sql("CREATE TABLE b (n INTEGER, ts TIMESTAMP)")
    assert rt.table("SELECT n, ts, 'TIME(3)' AS s FROM b").collect() == []
    assert rt.spark.conf.get("spark.sql.timeType.enabled") == "false"
