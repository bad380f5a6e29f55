"""Streams for the tests of what runs, and how tests ask a session."""

from __future__ import annotations

import datetime as dt
from typing import Any

import pytest

from rowtime.runtime.query.query import Query
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


def status(rt: Session, name: str) -> Any:
    return next(s for s in rt.pumps if s.name == name)
