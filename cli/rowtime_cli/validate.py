"""`rowtime validate`: checks a script, without Spark."""

from __future__ import annotations

import sys
from typing import Annotated

import typer

from rowtime.faults import diagnostics_of
from rowtime_cli.faults import WrongCommandLine, supports_colors
from rowtime_cli.parameters import AnswerFormat, SchemaFiles, ScriptFile, SqlText, Warehouse


def command(
    file: ScriptFile = None,
    sql: SqlText = None,
    format: Annotated[AnswerFormat, typer.Option(help="The output format of diagnostics.")] = AnswerFormat.text,
    schema: SchemaFiles = None,
    warehouse: Warehouse = None,
) -> None:
    """Check a script. Exit code 0: the script is valid, perhaps with warnings; 1: it has errors."""
    from rowtime_cli.inputs import NamedText, analyze_source, read_script

    source = NamedText("<sql>", "")
    misused = False
    try:
        source = read_script(file, sql)
        from rowtime.jvm.jpype import planner

        diagnostics = analyze_source(source, schema or [], warehouse, planner()).diagnostics
    except Exception as fault:
        diagnostics = diagnostics_of(fault)
        misused = isinstance(fault, WrongCommandLine)
    if format is AnswerFormat.json:
        import msgspec

        print(msgspec.json.format(msgspec.json.encode([d.to_dict() for d in diagnostics]), indent=2).decode())
    else:
        from rowtime.errors import render_all

        if diagnostics:
            print(render_all(diagnostics, source.text, source.name, color=supports_colors(sys.stdout)))
    sys.stdout.flush()
    from rowtime.jvm import archive

    archive.build_if_missing()
    if any(diagnostic.is_error for diagnostic in diagnostics):
        raise typer.Exit(2 if misused else 1)
