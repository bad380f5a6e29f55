"""Splits a statement, a sub-query or a window into its clauses."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from rowtime.formatting.pieces import FormattedToken, Item, first
from rowtime.lexical.words import words

QUERY = frozenset(["SELECT", "WITH", "VALUES", "FROM", "INSERT", "UPDATE", "DELETE", "MERGE", "CREATE", "EXPLAIN"])
WINDOW = frozenset(["PARTITION", "ORDER", "RANGE", "ROWS"])

LISTS = frozenset(["SELECT", "GROUP BY", "ORDER BY", "PARTITION BY", "VALUES", "FROM", "WITH", "WINDOW", "ASSIGN"])
"""Clauses whose elements are separated by commas."""

CONDITIONS = frozenset(["WHERE", "HAVING", "QUALIFY"])

_SINGLE = words("SELECT WHERE HAVING QUALIFY WINDOW LIMIT OFFSET FETCH VALUES INSERT UPDATE MERGE")
_WITH_BY = frozenset(["GROUP", "ORDER", "PARTITION"])
_SETS = frozenset(["UNION", "INTERSECT", "EXCEPT", "MINUS"])
_JOINS = frozenset(["NATURAL", "INNER", "LEFT", "RIGHT", "FULL", "OUTER", "CROSS", "ASOF", "JOIN"])
_MODIFIERS = frozenset(["STREAM", "DISTINCT", "ALL", "RECURSIVE", "EXPEDITED", "INTO"])


@dataclass(slots=True)
class Clause:
    """A clause by its `name`, such as GROUP BY; '' for the part before the first clause. `head` is the number of its
    keywords. The SET of an UPDATE is named ASSIGN, and each set operation SET."""

    name: str
    head: list[Item] = field(default_factory=list)
    body: list[Item] = field(default_factory=list)


def has_clauses(parts: Sequence[Item]) -> bool:
    """Returns whether the contents of parentheses are a query or a window."""
    word = next((first(item).word for item in parts if not _is_comment(item)), "")
    return word in QUERY or word in WINDOW


def clauses(parts: Sequence[Item]) -> list[Clause]:
    """Returns the clauses in order. Comments on lines of their own belong to the clause that follows."""
    begin = next((first(item).word for item in parts if not _is_comment(item)), "")
    found = [Clause("")]
    place = 0
    while place < len(parts):
        name, length = _head(parts, place, begin)
        if not length:
            found[-1].body.append(parts[place])
            place += 1
            continue
        clause = Clause(name, _own_comments(found[-1].body))
        clause.head += parts[place : place + length]
        found.append(clause)
        place += length
    return [clause for clause in found if clause.head or clause.body]


def list_elements(parts: Sequence[Item]) -> list[list[Item]]:
    """Returns the elements of a list, each with its comma and with the comment after it on the line."""
    found: list[list[Item]] = [[]]
    for item in parts:
        behind = isinstance(item, FormattedToken) and item.comment is not None and not item.comment.own_line
        ended = found[-1] and any(isinstance(x, FormattedToken) and x.text == "," and not x.comment for x in found[-1])
        if ended and not behind:
            found.append([])
        found[-1].append(item)
    return [element for element in found if element]


def _head(parts: Sequence[Item], place: int, begin: str) -> tuple[str, int]:
    """Returns the clause that begins at this place, and the number of its keywords; 0 if none begins. `begin` is the
    first word of the statement."""
    word, following = _word(parts, place), _word(parts, place + 1)
    if word in _WITH_BY and following == "BY":
        return f"{word} BY", 2
    if begin in WINDOW:
        return (word, 1) if word in ("RANGE", "ROWS") else ("", 0)
    if word == "FROM":
        # IS DISTINCT FROM is an operator.
        return ("", 0) if _word(parts, place - 1) == "DISTINCT" else ("FROM", 1)
    if word == "WITH":
        # WITH (…) of a table, WITH TIES and WITH TIME ZONE begin no query.
        return ("WITH", 1 + (following == "RECURSIVE")) if place == 0 or _word(parts, place - 1) == "AS" else ("", 0)
    if word == "DELETE" and following == "FROM":
        return "DELETE", 2
    if begin == "MERGE" and word == "USING":
        return "JOIN", 1
    if word == "SET":
        return "ASSIGN", 1
    if word == "WHEN":
        return _branch(parts, place)
    if word in _SINGLE:
        length = 1
        while _word(parts, place + length) in _MODIFIERS or _is_hint(parts, place + length):
            length += 1
        return word, length
    if word in _SETS:
        return "SET", 1 + (following in ("ALL", "DISTINCT"))
    if word in _JOINS:
        length = 1
        while _word(parts, place + length - 1) != "JOIN":
            if _word(parts, place + length) not in _JOINS:
                return "", 0
            length += 1
        return "JOIN", length
    return "", 0


def _branch(parts: Sequence[Item], place: int) -> tuple[str, int]:
    """Recognises WHEN MATCHED THEN UPDATE SET and WHEN NOT MATCHED THEN INSERT of a MERGE."""
    length = 1
    while _word(parts, place + length) in ("NOT", "MATCHED", "THEN", "UPDATE"):
        length += 1
    return ("INSERT" if _word(parts, place + length) == "INSERT" else "ASSIGN"), length + 1


def _word(parts: Sequence[Item], place: int) -> str:
    item = parts[place] if 0 <= place < len(parts) else None
    return item.word if isinstance(item, FormattedToken) else ""


def _is_hint(parts: Sequence[Item], place: int) -> bool:
    item = parts[place] if place < len(parts) else None
    return isinstance(item, FormattedToken) and item.comment is None and item.text.startswith("/*+")


def _is_comment(item: Item) -> bool:
    return isinstance(item, FormattedToken) and item.comment is not None


def _own_comments(body: list[Item]) -> list[Item]:
    """Removes the comments on lines of their own from the end of a clause, and returns them."""
    taken: list[Item] = []
    while body and isinstance(body[-1], FormattedToken) and body[-1].comment is not None and body[-1].comment.own_line:
        taken.insert(0, body.pop())
    return taken
