"""Runs the scripts of this folder unchanged, and with their input divided in other ways. See README.md."""

from __future__ import annotations

import re
import zlib
from collections import Counter
from collections.abc import Callable, Sequence
from itertools import groupby
from pathlib import Path
from typing import Any

import explained
import pytest
import script_cases as cases
from ledger import discrepancies

from rowtime.display.printers import Columns
from rowtime.errors import Diagnostic
from rowtime.opening import connect
from rowtime.script.runner import ScriptRunner
from rowtime.session import Session
from rowtime.splitter import split
from rowtime.streams.log import ROWTIME
from rowtime.streams.start import Start
from rowtime.types import times

HERE = Path(__file__).parent


_DROPS = re.compile(r"(?i)\b(DROP|OR\s+REPLACE)\s+(STREAM|TABLE)\b")
SCRIPTS = sorted(HERE.rglob("*.sql"))
NAMES = [str(path.relative_to(HERE)) for path in SCRIPTS]


class Recorder:
    """A printer that records its input, in the form of the expected results."""

    def __init__(self) -> None:
        self.found: list[Any] = []
        self.rejections: list[Any] = []
        self.errors: list[Diagnostic] = []
        self.bounds: list[Any] = []
        self.shown: list[Any] = []
        self.told: dict[int, Any] = {}
        """The bound of each open query after the last step."""
        self.ledger: list[str] = []
        """Rows that are not accounted for at the end."""
        self.overtaken: list[str] = []
        """Rows that were earlier than the bound that their query had announced."""

    def rows(self, query: int, step: int, columns: Columns, rows: Sequence[tuple[Any, ...]]) -> None:
        bound = self.told.get(query)
        if bound is not None and ROWTIME in columns.names:
            place = columns.names.index(ROWTIME)
            self.overtaken += [f"{row} of query {query}, bound {bound}" for row in rows if row[place] < bound]
        self.found += [cases.Row(query, step, tuple(columns.texts(row))) for row in rows]

    def ended(self, query: int, count: int) -> None:
        pass

    def answer(self, kind: str, columns: Columns, rows: Sequence[tuple[Any, ...]]) -> None:
        self.shown += [cases.Shown(tuple(columns.texts(row))) for row in rows]

    def changed(self, told: str) -> None:
        pass

    def rejected(
        self, stream: str, step: int, columns: Columns, row: tuple[Any, ...], reason: str, pump: str | None = None
    ) -> None:
        self.rejections.append(cases.Rejected(stream, reason, step, tuple(columns.texts(row)), pump))

    def problems(self, diagnostics: Sequence[Diagnostic]) -> None:
        self.errors += [d for d in diagnostics if d.is_error]


def play(spark: Any, warehouse: Path, segments: Sequence[Any], partitions: int | None = None) -> Recorder:
    recorder = Recorder()
    session = connect(spark, warehouse, partitions=partitions)
    runner = ScriptRunner(session, recorder, Start())
    try:
        for segment in segments:
            _run(runner, recorder, split(segment.text))
            recorder.bounds += [_bound(session, runner, bound.of) for bound in segment.bounds]
        # A dropped stream has taken its count along, and a new one of its name starts again.
        dropped = any(_DROPS.search(segment.text) for segment in segments)
        told = Counter(rejected.stream for rejected in recorder.rejections)
        recorder.ledger = discrepancies(session, None if dropped else told)
    finally:
        runner.close()
        session.close()
    return recorder


def _run(runner: ScriptRunner, recorder: Recorder, script: Any) -> None:
    """Runs it step by step, and reads the bounds of the open queries after each."""
    for step in script.steps:
        if not runner.perform(step):
            return
        recorder.told = {number: query.rowtime_bound for number, query in runner.open_queries.items()}


