"""Completes the word at the cursor: keywords, functions, names of the catalog, and columns, those of FROM first."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from prompt_toolkit.completion import CompleteEvent, Completer, Completion
from prompt_toolkit.document import Document

from rowtime.editing import words
from rowtime.editing.checking import explained_sql
from rowtime.editing.lexer import is_prose
from rowtime.editing.names import CatalogColumn, CatalogObject
from rowtime.editing.scope import CursorContext, TableReference, cursor_context
from rowtime.lexical.identifiers import is_plain, quoted
from rowtime.lexical.words import STREAMING, TYPES, UNITS, WINDOWS
from rowtime.script.commands import ClientCommand
from rowtime.splitter import split

_WORD = re.compile(r'(?:"[^"\r\n]*|\b\w+)\Z')
_KINDS = {
    "STREAM": ("STREAM", "FOREIGN STREAM"),
    "TABLE": ("TABLE", "FOREIGN TABLE"),
    "VIEW": ("VIEW", "MATERIALIZED VIEW"),
    "MATERIALIZED VIEW": ("MATERIALIZED VIEW",),
    "PUMP": ("PUMP", "MATERIALIZED VIEW"),
}
_OF_NAMES: Mapping[str, tuple[str, ...]] = {"bound": ("STREAM",), "describe": ()}
"""Client commands whose first word is an object of these kinds, or of any."""
_AFTER_CREATE = (
    "STREAM", "TABLE", "VIEW", "PUMP", "FOREIGN STREAM", "FOREIGN TABLE", "MATERIALIZED VIEW", "OR REPLACE",
)  # fmt: skip


@dataclass
class SqlCompleter(Completer):
    """Completes statements and client commands. `objects` returns the objects of the catalog, `values` the possible
    next words of a client command, `columns` the columns of a query in the text."""

    objects: Callable[[], Sequence[CatalogObject]]
    commands: Mapping[str, ClientCommand]
    values: Callable[[str], Iterable[str]] = lambda _: ()
    columns: Callable[[str], Iterable[CatalogColumn]] = lambda _: ()
    functions: Callable[[], Iterable[str]] = words.functions

    def get_completions(self, document: Document, complete_event: CompleteEvent) -> Iterator[Completion]:
        before = document.text_before_cursor
        written = self.prefix(before)
        if not (written or before.endswith((".", "!")) or complete_event.completion_requested):
            # A list after each blank would interfere with Enter and the arrow keys.
            return
        for text, what in self.candidates(document.text, document.cursor_position):
            yield Completion(text, -len(written), display_meta=what)

    @staticmethod
    def prefix(before: str) -> str:
        """Returns the part of a word right before the cursor, which a completion replaces."""
        match = _WORD.search(before)
        return match.group() if match else ""

    def candidates(self, text: str, cursor: int) -> Iterator[tuple[str, str]]:
        """Yields the possible words at the cursor in place of the one before it, best first, each with its kind."""
        if explained_sql(text[:cursor]) is not None:
            text = explained_sql(text) or text
        line = text[text.rfind("\n", 0, cursor) + 1 : cursor].lstrip()
        statement, start = _statement(text, cursor)
        if line.startswith("!") and not statement[: cursor - start].strip():
            yield from self._command(line)
            return
        if is_prose(text[:cursor]):
            return
        match = _WORD.search(statement[: cursor - start])
        written = match.group() if match else ""
        seen = set()
        for name, what in self._statement_candidates(cursor_context(statement, cursor - start), written):
            shown = _in_case(name, written) if what in ("keyword", "function") else _as_written(name, written)
            if shown not in seen and _matches(shown, written):
                seen.add(shown)
                yield shown, what

    # --- statements --------------------------------------------------------------------------------------------------

    def _statement_candidates(self, at: CursorContext, written: str) -> Iterator[tuple[str, str]]:
        objects = {each.name: each for each in self.objects()}
        last = at.before[0] if at.before else ""
        statement = at.before[-1] if at.before else ""
        if at.qualifier:
            yield from self._qualified_columns(at, objects)
        elif not at.previous:
            yield from ((start, "keyword") for start in words.STARTS)
        elif _wants_source(at, last):
            yield from ((name, "with") for name in at.named)
            without = ("PUMP", "VIEW", "MATERIALIZED VIEW") if at.previous == "INTO" else ("PUMP",)
            yield from ((each.name, each.kind.lower()) for each in objects.values() if each.kind not in without)
        elif statement in ("DROP", "ALTER", "DESCRIBE") and (at.previous in _KINDS or at.previous == "DESCRIBE"):
            kinds = _KINDS.get(at.previous, ())
            yield from ((each.name, each.kind.lower()) for each in objects.values() if not kinds or each.kind in kinds)
        elif at.previous == "SHOW":
            yield from ((plural, "keyword") for plural in (*(f"{kind}S" for kind in _KINDS), "SAVES"))
        elif at.previous in ("CREATE", "REPLACE", "DROP") and statement in ("CREATE", "DROP"):
            yield from ((word, "keyword") for word in _AFTER_CREATE)
        else:
            yield from self._other_candidates(at, written, objects)

    def _other_candidates(
        self, at: CursorContext, written: str, objects: Mapping[str, CatalogObject]
    ) -> Iterator[tuple[str, str]]:
        yield from self._columns(at, objects)
        yield from ((source.alias, "alias") for source in at.sources)
        if not written:
            yield from ((word, "keyword") for word in _following(at))
            return
        if "SELECT" in at.before and not at.sources:
            # FROM follows later.
            for each in objects.values():
                yield from ((column.name, f"{each.name} {column.type}") for column in each.columns)
        if not written.startswith('"'):
            yield from ((word, "keyword") for word in sorted(words.KEYWORDS | STREAMING | WINDOWS))
            yield from ((name, "function") for name in sorted(self.functions()))
            yield from ((word, "keyword") for word in sorted(TYPES | UNITS))
        yield from ((each.name, each.kind.lower()) for each in objects.values())

    # --- columns -----------------------------------------------------------------------------------------------------

    def _qualified_columns(self, at: CursorContext, objects: Mapping[str, CatalogObject]) -> Iterator[tuple[str, str]]:
        """Yields the columns of the name before the point, or the rest of a name of several parts."""
        path = ".".join(at.qualifier)
        for source in at.sources:
            if source.alias == at.qualifier[-1] or source.name == path:
                yield from self._source_columns(source, objects)
        if path in objects:
            yield from ((column.name, column.type) for column in objects[path].columns)
        for name, each in objects.items():
            if name.startswith(path + "."):
                yield name[len(path) + 1 :].split(".")[0], each.kind.lower()

    def _columns(self, at: CursorContext, objects: Mapping[str, CatalogObject]) -> Iterator[tuple[str, str]]:
        for source in at.sources:
            yield from self._source_columns(source, objects)
        if at.inserts in objects and not at.sources:
            yield from ((column.name, column.type) for column in objects[at.inserts].columns)

    def _source_columns(
        self, source: TableReference, objects: Mapping[str, CatalogObject]
    ) -> Iterator[tuple[str, str]]:
        named = objects.get(source.name)
        found = self.columns(source.query) if source.query else () if named is None else named.columns
        yield from ((column.name, column.type) for column in found)

    # --- client commands ---------------------------------------------------------------------------------------------

    def _command(self, line: str) -> Iterator[tuple[str, str]]:
        name, blank, rest = line[1:].partition(" ")
        written = _WORD.search(line)
        begun = written.group() if written else ""
        if not blank:
            yield from ((each, known.purpose) for each, known in self.commands.items() if each.startswith(name.lower()))
            return
        if name in _OF_NAMES:
            if rest.removesuffix(begun).strip():
                return
            kinds = _OF_NAMES[name]
            names = (each.name for each in self.objects() if not kinds or each.kind in kinds)
            found = [_as_written(each, begun) for each in names]
        else:
            found = list(self.values(name))
        yield from ((each, "") for each in found if _matches(each, begun))


def _statement(text: str, cursor: int) -> tuple[str, int]:
    """Returns the statement around the cursor, up to its semicolon, and its offset; '' if there is none."""
    start = 0
    begun: int | None = None
    for piece in split(text).pieces:
        if piece.kind in ("statement", "broken"):
            begun = start
        elif begun is not None and (piece.kind == "command" or piece.text.startswith(";")):
            if begun <= cursor <= start:
                return text[begun:start], begun
            begun = None
        start += len(piece.text)
    if begun is not None and begun <= cursor:
        return text[begun:], begun
    return "", cursor


def _wants_source(at: CursorContext, last: str) -> bool:
    if at.previous == "FROM":
        return "SELECT" in at.before or "DELETE" in at.before
    if at.previous == "USING":
        return "MERGE" in at.before
    starts = at.previous == "UPDATE" and at.before == ["UPDATE"]
    return starts or at.previous in ("INTO", "JOIN") or (at.previous == "," and last == "FROM")


_NEXT = {
    "SELECT": ("STREAM", "DISTINCT", "FROM"),
    "STREAM": ("FROM",),
    "FROM": ("WHERE", "GROUP BY", "JOIN", "ORDER BY", "UNION ALL"),
    "WHERE": ("AND", "OR", "GROUP BY", "ORDER BY"),
    "INSERT": ("INTO",),
    "UPDATE": ("SET",),
    "SET": ("WHERE",),
    "DELETE": ("FROM",),
    "INTO": ("VALUES", "SELECT STREAM", "SELECT"),
    "GROUP": ("BY",),
    "ORDER": ("BY",),
}


def _following(at: CursorContext) -> Iterator[str]:
    """Yields likely next keywords, if nothing of the next word is written yet."""
    for word in at.before:
        if word in _NEXT:
            yield from _NEXT[word]
            return


def _matches(shown: str, written: str) -> bool:
    return shown.upper().lstrip('"').startswith(written.upper().lstrip('"')) and shown != written


def _as_written(name: str, written: str) -> str:
    """Returns a name of the catalog in the user's spelling: in the case of what is written so far, or in double
    quotes."""
    parts = name.split(".") if not written.startswith('"') else [name]
    if not written.startswith('"') and all(map(is_plain, parts)):
        return name if written and written.isupper() else name.lower()
    return ".".join(map(quoted, parts))


def _in_case(word: str, written: str) -> str:
    return word.lower() if written and written == written.lower() else word
