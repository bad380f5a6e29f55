"""Random joins of two streams of random rows that come in randomly, end to end through SQL: the rows of the model, in
order of ROWTIME, whatever the steps, bounds, late rows and restarts; on one partition each row at its earliest step.
Over the histories of the streams the rows are the same."""

from __future__ import annotations

import random
from collections import Counter
from dataclasses import replace

import pytest

from rowtime.runtime.execute import Start
from rowtime.script.runner import ScriptRunner
from rowtime.session import Session
from rowtime.splitter import split

from . import cases, earliest, model
from .arrivals import Arrivals, LateRows, bounds, millis

CASES = {"number": (12, 600)}
UNITS = {"SECOND": 1_000, "MINUTE": 60_000}


@pytest.mark.usefixtures("interpreted")
def test_equals_nested_loops(number: int, session: Session) -> None:
    chance = random.Random(f"joins {number}")
    late = {f"J{number}{x}": chance.random() < 0.25 for x in "AB"}
    streams = {name: cases.data(chance, 40, late[name]) for name in late}
    a, b = streams
    join = cases.join(chance)
    sql = join.sql(a, b)
    script = "".join(cases.declared(name, late[name]) for name in streams)
    alone = number % 2 == 1
    script += f"{sql.replace('SELECT STREAM', 'SELECT STREAM /*+ PARTITIONS(1) */', 1) if alone else sql};\n"
    # A table wants no order: there the rows of a task tell as well how far the streams have come.
    pumped = number % 3 == 0
    if pumped:
        unordered = sql.replace(f"{join.by}.rowtime, ", "") if join.by else sql
        script += f"CREATE TABLE T{number} (an INTEGER, bn INTEGER);\n"
        script += f"CREATE PUMP P{number} STARTED AS INSERT INTO T{number} {unordered};\n"
    recorder = LateRows()
    runner = ScriptRunner(session, recorder, Start())
    arrivals = Arrivals(late)
    try:
        runner.run(split(script))
        for step in cases.steps(chance, streams):
            script += step.line
            runner.run(split(step.line))
            arrivals.take(step)
            reached = bounds(session, [a, b])
            assert reached == [arrivals.bound(a), arrivals.bound(b)], script
            if alone:
                due = earliest.due(join, arrivals.entered[a], arrivals.entered[b], (reached[0], reached[1]))
                missing = Counter(row[1:] for row in due) - Counter(row[-2:] for row in recorder.found)
                assert not missing, (missing, script)
        streamed = [row[-2:] for row in recorder.take()]
        wanted = model.expected(join, arrivals.entered[a], arrivals.entered[b])
        assert not recorder.errors, (recorder.errors, script)
        assert recorder.late == arrivals.late, script
        assert Counter(streamed) == Counter(row[1:] for row in wanted), script
        times = {row[1:]: row[0] for row in wanted}
        assert [times[row] for row in streamed] == [row[0] for row in wanted], script
        if pumped:
            runner.run(split(f"SELECT an, bn FROM T{number};\n"))
            assert Counter(recorder.take()) == Counter(streamed), script
        # Over the histories of the streams.
        at = "ROWTIME AS base_time, " if join.windows is not None else ""
        runner.run(split(sql.replace("SELECT STREAM ", f"SELECT {at}", 1) + ";\n"))
        assert not recorder.errors, (recorder.errors, script)
        found = recorder.take()
        assert Counter(row[-2:] for row in found) == Counter(streamed), script
        if at:
            assert Counter((millis(row[0]), *row[1:]) for row in found) == Counter(wanted), script
    finally:
        if pumped:
            runner.run(split(f"ALTER PUMP P{number} STOP;\n"))
        runner.close()


@pytest.mark.usefixtures("interpreted")
def test_inputs_that_are_grouped(number: int, session: Session) -> None:
    """The same with rows whose times are rounded down by a GROUP BY below the join, of one input or of both."""
    chance = random.Random(f"grouped {number}")
    late = {f"G{number}{x}": chance.random() < 0.25 for x in "AB"}
    streams = {name: cases.data(chance, 40, late[name]) for name in late}
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
        for step in cases.steps(chance, streams):
            script += step.line
            runner.run(split(step.line))
            arrivals.take(step)
        streamed = [row[-2:] for row in recorder.take()]
        lefts, rights = (
            [replace(row, time=row.time - row.time % UNITS[unit]) for row in arrivals.entered[name]]
            if name in rounded
            else arrivals.entered[name]
            for name in streams
        )
        wanted = model.expected(join, lefts, rights)
        assert not recorder.errors, (recorder.errors, script)
        assert Counter(streamed) == Counter(row[1:] for row in wanted), script
        times = {row[1:]: row[0] for row in wanted}
        assert [times[row] for row in streamed] == [row[0] for row in wanted], script
    finally:
        runner.close()
