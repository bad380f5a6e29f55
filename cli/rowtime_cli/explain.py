"""`rowtime explain`: shows how a script would run, which columns are monotonic, and the state that it keeps; without
Spark."""

from __future__ import annotations

import enum
import sys
from typing import Annotated

import typer

from rowtime_cli.faults import supports_colors
from rowtime_cli.parameters import Catalog, SchemaFiles, ScriptFile, SqlText, Warehouse


class PlanFormat(str, enum.Enum):
    text = "text"
    json = "json"
    mermaid = "mermaid"
    html = "html"
    rel = "rel"
    rel_json = "rel-json"
    substrait = "substrait"


def command(
    file: ScriptFile = None,
    sql: SqlText = None,
    format: Annotated[PlanFormat, typer.Option(help="The output format of plans.")] = PlanFormat.text,
    schema: SchemaFiles = None,
    warehouse: Warehouse = None,
    catalog: Catalog = None,
) -> None:
    """Show the plans of a script. Exit code 0: the script is valid; 1: it has errors, which go to standard error."""
    from rowtime.errors import render_all
    from rowtime.explain.forms import EXCHANGE, FORMS
    from rowtime.jvm import archive
    from rowtime.jvm.jpype import planner
    from rowtime_cli.inputs import analyze_source, read_script

    source = read_script(file, sql)
    analysis = analyze_source(
        source, schema or [], warehouse, catalog, planner(), exchange=EXCHANGE.get(format.value, ())
    )
    shown = FORMS[format.value](analysis, source.name)
    if shown:
        print(shown, flush=True)
    if analysis.diagnostics:
        text = render_all(analysis.diagnostics, source.text, source.name, color=supports_colors(sys.stderr))
        print(text, file=sys.stderr, flush=True)
    archive.build_if_missing()
    if not analysis.valid:
        raise typer.Exit(1)
