"""What a query tells of itself on a real Spark session."""

from __future__ import annotations

from rowtime.runtime.query.query import Query
from rowtime.session import Session

from .conftest import at, settle


def test_progress(streams: Session) -> None:
    """Returns the late rows by source, and the source that the query waits for."""
    rt = streams
    query = rt.sql("SELECT STREAM * FROM a UNION ALL SELECT STREAM * FROM b")
    assert isinstance(query, Query)
    a, b = rt.producer("A"), rt.producer("B")
    a.insert([(at(10), 1), (at(9), 2), (at(8), 3)])
    settle(rt, query)
    assert (query.progress.late, query.progress.waits_for) == ({"A": 2, "B": 0}, "B")
    b.insert([(at(11), 4)])
    settle(rt, query)
    found = query.progress
    assert (found.waits_for, found.rows_out, found.rowtime) == ("A", 1, "2006-09-11T10:00:00.000")
    assert query.rowtime_bound == at(10)


def test_late_rows_of_a_view(streams: Session) -> None:
    rt = streams
    rt.sql("CREATE STREAM s (ts TIMESTAMP(3) NOT NULL, n INTEGER)")
    rt.sql("CREATE VIEW v AS SELECT STREAM ts, n FROM s")
    rt.sql("LATENESS v.ts INTERVAL '1' HOUR")
    query = rt.sql("SELECT STREAM n FROM v")
    assert isinstance(query, Query)
    for hour in (10, 12, 9, 11):
        rt.sql(f"INSERT INTO s (ts, n) VALUES (TIMESTAMP '2006-09-11 {hour:02}:00:00', {hour})")
        settle(rt, query)
    assert [tuple(row) for row in query.rows()] == [(10,), (12,), (11,)]
    (name,) = (key for key in query.progress.late if key.startswith("LATENESS"))
    assert (query.progress.late[name], query.progress.late_rows, query.progress.late["S"]) == (1, 1, 0)
