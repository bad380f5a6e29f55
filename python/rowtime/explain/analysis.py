"""Analyzes a script: the planner plans each statement, with the DDL of those before it."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from dataclasses import dataclass
from typing import Any

import msgspec

from rowtime.catalog.memory import MemoryCatalog
from rowtime.decoding import Decoder
from rowtime.errors import Diagnostic, RowtimeError, Severity
from rowtime.findings import PlannerDiagnostic, to_diagnostics
from rowtime.jvm import Planner
from rowtime.jvm.positions import Exchange, request_of
from rowtime.plan.parts import TextPart
from rowtime.planner import unsupported
from rowtime.secrets.masking import learn
from rowtime.splitter import Command, Statement, split


@dataclass(frozen=True, slots=True)
class StatementAnalysis:
    """One statement: its number in the script (from 1), its diagnostics, and the planner's `statement` object, a dict
    in the form of the plan contract; None if there are errors."""

    number: int
    statement: Statement
    diagnostics: list[Diagnostic]
    planned: dict[str, Any] | None


@dataclass(frozen=True, slots=True)
class ScriptAnalysis:
    """A whole script: its statements in order, and all diagnostics in order of position."""

    statements: list[StatementAnalysis]
    diagnostics: list[Diagnostic]

    @property
    def valid(self) -> bool:
        return not any(diagnostic.is_error for diagnostic in self.diagnostics)

    def unsupported(self, severity: Severity) -> list[Diagnostic]:
        """Returns a diagnostic RT0900 for each construct that is valid but cannot run yet, where `run` refuses it."""
        return [
            diagnostic
            for one in self.statements
            if one.planned is not None and one.planned["kind"] != "EXPLAIN"
            for diagnostic in unsupported(
                one.planned.get("notSupported") or [],
                _places.convert(one.planned.get("notSupportedAt") or {}),
                one.statement.line,
                one.statement.column,
                severity,
            )
        ]


class _Reply(msgspec.Struct):
    version: int
    diagnostics: list[PlannerDiagnostic]
    statement: dict[str, Any] | None = None


_replies = Decoder(_Reply)
_refusals = Decoder(PlannerDiagnostic)
_places = Decoder(dict[str, TextPart])


def analyze(
    text: str, catalog: MemoryCatalog, planner: Planner, *, exchange: Collection[Exchange] = ()
) -> ScriptAnalysis:
    """Analyzes the script `text`. Its DDL is applied to `catalog`. `exchange` lists further forms of its plans.

    Client commands are left to `rowtime run`. Statements after an invalid one are analyzed as well, so one run finds as
    many errors as possible.
    """
    script = split(text)
    found = list(script.diagnostics)
    analyzed = list(_statements(script.steps, catalog, planner, exchange))
    for one in analyzed:
        found.extend(one.diagnostics)
    found.sort(key=lambda d: (d.line or 0, d.column or 0))
    return ScriptAnalysis(analyzed, found)


def plan_statement(
    statement: Statement, catalog: MemoryCatalog, planner: Planner, *, exchange: Collection[Exchange] = ()
) -> tuple[list[Diagnostic], dict[str, Any] | None]:
    """Returns the planner's diagnostics and result for one statement; applies a validated change to `catalog`."""
    learn(statement.text)
    snapshot = catalog.snapshot()
    try:
        request = request_of(statement.text, statement.line, statement.column, exchange=exchange)
    except RowtimeError as fault:
        return fault.diagnostics, None
    reply = _replies.decode(planner.plan(snapshot, request))
    planned = reply.statement
    diagnostics = to_diagnostics(reply.diagnostics)
    if planned is not None and planned.get("refusal") is not None:
        # Whether there are rows is not known here.
        refusal = _refusals.convert(planned["refusal"])
        diagnostics += to_diagnostics([msgspec.structs.replace(refusal, severity="warning")])
    if planned is not None and planned["kind"] != "EXPLAIN" and planned.get("changes"):
        try:
            catalog.commit(planned["changes"], snapshot.version)
        except RowtimeError as fault:
            here = {"line": statement.line, "column": statement.column}
            diagnostics = [*diagnostics, *(msgspec.structs.replace(d, **here) for d in fault.diagnostics)]
            planned = None
    return diagnostics, planned


def _statements(
    steps: Iterator[Statement | Command], catalog: MemoryCatalog, planner: Planner, exchange: Collection[Exchange]
) -> Iterator[StatementAnalysis]:
    number = 0
    for step in steps:
        if isinstance(step, Statement):
            number += 1
            diagnostics, planned = plan_statement(step, catalog, planner, exchange=exchange)
            yield StatementAnalysis(number, step, diagnostics, planned)
