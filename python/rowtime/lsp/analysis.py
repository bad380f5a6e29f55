"""The planner's view of a document: its statements, its diagnostics, and the catalog after its DDL."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace

from rowtime.catalog.changes import CatalogState
from rowtime.catalog.memory import MemoryCatalog
from rowtime.editing.checking import findings, offset_of
from rowtime.editing.names import CatalogObject, objects_of
from rowtime.errors import Diagnostic, RowtimeError
from rowtime.explain.analysis import StatementAnalysis, analyze
from rowtime.jvm import Planner
from rowtime.script.commands import ClientCommand
from rowtime.splitter import split


@dataclass(frozen=True, slots=True)
class DocumentAnalysis:
    """The state of a document at one moment. `catalog` contains the definitions of the warehouse, the schema files and
    the document's DDL."""

    text: str
    statements: tuple[StatementAnalysis, ...] = ()
    diagnostics: tuple[Diagnostic, ...] = ()
    catalog: CatalogState = field(default_factory=CatalogState)

    @property
    def objects(self) -> Mapping[str, CatalogObject]:
        return {each.name: each for each in objects_of(self.catalog)}

    def statement_at(self, offset: int) -> tuple[StatementAnalysis, int] | None:
        """Returns the statement that contains an offset, and the offset at which it starts; None between statements."""
        for analysis in self.statements:
            start = offset_of(self.text, analysis.statement.line, analysis.statement.column)
            if start <= offset <= start + len(analysis.statement.text):
                return analysis, start
        return None


def analyze_document(
    text: str, catalog: Callable[[], MemoryCatalog], planner: Planner, commands: Mapping[str, ClientCommand]
) -> DocumentAnalysis:
    """Analyzes a document, which may be unfinished.

    `catalog` returns a copy of the catalog without the document. If that fails, for example because the warehouse is
    damaged, the document gets its diagnostics.
    """
    try:
        defined = catalog()
    except RowtimeError as fault:
        return DocumentAnalysis(text, diagnostics=tuple(fault.diagnostics))
    script = analyze(text, defined, planner)
    script = replace(script, diagnostics=[*script.diagnostics, *script.unsupported("warning")])
    return DocumentAnalysis(
        text, tuple(script.statements), tuple(findings(split(text), script, commands)), defined.state
    )
