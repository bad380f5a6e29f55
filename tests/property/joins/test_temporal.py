"""Random joins of a stream with the versions of another one, end to end through SQL: the rows of a model of
versions, with their ROWTIMEs, in that order, whatever the steps, bounds, late rows and restarts; on one partition each
row at its earliest step. The same query over the streams' histories gives the same rows."""

from __future__ import annotations

import dataclasses
import random
from collections import Counter
from collections.abc import Sequence
from typing import Any

import pytest

from rowtime.script.runner import ScriptRunner
from rowtime.session import Session
from rowtime.splitter import split
from rowtime.streams.start import Start

from . import cases, temporal_cases
from .arrivals import Arrivals, LateRows, bounds, millis
from .temporal_cases import Found, Version

CASES = {"number": (6, 300)}


def timed(found: Sequence[tuple[Any, ...]]) -> list[Found]:
    """Returns rows in the model's form."""
    return [(millis(row[0]), *row[1:]) for row in found]


@pytest.mark.usefixtures("interpreted")
def test_equals_versions(number: int, session: Session) -> None:
    chance = random.Random(f"temporal {number}")
    # The first cases have one of each, and of the next row with one partition and with several.
    by = ["KEY", "NEXT", "NEXT", "ASOF", "ROW"][number] if number < 5 else chance.choice(["KEY", "ROW", "ASOF", "NEXT"])
    join = temporal_cases.temporal(chance, by)
    a, b = f"V{number}A", f"V{number}B"
    late = {name: chance.random() < 0.25 for name in (a, b)}
    lefts = cases.data(chance, 40, late[a])
    # Over relations, versions of one time follow one another in any order.
    unique = chance.random() < 0.6
    rights = [Version(row.place, row.n, row.time, row.k) for row in cases.data(chance, 40, late[b], twins=not unique)]
    if unique:
        rights = [dataclasses.replace(row, time=row.time + (0 if late[b] else row.n)) for row in rights]
        unique = len({(join.identity(row), row.time) for row in rights}) == len(rights)
    # Versions that are there before the query begins are read as well.
    known = 0 if join.by in ("ASOF", "NEXT") else chance.choice([0, 1, 15])
    sql = join.sql(a, b)
    script = cases.declared(a, late[a]) + join.versions(b, late[b])
    first = cases.inserted(b, rights[:known])
    arrivals = Arrivals(late)
    if known:
        script += first.line
        arrivals.take(first)
    alone = number % 2 == 1
    script += f"{sql.replace('SELECT STREAM', 'SELECT STREAM /*+ PARTITIONS(1) */', 1) if alone else sql};\n"
    recorder = LateRows()
    runner = ScriptRunner(session, recorder, Start())
    try:
        runner.run(split(script))
        for step in cases.steps(chance, {a: lefts, b: rights[known:]}):
            script += step.line
            runner.run(split(step.line))
            arrivals.take(step)
            reached = bounds(session, [a, b])
            assert reached == [arrivals.bound(a), arrivals.bound(b)], script
            if alone:
                due = join.due(arrivals.entered[a], arrivals.entered[b], (reached[0], reached[1]))
                missing = Counter(due) - Counter(timed(recorder.found))
                assert not missing, (missing, script)
        streamed = timed(recorder.take())
        assert not recorder.errors, (recorder.errors, script)
        assert recorder.late == arrivals.late, script
        wanted = join.expected(arrivals.entered[a], arrivals.entered[b])
        assert Counter(streamed) == Counter(wanted), script
        assert [row[0] for row in streamed] == [row[0] for row in wanted], script
        if unique:
            runner.run(split(sql.replace("SELECT STREAM", "SELECT", 1) + ";\n"))
            assert not recorder.errors, (recorder.errors, script)
            assert Counter(timed(recorder.take())) == Counter(wanted), script
    finally:
        runner.close()
