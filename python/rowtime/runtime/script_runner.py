"""Script mode: runs statements and client commands top to bottom, in steps.

Each INSERT and `!bound` is a step, numbered from 1. After it the runner waits until every open query has nothing more
to do, so that which rows come out at which step does not depend on chance. Queries are numbered from 1 in the order
they are opened, relational ones included.
"""

from __future__ import annotations

import threading
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

import msgspec

from rowtime.errors import Diagnostic, RowtimeError
from rowtime.plan.nodes import Field
from rowtime.runtime.execute import Start
from rowtime.runtime.printers import Columns, Printer
from rowtime.runtime.query import Query
from rowtime.runtime.relation import Relation
from rowtime.runtime.sinks import Row
from rowtime.script import Command, Script, Statement
from rowtime.session import Plan, Session
from rowtime.streams.columns import columns
from rowtime.streams.producer import Inserted
from rowtime.streams.values import restored

_HELD_BACK = 1000
"""Rows of a query that wait for the end of the step; more are printed as they come."""


@dataclass
class _Open:
    """A streaming query of the script; also its sink. Rows wait until the queries before it have had their turn."""

    runner: ScriptRunner
    number: int
    columns: Columns | None = None
    waiting: list[Row] = field(default_factory=list)
    query: Query | None = None
    lock: threading.Lock = field(default_factory=threading.Lock)

    def open(self, fields: Sequence[Field]) -> None:
        self.columns = Columns(fields)

    def write(self, rows: list[Row]) -> None:
        with self.lock:
            self.waiting.extend(rows)
            if self.runner.following or len(self.waiting) > _HELD_BACK:
                self._flush()

    def flush(self) -> None:
        with self.lock:
            self._flush()

    def _flush(self) -> None:
        rows, self.waiting = self.waiting, []
        if rows and self.columns is not None:
            self.runner.print_rows(self.number, self.columns, rows)


class ScriptRunner:
    """Runs one script in a session. `start` says where its streaming queries begin."""

    def __init__(self, session: Session, printer: Printer, start: Start) -> None:
        self.session = session
        self.printer = printer
        self.start = start
        self.step = 0
        self.following = False
        self._count = 0
        self._open: list[_Open] = []
        self._printing = threading.Lock()

    @property
    def queries(self) -> list[Query]:
        """The streaming queries that are open."""
        return [each.query for each in self._open if each.query is not None]

    def run(self, script: Script) -> bool:
        """Runs the script up to its end or its first error, which is printed; whether all went well."""
        if script.diagnostics:
            self.printer.problems(script.diagnostics)
            return False
        try:
            for step in script.steps:
                self._run(step)
        except RowtimeError as fault:
            self.printer.problems(fault.diagnostics)
            return False
        return True

    def follow(self) -> bool:
        """Waits until one of the open queries fails, printing rows as they come; without open queries returns at once.
        Whether all went well. A KeyboardInterrupt passes through."""
        self.following = True
        self._flush()
        try:
            while self._open:
                for each in self._open:
                    if each.query is not None and each.query.await_termination(0.2):
                        return True
        except RowtimeError as fault:
            self.printer.problems(fault.diagnostics)
            return False
        return True

    def close(self) -> None:
        """Ends the open queries."""
        for each in self._open:
            if each.query is not None:
                each.query.stop()
        self._open.clear()

    def print_rows(self, number: int, columns: Columns, rows: list[Row]) -> None:
        with self._printing:
            self.printer.rows(number, self.step, columns, rows)

    # --- inside ------------------------------------------------------------------------------------------------------

    def _run(self, step: Statement | Command) -> None:
        try:
            if isinstance(step, Command):
                self._command(step)
            else:
                self._statement(step)
        except RowtimeError as fault:
            raise RowtimeError([_placed(d, step) for d in fault.diagnostics]) from fault

    def _statement(self, statement: Statement) -> None:
        planned = self.session.plan_at(statement.text, statement.line, statement.column)
        if planned.warnings:
            self.printer.problems(planned.warnings)
        kind = planned.statement.kind
        if kind == "SELECT" and planned.statement.streaming:
            self._count += 1
            opened = _Open(self, self._count)
            plan = Plan(statement.text, planned.statement, planned.warnings)
            opened.query = self.session.submit(plan, opened, start=self.start)
            self._open.append(opened)
            self._settle()
            return
        if kind == "INSERT":
            self.step += 1
        done = self.session.run(planned, statement.text)
        if isinstance(done, Inserted) and planned.statement.target is not None:
            self._rejected(planned.statement.target.name, done)
            self._settle()
        elif isinstance(done, Relation):
            self._relation(kind, done)

    def _relation(self, kind: str, relation: Relation) -> None:
        shown = Columns(relation.fields)
        rows = relation.tuples()
        if kind != "SELECT":
            self.printer.answer(kind, shown, rows)
            return
        self._count += 1
        self.printer.rows(self._count, self.step, shown, rows)
        self.printer.ended(self._count, len(rows))

    def _rejected(self, stream: str, done: Inserted) -> None:
        entry = self.session.store.get(stream)
        if entry is None or not done.rejected:
            return
        named = columns(entry.definition["columns"])
        fields = [Field(name=c.name, type=c.text, nullable=True, monotonicity="NOT_MONOTONIC") for c in named]
        for row, reason in done.rejected:
            values = tuple(restored(row[c.name], c) for c in named)
            self.printer.rejected(stream, self.step, Columns(fields), values, reason)

    def _settle(self) -> None:
        """Waits until no open query has anything more to do, and prints what came of it in order of the queries."""
        for each in self._open:
            if each.query is not None:
                each.query.process_all_available()
            each.flush()

    def _flush(self) -> None:
        for each in self._open:
            each.flush()

    def _command(self, command: Command) -> None:
        words = list(command.words)
        if command.name == "bound":
            if len(words) not in (2, 3) or (len(words) == 3 and words[2].text.lower() != "strict"):
                raise _usage(command, "!bound STREAM 'TIMESTAMP' [strict]")
            name = words[0].text if not words[0].quote else '"' + words[0].text.replace('"', '""') + '"'
            self.step += 1
            self.session.producer(name).set_rowtime_bound(words[1].text, strict=len(words) == 3)
            self._settle()
        elif command.name == "restart":
            if words:
                raise _usage(command, "!restart")
            self._restart()
        elif command.name in ("producer", "detach"):
            raise RowtimeError(Diagnostic(code="RT0900", message=f"not supported yet: !{command.name}"))
        else:
            shown = f"!{command.name}" if command.name else command.text.split()[0]
            raise RowtimeError(
                Diagnostic(
                    code="RT0405",
                    message=f"Unknown client command {shown}",
                    hint="Known are !bound, !restart, !producer and !detach",
                )
            )

    def _restart(self) -> None:
        for each in self._open:
            if each.query is not None:
                each.query.kill()
        for each in self._open:
            if each.query is not None:
                each.query.restart()
        self._settle()


def _usage(command: Command, usage: str) -> RowtimeError:
    return RowtimeError(Diagnostic(code="RT0406", message=f"!{command.name} is written as: {usage}"))


def _placed(diagnostic: Diagnostic, step: Statement | Command) -> Diagnostic:
    """A diagnostic that knows no place gets that of the statement or command."""
    if diagnostic.line is not None:
        return diagnostic
    changes: dict[str, Any] = {"line": step.line, "column": step.column}
    if isinstance(step, Command):
        changes |= {"end_line": step.line, "end_column": step.column + len(step.text) - 1}
    return msgspec.structs.replace(diagnostic, **changes)
