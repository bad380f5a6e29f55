"""Streams for the tests of what runs, and how tests ask a session."""

from __future__ import annotations

import datetime as dt
import time
from collections.abc import Callable
from typing import Any

import pytest

from rowtime.runtime.query import Query
from rowtime.runtime.relation import Relation
from rowtime.session import Session

DAY = dt.datetime(2006, 9, 11)
ALL = "OPTIONS (history 'all')"


@pytest.fixture
def streams(rt: Session) -> Session:
    for name in ("A", "B", "C", "D"):
        rt.sql(f"CREATE STREAM {name} (n INTEGER) {ALL}")
    return rt


def at(hour: int, minute: int = 0, second: int = 0) -> dt.datetime:
    return DAY.replace(hour=hour, minute=minute, second=second)


def rows(rt: Session, sql: str) -> list[tuple[Any, ...]]:
    found = rt.sql(sql)
    assert isinstance(found, Relation)
    return found.tuples()


def settle(rt: Session, *queries: Query) -> None:
    rt.runtime.settle(queries)


def eventually(what: Callable[[], bool], seconds: float = 120.0) -> None:
    deadline = time.monotonic() + seconds
    while not what():
        assert time.monotonic() < deadline
        time.sleep(0.1)


def status(rt: Session, name: str) -> Any:
    return next(s for s in rt.pumps if s.name == name)


def drained(query: object) -> list[tuple[Any, ...]]:
    """What has come out of a query by now."""
    assert isinstance(query, Query)
    query.process_all_available()
    return [tuple(row) for row in query.rows()]
