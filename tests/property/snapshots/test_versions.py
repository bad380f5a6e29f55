"""SNAPSHOT of tables that change, by the times of their commits, against a model of versions."""

from __future__ import annotations

import random
import time
from collections import Counter
from datetime import UTC, datetime

from rowtime.session import Session

CASES = {"number": (2, 30)}
Rows = list[tuple[int, int]]


def now() -> datetime:
    """Returns a time between two commits, which have milliseconds."""
    time.sleep(0.003)
    found = datetime.now(UTC).replace(tzinfo=None)
    time.sleep(0.003)
    return found


def text(moment: datetime) -> str:
    return f"TIMESTAMP '{moment.isoformat(sep=' ', timespec='milliseconds')}'"


def changed(chance: random.Random, session: Session, table: str, rows: Rows, only_inserts: bool) -> Rows:
    """Runs a random statement; returns the rows after it."""
    k, n = chance.randrange(4), chance.randrange(100)
    kind = "insert" if only_inserts else chance.choice(["insert", "insert", "update", "delete"])
    if kind == "insert":
        session.sql(f"INSERT INTO {table} (k, n) VALUES ({k}, {n}), ({k}, {n})")
        return [*rows, (k, n), (k, n)]
    if kind == "update":
        session.sql(f"UPDATE {table} SET n = n + {n} WHERE k = {k}")
        return [(a, b + n if a == k else b) for a, b in rows]
    session.sql(f"DELETE FROM {table} WHERE k = {k}")
    return [row for row in rows if row[0] != k]


def test_equals_a_model_of_versions(number: int, session: Session) -> None:
    chance = random.Random(f"versions {number}")
    only_inserts = number % 2 == 1
    table = f"V{number}"
    order = " MONOTONIC" if only_inserts else ""
    session.sql(f"CREATE TABLE {table} (k INTEGER, n INTEGER, m INTEGER{order})")
    versions: list[tuple[datetime, Rows]] = [(now(), [])]
    for _ in range(8):
        versions.append((versions[-1][0], changed(chance, session, table, versions[-1][1], only_inserts)))
        versions[-1] = (now(), versions[-1][1])
    for moment, rows in versions:
        found = session.sql(f"SELECT k, n FROM SNAPSHOT({table}, {text(moment)})").tuples()
        assert Counter(found) == Counter(rows), moment
    for _ in range(4):
        (begin, before), (end, after) = sorted(chance.sample(versions, 2))
        sql = f"SELECT k, n FROM SNAPSHOT(input => {table}, from_time => {text(begin)}, to_time => {text(end)})"
        assert Counter(session.sql(sql).tuples()) == Counter(after) - Counter(before)
    found = session.sql(f"SELECT k, n FROM SNAPSHOT({table})").tuples()
    assert Counter(found) == Counter(versions[-1][1])
