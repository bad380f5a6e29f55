"""Random joins of a stream with tables that change from step to step: each row meets the table as it is in its step,
whatever the steps and restarts; and over history the table as it is now."""

from __future__ import annotations

import random
from collections import Counter

import pytest
from recorded import Recorder

from rowtime.script.runner import ScriptRunner
from rowtime.session import Session
from rowtime.splitter import split
from rowtime.streams.start import Start

from . import lookup_cases as cases

CASES = {"number": (3, 200)}
STEPS = 14


@pytest.mark.usefixtures("interpreted")
def test_equals_nested_loops(number: int, session: Session) -> None:
    chance = random.Random(f"lookups {number}")
    stream, plain, log = (f"L{number}{x}" for x in "STL")
    script = (
        f"CREATE STREAM {stream} (n INTEGER, k INTEGER) OPTIONS (history 'all');\n"
        f"CREATE TABLE {plain} (m INTEGER, k INTEGER);\n"
        f"CREATE TABLE {log} (m INTEGER, k INTEGER, arrived INTEGER LATENESS 5);\n"
    )
    queries = [(cases.lookup(chance), table) for table in (plain, log, plain)]
    script += "".join(f"{query.sql(stream, table)};\n" for query, table in queries)
    story = cases.Story(chance, stream, plain, log)
    recorder = Recorder()
    runner = ScriptRunner(session, recorder, Start())
    all_rows: list[cases.Row] = []
    try:
        runner.run(split(script))
        for _ in range(STEPS):
            line, rows = story.step()
            script += line
            runner.run(split(line))
            all_rows += rows
            wanted = Counter(found for query, table in queries for found in query.expected(rows, story.tables[table]))
            assert not recorder.errors, (recorder.errors, script)
            assert Counter(row[-2:] for row in recorder.take()) == wanted, script
        for query, table in queries:
            runner.run(split(query.sql(stream, table).replace("SELECT STREAM", "SELECT", 1) + ";\n"))
            assert not recorder.errors, (recorder.errors, script)
            wanted = Counter(query.expected(all_rows, story.tables[table]))
            assert Counter(row[-2:] for row in recorder.take()) == wanted, script
    finally:
        runner.close()
