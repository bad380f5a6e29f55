"""Script mode for a person at a terminal: rows are printed as they arrive, nothing waits for the end of a step, and a
query can continue in the background."""

from __future__ import annotations

import threading
from collections.abc import Sequence
from dataclasses import dataclass

from rowtime.display.printers import Printer
from rowtime.display.values import Row
from rowtime.errors import RowtimeError, error
from rowtime.plan.parts import Field
from rowtime.runtime.query.query import Query
from rowtime.script.queries import ScriptQuery
from rowtime.script.runner import ScriptRunner
from rowtime.session import Session
from rowtime.splitter import Command, Statement
from rowtime.streams.start import Start

KEPT = 1000
"""The number of latest rows of a background query that are shown when it returns to the foreground."""


@dataclass
class ShellQuery(ScriptQuery):
    """A query whose rows are printed as they arrive (`eager`), or, in the background, whose latest rows are kept.
    `missed` counts the rows that were not kept; `target` names the target of an INSERT, which has no rows to show."""

    eager: bool = True
    missed: int = 0
    target: str | None = None

    def write(self, rows: list[Row]) -> None:
        super().write(rows) if self.eager else self._keep(rows)

    def _keep(self, rows: list[Row]) -> None:
        with self._lock:
            self._waiting.extend(rows)
            over = max(len(self._waiting) - KEPT, 0)
            self.missed += over
            del self._waiting[:over]


class ShellRunner(ScriptRunner):
    """Runs the steps of a shell. `perform` is called from one thread; the rest may be called from others."""

    def __init__(self, session: Session, printer: Printer, start: Start) -> None:
        super().__init__(session, printer, start)
        # Rows that a pump's target rejects are reported immediately.
        self._following = True
        self._busy = threading.Lock()

    @property
    def open_list(self) -> list[ShellQuery]:
        """The open queries, in the order of their numbers."""
        return [each for each in self._open if isinstance(each, ShellQuery) and each.query is not None]

    @property
    def foreground(self) -> ShellQuery | None:
        """Returns the query that was opened or brought to the foreground last, of those whose rows are shown."""
        shown = [each for each in self.open_list if each.eager and each.target is None]
        return shown[-1] if shown else None

    def perform(self, step: Statement | Command) -> bool:
        with self._busy:
            return super().perform(step)

    def find(self, number: str | None) -> ShellQuery:
        """Returns the open query of that number, or the one in the foreground. Raises RowtimeError RT0408 if there is
        none."""
        if number is None:
            found = self.foreground
            if found is None:
                raise error("RT0408", "No streaming query is in the foreground", hint="!queries lists those that run")
            return found
        for each in self.open_list:
            if str(each.number) == number:
                return each
        raise error("RT0408", f"No query {number} runs", hint="!queries lists those that run")

    def to_background(self, each: ShellQuery) -> None:
        each.eager = False

    def to_foreground(self, each: ShellQuery) -> int:
        """Shows the query's rows again, starting with those that were kept. Returns how many were not kept."""
        missed, each.missed = each.missed, 0
        each.eager = True
        each.flush()
        # Ctrl-C stops the query that was brought to the foreground last.
        self._open.remove(each)
        self._open.append(each)
        return missed

    def stop(self, each: ShellQuery) -> None:
        assert each.query is not None
        if each in self._open:
            self._open.remove(each)
        each.query.stop()
        each.flush()

    def remove_failed(self) -> None:
        """Removes queries that have failed, and prints why. Called at intervals."""
        if not self._busy.acquire(blocking=False):
            # !restart ends queries for a moment.
            return
        try:
            failed = [each for each in self.open_list if each.query is not None and not each.query.is_active]
            for each in failed:
                assert each.query is not None
                fault = each.query.exception or error("RT0510", f"Query {each.number} has ended")
                self.stop(each)
                self._print_error(fault)
        finally:
            self._busy.release()

    # --- overrides of script mode
    # --------------------------------------------------------------------------------------

    def _next_sink(self) -> ScriptQuery:
        self._count += 1
        return ShellQuery(self._count, self._print_rows)

    def _add_feeding_query(self, query: Query) -> None:
        made = self._next_sink()
        made.query = query
        assert isinstance(made, ShellQuery)
        made.target = getattr(getattr(query.sink, "entry", None), "name", "")
        self._open.append(made)

    def _settle(self) -> None:
        pass

    def _print_error(self, fault: RowtimeError) -> None:
        self._print(lambda: self.printer.problems(fault.diagnostics))


def text_field(name: str, type: str = "VARCHAR") -> Field:
    """Returns a column of an answer of the shell itself."""
    return Field(name=name, type=type, nullable=True, monotonicity="NOT_MONOTONIC")


def fields(*names: str, numbers: Sequence[str] = ()) -> list[Field]:
    """Returns columns of an answer: integers for those named in `numbers`, otherwise text."""
    return [text_field(name, "BIGINT" if name in numbers else "VARCHAR") for name in names]
