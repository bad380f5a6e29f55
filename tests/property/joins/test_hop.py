"""Random joins of the HOP windows of two streams, end to end through SQL: a pair comes once for each window that has
both of its rows, and a row without a match once for each of its windows that has none; whatever the steps, bounds (or
none at all), late rows and restarts. Over the histories of the streams the rows are the same."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterator, Sequence
from typing import Any

import pytest

from rowtime.script.runner import ScriptRunner
from rowtime.session import Session
from rowtime.splitter import split
from rowtime.streams.start import Start

from . import cases
from .arrivals import Arrivals, LateRows, feed, millis
from .cases import ANTI, LAST, SEMI, Row

CASES = {"number": (4, 300)}
KINDS = ("INNER", "LEFT", "RIGHT", "FULL", "EXISTS", "NOT EXISTS")
SLIDES = (2, 5, 20)
"""Seconds from one window to the next; a window is one to four times as long."""
Found = tuple[int | None, int | None, int]
"""`n` of the left row, `n` of the right row, and the start of their window in milliseconds."""


def windows(rows: Sequence[Row], slide: int, size: int) -> Iterator[tuple[int, Row]]:
    """Yields each row with the start of each of its windows."""
    for row in rows:
        start = row.time - row.time % slide
        while start > row.time - size:
            yield start, row
            start -= slide


def nested_loops(
    kind: str, lefts: Sequence[tuple[int, Row]], rights: Sequence[tuple[int, Row]]
) -> list[tuple[int | None, Found]]:
    """Returns the rows; a pair with its ROWTIME, which is the later of its rows'."""
    pairs = [(a, b) for a in lefts for b in rights if a[0] == b[0] and a[1].k is not None and a[1].k == b[1].k]
    with_left, with_right = {id(a) for a, _ in pairs}, {id(b) for _, b in pairs}
    if kind in (*SEMI, *ANTI):
        return [(a[1].time, (a[1].n, None, a[0])) for a in lefts if (id(a) in with_left) == (kind in SEMI)]
    found: list[tuple[int | None, Found]] = [(max(a[1].time, b[1].time), (a[1].n, b[1].n, a[0])) for a, b in pairs]
    if kind in ("LEFT", "FULL"):
        found += [(None, (a[1].n, None, a[0])) for a in lefts if id(a) not in with_left]
    if kind in ("RIGHT", "FULL"):
        found += [(None, (None, b[1].n, b[0])) for b in rights if id(b) not in with_right]
    return found


def query(kind: str, names: Sequence[str], slide: int, size: int) -> str:
    a, b = (
        f"HOP(TABLE {name}, DESCRIPTOR(rowtime), {cases.interval(slide)}, {cases.interval(size)}) AS {x}"
        for name, x in zip(names, "ab", strict=True)
    )
    on = "a.k = b.k AND a.window_start = b.window_start AND a.window_end = b.window_end"
    if kind in (*SEMI, *ANTI):
        asked = f"{kind} (SELECT * FROM {b} WHERE {on})"
        columns = "a.rowtime, a.n AS an, CAST(NULL AS INTEGER) AS bn, a.window_start AS w"
        return f"SELECT STREAM {columns} FROM {a} WHERE {asked}"
    columns = "ROWTIME, a.n AS an, b.n AS bn, COALESCE(a.window_start, b.window_start) AS w"
    return f"SELECT STREAM {columns} FROM {a} {kind} JOIN {b} ON {on}"


@pytest.mark.usefixtures("interpreted")
def test_equals_nested_loops(number: int, session: Session) -> None:
    chance = random.Random(f"hop {number}")
    kind, slide = chance.choice(KINDS), chance.choice(SLIDES)
    size = slide * chance.randint(1, 4)
    names = [f"H{number}A", f"H{number}B"]
    late = {name: chance.random() < 0.25 for name in names}
    streams = {name: cases.data(chance, 30, late[name]) for name in names}
    sql = query(kind, names, slide, size)
    script = "".join(cases.declared(name, late[name]) for name in names) + f"{sql};\n"
    recorder = LateRows()
    runner = ScriptRunner(session, recorder, Start())
    arrivals = Arrivals(late)
    try:
        runner.run(split(script))
        script += feed(runner, arrivals, cases.steps(chance, streams, bounded=chance.random() < 0.7))
        streamed = recorder.take()
        lefts, rights = (list(windows(arrivals.entered[name], slide * 1000, size * 1000)) for name in names)
        wanted = [(time, row) for time, row in nested_loops(kind, lefts, rights) if LAST not in row]
        assert not recorder.errors, (recorder.errors, script)
        assert recorder.late == arrivals.late, script
        found = [(millis(row[0]), shown(row[1:])) for row in streamed if LAST not in row[1:3]]
        assert Counter(row for _, row in found) == Counter(row for _, row in wanted), script
        assert [time for time, _ in found] == sorted(time for time, _ in found), script
        timed = {row for time, row in wanted if time is not None}
        assert Counter(row for row in found if row[1] in timed) == Counter(row for row in wanted if row[1] in timed), (
            script
        )
        relation = sql.replace("SELECT STREAM ROWTIME, ", "SELECT ", 1).replace(
            "SELECT STREAM a.rowtime, ", "SELECT ", 1
        )
        runner.run(split(f"{relation};\n"))
        assert not recorder.errors, (recorder.errors, script)
        table = Counter(shown(row) for row in recorder.take() if LAST not in row[:2])
        assert table == Counter(row for _, row in wanted), script
    finally:
        runner.close()


def shown(row: tuple[Any, ...]) -> Found:
    return row[0], row[1], millis(row[2])
