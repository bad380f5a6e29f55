"""Reduces a composed query that differs, and the rows that it needs for that, and writes both as a script."""

from __future__ import annotations

import itertools
import random
import time
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, TypeVar

import duckdb

from rowtime.display.printers import Columns
from rowtime.errors import Diagnostic, RowtimeError
from rowtime.query_plan import Plan
from rowtime.script.runner import ScriptRunner
from rowtime.splitter import split
from rowtime.streams.start import Start

from . import composing
from .cases import Case
from .choices import Choice, Choices, simpler
from .composed import composed
from .composed_streams import definitions, names_of, target
from .compositions import FUNCTIONS
from .data import ALL_RELATIONS, LATE_VIEWS, VIEWS, Relation, insert, rows
from .engines import NAMES, Engines
from .feeding import Restart, Rows, Step, rounds, statement, variation
from .rows import difference
from .sources import Names
from .text import Query

Row = tuple[Any, ...]
T = TypeVar("T")


@dataclass(frozen=True)
class Trial:
    """A query and the steps of its input, which has no files: their rows are in streams with the same disorder."""

    query: Query
    steps: tuple[Step, ...]
    pumped: bool
    streaming: bool


@dataclass
class _Recorder:
    """A printer that records the rows of the script's queries by step, and what goes wrong."""

    found: list[tuple[int, int, Row]] = field(default_factory=list)
    faults: list[str] = field(default_factory=list)

    def rows(self, query: int, step: int, columns: Columns, rows: Sequence[Row]) -> None:
        self.found += [(query, step, row) for row in rows]

    def ended(self, query: int, count: int) -> None: ...

    def answer(self, kind: str, columns: Columns, rows: Sequence[Row]) -> None: ...

    def changed(self, told: str) -> None: ...

    def rejected(self, stream: str, step: int, columns: Columns, row: Row, *reason: str | None) -> None:
        self.faults.append(f"rejected {row} of {stream}: {reason}")

    def problems(self, diagnostics: Sequence[Diagnostic]) -> None:
        self.faults += [f"{d.code}: {d.message}" for d in diagnostics if d.is_error]


