"""Script mode: runs statements and client commands top to bottom, in steps.

Each INSERT, `!bound` and `!detach` is a step, numbered from 1. After each step the runner waits until no open query and
no pump has anything more to do, so the rows that each step emits do not depend on chance. Queries are numbered from 1
in the order in which they are opened, including relational ones.
"""

from __future__ import annotations

import threading
from collections.abc import Mapping, Sequence
from itertools import islice
from typing import Any, ClassVar

import msgspec

from rowtime.display.printers import Columns, Printer
from rowtime.display.values import Row
from rowtime.errors import Diagnostic, RowtimeError
from rowtime.lexical.identifiers import quoted
from rowtime.plan.parts import Field
from rowtime.planner import ChangeRows, Define, Describe, Explain, Insert, PlannedStatement, Select, Show
from rowtime.runtime.dml.changes import Changed
from rowtime.runtime.query.query import Query
from rowtime.runtime.relation import Relation
from rowtime.script import skipped_rows
from rowtime.script.commands import ClientCommand, find, wrong_usage
from rowtime.script.producers import ScriptProducers
from rowtime.script.queries import ScriptQuery
from rowtime.session import Session
from rowtime.splitter import Command, CommandWord, Script, Statement
from rowtime.streams.producer import Inserted
from rowtime.streams.start import Start
from rowtime.streams.writes import Rejected
from rowtime.types.columns import columns
from rowtime.types.values import from_stored

_AT_ONCE = 10_000
"""The number of rows of a result that are in memory, and that decide on the widths of a table at once."""


