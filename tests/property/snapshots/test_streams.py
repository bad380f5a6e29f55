"""SNAPSHOT of streams with history, by the ROWTIME of their rows, against a model: before, within and after it."""

from __future__ import annotations

import random
from collections import Counter
from datetime import datetime, timedelta

import pytest

from rowtime.errors import RowtimeError
from rowtime.session import Session

CASES = {"number": (4, 60)}
BEGIN = datetime(2024, 5, 1, 8)
Row = tuple[datetime, int, int]


def text(moment: datetime) -> str:
    return f"TIMESTAMP '{moment.isoformat(sep=' ', timespec='milliseconds')}'"


def snapshot(rows: list[Row], to_time: datetime, keyed: bool) -> Counter[Row]:
    """Returns the rows up to a time; with a key the latest of each key, and of rows of equal time the one that arrived
    last."""
    until = [row for row in rows if row[0] <= to_time]
    if not keyed:
        return Counter(until)
    latest: dict[int, Row] = {}
    for row in until:
        if row[1] not in latest or row[0] >= latest[row[1]][0]:
            latest[row[1]] = row
    return Counter(latest.values())


def filled(chance: random.Random, session: Session, stream: str, disorder: int) -> list[Row]:
    """Inserts rows into a stream in a few INSERTs, each at most `disorder` seconds before the latest so far; returns
    them."""
    rows: list[Row] = []
    clock = BEGIN
    for _ in range(5):
        several = []
        for _ in range(chance.randrange(1, 8)):
            clock += timedelta(seconds=chance.choice([0, 0, 1, 30, 90]))
            moment = max(BEGIN, clock - timedelta(seconds=chance.randint(0, disorder)))
            several.append((moment, chance.randrange(4), chance.randrange(100)))
        values = ", ".join(f"({text(moment)}, {k}, {n})" for moment, k, n in several)
        session.sql(f"INSERT INTO {stream} VALUES {values}")
        rows += several
    return rows


def test_equals_a_model(number: int, session: Session) -> None:
    chance = random.Random(f"streams {number}")
    keyed, disorder = number % 2 == 1, chance.choice([0, 20])
    stream = f"H{number}"
    lateness = "rowtime TIMESTAMP(3) NOT NULL LATENESS INTERVAL '20' SECOND, " if disorder else ""
    key = " PRIMARY KEY" if keyed else ""
    session.sql(f"CREATE STREAM {stream} ({lateness}k INTEGER{key}, n INTEGER) OPTIONS (history 'all')")
    rows = filled(chance, session, stream, disorder)
    last = max(row[0] for row in rows)
    moments = [BEGIN - timedelta(days=1), *(row[0] for row in chance.sample(rows, 3)), last, last + timedelta(days=1)]
    moments.append(chance.choice(rows)[0] - timedelta(milliseconds=1))
    for moment in moments:
        found = session.sql(f"SELECT * FROM SNAPSHOT({stream}, {text(moment)})").tuples()
        assert Counter(found) == snapshot(rows, moment, keyed), moment
    for _ in range(4):
        begin, end = sorted(chance.sample(moments, 2))
        sql = f"SELECT * FROM SNAPSHOT(input => {stream}, from_time => {text(begin)}, to_time => {text(end)})"
        assert Counter(session.sql(sql).tuples()) == snapshot(rows, end, keyed) - snapshot(rows, begin, keyed)
    assert Counter(session.sql(f"SELECT * FROM SNAPSHOT({stream})").tuples()) == snapshot(rows, last, keyed)


def test_history_that_ends(number: int, session: Session) -> None:
    chance = random.Random(f"ends {number}")
    stream = f"E{number}"
    session.sql(f"CREATE STREAM {stream} (k INTEGER, n INTEGER) OPTIONS (history '3 MINUTES')")
    rows = filled(chance, session, stream, 0)
    last = max(row[0] for row in rows)
    begin = last - timedelta(minutes=3)
    for from_time in (begin, begin + timedelta(seconds=chance.randint(1, 180))):
        sql = f"SELECT * FROM SNAPSHOT(input => {stream}, from_time => {text(from_time)})"
        assert Counter(session.sql(sql).tuples()) == snapshot(rows, last, False) - snapshot(rows, from_time, False)
    if min(row[0] for row in rows) < begin:
        for arguments in (
            f"{stream}, {text(last)}",
            f"input => {stream}, from_time => {text(begin - timedelta(seconds=1))}",
        ):
            with pytest.raises(RowtimeError) as fault:
                session.sql(f"SELECT * FROM SNAPSHOT({arguments})").tuples()
            assert fault.value.code == "RT0520"
