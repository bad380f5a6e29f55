"""`rowtime run`: runs a script on Spark."""

from __future__ import annotations

import enum
import signal
from collections.abc import Sequence
from typing import TYPE_CHECKING, Annotated

import typer

from rowtime.faults import diagnostics_of
from rowtime_cli.faults import supports_colors
from rowtime_cli.metrics import Endpoint, endpoint
from rowtime_cli.parameters import (
    Catalog,
    CheckClaims,
    Conf,
    Master,
    MetricsPort,
    Partitions,
    ScriptFile,
    SqlText,
    Warehouse,
)
from rowtime_cli.signals import stop_event
from rowtime_cli.spark_process import watched

if TYPE_CHECKING:
    from rowtime.display.printers import Printer, TextPrinter
    from rowtime.streams.start import Start
    from rowtime_cli.inputs import NamedText
    from rowtime_cli.session_options import SessionOptions


class RowFormat(str, enum.Enum):
    text = "text"
    json = "json"
    csv = "csv"


def command(
    file: ScriptFile = None,
    sql: SqlText = None,
    format: Annotated[RowFormat, typer.Option(help="The output format of rows.")] = RowFormat.text,
    warehouse: Warehouse = None,
    catalog: Catalog = None,
    begin: Annotated[
        str | None,
        typer.Option(
            "--from",
            metavar="earliest|TIMESTAMP",
            help="Start streaming queries with all rows that their streams hold, or those from this time.",
        ),
    ] = None,
    follow: Annotated[
        bool, typer.Option("--follow", help="Keep streaming queries running at the end of the script, until Ctrl-C.")
    ] = False,
    partitions: Partitions = None,
    master: Master = None,
    conf: Conf = None,
    metrics_port: MetricsPort = None,
    check_claims: CheckClaims = False,
) -> None:
    """Run a script. Exit code 0: success, also if Ctrl-C ends --follow; 1: an error; 130: Ctrl-C before that;
    143: SIGTERM."""
    from rowtime_cli.inputs import read_script
    from rowtime_cli.session_options import SessionOptions

    source, start, metrics = read_script(file, sql), _start(begin), endpoint(metrics_port)
    options = SessionOptions.parse(warehouse, catalog, partitions, master, conf, check_claims)
    execute([source], format, options, start, follow, metrics)


def execute(
    sources: Sequence[NamedText],
    format: RowFormat,
    options: SessionOptions,
    start: Start | None = None,
    follow: bool = False,
    metrics: Endpoint | None = None,
) -> None:
    """Runs scripts one after another, as if they were one, up to the first error. Raises typer.Exit if there was
    one."""
    from rowtime.display.printers import CsvPrinter, JsonPrinter, TextPrinter

    text = TextPrinter(sources[0].text, sources[0].name, supports_colors)
    printers: dict[RowFormat, Printer] = {
        RowFormat.text: text,
        RowFormat.json: JsonPrinter(),
        RowFormat.csv: CsvPrinter(text),
    }
    printer = printers[format]
    try:
        well = _run(sources, text, printer, options, start, follow, metrics)
    except Exception as fault:
        printer.problems(diagnostics_of(fault))
        well = False
    if not well:
        raise typer.Exit(1)


def _run(
    sources: Sequence[NamedText],
    text: TextPrinter,
    printer: Printer,
    options: SessionOptions,
    start: Start | None,
    follow: bool,
    metrics: Endpoint | None,
) -> bool:
    from rowtime.script.live import live
    from rowtime.script.runner import ScriptRunner
    from rowtime.splitter import split
    from rowtime.streams.start import Start

    with options.connect() as session, watched(session, printer.problems):
        # PySpark's own handler would cancel the jobs of running queries, which would then fail.
        signal.signal(signal.SIGINT, signal.default_int_handler)
        if metrics is not None:
            metrics.serve(session)
        runner = ScriptRunner(session, printer, start or Start())
        try:
            with live(runner):
                well = True
                for source in sources:
                    text.read(source.text, source.name)
                    well = runner.run(split(source.text))
                    if not well:
                        break
                if well and follow:
                    well = runner.follow(stop_event())
                elif well:
                    runner.print_empty_queries()
                runner.print_skipped_rows()
        except KeyboardInterrupt:
            session.store.wait_control.leave()
            raise
        finally:
            runner.close()
        return well


def _start(begin: str | None) -> Start:
    from rowtime.streams.start import Start, start_at
    from rowtime_cli.begin import begin_millis

    return Start() if begin is None else start_at(begin_millis(begin))
