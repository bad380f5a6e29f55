"""`%load_ext rowtime` loads the magics: `%%rowtime` for a cell of SQL, and `%rowtime` for a line."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Any

from IPython.core.magic import Magics, line_cell_magic, magics_class, no_var_expand
from IPython.core.magic_arguments import argument, magic_arguments, parse_argstring
from IPython.display import display

from rowtime.errors import Diagnostic, RowtimeError, render_all
from rowtime.splitter import Command, Script, Statement, split
from rowtime.terminal import printable

if TYPE_CHECKING:
    from IPython.core.interactiveshell import InteractiveShell

    from rowtime.session import Session

_SESSION = "rt"


@magics_class
class RowtimeMagics(Magics):
    """The magics of one notebook. They use the session in its variable `rt`. If there is none, they create one and
    store it there."""

    @no_var_expand
    @magic_arguments()
    @argument("-w", "--warehouse", help="The warehouse of the new session, if `rt` holds none.")
    @argument("-o", "--out", metavar="NAME", help="The variable for the result of the last statement.")
    @argument("sql", nargs="*", help="A statement, if it is not in the cell.")
    @line_cell_magic
    def rowtime(self, line: str, cell: str | None = None) -> Any:
        """Runs SQL statements. Returns the result of the last one: rows, or a running query."""
        if cell is None:
            options, text = _split_line(line)
            arguments = parse_argstring(self.rowtime, options)
        else:
            arguments, text = parse_argstring(self.rowtime, line), cell
            if arguments.sql:
                _print(
                    text, [Diagnostic(code="RT0621", message="Write the SQL in the cell or after %rowtime, not both")]
                )
                return None
        try:
            result = self._run(split(text), arguments.warehouse)
        except Exception as fault:
            _print(text, _diagnostics(fault))
            return None
        if arguments.out:
            self._variables[arguments.out] = result
        return result

    def _run(self, script: Script, warehouse: str | None) -> Any:
        """Runs the statements up to the first error; displays all results but the last immediately."""
        if script.diagnostics:
            raise RowtimeError(script.diagnostics)
        session = self._session(warehouse)
        result = None
        for step in script.steps:
            if result is not None:
                display(result)
            result = _step(session, step, script.text)
        return result

    @property
    def _variables(self) -> dict[str, Any]:
        assert self.shell is not None
        found: dict[str, Any] = self.shell.user_ns
        return found

    def _session(self, warehouse: str | None) -> Session:
        from rowtime.opening import connect
        from rowtime.session import Session

        found = self._variables.get(_SESSION)
        if not isinstance(found, Session):
            found = self._variables[_SESSION] = connect(warehouse=warehouse)
        return found


def load_ipython_extension(shell: InteractiveShell) -> None:
    """Loads the magics; `%load_ext rowtime` calls this."""
    shell.register_magics(RowtimeMagics)


def _step(session: Session, step: Statement | Command, text: str) -> Any:
    """Runs one statement and returns its result for display; None if it was printed."""
    from rowtime.runtime.dml.changes import Changed
    from rowtime.streams.producer import Inserted

    if isinstance(step, Command):
        message = f"!{step.name} is a command of scripts"
        hint = f"In Python, {_SESSION}.producer(…) has insert, set_rowtime_bound and close"
        raise RowtimeError(Diagnostic(code="RT0405", message=message, line=step.line, column=step.column, hint=hint))
    planned = session.plan_at(step.text, step.line, step.column)
    if planned.warnings:
        _print(text, planned.warnings)
    done = session.run(planned, step.text)
    if not isinstance(done, Inserted | Changed):
        return done
    print(printable(done.summary))
    return None


def _split_line(line: str) -> tuple[str, str]:
    """Returns the options before a statement on the magic's own line, and the statement, whose quotes are SQL's."""
    words = line.split()
    taken = 0
    while taken < len(words) and words[taken].startswith("-"):
        taken += 1 if "=" in words[taken] else 2
    options = " ".join(words[:taken])
    return options, line.split(None, taken)[taken] if taken < len(words) else ""


def _diagnostics(fault: Exception) -> list[Diagnostic]:
    from rowtime.faults import diagnostics_of

    return diagnostics_of(fault)


def _print(text: str, diagnostics: list[Diagnostic]) -> None:
    print(render_all(diagnostics, text), file=sys.stderr)