class ScriptRunner:
    """Runs one script in a session. `start` is where its streaming queries begin."""

    def __init__(self, session: Session, printer: Printer, start: Start) -> None:
        self.session = session
        self.printer = printer
        self.start = start
        self.step = 0
        self.producers = ScriptProducers(session)
        self._count = 0
        self._following = False
        self._open: list[ScriptQuery] = []
        self._from_now_on: set[int] = set()
        """The numbers of the queries that begin with rows that arrive from now on."""
        self._feeding: list[Query] = []
        """The queries of INSERT … SELECT STREAM, which write into a stream or table."""
        self._printing = threading.Lock()
        self._refused: list[tuple[str, str, Sequence[Rejected]]] = []
        self._pump_failed = False
        session.runtime.listeners.on_rejected = self._rejected_by_pump
        session.runtime.listeners.on_fault = self._pump_fault

    @property
    def queries(self) -> list[Query]:
        """The open streaming queries."""
        return [*self.open_queries.values(), *self._feeding]

    def query(self, number: int) -> Query:
        """Returns the open query of that number. Raises KeyError if there is none."""
        return self.open_queries[number]

    @property
    def open_queries(self) -> dict[int, Query]:
        """Returns the open queries by their numbers."""
        return {each.number: each.query for each in self._open if each.query is not None}

    def run(self, script: Script) -> bool:
        """Runs the script up to its end or its first error, which is printed. Returns whether there was no error. A
        pump that fails restarts and does not end the script, but counts as an error."""
        if script.diagnostics:
            self.printer.problems(script.diagnostics)
            return False
        return all(self.perform(step) for step in script.steps) and not self._pump_failed

    def perform(self, step: Statement | Command) -> bool:
        """Runs one statement or command. Returns whether it succeeded; its errors are printed."""
        try:
            self._run(step)
        except RowtimeError as fault:
            self.printer.problems(fault.diagnostics)
            return False
        return True

    def follow(self, ended: threading.Event) -> bool:
        """Waits until one of the open queries fails or `ended` is set, printing rows as they arrive; returns
        immediately if neither a query nor a pump runs. Returns whether there was no error."""
        self._following = True
        for each in self._open:
            each.eager = True
        self._flush()
        try:
            while not ended.is_set() and (self.queries or self.session.runtime.pumps_running()):
                if not self.queries:
                    ended.wait(0.2)
                for query in self.queries:
                    if query.await_termination(0.2):
                        return True
        except RowtimeError as fault:
            self.printer.problems(fault.diagnostics)
            return False
        return True

    def print_skipped_rows(self) -> None:
        """Prints the rows that the open queries have skipped: invalid records and late rows of foreign streams."""
        named = [(f"Query {each.number}", each.query) for each in self._open if each.query is not None]
        named += [("INSERT", query) for query in self._feeding]
        for name, query in named:
            found = skipped_rows.warnings(name, query.progress)
            if found:
                self.printer.problems(found)

    def print_empty_queries(self) -> None:
        """Says of open queries of a script without input why they had no rows."""
        if self.step:
            return
        for each in self._open:
            if each.query is not None and not each.count:
                self.printer.problems([_empty(each.number, from_now_on=each.number in self._from_now_on)])

    def close(self) -> None:
        """Ends the open queries; detaches the script's producers."""
        for query in self.queries:
            query.stop()
        self._open.clear()
        self._feeding.clear()
        self.session.runtime.listeners.on_rejected = None
        self.session.runtime.listeners.on_fault = None
        self.producers.close()

    # --- statements --------------------------------------------------------------------------------------------------

    def _run(self, step: Statement | Command) -> None:
        try:
            if isinstance(step, Command):
                self._command(step)
            else:
                self._statement(step)
        except RowtimeError as fault:
            raise RowtimeError([_with_position(d, step) for d in fault.diagnostics]) from fault

    def _statement(self, written: Statement) -> None:
        planned = self.session.plan_at(written.text, written.line, written.column)
        if planned.warnings:
            self.printer.problems(planned.warnings)
        statement = planned.statement
        if isinstance(statement, Select) and statement.streaming:
            opened = self._next_sink()
            plan = self.session.plan_of(written.text, planned)
            opened.query = self.session.submit(plan, opened, start=self.start)
            self._open.append(opened)
            if self.start.of(statement) == Start():
                self._from_now_on.add(opened.number)
            self._settle()
            return
        if isinstance(statement, Insert):
            self.step += 1
        done = self.session.run(planned, written.text, producer=self.producers.current)
        if isinstance(statement, ChangeRows):
            self.step += 1
        if isinstance(done, Relation):
            self._relation(statement.kind, done)
        elif isinstance(done, Query):
            self._add_feeding_query(done)
        elif isinstance(done, Inserted | Changed):
            self._print(lambda: self.printer.changed(done.summary))
        if isinstance(done, Inserted) and isinstance(statement, Insert | Define) and statement.target is not None:
            self._rejected(statement.target.name, done.rejected)
        if _moves_rows(statement):
            self._settle()

    def _add_feeding_query(self, query: Query) -> None:
        """Registers a query of INSERT … SELECT STREAM that has started."""
        self._feeding.append(query)

    def _next_sink(self) -> ScriptQuery:
        """Returns the sink for the streaming query that is opened next."""
        self._count += 1
        return ScriptQuery(self._count, self._print_rows)

    def _relation(self, kind: str, relation: Relation) -> None:
        shown = Columns(relation.fields)
        if kind != "SELECT":
            self.printer.answer(kind, shown, relation.tuples())
            return
        rows, count = relation.spool(_AT_ONCE), 0
        self._count += 1
        try:
            # Without rows, too, the names of the columns are printed.
            while (piece := list(islice(rows, _AT_ONCE))) or not count:
                self.printer.rows(self._count, self.step, shown, piece)
                count += len(piece)
                if len(piece) < _AT_ONCE:
                    break
        finally:
            closing = getattr(rows, "close", None)
            if closing is not None:
                closing()
        self.printer.ended(self._count, count)

    # --- client commands ---------------------------------------------------------------------------------------------

    def _command(self, command: Command) -> None:
        find(command, self.COMMANDS).run(self, command)

    def _bound(self, command: Command) -> None:
        stream, timestamp, *strict = command.words
        if strict and strict[0].text.lower() != "strict":
            raise wrong_usage(command, self.COMMANDS[command.name])
        self.step += 1
        log, done = self.producers.set_bound(_as_sql(stream), timestamp.text, strict=bool(strict))
        self._rejected(log.name, done.rejected)
        self._settle()

    def _producer(self, command: Command) -> None:
        self.producers.switch(command.words[0].text if command.words else None)

    def _detach(self, command: Command) -> None:
        name = command.words[0].text
        self.step += 1
        left = self.producers.detach(name)
        if not left:
            message = f"Producer '{name}' is not attached to any stream"
            hint = "A producer is attached by its first row or bound"
            warning = Diagnostic(code="RT0407", message=message, severity="warning", hint=hint)
            self.printer.problems([_with_position(warning, command)])
        for log, done in left:
            self._rejected(log.name, done.rejected)
        self._settle()

    def _restart(self, command: Command) -> None:
        for query in self.queries:
            query.kill()
        self.session.runtime.kill_pumps()
        self.session.runtime.restart_pumps()
        for query in self.queries:
            query.restart()
        self._settle()

    COMMANDS: ClassVar[Mapping[str, ClientCommand]] = {
        "bound": ClientCommand(
            "!bound STREAM 'TIMESTAMP' [strict]", "the current producer sets its rowtime bound", 2, 3, _bound
        ),
        "restart": ClientCommand(
            "!restart", "kill queries and pumps, and restart them from their checkpoints", 0, 0, _restart
        ),
        "producer": ClientCommand("!producer [NAME]", "INSERT and !bound act for this producer", 0, 1, _producer),
        "detach": ClientCommand("!detach NAME", "the producer leaves every stream", 1, 1, _detach),
    }

    # --- results ------------------------------------------------------------------------------------------------------

    def _settle(self) -> None:
        """Waits until no open query and no pump has anything more to do, and prints the results: rejected rows, then
        rows in order of the queries."""
        self.session.runtime.settle(self.queries)
        self._flush()

    def _flush(self) -> None:
        refused, self._refused = self._refused, []
        # Which of two pumps was faster depends on chance.
        for pump, stream, rows in sorted(refused, key=lambda each: each[0]):
            self._rejected(stream, rows, self._pump(pump))
        for each in self._open:
            each.flush()

    def _rejected_by_pump(self, pump: str, stream: str, rows: Sequence[Rejected]) -> None:
        if self._following:
            self._rejected(stream, rows, self._pump(pump))
        else:
            self._refused.append((pump, stream, rows))

    def _pump(self, name: str) -> str | None:
        """Returns the pump of that name; None for the statement INSERT … SELECT STREAM, which is reported in the same
        way."""
        entry = self.session.store.get(name)
        return name if entry is not None and entry.is_pump else None

    def _pump_fault(self, pump: str, fault: RowtimeError) -> None:
        self._pump_failed = True
        self._print(lambda: self.printer.problems(fault.diagnostics))

    def _rejected(self, stream: str, rows: Sequence[Rejected], pump: str | None = None) -> None:
        entry = self.session.store.get(stream)
        if entry is None or not rows:
            return
        named = columns(entry.definition["columns"])
        fields = [Field(name=c.name, type=c.text, nullable=True, monotonicity="NOT_MONOTONIC") for c in named]
        shown = Columns(fields)
        for each in rows:
            values = tuple(from_stored(each.row.get(c.name), c) for c in named)
            self._print(
                lambda values=values, reason=each.reason: self.printer.rejected(
                    stream, self.step, shown, values, reason, pump
                )
            )

    def _print_rows(self, number: int, shown: Columns, rows: list[Row]) -> None:
        self._print(lambda: self.printer.rows(number, self.step, shown, rows))

    def _print(self, action: Any) -> None:
        with self._printing:
            action()


