"""Returns the text of a statement as HTML: with syntax colouring, and with the parts of its plan's nodes and its
diagnostics marked."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise

from rowtime.errors import LINE_END, Diagnostic
from rowtime.explain.analysis import StatementAnalysis
from rowtime.explain.facts import nodes
from rowtime.explain.markup import element
from rowtime.explain.markup import text as escape
from rowtime.formatting.pieces import items, leaves
from rowtime.secrets.masking import masks
from rowtime.splitter import Statement

Span = tuple[int, int]
"""Offsets into the text: the first, and the one after the last."""


def marked_text(analyzed: StatementAnalysis) -> str:
    """Returns the statement with line numbers."""
    lines: list[list[str]] = [[]]
    for segment in _segments(analyzed):
        if segment is None:
            lines.append([])
        else:
            lines[-1].append(segment)
    numbered = [
        element("span", *line, "\n", class_="line", data_line=str(analyzed.statement.line + number))
        for number, line in enumerate(lines)
    ]
    return element("pre", *numbered, class_="sql")


def parts(analyzed: StatementAnalysis) -> dict[int, list[Span]]:
    """Returns the parts of the text that each node of the statement's plan comes from, by the `id` of the node."""
    return {
        node["id"]: [
            _between(analyzed.statement, part["line"], part["column"], part["endLine"], part["endColumn"])
            for part in node["origin"]
        ]
        for node in nodes((analyzed.planned or {}).get("plan"))
    }


def _segments(analyzed: StatementAnalysis) -> Iterator[str | None]:
    """Yields the text, split wherever any part begins or ends; None for the end of a line."""
    text = analyzed.statement.text
    kinds = dict(_kinds(text))
    origins = parts(analyzed)
    found = [
        (span, diagnostic) for diagnostic in analyzed.diagnostics for span in _span(diagnostic, analyzed.statement)
    ]
    spans = [*kinds, *(span for each in origins.values() for span in each), *(span for span, _ in found)]
    hidden = {span: mask.shown for mask in masks(text) for span in [(mask.start, mask.end)]}
    ends = {match.span() for match in LINE_END.finditer(text)}
    cuts = sorted({0, len(text), *(at for span in [*spans, *ends, *hidden] for at in span)})
    for begin, end in pairwise(cuts):
        if (begin, end) in ends:
            yield None
            continue
        here = [id for id, each in origins.items() if any(a <= begin and end <= b for a, b in each)]
        tags = [id for id in here if any(a == begin for a, _ in origins[id])]
        diagnostics_here = [diagnostic for (a, b), diagnostic in found if a <= begin and end <= b]
        classes = [kind for (a, b), kind in kinds.items() if a <= begin and end <= b]
        classes += [diagnostics_here[0].severity] if diagnostics_here else []
        mask = next(((a, b) for a, b in hidden if a <= begin and end <= b), None)
        # A mask is shown once, in its first piece.
        shown = escape(text[begin:end] if mask is None else hidden[mask] if mask[0] == begin else "")
        yield (
            shown
            if not (classes or here)
            else element(
                "span",
                shown,
                class_=" ".join(classes),
                data_part=" ".join(f"{analyzed.number}.{id}" for id in here),
                data_tags=",".join(str(id) for id in sorted(tags)),
                title="; ".join(each.message for each in diagnostics_here),
            )
        )


def _kinds(text: str) -> Iterator[tuple[Span, str]]:
    for piece in leaves(items(text)):
        token = piece.token
        if piece.word:
            yield (token.start, token.end), "keyword"
        elif token.kind in ("string", "comment", "hint"):
            yield (token.start, token.end), "comment" if token.kind == "hint" else token.kind


def _span(diagnostic: Diagnostic, statement: Statement) -> Iterator[Span]:
    """Yields the part that a diagnostic points at, as offsets into the statement."""
    if diagnostic.line is None or diagnostic.file is not None:
        return
    column = diagnostic.column or 1
    last = diagnostic.end_line or diagnostic.line
    yield _between(statement, diagnostic.line, column, last, diagnostic.end_column or column)


def _between(statement: Statement, line: int, column: int, end_line: int, end_column: int) -> Span:
    """Converts a range in the file, which includes its end, to offsets into the statement."""
    begin = min(_offset(statement, line, column), max(len(statement.text) - 1, 0))
    end = _offset(statement, end_line, end_column) + 1
    return begin, max(min(end, len(statement.text)), begin + 1)


def _offset(statement: Statement, line: int, column: int) -> int:
    starts = [0, *(match.end() for match in LINE_END.finditer(statement.text))]
    place = line - statement.line
    if place <= 0:
        return max(column - statement.column, 0) if place == 0 else 0
    return starts[place] + column - 1 if place < len(starts) else len(statement.text)
