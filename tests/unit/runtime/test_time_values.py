"""TIME in a session of Spark that has the type switched off, as every session of a user has."""

from __future__ import annotations

import datetime as dt

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
    assert rt.spark.conf.get("spark.sql.timeType.enabled") == "false"
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
