"""Converts examples of the documentation to files for Quidem, Calcite's test runner over JDBC."""

from __future__ import annotations

import re
import subprocess
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path

import script_cases as cases

from rowtime.splitter import Command, Statement

ROOT = Path(__file__).parents[2]
_COLUMNS, _COUNT = "(columns)", "(? rows modified)"
"""Represent the names of columns and counts, which examples do not show."""
_QUERY = re.compile(r"(?i)\s*(SELECT|WITH|VALUES|\()")
_STREAM = re.compile(r"(?i)\bSELECT\s+STREAM\b")
_SHOWS = re.compile(r"(?i)\s*(SHOW|DESCRIBE|DESC|EXPLAIN)\b")
_PUMP = re.compile(r"(?i)\s*CREATE\s+(OR\s+REPLACE\s+)?(PUMP|MATERIALIZED)\b")
_TIMESTAMP = re.compile(r"\d{4}-\d\d-\d\d \d\d:\d\d:\d\d\Z")
_TABLE_FUNCTION = re.compile(
    r"(?i)\b(TUMBLE|HOP|SESSION|SNAPSHOT|SEARCH_KEY|TO_CHANGELOG|FROM_CHANGELOG|GENERATE_SERIES|RETURNS TABLE)\b"
)


def jars() -> list[Path]:
    """The jars of Quidem."""
    subprocess.run([sys.executable, str(ROOT / "tools" / "gradle.py"), "drivers"], check=True)
    return sorted((ROOT / "build" / "drivers" / "quidem").glob("*.jar"))


def unknown_command(case: cases.Case) -> bool:
    """Returns whether the example has a client command without a counterpart here, or an invalid one."""
    return any(
        isinstance(step, Command) and (step.name != "bound" or position in case.failures)
        for position, step in enumerate(case.steps)
    )


def only_streams(case: cases.Case) -> bool:
    """Returns whether all its output is rows of streaming queries without table functions."""
    kinds = {_is_streaming(step) for step in _successful(case) if _QUERY.match(step.text) or _SHOWS.match(step.text)}
    return kinds == {True} and _TABLE_FUNCTION.search(case.text) is None


def reads_what_a_pump_writes(case: cases.Case) -> bool:
    """Returns whether a finite query follows a pump. Scripts wait for pumps before they read, other clients do not."""
    texts = [step.text for step in _successful(case)]
    pumps = [position for position, text in enumerate(texts) if _PUMP.match(text)]
    return bool(pumps) and any(_QUERY.match(text) and not _STREAM.search(text) for text in texts[pumps[0] :])


def fails_after_a_pump_has_read(case: cases.Case) -> bool:
    """Returns whether a statement fails only if a pump has read rows. Scripts wait for pumps before ALTER PUMP,
    other clients do not."""
    return any(failure.code in ("RT0516", "RT0518") for failure in case.failures.values())


def _successful(case: cases.Case) -> list[Statement]:
    """Returns the statements that do not fail."""
    return [s for n, s in enumerate(case.steps) if isinstance(s, Statement) and n not in case.failures]


def quidem_text(case: cases.Case) -> str:
    """Returns the example as a file for Quidem: its statements, each with the rows or the error that the example
    shows."""
    return "\n".join(["!use rowtime", "", *_lines(case), "!end", ""])


def pattern(expected: str) -> str:
    """Returns a pattern for Quidem's output if everything is as expected."""
    text = re.escape(expected)
    return text.replace(re.escape(_COLUMNS), r"[^\n]+").replace(re.escape(_COUNT), r"\(\d+ rows? modified\)")


def _lines(case: cases.Case) -> Iterator[str]:
    query = 0
    streaming: list[int] = []
    for position, step in enumerate(case.steps):
        if isinstance(step, Command):
            yield from (step.text, "")
        elif position in case.failures:
            yield from _statement(step, _message(step, case.failures[position]), "error")
        elif _QUERY.match(step.text):
            query += 1
            if _is_streaming(step):
                streaming.append(query)
                yield from _statement(step, [], "open")
            else:
                yield from _statement(step, [_COLUMNS, *_cells(case.after.get(position, []))], "ok")
        elif _SHOWS.match(step.text):
            yield from _statement(step, [_COLUMNS, *_cells(case.after.get(position, []))], "ok")
        else:
            yield from _statement(step, [_COUNT, ""], "update")
        for number in streaming:
            rows = [row for row in case.after.get(position, []) if isinstance(row, cases.Row) and row.query == number]
            if rows:
                yield from _cells(rows)
                yield f"!rows {streaming.index(number) + 1}{' unordered' if number in case.unordered else ''}"
                yield ""


def _statement(step: Statement, expected: Sequence[str], command: str) -> list[str]:
    return [f"{step.text};", *expected, f"!{command}", ""]


def _message(step: Statement, failure: cases.Failure) -> list[str]:
    """Returns the message in the driver's form: a statement is not in a script, so its first line is line 1. Scripts
    report an error without a position at the beginning of its statement; the driver reports none then."""
    if (failure.line, failure.column) == (step.line, step.column):
        return [failure.message]
    return [f"{failure.code}: {failure.line - step.line + 1}:{failure.column}: {failure.message}"]


def _cells(rows: Sequence[cases.Row | cases.Shown]) -> list[str]:
    return [", ".join(_cell(cell, isinstance(row, cases.Row)) for cell in row.cells) for row in rows]


def _cell(text: str, of_query: bool) -> str:
    """Returns a cell as JDBC's getString() does: times in milliseconds, NULL as Quidem writes it."""
    if _TIMESTAMP.match(text):
        return text + ".000"
    return {"": "null", "TRUE": "true", "FALSE": "false"}.get(text, text) if of_query else text


def _is_streaming(step: Statement) -> bool:
    return bool(_QUERY.match(step.text) and _STREAM.search(step.text))
