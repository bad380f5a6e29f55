"""Finds the context of the cursor in a statement: its clause, and the tables that the query around it reads.

It reads tokens only, because the statement is seldom complete while it is typed.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace

from pygments.token import Name, String

from rowtime.editing.lexer import STREAMING, tokens


@dataclass(frozen=True, slots=True)
class Word:
    """A token: its offset, its text, and its text as a keyword or operator ('' for names and strings). For the query
    around it, a whole parenthesis is a word too, with its contents in `inner`."""

    start: int
    text: str
    keyword: str
    inner: str = ""

    @property
    def name(self) -> str:
        """Returns the name as the catalog writes it: upper case, unless it was in double quotes."""
        if self.text.startswith('"'):
            return self.text.strip('"').replace('""', '"')
        return self.text.upper()

    @property
    def is_name(self) -> bool:
        return self.text[0] == '"' or self.text[0].isalpha() or self.text[0] == "_"


@dataclass(frozen=True, slots=True)
class TableReference:
    """A table in FROM: its name in the catalog, and the name that qualifies its columns. For a sub-query or a name of
    WITH, `query` is its query."""

    name: str
    alias: str
    query: str = ""


@dataclass(frozen=True, slots=True)
class CursorContext:
    """The context before the cursor.

    `before` contains the keywords before the current word, the nearest first, up to the beginning of its query, and
    `previous` is the word or sign right before it. `qualifier` contains the dotted names right before it, `sources` the
    tables in scope, those of the innermost query first, `inserts` the target of an INSERT, and `named` the names that
    WITH defines.
    """

    before: list[str]
    previous: str
    qualifier: list[str]
    sources: list[TableReference]
    inserts: str
    named: list[str]


@dataclass(slots=True)
class _Query:
    """A parenthesis, or the statement: the offset of its text, and the words directly in it."""

    start: int = 0
    words: list[Word] = field(default_factory=list)


_CLAUSES = (
    "SELECT", "WHERE", "GROUP", "HAVING", "ORDER", "WINDOW", "UNION", "EXCEPT", "INTERSECT", "LIMIT", "VALUES", "SET",
    "WHEN",
)  # fmt: skip
_SUBQUERY = "()"


def cursor_context(statement: str, cursor: int) -> CursorContext:
    """Returns the context of the cursor (an offset in the statement). Text after it counts for the tables of FROM."""
    words = [_word(*token) for token in tokens(statement)]
    # The word under the cursor is the one to complete.
    written = [w for w in words if w.start < cursor and not (w.is_name and w.start + len(w.text) >= cursor)]
    enclosing = _enclosing(words, cursor, statement)
    named = _with_queries(enclosing[-1].words, statement)
    inner = [word for word in enclosing[0].words if word in written]
    qualifier = _qualifier(written)
    before = [word.keyword for word in reversed(inner) if word.keyword and word.is_name]
    sources: list[TableReference] = []
    for query in enclosing:
        for source in _sources(query.words):
            found = replace(source, query=source.query or named.get(source.name, ""))
            if found not in sources:
                sources.append(found)
    previous = written[-1].text.upper() if written else ""
    return CursorContext(before, previous, qualifier, sources, _inserts(words), list(named))


def _word(start: int, kind: object, text: str) -> Word:
    named = kind in Name or kind in String
    streaming = kind is STREAMING
    return Word(start, text, text.upper() if not named or streaming else "")


def _enclosing(words: Sequence[Word], cursor: int, statement: str) -> list[_Query]:
    """Returns the query around the cursor and the queries around that, from the inside out."""
    stack = [_Query()]
    found: list[_Query] | None = None
    for word in words:
        if found is None and word.start >= cursor:
            found = list(reversed(stack))
        if word.text == "(":
            stack.append(_Query(word.start + 1))
        elif word.text == ")" and len(stack) > 1:
            inner = stack.pop()
            stack[-1].words.append(Word(word.start, _SUBQUERY, "", statement[inner.start : word.start]))
        else:
            stack[-1].words.append(word)
    return found or list(reversed(stack))


def _sources(words: Sequence[Word]) -> Iterator[TableReference]:
    """Yields the tables after FROM, JOIN and their commas, and those of UPDATE, DELETE and MERGE; not what follows FROM
    in EXTRACT (… FROM …)."""
    expecting = within = False
    changes = bool(words) and words[0].keyword in ("UPDATE", "DELETE", "MERGE")
    selects = changes
    before = ("FROM", "JOIN", "UPDATE", "INTO", "USING") if changes else ("FROM", "JOIN")
    position = 0
    while position < len(words):
        word = words[position]
        selects = selects or word.keyword == "SELECT"
        if selects and word.keyword in before:
            expecting = within = True
        elif word.text == "," and within:
            expecting = True
        elif word.keyword in _CLAUSES:
            expecting = within = False
        elif expecting and word.text == _SUBQUERY:
            alias = _alias(words[position + 1 :])
            if alias:
                yield TableReference("", alias, word.inner)
            expecting = False
        elif expecting and word.is_name and not word.keyword:
            parts = [word.name]
            while position + 2 < len(words) and words[position + 1].text == ".":
                parts.append(words[position + 2].name)
                position += 2
            yield TableReference(".".join(parts), _alias(words[position + 1 :]) or parts[-1])
            expecting = False
        position += 1


def _with_queries(words: Sequence[Word], statement: str) -> dict[str, str]:
    """Returns the names that WITH defines, each with a query for its rows, which contains the definitions before it."""
    found: dict[str, str] = {}
    if not words or words[0].keyword != "WITH":
        return found
    for position, word in enumerate(words):
        if word.text == _SUBQUERY and position >= 2 and words[position - 1].keyword == "AS":
            name = words[position - 2] if words[position - 2].is_name else words[position - 3]
            found[name.name] = f"{statement[: word.start + 1]} SELECT * FROM {name.text}"
    return found


def _alias(following: Sequence[Word]) -> str | None:
    if following and following[0].keyword == "AS":
        following = following[1:]
    return following[0].name if following and following[0].is_name and not following[0].keyword else None


def _qualifier(written: Sequence[Word]) -> list[str]:
    parts: list[str] = []
    position = len(written) - 1
    while position > 0 and written[position].text == "." and written[position - 1].is_name:
        parts.insert(0, written[position - 1].name)
        position -= 2
    return parts


def _inserts(words: Sequence[Word]) -> str:
    """Returns the target of an INSERT; '' if there is none."""
    for position, word in enumerate(words[:-1]):
        if word.keyword == "INTO":
            parts = words[position + 1 :]
            name = parts[0].name
            for dot, part in zip(parts[1::2], parts[2::2], strict=False):
                if dot.text != ".":
                    break
                name += "." + part.name
            return name
    return ""
