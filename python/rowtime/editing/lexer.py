"""A Pygments lexer for rowtime's SQL, which distinguishes streaming keywords, client commands and hints from standard
SQL.

It accepts unfinished text, and splits it as the formatter and the splitter of scripts do.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import pairwise
from typing import ClassVar

from pygments.lexer import Lexer
from pygments.token import (
    Comment,
    Keyword,
    Name,
    Number,
    Operator,
    Punctuation,
    String,
    Whitespace,
    _TokenType,
)

from rowtime.editing.words import KEYWORDS
from rowtime.lexical.tokens import Token
from rowtime.lexical.tokens import tokens as cut
from rowtime.lexical.words import STREAMING as STREAMING_WORDS
from rowtime.lexical.words import TYPES, UNITS, WINDOWS

STREAMING = Keyword.Streaming
"""The token type of streaming keywords."""
COMMAND = Name.Command
"""The token type of a client command's name, with its `!`."""

TypedToken = tuple[int, _TokenType, str]
"""The offset of a token, its type and its text."""

_KINDS: dict[str, _TokenType] = {"string": String, "quoted": Name.Variable, "number": Number, "hint": Comment.Preproc}
_OF_WORDS: dict[str, _TokenType] = {
    **dict.fromkeys(KEYWORDS, Keyword),
    **dict.fromkeys(UNITS, Keyword),
    **dict.fromkeys(TYPES, Keyword.Type),
    **dict.fromkeys(STREAMING_WORDS, STREAMING),
    **dict.fromkeys(WINDOWS, STREAMING),
    "ROWTIME": Name.Builtin,
}
_CALLED = frozenset(["CAST", "EXTRACT", "GROUPING", "LEFT", "RIGHT"]) | UNITS
"""Keywords that are functions if a parenthesis follows: IN (…) and OVER (…) are not."""


class RowtimeLexer(Lexer):
    """The SQL of rowtime."""

    name = "rowtime SQL"
    aliases: ClassVar[list[str]] = ["rowtime"]
    filenames: ClassVar[list[str]] = []

    def get_tokens_unprocessed(self, text: str) -> Iterator[TypedToken]:
        """Yields all of `text`, including blanks."""
        end = 0
        for start, kind, written in _typed_tokens(text):
            if start > end:
                yield end, Whitespace, text[end:start]
            yield start, kind, written
            end = start + len(written)
        if end < len(text):
            yield end, Whitespace, text[end:]


def tokens(text: str) -> list[TypedToken]:
    """Returns the tokens of a text that are part of statements: no blanks, comments or hints."""
    return [token for token in _typed_tokens(text) if token[1] not in Comment]


def is_prose(text: str) -> bool:
    """Returns whether the text ends within a comment or a string."""
    found = cut(text)
    if not found or not found[-1].is_open:
        return False
    return not found[-1].ends_line or not re.search(r"[\r\n]", text[found[-1].end :])


def _typed_tokens(text: str) -> Iterator[TypedToken]:
    found = cut(text)
    exclaimed: Token | None = None
    for token, after in pairwise([*found, None]):
        assert token is not None
        if exclaimed is not None:
            yield exclaimed.start, COMMAND, exclaimed.text + token.text
            exclaimed = None
        elif token.text == "!" and token.own_line and after is not None and after.kind == "word" and after.glued:
            exclaimed = token
        else:
            yield token.start, _kind(token, after), token.text


def _kind(token: Token, after: Token | None) -> _TokenType:
    if token.kind == "comment":
        return Comment.Single if token.ends_line else Comment.Multiline
    if token.kind == "sign":
        return Punctuation if token.text in "(),;.[]{}" else Operator
    if token.kind != "word":
        return _KINDS[token.kind]
    kind = _OF_WORDS.get(token.upper, Name)
    called = after is not None and after.text == "(" and (kind is Name or token.upper in _CALLED)
    return Name.Function if called else kind
