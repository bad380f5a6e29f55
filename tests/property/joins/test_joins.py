"""Random joins of two streams of random rows that come in randomly, end to end through SQL: the rows of the model, in
order of ROWTIME, whatever the steps, bounds and restarts; on one partition each row at its earliest step. Over the
histories of the streams the rows are the same."""

from __future__ import annotations

import datetime as dt
import random
from collections import Counter

import pytest
from recorded import Recorder

from rowtime.runtime.execute import Start
from rowtime.script.runner import ScriptRunner
from rowtime.session import Session
from rowtime.splitter import split

from . import cases, earliest, model

CASES = {"number": (12, 600)}


@pytest.mark.usefixtures("interpreted")
def test_equals_nested_loops(number: int, session: Session) -> None:
    chance = random.Random(f"joins {number}")
    late = [chance.random() < 0.25 for _ in range(2)]
    streams = {f"J{number}{x}": cases.data(chance, 40, late[i]) for i, x in enumerate("AB")}
    a, b = streams
    join = cases.join(chance)
    sql = join.sql(a, b)
    wanted = model.expected(join, streams[a], streams[b])
    script = "".join(cases.declared(name, late[i]) for i, name in enumerate(streams))
    alone = number % 2 == 1
    script += f"{sql.replace('SELECT STREAM', 'SELECT STREAM /*+ PARTITIONS(1) */', 1) if alone else sql};\n"
    # A table wants no order: there the rows of a task tell as well how far the streams have come.
    pumped = number % 3 == 0
    if pumped:
        unordered = sql.replace(f"{join.by}.rowtime, ", "") if join.by else sql
        script += f"CREATE TABLE T{number} (an INTEGER, bn INTEGER);\n"
        script += f"CREATE PUMP P{number} STARTED AS INSERT INTO T{number} {unordered};\n"
    recorder = Recorder()
    runner = ScriptRunner(session, recorder, Start())
    try:
        runner.run(split(script))
        come: dict[str, list[cases.Row]] = {a: [], b: []}
        for step in cases.steps(chance, streams, any(late)):
            script += step.line
            runner.run(split(step.line))
            if step.rows:
                come[step.stream] += step.rows
            if alone:
                due = earliest.due(join, come[a], come[b], (_bound(session, a), _bound(session, b)))
                missing = Counter(row[1:] for row in due) - Counter(row[-2:] for row in recorder.found)
                assert not missing, (missing, script)
        streamed = [row[-2:] for row in recorder.take()]
        assert not recorder.errors, (recorder.errors, script)
        assert Counter(streamed) == Counter(row[1:] for row in wanted), script
        times = {row[1:]: row[0] for row in wanted}
        assert [times[row] for row in streamed] == [row[0] for row in wanted], script
        if pumped:
            runner.run(split(f"SELECT an, bn FROM T{number};\n"))
            assert Counter(recorder.take()) == Counter(streamed), script
        if join.windows is None:
            runner.run(split(sql.replace("SELECT STREAM", "SELECT", 1) + ";\n"))
            assert not recorder.errors, (recorder.errors, script)
            assert Counter(row[-2:] for row in recorder.take()) == Counter(streamed), script
    finally:
        if pumped:
            runner.run(split(f"ALTER PUMP P{number} STOP;\n"))
        runner.close()


def _bound(session: Session, stream: str) -> int | None:
    """In milliseconds."""
    bound = session.rowtime_bound(stream)
    return None if bound is None else round((bound - dt.datetime(1970, 1, 1)) / dt.timedelta(milliseconds=1))
