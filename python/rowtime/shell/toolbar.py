"""The two lines below the input: its first error, or its summary; and the state of Spark and the queries."""

from __future__ import annotations

from dataclasses import dataclass

from prompt_toolkit.formatted_text import StyleAndTextTuples

from rowtime.editing.checking import CheckResult
from rowtime.errors import Diagnostic, len_cells


@dataclass(frozen=True, slots=True)
class ToolbarState:
    """The state of the shell: Spark (`starting 3 s`, `ready`, `failed`), one text per query, producer, and
    warehouse."""

    spark: str
    queries: tuple[str, ...] = ()
    producer: str | None = None
    warehouse: str = ""


def toolbar(result: CheckResult, text: str, state: ToolbarState, width: int) -> StyleAndTextTuples:
    """Returns the lines, each cut to the width. `text` is the current input: an older result does not apply to it."""
    line: StyleAndTextTuples = []
    if result.text == text and result.diagnostics:
        line = _diagnostic_line(result.diagnostics[0], len(result.diagnostics) - 1, width)
    elif result.text == text and result.summary:
        line = [("class:toolbar.valid", _truncate(f" {result.summary}", width))]
    return [*(line or [("", " ")]), ("", "\n"), *_state_line(state, width)]


def _diagnostic_line(diagnostic: Diagnostic, more: int, width: int) -> StyleAndTextTuples:
    place = "" if diagnostic.line is None else f"{diagnostic.line}:{diagnostic.column or 1} "
    code = f" {diagnostic.code} "
    rest = f" {place}{diagnostic.message}" + (f" (and {more} more)" if more else "")
    if diagnostic.hint:
        rest += f" · {diagnostic.hint}"
    return [
        (f"class:toolbar.{diagnostic.severity}", code),
        ("class:toolbar.message", _truncate(rest.replace("\n", " "), width - len(code))),
    ]


def _state_line(state: ToolbarState, width: int) -> StyleAndTextTuples:
    spark = f" Spark {state.spark} "
    parts = [f" {query} " for query in state.queries]
    if state.producer:
        parts.append(f" producer {state.producer} ")
    parts.append(f" {state.warehouse} ")
    spark_state = state.spark.split()[0]
    room = width - len_cells(spark)
    rest = _truncate("│".join(parts), room)
    return [
        (f"class:toolbar.spark.{spark_state}", spark),
        ("class:toolbar.standing", rest + " " * (room - len_cells(rest))),
    ]


def _truncate(text: str, width: int) -> str:
    """Returns the text, cut to at most `width` cells of the terminal."""
    if len_cells(text) <= width:
        return text
    cut = text
    while cut and len_cells(cut) > width - 1:
        cut = cut[:-1]
    return cut + "…"
