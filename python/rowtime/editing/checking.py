"""Checks text while it is typed, as `rowtime validate` does, but ignores errors that are only due to unfinished
text."""

from __future__ import annotations

import re
import threading
from collections.abc import Callable, Mapping
from dataclasses import dataclass

import msgspec

from rowtime.catalog.memory import MemoryCatalog
from rowtime.editing.names import CatalogNames
from rowtime.errors import LINE_END, Diagnostic, RowtimeError
from rowtime.explain.analysis import ScriptAnalysis, StatementAnalysis, analyze
from rowtime.jvm import Planner
from rowtime.script.commands import ClientCommand, find
from rowtime.splitter import Command, Script, split

_PAUSE = 0.15
"""Seconds without typing before the text is checked."""

_EXPLAIN = re.compile(r"\s*!explain(?=\s)", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class CheckResult:
    """The result of a check: the diagnostics in order of position, or a summary of the last statement."""

    text: str = ""
    diagnostics: tuple[Diagnostic, ...] = ()
    summary: str = ""


def explained_sql(text: str) -> str | None:
    """Returns the SQL after `!explain`, which may have several lines, at its position in the text; None if the text is
    something else."""
    match = _EXPLAIN.match(text)
    return None if match is None else " " * match.end() + text[match.end() :]


def is_whole(text: str) -> bool:
    """Returns whether the text can run as it is: every statement has its semicolon."""
    return not split(explained_sql(text) or text).is_open


def check(text: str, catalog: MemoryCatalog, planner: Planner, commands: Mapping[str, ClientCommand]) -> CheckResult:
    """Checks a text that may be unfinished. Its DDL applies to what follows it, and goes into `catalog`."""
    sql = explained_sql(text)
    script = split(text if sql is None else sql)
    whole = analyze(script.text, catalog, planner)
    found = findings(script, whole, commands)
    summary = "" if found or not whole.statements or script.is_open else _summary(whole.statements[-1])
    return CheckResult(text, tuple(found), summary)


def findings(script: Script, analysis: ScriptAnalysis, commands: Mapping[str, ClientCommand]) -> list[Diagnostic]:
    """Returns the diagnostics of a script that may be unfinished, in order of position, with those of its client
    commands."""
    found: list[Diagnostic] = []
    steps = list(script.steps)
    for step in steps:
        if isinstance(step, Command):
            # The cursor may still be behind the last command.
            at_end = step is steps[-1] and script.text.rstrip(" \t").endswith(step.text)
            found += _command_errors(step, commands, unfinished=at_end)
    found += [d for d in analysis.diagnostics if not (script.is_open and _is_unfinished(d, script.text))]
    return sorted(found, key=lambda d: (d.line or 0, d.column or 0))


def region(diagnostic: Diagnostic, text: str) -> tuple[int, int]:
    """Returns the part of the text that a diagnostic points at: the offsets of its first character and of the one after
    its last."""
    if diagnostic.line is None:
        return 0, 0
    start = offset_of(text, diagnostic.line, diagnostic.column or 1)
    if diagnostic.end_line is None or diagnostic.end_column is None:
        return start, min(start + 1, len(text))
    return start, max(offset_of(text, diagnostic.end_line, diagnostic.end_column) + 1, start + 1)


def offset_of(text: str, line: int, column: int) -> int:
    """Returns the offset of a line and column, both from 1; the end of the text if it is shorter."""
    starts = [0, *(match.end() for match in LINE_END.finditer(text))]
    return min(starts[min(line, len(starts)) - 1] + column - 1, len(text))


class Checker:
    """Checks the latest text in a thread of its own, and calls `changed` after each check.

    `latest` is the last result; its text may be older than the current one.
    """

    def __init__(
        self,
        names: CatalogNames,
        planner: Callable[[], Planner],
        commands: Mapping[str, ClientCommand],
        changed: Callable[[], None],
    ) -> None:
        self.latest = CheckResult()
        self._names = names
        self._planner = planner
        self._commands = commands
        self._changed = changed
        self._text: str | None = None
        self._shown = threading.Condition()
        self._ended = False
        self._thread = threading.Thread(target=self._run, name="rowtime checker", daemon=True)
        self._thread.start()

    def show(self, text: str) -> None:
        """Sets the current text."""
        with self._shown:
            self._text = text
            self._shown.notify()

    def close(self) -> None:
        with self._shown:
            self._ended = True
            self._shown.notify()
        self._thread.join()

    def _run(self) -> None:
        while True:
            with self._shown:
                self._shown.wait_for(lambda: self._text is not None or self._ended)
                while not self._ended:
                    text, self._text = self._text, None
                    if not self._shown.wait_for(lambda: self._text is not None or self._ended, _PAUSE):
                        break
                if self._ended:
                    return
            self.latest = self._result(text or "")
            self._changed()

    def _result(self, text: str) -> CheckResult:
        if not text.strip():
            return CheckResult(text)
        try:
            return check(text, self._names.catalog(), self._planner(), self._commands)
        except RowtimeError as fault:
            # No Java, no jars, an unreadable catalog: an error without a position in the text.
            return CheckResult(text, tuple(fault.diagnostics))
        except Exception:
            # An internal error; it is reported when the statement runs.
            return CheckResult(text)


def _command_errors(command: Command, commands: Mapping[str, ClientCommand], *, unfinished: bool) -> list[Diagnostic]:
    known = commands.get(command.name)
    if known is None:
        begun = not command.words and any(name.startswith(command.name) for name in commands)
    else:
        begun = len(command.words) < known.least
    if unfinished and begun:
        # The rest of its name, or its arguments, may follow.
        return []
    try:
        find(command, commands)
    except RowtimeError as fault:
        end = command.column + len(command.text.split()[0]) - 1
        place = {"line": command.line, "column": command.column, "end_line": command.line, "end_column": end}
        return [msgspec.structs.replace(diagnostic, **place) for diagnostic in fault.diagnostics]
    return []


def _is_unfinished(diagnostic: Diagnostic, text: str) -> bool:
    """Returns whether an error in an unfinished text may disappear as the text continues: it lies at the end."""
    if diagnostic.code in ("RT0401", "RT0403"):
        return True
    _, end = region(diagnostic, text)
    if diagnostic.code.startswith("RT00"):
        return end >= len(text.rstrip())
    return end >= len(text)


def _summary(last: StatementAnalysis) -> str:
    planned = last.planned
    if planned is None:
        return ""
    kind = planned["kind"] + (" STREAM" if planned.get("streaming") and planned["kind"] == "SELECT" else "")
    found = [f"{kind}: valid"]
    fields = planned.get("fields")
    if fields:
        found.append(f"{len(fields)} column{'' if len(fields) == 1 else 's'}")
    if planned.get("plan") is not None and planned.get("streaming"):
        found.append(_remembers(planned["plan"]))
    found += [f"not supported yet: {what}" for what in planned.get("notSupported") or []]
    return ", ".join(found)


def _remembers(node: dict[str, object]) -> str:
    """Returns a short description of the state that a streaming plan keeps."""
    bounds = set()
    retentions = set()
    todo = [node]
    while todo:
        each = todo.pop()
        state: dict[str, object] = each.get("state") or {}  # type: ignore[assignment]
        bounds.add(state.get("bound"))
        if state.get("retention"):
            retentions.add(str(state["retention"]))
        todo += each.get("inputs") or []  # type: ignore[arg-type]
    if "unbounded" in bounds:
        return "state grows"
    if "window" in bounds:
        return f"keeps state for {' and '.join(sorted(retentions)) or 'a window'}"
    return "keeps a constant amount of state" if "constant" in bounds else "keeps no state"
