"""Random producers, rows, bounds, detachments, restarts and divisions into steps, through script mode and Spark,
against the model: the rows and the rejected rows of each step, and the bounds after it, are the model's."""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

import pytest

from rowtime.display.printers import Columns
from rowtime.errors import Diagnostic
from rowtime.script.runner import ScriptRunner
from rowtime.session import Session
from rowtime.splitter import split
from rowtime.streams.start import Start
from rowtime.types import times

from .cases import Action, actions, trains
from .model import BoundGoesBack, EveryOther, Plain, Stream, TenSeconds, Tumbling, Union

CASES = {"number": (20, 2000), "train": (4, 500)}
LATENESS = 60_000
PLAIN = "SELECT STREAM rowtime, n FROM {0}"
UNION = "SELECT STREAM rowtime, n FROM {0} UNION ALL SELECT STREAM rowtime, n FROM {1}"
TUMBLING = "SELECT STREAM FLOOR(rowtime TO MINUTE) AS rowtime, COUNT(*) AS c FROM {0} GROUP BY FLOOR(rowtime TO MINUTE)"
KINDS = ("plain", "union", "tumbling", "lateness", "functions")
# Each second row, and the number of rows in each ten seconds, by table functions in both languages.
FUNCTIONS = """
CREATE FUNCTION IF NOT EXISTS counted_java (input TABLE, every_n INTEGER) RETURNS TABLE (n BIGINT, latest INTEGER)
  LANGUAGE JAVA OPTIONS (state_ttl '1 hour') AS 'examples.Counted';
CREATE FUNCTION IF NOT EXISTS counted_python (input TABLE, every_n INTEGER) RETURNS TABLE (n BIGINT, latest INTEGER)
  LANGUAGE PYTHON OPTIONS (state_ttl '1 hour') AS 'process_functions:counted';
CREATE FUNCTION IF NOT EXISTS windows_java (input TABLE) RETURNS TABLE (n BIGINT)
  LANGUAGE JAVA OPTIONS (state_ttl '1 hour') AS 'examples.WindowCounts';
CREATE FUNCTION IF NOT EXISTS windows_python (input TABLE) RETURNS TABLE (n BIGINT)
  LANGUAGE PYTHON OPTIONS (state_ttl '1 hour') AS 'process_functions:WindowCounts';
"""
COUNTED = "SELECT STREAM rowtime, latest FROM counted_{1}((SELECT STREAM rowtime, n AS v FROM {0}), 2)"
WINDOWS = "SELECT STREAM rowtime, n FROM windows_{1}(TABLE {0})"


@dataclass
class Recorder:
    """A printer that records rows, as (rowtime in milliseconds, number), and everything else as it arrives."""

    found: list[tuple[int, tuple[int, int]]] = field(default_factory=list)
    refused: list[tuple[str, tuple[int, int]]] = field(default_factory=list)
    errors: list[str] = field(default_factory=list)

    def rows(self, query: int, step: int, columns: Columns, rows: Sequence[tuple[Any, ...]]) -> None:
        self.found += [(query, (_millis(row[0]), row[1])) for row in rows]

    def ended(self, query: int, count: int) -> None: ...

    def answer(self, kind: str, columns: Columns, rows: Sequence[tuple[Any, ...]]) -> None: ...

    def changed(self, told: str) -> None: ...

    def rejected(
        self, stream: str, step: int, columns: Columns, row: tuple[Any, ...], reason: str, pump: str | None = None
    ) -> None:
        assert reason == "late"
        self.refused.append((stream, (_millis(row[0]), row[1])))

    def problems(self, diagnostics: Sequence[Diagnostic]) -> None:
        self.errors += [d.code for d in diagnostics if d.is_error]

    def take(self) -> tuple[list[Any], list[Any], list[str]]:
        taken = self.found, self.refused, self.errors
        self.found, self.refused, self.errors = [], [], []
        return taken


def _millis(when: Any) -> int:
    return times.to_micros(when) // 1000


