"""`rowtime validate`: checks scripts, without Spark."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Annotated

import typer

from rowtime.faults import diagnostics_of
from rowtime_cli.faults import WrongCommandLine, supports_colors
from rowtime_cli.parameters import Catalog, ReportFormat, SchemaFiles, ScriptFiles, SqlText, Warehouse

if TYPE_CHECKING:
    from rowtime_cli.reports import CheckedScript


def command(
    files: ScriptFiles = None,
    sql: SqlText = None,
    format: Annotated[
        ReportFormat, typer.Option(help="The output format of diagnostics; github: annotations of a workflow.")
    ] = ReportFormat.text,
    runnable: Annotated[
        bool, typer.Option("--runnable", help="What is valid but cannot run yet is an error, not a warning.")
    ] = False,
    schema: SchemaFiles = None,
    warehouse: Warehouse = None,
    catalog: Catalog = None,
) -> None:
    """Check scripts, each by itself. Exit code 0: they are valid, perhaps with warnings; 1: there are errors."""
    from rowtime.jvm import archive
    from rowtime_cli.reports import REPORTS, CheckedScript

    checked: list[CheckedScript] = []
    misused = False
    # Without a file, reading reports what is missing.
    given: list[str | None] = [*files] if files else [None]
    for file in given:
        try:
            checked.append(_check(file, sql, schema or [], warehouse, catalog, runnable=runnable))
        except Exception as fault:
            checked.append(CheckedScript("<sql>" if file is None else file, "", diagnostics_of(fault)))
            misused |= isinstance(fault, WrongCommandLine)
    report = REPORTS[format.value](checked, supports_colors(sys.stdout))
    if report:
        print(report)
    sys.stdout.flush()
    archive.build_if_missing()
    if any(diagnostic.is_error for one in checked for diagnostic in one.diagnostics):
        raise typer.Exit(2 if misused else 1)


def _check(
    file: str | None, sql: str | None, schema: list[str], warehouse: str | None, catalog: str | None, *, runnable: bool
) -> CheckedScript:
    from rowtime.jvm.jpype import planner
    from rowtime_cli.inputs import analyze_source, read_script
    from rowtime_cli.reports import CheckedScript

    source = read_script(file, sql)
    analysis = analyze_source(source, schema, warehouse, catalog, planner())
    found = [*analysis.diagnostics, *analysis.unsupported("error" if runnable else "warning")]
    return CheckedScript(source.name, source.text, sorted(found, key=lambda d: (d.file is None, d.line or 0)))
