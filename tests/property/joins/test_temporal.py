"""Random joins of a stream with the versions of another one, end to end through SQL: the rows of a model of versions,
in order of ROWTIME, whatever the steps, bounds and restarts; and the same of the query over the streams' histories."""

from __future__ import annotations

import dataclasses
import random
from collections import Counter

import pytest
from recorded import Recorder

from rowtime.runtime.execute import Start
from rowtime.script.runner import ScriptRunner
from rowtime.session import Session
from rowtime.splitter import split

from . import cases, temporal_cases

CASES = {"number": (6, 300)}


@pytest.mark.usefixtures("interpreted")
def test_equals_versions(number: int, session: Session) -> None:
    chance = random.Random(f"temporal {number}")
    join = temporal_cases.temporal(chance)
    late = [chance.random() < 0.25 for _ in range(2)]
    a, b = f"V{number}A", f"V{number}B"
    lefts = cases.data(chance, 40, late[0])
    rights = [temporal_cases.Version(row.n, row.time, row.k) for row in cases.data(chance, 40, late[1])]
    # Over relations, versions of one time follow one another in any order.
    unique = chance.random() < 0.6
    if unique:
        rights = [dataclasses.replace(row, time=row.time + (0 if late[1] else row.n)) for row in rights]
        unique = len({(join.identity(row), row.time) for row in rights}) == len(rights)
    # Versions that are there before the query begins are read as well.
    known = 0 if join.by == "ASOF" else chance.choice([0, 1, 15])
    sql = join.sql(a, b)
    script = cases.declared(a, late[0]) + join.versions(b, late[1])
    if known:
        script += f"INSERT INTO {b} VALUES {', '.join(row.sql() for row in rights[:known])};\n"
    script += f"{sql};\n"
    recorder = Recorder()
    runner = ScriptRunner(session, recorder, Start())
    try:
        runner.run(split(script))
        for step in cases.steps(chance, {a: lefts, b: rights[known:]}, any(late)):
            script += step.line
            runner.run(split(step.line))
        streamed = recorder.take()
        assert not recorder.errors, (recorder.errors, script)
        wanted = join.expected(lefts, rights)
        assert Counter(row[-2:] for row in streamed) == Counter(row[1:] for row in wanted), script
        assert [row[0] for row in streamed] == sorted(row[0] for row in streamed), script
        if unique:
            runner.run(split(sql.replace("SELECT STREAM", "SELECT", 1) + ";\n"))
            assert not recorder.errors, (recorder.errors, script)
            assert Counter(recorder.take()) == Counter(streamed), script
    finally:
        runner.close()
