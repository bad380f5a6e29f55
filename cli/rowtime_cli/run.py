"""`rowtime run`: runs a script on Spark."""

from __future__ import annotations

import contextlib
import enum
import logging
import os
import signal
from typing import Annotated

import typer

from rowtime_cli.faults import WrongCommandLine, colored, diagnostics_of
from rowtime_cli.parameters import ScriptFile, SqlText, Warehouse


class Format(str, enum.Enum):
    text = "text"
    json = "json"
    csv = "csv"


def command(
    file: ScriptFile = None,
    sql: SqlText = None,
    format: Annotated[Format, typer.Option(help="How rows are printed.")] = Format.text,
    warehouse: Warehouse = None,
    begin: Annotated[
        str | None,
        typer.Option(
            "--from", metavar="earliest|TIMESTAMP", help="Streaming queries begin with all that is held, or from there."
        ),
    ] = None,
    follow: Annotated[
        bool, typer.Option("--follow", help="Keep streaming queries running at the end of the script, until Ctrl-C.")
    ] = False,
) -> None:
    """Run a script. Exit code 0: all went well, also after Ctrl-C under --follow; 1: an error; 130: Ctrl-C before."""
    from rowtime_cli.inputs import read_script

    source = read_script(file, sql)
    start = _start(begin)
    from rowtime.runtime.printers import CsvPrinter, JsonPrinter, TextPrinter

    text = TextPrinter(source.text, source.name, colored)
    printers = {Format.text: text, Format.json: JsonPrinter(), Format.csv: CsvPrinter(text)}
    printer = printers[format]
    try:
        well = _run(source.text, printer, warehouse, start, follow)
    except Exception as fault:
        printer.problems(diagnostics_of(fault))
        well = False
    if not well:
        raise typer.Exit(1)


def _run(text: str, printer, warehouse: str | None, start, follow: bool) -> bool:  # type: ignore[no-untyped-def]
    from rowtime.runtime.live import live
    from rowtime.runtime.script_runner import ScriptRunner
    from rowtime.script import split
    from rowtime.session import connect

    if os.environ.get("ROWTIME_DEBUG") in (None, "", "0"):
        # py4j logs a stack trace when Ctrl-C meets it waiting for the JVM.
        logging.disable()
    with connect(warehouse=warehouse) as session:
        # PySpark's own handler would cancel the jobs of running queries, which then fail.
        signal.signal(signal.SIGINT, signal.default_int_handler)
        runner = ScriptRunner(session, printer, start)
        try:
            with live(runner):
                well = runner.run(split(text))
                if well and follow:
                    with contextlib.suppress(KeyboardInterrupt):
                        well = runner.follow()
        finally:
            runner.close()
        return well


def _start(begin: str | None):  # type: ignore[no-untyped-def]
    from rowtime.errors import Diagnostic
    from rowtime.runtime.execute import Start
    from rowtime.streams.times import parse_millis

    if begin is None:
        return Start()
    if begin.lower() == "earliest":
        return Start(earliest=True)
    try:
        return Start(since=parse_millis(begin))
    except ValueError:
        message = f"--from takes 'earliest' or a timestamp, not '{begin}'"
        raise WrongCommandLine(Diagnostic(code="RT0623", message=message, hint="2006-09-11 12:05:00")) from None
