"""What tests ask of a session, its queries and its catalog."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Any

from rowtime.catalog.changes import Entry
from rowtime.runtime.query import Query
from rowtime.session import Session


def started(rt: Session, sql: str) -> Query:
    """The streaming query that the statement starts."""
    query = rt.sql(sql)
    assert isinstance(query, Query)
    return query


def drained(query: object) -> list[tuple[Any, ...]]:
    """What has come out of a query, once it has taken all that there is."""
    assert isinstance(query, Query)
    query.process_all_available()
    return [tuple(row) for row in query.rows()]


def drained_by_minute(query: Query) -> list[tuple[Any, ...]]:
    """The same, with the time of the day as HH:MM in place of the first column."""
    return [(row[0].strftime("%H:%M"), *row[1:]) for row in drained(query)]


def entry_of(rt: Session, name: str) -> Entry:
    """The object of that name in the catalog."""
    entry = rt.store.get(name)
    assert entry is not None
    return entry


def eventually(what: Callable[[], bool], seconds: float = 180.0) -> None:
    """Waits until something holds."""
    deadline = time.monotonic() + seconds
    while not what():
        assert time.monotonic() < deadline
        time.sleep(0.1)
