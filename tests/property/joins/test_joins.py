"""Random joins of two streams of random rows that come in randomly, end to end through SQL: the rows of the model, with
their ROWTIMEs, in that order, whatever the steps, bounds (or none at all), late rows and restarts; on one partition
each row at its earliest step. Over the histories of the streams the rows are the same."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import pytest

from rowtime.script.runner import ScriptRunner
from rowtime.session import Session
from rowtime.splitter import split
from rowtime.streams.start import Start

from . import cases, earliest, model
from .arrivals import Arrivals, LateRows, bounds, feed, millis
from .cases import LAST, Join

CASES = {"number": (12, 600)}
UNITS = {"SECOND": 1_000, "MINUTE": 60_000}


def rows_of(join: Join, found: Sequence[tuple[Any, ...]]) -> list[tuple[Any, ...]]:
    """Returns rows in the model's form, without those that only end a stream, and without a time if the query has
    none."""
    kept = [row for row in found if LAST not in row[-2:]]
    if not join.ordered:
        return [row[-2:] for row in kept]
    return [(row[0] if isinstance(row[0], int) else millis(row[0]), *row[1:]) for row in kept]


@pytest.mark.usefixtures("interpreted")
def test_equals_nested_loops(number: int, session: Session) -> None:
    chance = random.Random(f"joins {number}")
    join = cases.join(chance)
    # A join of a stream with itself is one of the two.
    names = [f"J{number}A", f"J{number}B"][: 1 if chance.random() < 0.2 else 2]
    a, b = names[0], names[-1]
    late = {name: chance.random() < 0.25 for name in names}
    streams = {name: cases.data(chance, 40, late[name]) for name in names}
    # Of ROWS, the row at the end would take the place of others.
    bounded = join.by_rows or chance.random() < 0.7
    sql = join.sql(a, b)
    script = "".join(cases.declared(name, late[name]) for name in names)
    alone = number % 2 == 1
    script += f"{sql.replace('SELECT STREAM', 'SELECT STREAM /*+ PARTITIONS(1) */', 1) if alone else sql};\n"
    # A table wants no order: there the rows of a task tell as well how far the streams have come.
    pumped = number % 3 == 0
    if pumped:
        script += f"CREATE TABLE T{number} (an INTEGER, bn INTEGER);\n"
        script += f"CREATE PUMP P{number} STARTED AS INSERT INTO T{number} {join.sql(a, b, timed=False)};\n"
    recorder = LateRows()
    runner = ScriptRunner(session, recorder, Start())
    arrivals = Arrivals(late)
    try:
        runner.run(split(script))
        for step in cases.steps(chance, streams, bounded):
            script += step.line
            runner.run(split(step.line))
            arrivals.take(step)
            reached = bounds(session, [a, b])
            assert reached == [arrivals.bound(a), arrivals.bound(b)], script
            if alone and not (join.filters and join.windows):
                due = earliest.due(join, arrivals.entered[a], arrivals.entered[b], (reached[0], reached[1]))
                missing = Counter(rows_of(join, model.shown(due))) - Counter(rows_of(join, recorder.found))
                assert not missing, (missing, script)
        streamed = rows_of(join, recorder.take())
        wanted = rows_of(join, model.shown(model.expected(join, arrivals.entered[a], arrivals.entered[b])))
        assert not recorder.errors, (recorder.errors, script)
        assert recorder.late == arrivals.late, script
        assert Counter(streamed) == Counter(wanted), script
        if join.ordered:
            assert [row[0] for row in streamed] == [row[0] for row in wanted], script
        if pumped:
            runner.run(split(f"SELECT an, bn FROM T{number};\n"))
            pairs = [row for row in recorder.take() if LAST not in row]
            assert Counter(pairs) == Counter(row[-2:] for row in streamed), script
        # Over the histories of the streams; there conditions give a join no ROWTIME of its own.
        timed = join.windows is not None or bool(join.by)
        runner.run(split(join.sql(a, b, timed).replace("SELECT STREAM ", "SELECT ", 1) + ";\n"))
        assert not recorder.errors, (recorder.errors, script)
        found = rows_of(join, recorder.take()) if timed else [row for row in recorder.take() if LAST not in row]
        assert Counter(found) == Counter(row if timed else row[-2:] for row in wanted), script
    finally:
        if pumped:
            runner.run(split(f"ALTER PUMP P{number} STOP;\n"))
        runner.close()


@pytest.mark.usefixtures("interpreted")
def test_inputs_that_are_grouped(number: int, session: Session) -> None:
    """The same with times that a GROUP BY below the join rounds down, in one input or both."""
    chance = random.Random(f"grouped {number}")
    late = {f"G{number}{x}": chance.random() < 0.25 for x in "AB"}
    streams = {name: cases.data(chance, 40, late[name], twins=False) for name in late}
    join = cases.join(chance)
    while join.windows is not None or join.within:
        join = cases.join(chance)
    unit = chance.choice(sorted(UNITS))
    rounded = set(chance.choice([late.keys(), [min(late)], [max(late)]]))
    sql = join.sql(*(cases.grouped(name, unit) if name in rounded else name for name in streams))
    script = "".join(cases.declared(name, late[name]) for name in streams) + f"{sql};\n"
    recorder = LateRows()
    runner = ScriptRunner(session, recorder, Start())
    arrivals = Arrivals(late)
    try:
        runner.run(split(script))
        if recorder.errors and all("cannot be compared" in error for error in recorder.errors):
            pytest.skip("bounds that cannot be compared")
        script += feed(runner, arrivals, cases.steps(chance, streams))
        streamed = rows_of(join, recorder.take())
        lefts, rights = (
            [replace(row, time=row.time - row.time % UNITS[unit]) for row in arrivals.entered[name]]
            if name in rounded
            else arrivals.entered[name]
            for name in streams
        )
        wanted = rows_of(join, model.shown(model.expected(join, lefts, rights)))
        assert not recorder.errors, (recorder.errors, script)
        assert Counter(streamed) == Counter(wanted), script
        assert [row[0] for row in streamed] == [row[0] for row in wanted], script
    finally:
        runner.close()
