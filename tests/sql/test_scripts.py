"""Runs the scripts of this folder as they are, and with their input cut in other ways. See README.md."""

from __future__ import annotations

import importlib.util
import sys
from collections import Counter
from collections.abc import Callable, Sequence
from itertools import groupby
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

from rowtime.errors import Diagnostic
from rowtime.runtime.execute import Start
from rowtime.runtime.printers import Columns
from rowtime.runtime.script_runner import ScriptRunner
from rowtime.script import split
from rowtime.session import connect

HERE = Path(__file__).parent


def _load(name: str) -> ModuleType:
    spec = importlib.util.spec_from_file_location(f"sql_{name}", HERE / f"{name}.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module
    spec.loader.exec_module(module)
    return module


cases = _load("case")
SCRIPTS = sorted(HERE.rglob("*.sql"))
NAMES = [str(path.relative_to(HERE)) for path in SCRIPTS]


class Recorder:
    """A printer that keeps what it is given, in the form of the expected results."""

    def __init__(self) -> None:
        self.found: list[Any] = []
        self.rejections: list[Any] = []
        self.errors: list[Diagnostic] = []

    def rows(self, query: int, step: int, columns: Columns, rows: Sequence[tuple[Any, ...]]) -> None:
        self.found += [cases.Row(query, step, tuple(columns.texts(row))) for row in rows]

    def ended(self, query: int, count: int) -> None:
        pass

    def answer(self, kind: str, columns: Columns, rows: Sequence[tuple[Any, ...]]) -> None:
        pass

    def rejected(self, stream: str, step: int, columns: Columns, row: tuple[Any, ...], reason: str) -> None:
        self.rejections.append(cases.Rejected(stream, reason, step, tuple(columns.texts(row))))

    def problems(self, diagnostics: Sequence[Diagnostic]) -> None:
        self.errors += [d for d in diagnostics if d.is_error]


def play(spark: Any, warehouse: Path, texts: Sequence[str]) -> Recorder:
    recorder = Recorder()
    session = connect(spark, warehouse)
    runner = ScriptRunner(session, recorder, Start())
    try:
        for text in texts:
            runner.run(split(text))
    finally:
        runner.close()
        session.close()
    return recorder


@pytest.mark.parametrize("path", SCRIPTS, ids=NAMES)
def test_as_written(path: Path, spark: Any, tmp_path: Path) -> None:
    case = cases.read(path)
    segments = cases.segments(case)
    recorder = play(spark, tmp_path, [text for text, _ in segments])
    expected = [failure for _, failure in segments if failure is not None]
    assert [cases.Failure(d.line, d.column, d.code, d.message) for d in recorder.errors] == expected
    assert recorder.rejections == case.rejected
    for query in {row.query for row in [*case.rows, *recorder.found]}:
        wanted = [row for row in case.rows if row.query == query]
        found = [row for row in recorder.found if row.query == query]
        if query in case.unordered:
            wanted, found = _sorted_ties(wanted), _sorted_ties(found)
        assert found == wanted


CUTS: dict[str, Callable[[Any, str], str]] = {
    "together": lambda case, name: cases.together(case),
    "one by one": lambda case, name: cases.one_by_one(case),
    "at random, restarted": cases.at_random,
}


@pytest.mark.parametrize("cut", CUTS)
@pytest.mark.parametrize("path", [p for p in SCRIPTS if not cases.read(p).failures], ids=lambda p: p.stem)
def test_cut_otherwise(path: Path, cut: str, spark: Any, tmp_path: Path) -> None:
    case = cases.read(path)
    text = CUTS[cut](case, path.name)
    recorder = play(spark, tmp_path, [text])
    assert recorder.errors == []
    assert Counter((r.stream, r.reason, r.cells) for r in recorder.rejections) == Counter(
        (r.stream, r.reason, r.cells) for r in case.rejected
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
