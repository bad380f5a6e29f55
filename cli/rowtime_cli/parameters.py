"""Parameters that several commands take, declared once. Kept apart from what they lead to: help must be quick."""

from __future__ import annotations

from typing import Annotated

import typer

ScriptFile = Annotated[str | None, typer.Argument(help="The script; - is standard input.")]
SqlText = Annotated[str | None, typer.Option("-e", metavar="SQL", help="SQL text in place of FILE.")]
SchemaFiles = Annotated[list[str] | None, typer.Option(metavar="FILE", help="DDL to read first; repeatable.")]
Warehouse = Annotated[
    str | None, typer.Option(metavar="DIR", help="Where the catalog, streams and tables are. [default: .rowtime]")
]
