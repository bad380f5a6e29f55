"""The input of `validate` and `explain`: the script, the schema files before it, and the warehouse's catalog."""

from __future__ import annotations

import os
import sys
from collections.abc import Collection
from dataclasses import dataclass
from pathlib import Path

import msgspec

from rowtime.catalog.memory import MemoryCatalog
from rowtime.errors import Diagnostic
from rowtime.explain.analysis import ScriptAnalysis, analyze
from rowtime.jvm import Planner
from rowtime.jvm.positions import Exchange
from rowtime_cli.faults import WrongCommandLine


@dataclass(frozen=True, slots=True)
class NamedText:
    """A text and its name in diagnostics."""

    name: str
    text: str


def read_script(file: str | None, expression: str | None) -> NamedText:
    """Reads the script: FILE, `-` for standard input, or the text of `-e`. Raises WrongCommandLine (RT0620, RT0621)."""
    if (file is None) == (expression is None):
        message = "Name a FILE (or - for standard input), or give SQL with -e, not both"
        raise WrongCommandLine(Diagnostic(code="RT0621", message=message))
    if expression is not None:
        # Arguments that are not valid UTF-8 contain unpaired surrogates, which no other part could write.
        return NamedText("<sql>", expression.encode("utf-8", "replace").decode())
    if file == "-":
        return NamedText("<stdin>", _decode("<stdin>", sys.stdin.buffer.read()))
    return read_file(str(file))


def read_file(file: str) -> NamedText:
    """Reads a file of SQL, in UTF-8."""
    try:
        return NamedText(file, _decode(file, Path(file).read_bytes()))
    except OSError as fault:
        reason = fault.strerror or str(fault)
        raise WrongCommandLine(
            Diagnostic(code="RT0620", message=f"The file '{file}' cannot be read: {reason}")
        ) from fault


def analyze_source(
    source: NamedText,
    schemas: list[str],
    warehouse: str | os.PathLike[str] | None,
    url: str | None,
    planner: Planner,
    *,
    exchange: Collection[Exchange] = (),
) -> ScriptAnalysis:
    """Analyzes the script against the warehouse's catalog (if there is one) plus the DDL of the schema files.

    Diagnostics in a schema file have its name; even if one of them is an error, the script itself is analyzed.
    `url` is the database of that catalog, if it has one. `exchange` lists further forms of its plans.
    """
    catalog, found = catalog_with(warehouse, url, [read_file(schema) for schema in schemas], planner)
    analysis = analyze(source.text, catalog, planner, exchange=exchange)
    return ScriptAnalysis(analysis.statements, [*found, *analysis.diagnostics])


def catalog_with(
    warehouse: str | os.PathLike[str] | None, url: str | None, schemas: list[NamedText], planner: Planner
) -> tuple[MemoryCatalog, list[Diagnostic]]:
    """Returns the warehouse's catalog, in memory, plus the DDL of the schema files, and the diagnostics in these
    files."""
    catalog = base_catalog(warehouse, url)
    found: list[Diagnostic] = []
    for schema in schemas:
        analysis = analyze(schema.text, catalog, planner)
        found.extend(msgspec.structs.replace(diagnostic, file=schema.name) for diagnostic in analysis.diagnostics)
    return catalog, found


def base_catalog(warehouse: str | os.PathLike[str] | None, url: str | None) -> MemoryCatalog:
    """Returns a copy in memory of the warehouse's catalog; empty if there is no warehouse. Writes nothing to it."""
    from rowtime.catalog import is_made

    if not is_made(warehouse):
        return MemoryCatalog()
    from rowtime.catalog.store import Store

    with Store(warehouse, read_only=True, catalog=url) as store:
        return MemoryCatalog(store.state())


def _decode(name: str, content: bytes) -> str:
    try:
        return content.decode("utf-8-sig")
    except UnicodeDecodeError as fault:
        line = content.count(b"\n", 0, fault.start) + 1
        column = len(content[content.rfind(b"\n", 0, fault.start) + 1 : fault.start].decode("utf-8", "replace")) + 1
        raise WrongCommandLine(
            Diagnostic(code="RT0620", message="The text is not valid UTF-8", line=line, column=column, file=name)
        ) from fault
