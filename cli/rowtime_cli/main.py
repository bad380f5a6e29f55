"""The `rowtime` command: finds the subcommand, runs it, and turns the outcome into an exit code.

Exit codes: 0 success; 1 there are diagnostics of severity error; 2 the command line is invalid (an unknown option, a
file that cannot be read); 130 interrupted by Ctrl-C; 143 ended by SIGTERM. If the reader of a pipe has gone (`rowtime …
| head`), the code is 0.
"""

from __future__ import annotations

import io
import os
import sys
from collections.abc import Sequence
from importlib import import_module
from typing import TYPE_CHECKING, NoReturn

from rowtime import locks, notices
from rowtime_cli import signals, warmup

if TYPE_CHECKING:
    import typer

COMMANDS = {
    "validate": "rowtime_cli.validate",
    "explain": "rowtime_cli.explain",
    "fmt": "rowtime_cli.fmt",
    "run": "rowtime_cli.run",
    "shell": "rowtime_cli.shell",
    "pump": "rowtime_cli.pump",
    "stream": "rowtime_cli.stream",
    "serve": "rowtime_cli.serve",
    "demo": "rowtime_cli.demo",
    "doctor": "rowtime_cli.doctor",
    "lsp": "rowtime_cli.lsp",
    "spark-conf": "rowtime_cli.spark_conf",
    "version": "rowtime_cli.version",
}
"""Subcommands in the order of `--help`, with the module of each, which contains `command`, or `app` for a group."""


def entry() -> NoReturn:
    """The console script."""
    try:
        signals.begin(sys.argv[1:])
        code = _run()
    except KeyboardInterrupt:
        code = signals.exit_code()
    if "pyspark" not in sys.modules and (warmup.is_starting() or "_jpype" in sys.modules or code > 128):
        # Shutting down the embedded JVM would take a tenth of a second for nothing. It may still be starting, or a
        # thread may import it: Python's own exit would stop that thread in the middle of it, which aborts the process.
        signals.leave(code)
    sys.exit(code)


def _run() -> int:
    for stream in (sys.stdout, sys.stderr):
        # A terminal or a pipe in ASCII gets the characters that it supports, and no exception.
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="backslashreplace")
    warmup.begin(sys.argv[1:])
    locks.on_wait = notices.on_warning = notices.on_notice = lambda text: print(text, file=sys.stderr, flush=True)
    return main(sys.argv[1:])


def main(arguments: Sequence[str]) -> int:
    """Runs one command line and returns its exit code. Leaves only output and files behind."""
    if list(arguments) == ["--version"]:
        arguments = ["version"]
    try:
        build(arguments[0] if arguments else None)(args=list(arguments), prog_name="rowtime")
    except SystemExit as finished:
        # typer turns a KeyboardInterrupt into 130.
        return signals.exit_code() if finished.code == 130 else _exit_code(finished)
    except KeyboardInterrupt:
        return signals.exit_code()
    except BrokenPipeError:
        # Python flushes stdout once more at exit, and would report an error there.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 0
    except Exception as fault:
        from rowtime_cli.faults import report

        return report(fault)
    return 0


def build(wanted: str | None = None) -> typer.Typer:
    """Returns the typer application; for a `wanted` subcommand only that one, so the others need not be imported."""
    import typer

    app = typer.Typer(
        name="rowtime",
        no_args_is_help=True,
        pretty_exceptions_enable=False,
        add_completion=False,
        rich_markup_mode=None if wanted in COMMANDS else "rich",
        context_settings={"help_option_names": ["-h", "--help"]},
        epilog="Exit codes: 0 success, 1 errors in the input, 2 wrong command line, 130 Ctrl-C, 143 SIGTERM.",
    )

    @app.callback()
    def rowtime() -> None:
        """Streaming SQL for PySpark. Calcite plans it and proves what is monotonic, Spark runs it."""

    for name, home in COMMANDS.items():
        if wanted not in COMMANDS or name == wanted:
            module = import_module(home)
            if hasattr(module, "app"):
                app.add_typer(module.app, name=name)
            else:
                app.command(name)(module.command)
    return app


def _exit_code(finished: SystemExit) -> int:
    if finished.code is None:
        return 0
    return finished.code if isinstance(finished.code, int) else 1


if __name__ == "__main__":
    entry()