class Shrinker:
    """Tries smaller and smaller forms of one case, for as many seconds as given."""

    def __init__(self, engines: Engines, seconds: float, say: Callable[[str], None]) -> None:
        self.engines, self.say = engines, say
        self.end = time.monotonic() + seconds
        self.numbers = itertools.count(1)
        self.known: dict[str, bool] = {}

    def shrink(self, case: Case) -> str | None:
        """Returns the script of the smallest form that differs; None if the case does not differ by itself, over
        streams in place of files."""
        chance = Choices(f"{self.engines.seed} {case.number} {case.attempt}")
        composed(Names.of(chance))
        data = {each: rows(each, self.engines.seed) for each in ALL_RELATIONS if each.stream}
        block = case.number // composing.BLOCK
        chance_of_steps = random.Random(f"{self.engines.seed} composed {block}")
        chance_of_steps.choice((1, 1, 2, 3))
        given = [step for steps in rounds(data, chance_of_steps, case.fed or variation(block)) for step in steps]
        some = tuple(
            replace(step, relation=_named(step.relation)) if isinstance(step, Rows) else step for step in given
        )
        trial = Trial(case.query, some, case.pumped, not case.differs)
        if not self._differs(trial):
            return None
        trial = self._query(trial, chance.made)
        return self.script(self._steps(trial) if trial.streaming or not case.not_relational else trial)

    def _query(self, trial: Trial, recorded: list[Choice]) -> Trial:
        """Draws the query from fewer and simpler choices, as long as it differs."""
        smaller = True
        while smaller and self._in_time():
            smaller = False
            for choices in simpler(recorded):
                if not self._in_time():
                    break
                chance = Choices("", choices)
                try:
                    query = composed(Names.of(chance))
                except (IndexError, ValueError, AssertionError):
                    continue
                if len(query.sql.ours) >= len(trial.query.sql.ours):
                    continue
                other = replace(trial, query=query)
                if self._differs(other):
                    self.say(f"{len(query.sql.ours)} characters: {query.sql.ours}")
                    trial, recorded, smaller = other, chance.made, True
                    break
        return trial

    def _steps(self, trial: Trial) -> Trial:
        """Leaves out streams, steps and rows, as long as the query differs."""
        used = {relation.letter for relation in _used(trial.query)}
        trial = replace(trial, steps=tuple(step for step in trial.steps if _letter(step) in used | {""}))
        trial = replace(
            trial, steps=tuple(self._fewer(list(trial.steps), lambda some: replace(trial, steps=tuple(some))))
        )
        for place in range(len(trial.steps)):
            trial = self._rows(trial, place)
        return replace(trial, steps=tuple(each for each in trial.steps if not isinstance(each, Rows) or each.rows))

    def _rows(self, trial: Trial, place: int) -> Trial:
        """Leaves out rows of one step."""
        step = trial.steps[place]
        if not isinstance(step, Rows):
            return trial

        def with_rows(some: list[Row]) -> Trial:
            return replace(
                trial, steps=(*trial.steps[:place], replace(step, rows=tuple(some)), *trial.steps[place + 1 :])
            )

        return with_rows(self._fewer(list(step.rows), with_rows))

    def _fewer(self, some: list[T], with_some: Callable[[list[T]], Trial]) -> list[T]:
        """Leaves out parts of a list, from halves to single ones."""
        size = max(len(some) // 2, 1)
        while size and self._in_time():
            start = 0
            while start < len(some) and self._in_time():
                fewer = [*some[:start], *some[start + size :]]
                if self._differs(with_some(fewer)):
                    some = fewer
                else:
                    start += size
            size //= 2
        return some

    def _in_time(self) -> bool:
        return time.monotonic() < self.end

    # --- one trial ---------------------------------------------------------------------------------------------------

    def _differs(self, trial: Trial) -> bool:
        text = self._text(trial, "X")
        if text not in self.known:
            self.known[text] = self._run(trial) != ""
        return self.known[text]

    def _text(self, trial: Trial, suffix: str) -> str:
        """Returns the script without its expected rows."""
        names = names_of(suffix)
        lines = [f"{sql};" for sql in self._definitions(trial, names)]
        lines += [self._opening(trial, names)] if trial.streaming else []
        for step in trial.steps:
            if not isinstance(step, Rows) or step.rows:
                lines.append("!restart" if isinstance(step, Restart) else statement(step, names))
        lines += [self._ending(trial, names)]
        return "\n".join(line for line in lines if line) + "\n"

    def _definitions(self, trial: Trial, names: dict[str, str]) -> Iterable[str]:
        used = _used(trial.query)
        text = trial.query.sql.ours
        for each in used:
            if each.stream:
                history = " OPTIONS (history 'all')" if not trial.streaming else ""
                yield f"CREATE STREAM {names[each.letter]} ({each.types('rowtime')}){history}"
            else:
                yield f"CREATE TABLE {self._tables(names)[each.letter]} ({each.types('rowtime')})"
                yield insert(f"{self._tables(names)[each.letter]}", rows(each, self.engines.seed))
        views = definitions(names, Path("."))
        yield from (
            sql
            for letter in (*VIEWS, *LATE_VIEWS)
            if f"~{letter}~" in text
            for sql in views
            if _is_view(sql, names[letter])
        )
        yield from (sql for sql in FUNCTIONS if sql.split()[2] + "(" in text)

    def _opening(self, trial: Trial, names: dict[str, str]) -> str:
        text = trial.query.text(self._tables(names), streaming=True)
        if not trial.pumped:
            return f"{text};"
        case = Case(0, trial.query, [])
        planned = self.engines.session.plan(trial.query.text(NAMES, streaming=True))
        case.fields = list(planned.statement.fields or [])
        stream = f"target_{names['S']}"
        pump = f"CREATE PUMP pump_{names['S']} STARTED AS INSERT INTO {stream} {text};"
        return f"{target(case, stream)};\n{pump}"

    def _ending(self, trial: Trial, names: dict[str, str]) -> str:
        if not trial.streaming:
            return f"{trial.query.text(self._tables(names), streaming=False)};"
        return (
            f"SELECT {', '.join(c.name for c in trial.query.columns)} FROM target_{names['S']};" if trial.pumped else ""
        )

    @staticmethod
    def _tables(names: dict[str, str]) -> dict[str, str]:
        suffix = names["S"].rpartition("_")[2]
        return {letter: f"{name}_{suffix}" if letter in "TU" else name for letter, name in names.items()}

    def _run(self, trial: Trial) -> str:
        """Returns how the rows differ; '' if they do not, or if there is nothing to compare."""
        try:
            planned = self._plan(trial)
        except RowtimeError as fault:
            # Other errors are refusals.
            return fault.code if fault.code == composing.INTERNAL else ""
        if planned.statement.not_supported:
            return ""
        try:
            expected = self._expected(trial)
        except duckdb.Error:
            return ""
        found, faults = self._play(trial)
        rows = [row for _, _, row in found]
        return "; ".join(faults) or difference(rows, expected, trial.query) or ""

    def _plan(self, trial: Trial) -> Plan:
        return self.engines.session.plan(trial.query.text(NAMES, streaming=trial.streaming))

    def _expected(self, trial: Trial) -> list[Row]:
        duck = self.engines.duck
        for each in ALL_RELATIONS:
            if each.stream:
                some = [row for step in trial.steps if isinstance(step, Rows) and step.relation.letter == each.letter
                        for row in step.rows if row[1] >= 0]  # fmt: skip
                duck.execute(f"DELETE FROM {each.name}")
                if some:
                    duck.execute(insert(each.name, some))
        try:
            return self.engines.duckdb_rows(trial.query)
        finally:
            for each in ALL_RELATIONS:
                if each.stream:
                    duck.execute(f"DELETE FROM {each.name}")
                    duck.execute(insert(each.name, rows(each, self.engines.seed)))

    def _play(self, trial: Trial) -> tuple[list[tuple[int, int, Row]], list[str]]:
        recorder = _Recorder()
        runner = ScriptRunner(self.engines.session, recorder, Start())
        suffix = f"X{next(self.numbers)}"
        try:
            text = self._text(trial, suffix)
            for sql in FUNCTIONS:
                text = text.replace(f"{sql};\n", "")
            if not runner.run(split(text)) and not recorder.faults:
                recorder.faults.append("fails")
        finally:
            runner.close()
            if trial.streaming and trial.pumped:
                self.engines.session.sql(f"DROP PUMP IF EXISTS pump_{names_of(suffix)['S']}")
        return recorder.found, recorder.faults

    def script(self, trial: Trial) -> str:
        """Returns a script for tests/sql. Rows of a stream stand where they came, if they are right, or else below the
        last step, where somebody has to put them right."""
        try:
            columns = Columns(list(self._plan(trial).statement.fields or []))
        except RowtimeError as fault:
            return f"-- Seen: {fault}\n{self._text(replace(trial, steps=()), 'S')}"
        expected, (found, faults) = self._expected(trial), self._play(trial)
        lines = self._text(trial, "S").splitlines()
        stepping = [i for i, line in enumerate(lines) if line.startswith(("INSERT", "!bound"))]
        waiting = sorted(expected, key=str)
        below: dict[int, list[Row]] = {}
        for _, step, row in found:
            if trial.streaming and not trial.pumped and row in waiting:
                waiting.remove(row)
                below.setdefault(stepping[step - 1], []).append(row)
        below.setdefault(len(lines) - 1, []).extend(waiting)
        out = [f"-- {', '.join(trial.query.about)}.", "-- unordered 1"]
        out += [f"-- Seen: {fault}" for fault in faults]
        for place, line in enumerate(lines):
            out.append(line)
            out += [f"--> 1 | {' | '.join(columns.texts(row))}" for row in below.get(place, [])]
        return "\n".join(out) + "\n"


def _named(relation: Relation) -> Relation:
    return replace(relation, foreign=False)


def _letter(step: Step) -> str:
    if isinstance(step, Restart):
        return ""
    return step.relation.letter if isinstance(step, Rows) else step.letter


def _used(query: Query) -> list[Relation]:
    letters = {letter for letter in (*VIEWS, *LATE_VIEWS) if f"~{letter}~" in query.sql.ours}
    return [_named(r) for r in ALL_RELATIONS if f"~{r.letter}~" in query.sql.ours or (r.letter == "S" and letters)]


def _is_view(sql: str, name: str) -> bool:
    return sql.startswith((f"CREATE VIEW {name} ", f"LATENESS {name}."))
