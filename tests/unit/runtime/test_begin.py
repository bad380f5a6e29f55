"""A query on streams that have no rows and no bound yet: it has nothing to read before the first row."""

from __future__ import annotations

import datetime as dt

import pytest

from rowtime.runtime.query.query import Query
from rowtime.runtime.sinks import MemorySink
from rowtime.session import Session
from rowtime.streams.start import Start

JOIN = "SELECT STREAM u, v FROM a JOIN b USING (rowtime, k)"


@pytest.fixture
def streams(rt: Session) -> Session:
    rt.sql("CREATE STREAM a (k INTEGER, u INTEGER) OPTIONS (history 'all')")
    rt.sql("CREATE STREAM b (k INTEGER, v INTEGER) OPTIONS (history 'all')")
    return rt


def _batches(query: Query) -> list[int]:
    """Returns the micro-batches that have begun."""
    return sorted(int(path.name) for path in (query.checkpoint / "spark" / "offsets").glob("[0-9]*"))


def _insert(rt: Session, stream: str, minute: int, value: int) -> None:
    rt.sql(f"INSERT INTO {stream} VALUES (TIMESTAMP '2015-02-15 10:{minute:02}:00', {value}, {value})")


@pytest.mark.parametrize("start", [Start(), Start(earliest=True)])
def test_the_first_micro_batch_has_rows(streams: Session, start: Start) -> None:
    query = streams.submit("SELECT STREAM k FROM a", MemorySink(), start=start)
    query.process_all_available()
    assert _batches(query) == []
    _insert(streams, "a", 0, 1)
    query.process_all_available()
    assert [tuple(row) for row in query.rows()] == [(1,)]
    assert _batches(query)[0] == 0
    query.stop()


def test_the_bound_of_earlier_rows_is_read_at_once(streams: Session) -> None:
    _insert(streams, "a", 0, 1)
    query = streams.sql("SELECT STREAM k FROM a")
    assert isinstance(query, Query)
    query.process_all_available()
    assert query.rowtime_bound == dt.datetime(2015, 2, 15, 10)
    assert query.rows() == []
    query.stop()


def test_a_restart_before_the_first_row(streams: Session) -> None:
    query = streams.sql(JOIN)
    assert isinstance(query, Query)
    query.process_all_available()
    query.kill()
    _insert(streams, "a", 0, 1)
    query.restart()
    query.process_all_available()
    # Spark's checkpoint has no offset of B now.
    query.kill()
    _insert(streams, "b", 0, 1)
    _insert(streams, "b", 1, 2)
    query.restart()
    _insert(streams, "a", 1, 2)
    _insert(streams, "a", 2, 3)
    _insert(streams, "b", 2, 3)
    query.process_all_available()
    assert sorted(tuple(row) for row in query.rows())[:2] == [(1, 1), (2, 2)]
    query.stop()
