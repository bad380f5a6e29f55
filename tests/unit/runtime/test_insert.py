"""INSERT on a real Spark session: of a stream, and with columns left out."""

from __future__ import annotations

import datetime as dt

import pytest

from rowtime.errors import RowtimeError
from rowtime.runtime.query.query import Query
from rowtime.session import Session

from .conftest import ALL, at, rows, settle


def test_insert_of_a_stream_outside_a_pump(streams: Session) -> None:
    rt = streams
    query = rt.sql("INSERT INTO b SELECT STREAM * FROM a WHERE n > 5")
    assert isinstance(query, Query)
    source = rt.producer("A")
    source.insert([(at(10), 10), (at(11), 1)])
    settle(rt, query)
    assert (rows(rt, "SELECT n FROM b"), rt.rowtime_bound("B")) == ([(10,)], at(11))
    (attached,) = rt.log("B").state().producers.values()
    assert attached.timeout == 60_000
    query.kill()
    source.insert([(at(12), 12)])
    query.restart()
    settle(rt, query)
    assert (rows(rt, "SELECT n FROM b"), query.progress.rows_out) == ([(10,), (12,)], 2)
    assert query.progress.late == {"A": 0}
    query.stop()
    assert rt.log("B").state().producers == {}


def test_defaults(rt: Session) -> None:
    rt.sql("CREATE TABLE t (a INTEGER, b INTEGER DEFAULT 1 + 1, c VARCHAR(3) DEFAULT 'x', d DATE DEFAULT CURRENT_DATE)")
    rt.sql(f"CREATE STREAM s (n INTEGER, kind VARCHAR(10) DEFAULT 'new') {ALL}")
    rt.sql("INSERT INTO t (a) VALUES (1)")
    rt.sql("INSERT INTO t (a, d) VALUES (2, NULL)")
    rt.sql("INSERT INTO s (n) VALUES (1), (2)")
    rt.sql("INSERT INTO s (n) SELECT a + 10 FROM t")
    today = dt.datetime.now(dt.timezone.utc).date()
    assert rows(rt, "SELECT * FROM t ORDER BY a") == [(1, 2, "x", today), (2, 2, "x", None)]
    assert rows(rt, "SELECT n, kind FROM s ORDER BY n") == [(n, "new") for n in (1, 2, 11, 12)]


def test_rows_that_wait_for_their_partition_do_not_go_where_they_would_be_late(streams: Session) -> None:
    rt = streams
    ahead = "SELECT STREAM n, LEAD(n) OVER (PARTITION BY MOD(n, 2) ORDER BY rowtime) AS after FROM a"
    rt.sql("CREATE STREAM strict_ (n INTEGER, after INTEGER)")
    with pytest.raises(RowtimeError, match="into stream 'STRICT_'") as refused:
        rt.sql(f"INSERT INTO strict_ (n, after) {ahead}")
    assert "LATENESS" in str(refused.value)
    rt.sql("CREATE STREAM late (ROWTIME TIMESTAMP LATENESS INTERVAL '1' HOUR, n INTEGER, after INTEGER)")
    query = rt.sql(f"INSERT INTO late (n, after) {ahead}")
    assert isinstance(query, Query)
    query.stop()
