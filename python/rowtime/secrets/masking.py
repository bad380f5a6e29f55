"""Masks secrets in the text of statements, including invalid ones.

In an OPTIONS list, only names by the list's own grammar and values known to be harmless are shown. From the first
syntax error on, the rest of the list is masked: a missing quote turns a password into words.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from rowtime.lexical.tokens import Token, tokens
from rowtime.lexical.words import RESERVED
from rowtime.secrets import HIDDEN, harmless, memory

_MAY_HAVE_SOME = re.compile(r"\b(?:OPTIONS|FOREIGN|WITH\s*\()", re.IGNORECASE)
_WORDS = re.compile(r"[^\s,']{3,}")


@dataclass(frozen=True, slots=True)
class Mask:
    """A masked part of a text, from offset `start` to `end`; `shown` replaces it. `secrets` are the secrets in the
    part."""

    start: int
    end: int
    shown: str
    secrets: tuple[str, ...]


def masks(text: str) -> list[Mask]:
    """Returns the masks of a script or statement, in order."""
    if not _MAY_HAVE_SOME.search(text):
        return []
    every = tokens(text)
    found: list[Mask] = []
    for statement in _statements([token for token in every if token.kind != "comment"]):
        found += _of_statement(text, statement, [token for token in every if token.kind == "comment"])
    return found


def mask_secrets(text: str) -> str:
    """Returns the text with its secrets masked."""
    return apply(text, masks(text))


def apply(text: str, found: Sequence[Mask]) -> str:
    parts, end = [], 0
    for mask in found:
        parts += [text[end : mask.start], mask.shown]
        end = mask.end
    return "".join([*parts, text[end:]])


def learn(text: str) -> None:
    """Remembers the secrets of a statement before anything is reported about it."""
    memory.remember(secret for mask in masks(text) for secret in mask.secrets)


def _statements(found: Sequence[Token]) -> Iterator[list[Token]]:
    statement: list[Token] = []
    for token in found:
        if token.text == ";":
            yield statement
            statement = []
        else:
            statement.append(token)
    yield statement


def _of_statement(text: str, statement: Sequence[Token], comments: Sequence[Token]) -> Iterator[Mask]:
    foreign = any(token.upper == "FOREIGN" for token in statement[:5])
    depth, lists, place = 0, 0, 0
    while place < len(statement):
        token = statement[place]
        if token.text == "(":
            before = statement[place - 1].upper if place else ""
            # For a foreign object, the text after the columns is its options, however their keyword is spelled.
            if _opens_options(statement, place) or (foreign and depth == 0 and lists > 0 and before != "KEY"):
                found = _List(text, statement, place + 1)
                last = statement[min(found.end, len(statement)) - 1]
                # An option that has been commented out.
                beside = [c for c in comments if token.start < c.start < last.start]
                inside = [*found.masks(), *(Mask(c.start, c.end, HIDDEN, tuple(_possible_secrets(c))) for c in beside)]
                yield from _outermost(inside)
                place = found.end
                continue
            lists += depth == 0
            depth += 1
        elif token.text == ")":
            depth = max(depth - 1, 0)
        elif foreign and token.kind == "string":
            yield _mask(token, token)
        place += 1


def _outermost(found: list[Mask]) -> Iterator[Mask]:
    """Yields the masks in order, without those inside another."""
    end = 0
    for mask in sorted(found, key=lambda mask: (mask.start, -mask.end)):
        if mask.start >= end:
            yield mask
            end = mask.end


def _opens_options(statement: Sequence[Token], place: int) -> bool:
    """Returns whether the parenthesis at this place opens a list of options."""
    word = statement[place - 1].upper if place else ""
    if word == "OPTIONS":
        return True
    following = statement[place + 1 : place + 4]
    if word != "WITH" or not following:
        return False
    # WITH (key = 'value'), and not WITH (…) AS of a query.
    return following[0].kind in ("string", "quoted") or any(token.text in ("=", ".") for token in following[1:])


class _List:
    """The options from a place in a statement on; `end` is the place after them."""

    def __init__(self, text: str, statement: Sequence[Token], place: int) -> None:
        self._text = text
        self._statement = statement
        self._place = place
        self._values: list[tuple[str, str, Token, Token]] = []
        self._wrong: tuple[Token, Token] | None = None
        self._read_options()
        self.end = self._place

    def masks(self) -> Iterator[Mask]:
        options = {name: value for name, value, _, _ in self._values}
        for name, value, first, last in self._values:
            shown, secrets = harmless.split_secrets(options, name, value)
            if secrets:
                quoted = "'" + shown.replace("'", "''") + "'"
                pieces = [_content(t) for t in self._statement if first.start <= t.start <= last.start]
                yield Mask(first.start, last.end, quoted, (*secrets, *pieces, *_escaped_text(first, last)))
        if self._wrong is not None:
            first, last = self._wrong
            inside = [token for token in self._statement if first.start <= token.start <= last.start]
            said = (secret for token in inside for secret in _possible_secrets(token))
            yield Mask(first.start, last.end, HIDDEN, tuple(said))

    def _read_options(self) -> None:
        while self._token is not None and self._token.text != ")":
            if not self._option():
                self._hide_the_rest(self._statement[min(self._place, len(self._statement) - 1)])
                return
            if self._token is not None and self._token.text == ",":
                self._place += 1
            elif self._token is not None and self._token.text != ")":
                self._hide_the_rest(self._token)
                return
        self._place += 1

    def _option(self) -> bool:
        """Reads a name and its value. Returns whether both were there."""
        name = self._name()
        if name is None:
            return False
        if self._token is not None and self._token.text == "=":
            self._place += 1
        first, begin = self._token, self._place
        if first is None:
            return True
        if first.kind in ("string", "number"):
            last = first
            self._place += 1
            while first.kind == "string" and self._token is not None and self._token.kind == "string":
                last = self._token
                self._place += 1
            if first.is_open or last.is_open:
                # It ends at the end of the text, and contains text that was not meant to be in it.
                self._wrong = (first, last)
                self._place = len(self._statement)
                return True
            value = "".join(_content(token) for token in self._statement[begin : self._place])
        elif first.text in ("-", "+") or first.upper in ("TRUE", "FALSE"):
            last = first
            self._place += 1
            if first.text in ("-", "+") and self._token is not None and self._token.kind == "number":
                last = self._token
                self._place += 1
            value = self._text[first.start : last.end].lower()
        else:
            return False
        self._values.append((name, value, first, last))
        return True

    def _name(self) -> str | None:
        parts = []
        while self._token is not None and self._token.kind in ("word", "quoted", "string"):
            token = self._token
            if token.is_open:
                return None
            parts.append(_content(token).lower())
            self._place += 1
            if token.kind != "word" or self._token is None or self._token.text != ".":
                return ".".join(parts)
            self._place += 1
        return None

    def _hide_the_rest(self, first: Token) -> None:
        self._wrong = (first, self._statement[-1])
        self._place = len(self._statement)

    @property
    def _token(self) -> Token | None:
        return self._statement[self._place] if self._place < len(self._statement) else None


def _mask(first: Token, last: Token) -> Mask:
    return Mask(first.start, last.end, f"'{HIDDEN}'", (*_possible_secrets(first), *_escaped_text(first, last)))


def _content(token: Token) -> str:
    """Returns the contents of a token: a string without its quotes."""
    text = token.text
    if token.kind == "string":
        inside = text[text.index("'") + 1 :]
        return inside.removesuffix("'").replace("''", "'")
    return text.strip('"').replace('""', '"') if token.kind == "quoted" else text


def _escaped_text(first: Token, last: Token) -> tuple[str, ...]:
    """Returns the text of a string in the statement, if it differs from its contents."""
    inside = first.text.strip("'")
    return (inside,) if first is last and first.kind == "string" and "''" in inside else ()


def _possible_secrets(token: Token) -> Iterator[str]:
    """Yields the secrets that a token may be: the whole, and its words, as messages quote it."""
    if token.kind in ("sign", "hint") or (token.kind == "word" and token.upper in RESERVED):
        return
    content = _content(token)
    found = [content, content.upper()] if token.kind == "word" else [content, *_WORDS.findall(content)]
    yield from (word for word in found if not harmless.is_name(word))
