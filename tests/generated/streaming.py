"""Runs queries as streams: several at a time over the same input, which arrives in random steps, with random bounds,
and with a restart in the middle. No row may be earlier than the bound that its query had before."""

from __future__ import annotations

import datetime as dt
import random
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from rowtime.display.printers import Columns
from rowtime.errors import Diagnostic, RowtimeError
from rowtime.script.runner import ScriptRunner
from rowtime.session import Session
from rowtime.splitter import split
from rowtime.streams.start import Start

from .cases import Case
from .data import END, RELATIONS, VIEWS, Relation, insert, rows
from .engines import NAMES
from .rows import difference

_LATER = "RT0900"


@dataclass
class _Recorder:
    """A printer that records the rows of each query; nothing may be rejected or fail."""

    found: dict[int, list[tuple[Any, ...]]] = field(default_factory=dict)
    errors: list[Diagnostic] = field(default_factory=list)
    rejections: list[str] = field(default_factory=list)
    rowtimes: dict[int, int | None] = field(default_factory=dict)
    """The index of each query's ROWTIME column."""
    bounds: dict[int, dt.datetime | None] = field(default_factory=dict)
    """The bound that each query had after the last step."""
    overtaken: dict[int, str] = field(default_factory=dict)
    """Rows of a query that were earlier than the bound that it had announced."""

    def rows(self, query: int, step: int, columns: Columns, rows: Sequence[tuple[Any, ...]]) -> None:
        self.found.setdefault(query, []).extend(rows)
        place, bound = self.rowtimes.get(query), self.bounds.get(query)
        if place is not None and bound is not None:
            for row in rows:
                if midnight(row[place]) < bound:
                    self.overtaken[query] = f"{row} came after the bound {bound}"

    def ended(self, query: int, count: int) -> None: ...

    def answer(self, kind: str, columns: Columns, rows: Sequence[tuple[Any, ...]]) -> None: ...

    def changed(self, told: str) -> None: ...

    def rejected(self, stream: str, step: int, columns: Columns, row: tuple[Any, ...], *reason: str | None) -> None:
        self.rejections.append(f"{row} of {stream} is {reason}")

    def problems(self, diagnostics: Sequence[Diagnostic]) -> None:
        self.errors += [d for d in diagnostics if d.is_error]


def midnight(time: dt.date) -> dt.datetime:
    """Returns a ROWTIME; for a DATE, its beginning."""
    return time if isinstance(time, dt.datetime) else dt.datetime(time.year, time.month, time.day)


def streamable(session: Session, case: Case) -> bool:
    """Returns whether the planner accepts the query with STREAM; otherwise the case contains the reason."""
    if not case.query.streams:
        case.refused = "reads a table"
        return False
    try:
        plan = session.plan(case.query.text(NAMES, streaming=True))
    except RowtimeError as fault:
        case.refused = fault.diagnostics[0].code
        return False
    if plan.statement.not_supported:
        case.refused = _LATER
        return False
    names = [each.name for each in plan.statement.fields or []]
    rowtime = (plan.statement.raw_plan or {}).get("rowtime")
    case.rowtime = names.index(rowtime) if rowtime in names else None
    return True


def run(session: Session, cases: Sequence[Case], seed: int, block: int, suffix: str = "") -> None:
    """Runs the cases together, and records the difference of each. If one fails, each runs separately."""
    opened, error, recorder = _run_script(session, cases, seed, block, suffix)
    if error and len(opened) > 1:
        for case in opened.values():
            run(session, [case], seed, block, f"_{case.number}")
        return
    for number, case in opened.items():
        if error or recorder.rejections:
            case.streamed = f"{error} {recorder.rejections[:3]}"
        else:
            found = recorder.found.get(number, [])
            case.streamed = difference(found, case.expected, case.query) or recorder.overtaken.get(number, "")


def _run_script(
    session: Session, cases: Sequence[Case], seed: int, block: int, suffix: str
) -> tuple[dict[int, Case], str, _Recorder]:
    """Returns the cases that run by the numbers of their queries, an error, and their rows."""
    names = {letter: f"{name}_{block}{suffix}" for letter, name in NAMES.items() if letter in "PRSVW"}
    names |= {each.letter: NAMES[each.letter] for each in RELATIONS if not each.stream}
    streams = [each for each in RELATIONS if each.stream]
    recorder = _Recorder()
    runner = ScriptRunner(session, recorder, Start())
    opened: dict[int, Case] = {}
    try:
        for each in streams:
            runner.run(split(f"CREATE STREAM {names[each.letter]} ({each.types('rowtime')});\n"))
        for letter, view in VIEWS.items():
            runner.run(split(f"CREATE VIEW {names[letter]} AS {view.replace('~S~', names['S'])};\n"))
        assert not recorder.errors, recorder.errors
        # Each is valid according to the planner; one that cannot run yet still has a number.
        for number, case in enumerate(cases, 1):
            if runner.run(split(case.query.text(names, streaming=True) + ";\n")):
                opened[number] = case
                recorder.rowtimes[number] = case.rowtime
            else:
                case.refused = recorder.errors[-1].code
                if case.refused != _LATER:
                    case.streamed = str(recorder.errors[-1].message)
        recorder.errors.clear()
        for step in steps(names, streams, random.Random(f"{seed} steps {block}"), seed):
            if opened and not runner.run(split(step)):
                return opened, f"{recorder.errors[0].code}: {recorder.errors[0].message}"[:600], recorder
            recorder.bounds = {number: runner.query(number).rowtime_bound for number in opened}
    finally:
        runner.close()
    return opened, "", recorder


def steps(names: dict[str, str], streams: Sequence[Relation], chance: random.Random, seed: int) -> list[str]:
    """Returns the lines of a script that insert the rows; the last ones complete all groups."""
    waiting = {each.letter: rows(each, seed) for each in streams}
    left = chance.randint(1, 2)
    found: list[str] = []
    while any(waiting.values()):
        letter = chance.choice([letter for letter, some in waiting.items() if some])
        count = chance.choice((1, 9, 20, 40))
        some, waiting[letter] = waiting[letter][:count], waiting[letter][count:]
        found.append(f"{insert(names[letter], some)};\n")
        if chance.random() < 0.3 and waiting[letter]:
            found.append(f"!bound {names[letter]} '{waiting[letter][0][0].isoformat(' ', 'milliseconds')}'\n")
        if left and len(found) >= 2:
            left -= 1
            found.append("!restart\n")
    return [*found, *(f"!bound {names[letter]} '{END}'\n" for letter in waiting)]
