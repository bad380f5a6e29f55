"""Describes the object or column that a name refers to: an object of the catalog with its columns, or a column with its
type and monotonicity."""

from __future__ import annotations

from collections.abc import Iterator

from rowtime.catalog.memory import MemoryCatalog
from rowtime.editing.names import columns_of
from rowtime.editing.scope import TableReference, cursor_context
from rowtime.explain import facts
from rowtime.explain.analysis import StatementAnalysis
from rowtime.jvm import Planner
from rowtime.lexical.tokens import Token, tokens
from rowtime.lsp.analysis import DocumentAnalysis


def describe(analysis: DocumentAnalysis, offset: int, planner: Planner) -> tuple[str, int, int] | None:
    """Returns Markdown about the name at an offset, and the offsets at which the name starts and ends; None if there is
    nothing to show."""
    found = analysis.statement_at(offset)
    if found is None:
        return None
    statement, start = found
    written = tokens(statement.statement.text)
    at = next(
        (i for i, token in enumerate(written) if token.start <= offset - start <= token.end and _is_name(token)), None
    )
    if at is None:
        return None
    previous = written[at - 1].upper if at else ""
    text = _Names(analysis, statement, planner).describe(written[at], previous)
    return None if text is None else (text, start + written[at].start, start + written[at].end)


class _Names:
    """The names of one statement."""

    def __init__(self, analysis: DocumentAnalysis, statement: StatementAnalysis, planner: Planner) -> None:
        self._analysis = analysis
        self._objects = analysis.objects
        self._text = statement.statement.text
        self._planned = statement.planned or {}
        self._planner = planner

    def describe(self, token: Token, previous: str) -> str | None:
        name = _name(token)
        context = cursor_context(self._text, token.end)
        if context.qualifier:
            of = [source for source in context.sources if source.alias == context.qualifier[-1]]
            return self._column(name, of) or self._object(".".join([*context.qualifier, name]))
        if previous == "AS":
            return self._output(name) or self._column(name, context.sources)
        for source in context.sources:
            if source.alias == name and source.name in self._objects:
                return self._object(source.name)
        return self._column(name, context.sources) or self._output(name) or self._object(name)

    def _column(self, name: str, sources: list[TableReference]) -> str | None:
        for source in sources:
            named = self._objects.get(source.name)
            if source.query:
                columns = tuple(columns_of(source.query, MemoryCatalog(self._analysis.catalog), self._planner))
            else:
                columns = () if named is None else named.columns
            for column in columns:
                if column.name == name:
                    order = "" if named is None else self._order(named.name, name)
                    of = f"{named.kind} {named.name}" if named is not None else source.alias
                    return _text(f"{name} {column.type}", f"Column of {of}", order)
        return None

    def _output(self, name: str) -> str | None:
        """Describes a column of the result."""
        plan = self._planned.get("plan")
        for column in facts.columns(plan) if plan else ():
            if column.name == name:
                return _text(f"{name} {column.type}", "Column of the result", column.order)
        return None

    def _object(self, name: str) -> str | None:
        named = self._objects.get(name)
        if named is None:
            return None
        width = max((len(column.name) for column in named.columns), default=0)
        columns = [f"    {column.name:{width}}  {column.type}" for column in named.columns]
        return _text("\n".join([f"{named.kind} {named.name}", *columns]))

    def _order(self, source: str, name: str) -> str:
        """Returns the monotonicity, in words, of a column that the statement reads."""
        plan = self._planned.get("plan")
        scans = (node for node in facts.nodes(plan) if node["op"] == "scan" and node["source"] == source)
        return next((column.order for node in scans for column in facts.columns(node) if column.name == name), "")


def _text(code: str, *remarks: str) -> str:
    return "\n\n".join(["\n".join(["```sql", code, "```"]), *_sentences(remarks)])


def _sentences(remarks: tuple[str, ...]) -> Iterator[str]:
    said = [remark for remark in remarks if remark]
    if said:
        yield ", ".join(said)


def _is_name(token: Token) -> bool:
    return token.kind in ("word", "quoted")


def _name(token: Token) -> str:
    return token.text[1:-1].replace('""', '"') if token.kind == "quoted" else token.text.upper()