def _moves_rows(statement: PlannedStatement) -> bool:
    """Returns whether pumps or queries may have something to do after the statement."""
    match statement:
        case Insert() | ChangeRows():
            return True
        case Define():
            return statement.is_of_pumps
        case Select() | Show() | Describe() | Explain():
            return False


def _empty(number: int, *, from_now_on: bool) -> Diagnostic:
    """Returns why a query had no rows when the script ended."""
    why = "it takes rows that arrive while it runs" if from_now_on else "its streams hold none for it"
    hint = "--follow keeps it running until Ctrl-C"
    if from_now_on:
        hint += "; --from earliest begins with the rows that its streams still hold"
    return Diagnostic(severity="info", code="RT0557", message=f"Query {number} ended without a row: {why}", hint=hint)


def _as_sql(word: CommandWord) -> str:
    """Returns a name of a client command as SQL: in double quotes if the command had them."""
    return word.text if word.quote != '"' else quoted(word.text)


def _with_position(diagnostic: Diagnostic, step: Statement | Command) -> Diagnostic:
    """Returns a diagnostic; if it has no position, it gets that of the statement or command."""
    if diagnostic.line is not None:
        return diagnostic
    changes: dict[str, Any] = {"line": step.line, "column": step.column}
    if isinstance(step, Command):
        changes |= {"end_line": step.line, "end_column": step.column + len(step.text) - 1}
    return msgspec.structs.replace(diagnostic, **changes)