@pytest.mark.usefixtures("interpreted")
def test_equals_the_model(number: int, session: Session) -> None:
    kind = KINDS[number % len(KINDS)]
    chance = random.Random(f"case {number}")
    names = [f"S{number}A", f"S{number}B"][: 2 if kind == "union" else 1]
    late = kind == "lateness" or (kind == "functions" and chance.random() < 0.5)
    language = chance.choice(["java", "python"])
    column = "rowtime TIMESTAMP(3) NOT NULL LATENESS INTERVAL '1' MINUTE, " if late else ""
    models = {name: Stream(LATENESS if late else None) for name in names}
    queries: list[tuple[str, Plain | Union | Tumbling | EveryOther | TenSeconds]] = {
        "plain": lambda: [(PLAIN, Plain(models[names[0]]))],
        "union": lambda: [(UNION, Union(list(models.values())))],
        "tumbling": lambda: [(TUMBLING, Tumbling(models[names[0]]))],
        "lateness": lambda: [(PLAIN, Plain(models[names[0]])), (TUMBLING, Tumbling(models[names[0]]))],
        "functions": lambda: [(COUNTED, EveryOther(models[names[0]])), (WINDOWS, TenSeconds(models[names[0]]))],
    }[kind]()
    recorder = Recorder()
    runner = ScriptRunner(session, recorder, Start())
    said: list[str] = []

    def run(text: str) -> None:
        said.append(text)
        runner.run(split(text))

    try:
        for name in names:
            run(f"CREATE STREAM {name} ({column}n INTEGER);\n")
        if kind == "functions":
            run(FUNCTIONS)
        for sql, _ in queries:
            run(sql.format(*names, language) + ";\n")
        assert recorder.take() == ([], [], [])
        for action in actions(chance, names, 6, LATENESS if late else 0):
            rejected, errors = _rejections(action, models)
            run(action.text())
            expected = [(i, row) for i, (_, model) in enumerate(queries, 1) for row in model.step()]
            assert recorder.take() == (expected, rejected, errors), "".join(said)
            for name, model in models.items():
                assert _bound(session.rowtime_bound(name)) == model.bound, "".join(said)
            for i, (_, query) in enumerate(queries, 1):
                assert _bound(session.rowtime_bound(runner.query(i))) == query.bound, "".join(said)
    finally:
        runner.close()


@pytest.mark.usefixtures("interpreted")
def test_bounds_change_no_result(train: int, session: Session) -> None:
    """Seed 003, the trains of rows: the same rows with bounds in between, and without. The output is the same; with
    bounds it is not later than without, and no bound that a query has reached is ever lost."""
    chance = random.Random(f"train {train}")
    sql = chance.choice([PLAIN, TUMBLING])
    with_bounds, without = f"T{train}A", f"T{train}B"
    recorder = Recorder()
    runner = ScriptRunner(session, recorder, Start())
    script = "".join(f"CREATE STREAM {name} (n INTEGER);\n{sql.format(name)};\n" for name in (with_bounds, without))
    found: dict[int, list[Any]] = {1: [], 2: []}
    reached = 0
    try:
        runner.run(split(script))
        for action in trains(chance, with_bounds, 6):
            script += action.text()
            runner.run(split(action.text()))
            if action.rows or action.leaves:
                other = action.text().replace(with_bounds, without)
                script += other
                runner.run(split(other))
            rows, refused, errors = recorder.take()
            assert (refused, errors) == ([], []), script
            for query, row in rows:
                found[query].append(row)
            assert found[1][: len(found[2])] == found[2], script
            bound = _bound(session.rowtime_bound(runner.query(1))) or 0
            assert bound >= reached, script
            assert bound >= (_bound(session.rowtime_bound(runner.query(2))) or 0), script
            reached = bound
        end = "".join(f"!bound {name} '2006-09-12 00:00:00'\n" for name in (with_bounds, without))
        runner.run(split(end))
        for query, row in recorder.take()[0]:
            found[query].append(row)
        assert found[1] == found[2], script
        assert found[1], script
    finally:
        runner.close()


def _rejections(action: Action, models: dict[str, Stream]) -> tuple[list[tuple[str, tuple[int, int]]], list[str]]:
    """Returns the rows that the model rejects, and the codes of the expected errors."""
    if action.is_restart:
        return [], []
    if action.leaves:
        for model in models.values():
            if action.producer in model.producers:
                model.step(action.producer, leaves=True)
        return [], []
    try:
        late = models[action.stream].step(action.producer, list(action.rows), action.bound)
    except BoundGoesBack:
        return [], ["RT0501"]
    return [(action.stream, row) for row in late], []


def _bound(when: Any) -> int | None:
    return None if when is None else _millis(when)
