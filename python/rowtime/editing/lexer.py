"""A Pygments lexer for rowtime's SQL: streaming words, client commands and hints stand out from what is plain SQL.

It takes unfinished text as it comes, and cuts it as the formatter and the splitter of scripts do.
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
"""The token of words that belong to streams."""
COMMAND = Name.Command
"""The token of the name of a client command, with its `!`."""

Found = tuple[int, _TokenType, str]
"""Where a token begins, its type and its text."""

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
"""Keywords that are functions where a parenthesis follows: IN (…) and OVER (…) are not."""


class RowtimeLexer(Lexer):
    """SQL as rowtime understands it."""

    name = "rowtime SQL"
    aliases: ClassVar[list[str]] = ["rowtime"]
    filenames: ClassVar[list[str]] = []

    def get_tokens_unprocessed(self, text: str) -> Iterator[Found]:
        """All of `text`, blanks included."""
        end = 0
        for start, kind, written in _coloured(text):
            if start > end:
                yield end, Whitespace, text[end:start]
            yield start, kind, written
            end = start + len(written)
        if end < len(text):
            yield end, Whitespace, text[end:]


def tokens(text: str) -> list[Found]:
    """The tokens of a text that mean something to a statement: no blanks, comments or hints."""
    return [token for token in _coloured(text) if token[1] not in Comment]


def is_prose(text: str) -> bool:
    """Whether the text ends within a comment or a string."""
    found = cut(text)
    if not found or not found[-1].is_open:
        return False
    return not found[-1].ends_line or not re.search(r"[\r\n]", text[found[-1].end :])


def _coloured(text: str) -> Iterator[Found]:
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