def _bound(session: Session, runner: ScriptRunner, of: str) -> Any:
    found = session.rowtime_bound(runner.query(int(of)) if of.isdigit() else of)
    return cases.Bound(of, None if found is None else times.text(times.to_micros(found) // 1000).removesuffix(".000"))


def _as_written() -> list[Any]:
    """The scripts; those that are not cut otherwise check the claims of the planner here."""
    found = []
    for path, name in zip(SCRIPTS, NAMES, strict=True):
        marks = [pytest.mark.claims] if cases.read(path).failures else []
        found.append(pytest.param(path, id=name, marks=marks))
    return found


@pytest.mark.parametrize("path", _as_written())
def test_as_written(path: Path, spark: Any, tmp_path: Path, request: pytest.FixtureRequest) -> None:
    """A quarter of the scripts, and all of functions, run compiled expressions: to compile takes a fifth of the
    time."""
    interpreted = path.parent.name != "functions" and zlib.crc32(path.name.encode()) % 4
    request.getfixturevalue("interpreted" if interpreted else "compiled")
    as_written(cases.read(path), spark, tmp_path)


def as_written(case: Any, spark: Any, tmp_path: Path) -> None:
    """The output is that in the script, at the same steps."""
    segments = cases.segments(case)
    with explained.launches() as unexplained:
        recorder = play(spark, tmp_path, segments)
    assert unexplained == []
    expected = [segment.failure for segment in segments if segment.failure is not None]
    assert [cases.Failure(d.line, d.column, d.code, d.message) for d in recorder.errors] == expected
    assert recorder.rejections == case.rejected
    assert recorder.overtaken == []
    assert recorder.ledger == []
    assert recorder.shown == case.shown
    assert recorder.bounds == [bound for segment in segments for bound in segment.bounds]
    for query in {row.query for row in [*case.rows, *recorder.found]}:
        wanted = [row for row in case.rows if row.query == query]
        found = [row for row in recorder.found if row.query == query]
        if query in case.unordered:
            wanted, found = _sorted_ties(wanted), _sorted_ties(found)
        assert found == wanted


CUTS: dict[str, Callable[[Any, str, bool], str]] = {
    "together": lambda case, name, long: cases.together(case),
    "one by one": lambda case, name, long: cases.one_by_one(case),
    "at random, restarted": lambda case, name, long: cases.at_random(case, name),
    "restarted": cases.with_restarts,
    "without bounds": lambda case, name, long: cases.without_bounds(case),
}


def _cuttings() -> list[Any]:
    """Each script in each of its ways of cutting. Of every fourth script, one of them, picked by its name, is always
    run, as is one that a script asks for."""
    found = []
    for number, (path, name) in enumerate(zip(SCRIPTS, NAMES, strict=True)):
        case = cases.read(path)
        if case.failures:
            continue
        fixed = case.steps_matter or case.restart_between or case.long_restart_between
        ways = ["restarted"] if fixed else sorted(set(CUTS) - {"restarted", "without bounds"})
        always = {ways[zlib.crc32(name.encode()) % len(ways)]} if fixed or number % 4 == 0 else set()
        if case.without_bounds:
            ways.append("without bounds")
            always.add("without bounds")
        found += [pytest.param(path, way, way in always, id=f"{name}-{way}") for way in ways]
    return found


@pytest.mark.usefixtures("interpreted")
@pytest.mark.parametrize(("path", "cut", "always"), _cuttings())
def test_cut_otherwise(path: Path, cut: str, always: bool, spark: Any, tmp_path: Path, thorough: bool) -> None:
    if not (always or thorough):
        pytest.skip("another way of cutting this script is tried; --thorough tries them all")
    case = cases.read(path)
    text = CUTS[cut](case, path.name, thorough)
    # As written they run in two partitions.
    segment = cases.Segment(text, bounds=tuple(case.last_bounds))
    recorder = play(spark, tmp_path, [segment], partitions=1)
    assert recorder.bounds == case.last_bounds
    assert recorder.errors == []
    assert recorder.overtaken == []
    assert recorder.ledger == []
    assert Counter((r.stream, r.reason, r.cells, r.pump) for r in recorder.rejections) == Counter(
        (r.stream, r.reason, r.cells, r.pump) for r in case.rejected
    )
    for query in {row.query for row in [*case.rows, *recorder.found]}:
        wanted = [row.cells for row in case.rows if row.query == query]
        found = [row.cells for row in recorder.found if row.query == query]
        if query in case.unordered:
            wanted, found = _ties_sorted(wanted), _ties_sorted(found)
        assert found == wanted, f"query {query} of:\n{text}"


def _sorted_ties(rows: list[Any]) -> list[Any]:
    """Rows that come one after the other at the same step, with the same first cell, in order of their text."""
    out: list[Any] = []
    for _, tied in groupby(rows, key=lambda row: (row.step, row.cells[0])):
        out += sorted(tied, key=lambda row: row.cells)
    return out


def _ties_sorted(rows: list[tuple[str, ...]]) -> list[tuple[str, ...]]:
    out: list[tuple[str, ...]] = []
    for _, tied in groupby(rows, key=lambda cells: cells[0]):
        out += sorted(tied)
    return out
