"""Random windows over random rows that arrive in random order, end to end through SQL: the rows that DuckDB returns,
whatever the steps, bounds and restarts; and the same of the query over the stream's history."""

from __future__ import annotations

import math
import random
from collections import Counter
from collections.abc import Sequence
from decimal import Decimal
from typing import Any

import pytest
from recorded import Recorder

from rowtime.script.runner import ScriptRunner
from rowtime.session import Session
from rowtime.splitter import split
from rowtime.streams.start import Start
from rowtime.types import times

from . import cases, groups, model, sets, top

CASES = {"number": (6, 600), "group": (4, 300), "some": (2, 200), "first": (6, 400)}


@pytest.mark.usefixtures("interpreted")
def test_over_equals_duckdb(number: int, session: Session) -> None:
    chance = random.Random(f"windows {number}")
    lateness = chance.random() < 0.25
    rows = cases.data(chance, 60, lateness)
    calls = cases.query(chance)
    listed = ", ".join(f"{c.text} OVER {w.sql(c.framed)} AS c{i}" for i, (w, c) in enumerate(calls))
    sql = f"SELECT STREAM rowtime, seq, {listed} FROM W{number}"
    expected = model.expected(rows, calls)
    streamed, history, said = _run(session, f"W{number}", sql, cases.steps(chance, rows, lateness), lateness)
    if not any(cases.waits_for_rows(w, c) for w, c in calls):
        assert [row[0] for row in streamed] == sorted(row[0] for row in streamed), said
    for found in (streamed, history):
        assert Counter(row[1] for row in found) == Counter(expected.keys()), said
        for row in found:
            assert _close(row[2:], expected[row[1]]), (row, expected[row[1]], said)


@pytest.mark.usefixtures("interpreted")
def test_groups_equal_duckdb(group: int, session: Session) -> None:
    chance = random.Random(f"groups {group}")
    lateness = chance.random() < 0.25
    rows = cases.data(chance, 60, lateness)
    grouped = groups.group(chance)
    expected = {row[:3]: row[3:] for row in groups.expected(rows, grouped)}
    name = f"G{group}"
    for found in _run(session, name, grouped.sql(name), cases.steps(chance, rows, lateness), lateness)[:2]:
        got = {(_millis(row[0]), _millis(row[1]), row[2]): row[3:] for row in found}
        assert (len(found), got.keys()) == (len(expected), expected.keys()), grouped
        for key, values in got.items():
            assert _close(values, expected[key]), (key, values, expected[key], grouped)


@pytest.mark.usefixtures("interpreted")
def test_grouping_sets_equal_duckdb(some: int, session: Session) -> None:
    chance = random.Random(f"sets {some}")
    lateness = chance.random() < 0.25
    rows = cases.data(chance, 60, lateness)
    one = sets.sets(chance)
    wanted = sorted(sets.expected(rows, one), key=_sortable)
    name = f"S{some}"
    for found in _run(session, name, one.sql(name), cases.steps(chance, rows, lateness), lateness)[:2]:
        got = sorted(((_millis(row[0]), *row[1:]) for row in found), key=_sortable)
        assert len(got) == len(wanted), one
        for here, there in zip(got, wanted, strict=True):
            assert _close(here, there), (here, there, one)


@pytest.mark.usefixtures("interpreted")
def test_top_n_equals_duckdb(first: int, session: Session) -> None:
    chance = random.Random(f"top {first}")
    lateness = chance.random() < 0.25
    rows = cases.data(chance, 60, lateness)
    one = top.top(chance)
    wanted = sorted(top.expected(rows, one))
    name = f"T{first}"
    for found in _run(session, name, one.sql(name), cases.steps(chance, rows, lateness), lateness)[:2]:
        assert sorted((_millis(starts), *rest) for _, starts, *rest in found) == wanted, one


def _sortable(row: Sequence[Any]) -> list[tuple[bool, str]]:
    """Returns a key that orders rows, whatever the types of their numbers."""
    return [(x is None, f"{float(x):.5f}" if isinstance(x, int | float | Decimal) else str(x)) for x in row]


def _run(
    session: Session, name: str, sql: str, steps: Sequence[str], lateness: bool
) -> tuple[list[tuple[Any, ...]], list[tuple[Any, ...]], str]:
    """Returns the rows of the query on the stream, those of the same query on its history, and the script."""
    column = "rowtime TIMESTAMP(3) NOT NULL LATENESS INTERVAL '5' SECOND, " if lateness else ""
    script = (
        f"CREATE STREAM {name} ({column}seq INTEGER, k VARCHAR, v INTEGER, d DOUBLE) OPTIONS (history 'all');\n{sql};\n"
    )
    recorder = Recorder()
    runner = ScriptRunner(session, recorder, Start())
    try:
        runner.run(split(script))
        for step in steps:
            script += step.format(name)
            runner.run(split(step.format(name)))
        streamed = recorder.take()
        runner.run(split(sql.replace("SELECT STREAM", "SELECT", 1) + ";\n"))
        assert not recorder.errors, (recorder.errors, script)
        return streamed, recorder.take(), script
    finally:
        runner.close()


def _millis(when: Any) -> int:
    return times.to_micros(when) // 1000


def _close(found: Sequence[Any], wanted: Sequence[Any]) -> bool:
    """Averages and spreads of integers have six digits."""
    return all(_same(a, b) for a, b in zip(found, wanted, strict=True))


def _same(found: Any, wanted: Any) -> bool:
    if isinstance(wanted, float | Decimal) and found is not None:
        return math.isclose(float(found), float(wanted), rel_tol=1e-9, abs_tol=1e-6)
    return list(found) == list(wanted) if isinstance(wanted, list) and found is not None else bool(found == wanted)
