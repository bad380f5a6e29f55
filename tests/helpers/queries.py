"""Helpers for sessions, their queries and their catalogs."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Any

from rowtime.catalog.changes import Entry
from rowtime.runtime.query.query import Query
from rowtime.session import Session


def start_query(rt: Session, sql: str) -> Query:
    """Returns the streaming query that the statement starts."""
    query = rt.sql(sql)
    assert isinstance(query, Query)
    return query


def drain(query: object) -> list[tuple[Any, ...]]:
    """Returns the rows of a query, once it has processed everything."""
    assert isinstance(query, Query)
    query.process_all_available()
    return [tuple(row) for row in query.rows()]


def drained_by_minute(query: Query) -> list[tuple[Any, ...]]:
    """Returns the same rows, with the time of day as HH:MM in the first column."""
    return [(row[0].strftime("%H:%M"), *row[1:]) for row in drain(query)]


def entry_of(rt: Session, name: str) -> Entry:
    """Returns the object of that name in the catalog."""
    entry = rt.store.get(name)
    assert entry is not None
    return entry


def eventually(what: Callable[[], bool], seconds: float = 180.0) -> None:
    """Waits until `what` returns true."""
    deadline = time.monotonic() + seconds
    while not what():
        assert time.monotonic() < deadline
        time.sleep(0.1)
