"""`rowtime lsp`: the language server for editors, on standard input and output; without Spark."""

from __future__ import annotations

import os
import sys
from typing import Annotated

import typer

from rowtime_cli.faults import WrongCommandLine
from rowtime_cli.parameters import Catalog, SchemaFiles, Warehouse


def command(
    schema: SchemaFiles = None,
    warehouse: Warehouse = None,
    catalog: Catalog = None,
    stdio: Annotated[
        bool, typer.Option("--stdio", help="Use standard input and output. This is the default; editors pass it.")
    ] = True,
) -> None:
    """Run the language server. Editors start and stop it."""
    from rowtime.errors import Diagnostic, render

    try:
        from rowtime.lsp.server import create_server
    except ModuleNotFoundError as fault:
        if fault.name not in ("pygls", "lsprotocol"):
            raise
        hint = "pip install 'rowtime[lsp]'"
        message = f"The language server needs the package '{fault.name}', which is missing"
        raise WrongCommandLine(Diagnostic(code="RT0616", message=message, hint=hint)) from fault
    from rowtime.catalog.memory import MemoryCatalog
    from rowtime.jvm.jpype import planner
    from rowtime_cli.inputs import catalog_with, read_file

    sources = [read_file(file) for file in schema or []]
    # Other output, of Java or of a library, must not get between the messages.
    messages = os.fdopen(os.dup(sys.stdout.fileno()), "wb")
    os.dup2(sys.stderr.fileno(), sys.stdout.fileno())
    reported: set[str] = set()

    def known() -> MemoryCatalog:
        defined, found = catalog_with(warehouse, catalog, sources, planner())
        for diagnostic in found:
            # Editors store the standard error of a server in a log.
            text = render(diagnostic)
            if text not in reported:
                reported.add(text)
                print(text, file=sys.stderr, flush=True)
        return defined

    create_server(known, planner).start_io(stdout=messages)
