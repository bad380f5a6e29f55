"""A Pygments lexer for rowtime's SQL: streaming words, client commands and hints stand out from what is plain SQL.

It takes unfinished text as it comes, and cuts strings, quoted identifiers and comments where `rowtime.script` does.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any, ClassVar

from pygments.lexer import RegexLexer, bygroups
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

from rowtime.shell import words

STREAMING = Keyword.Streaming
"""The token of words that belong to streams."""
COMMAND = Name.Command
"""The token of the name of a client command, with its `!`."""

_KINDS: dict[str, _TokenType] = {
    **dict.fromkeys(words.KEYWORDS, Keyword),
    **dict.fromkeys(words.UNITS, Keyword),
    **dict.fromkeys(words.TYPES, Keyword.Type),
    **dict.fromkeys(words.STREAMING, STREAMING),
    **dict.fromkeys(words.WINDOWS, STREAMING),
    "ROWTIME": Name.Builtin,
}
_CALL = re.compile(r"\s*\(")


def _word(lexer: Any, match: re.Match[str], context: Any = None) -> Any:
    text = match.group()
    kind = _KINDS.get(text.upper(), Name)
    if kind in (Name, Keyword) and _CALL.match(match.string, match.end()) and _is_call(text.upper(), kind):
        kind = Name.Function
    yield match.start(), kind, text


def _is_call(word: str, kind: _TokenType) -> bool:
    """Whether a word with a parenthesis behind it is a function: IN (…) and OVER (…) are not."""
    return kind is Name or word in ("CAST", "EXTRACT", "GROUPING", "LEFT", "RIGHT", *words.UNITS)


class RowtimeLexer(RegexLexer):
    """SQL as rowtime understands it."""

    name = "rowtime SQL"
    aliases: ClassVar[list[str]] = ["rowtime"]
    filenames: ClassVar[list[str]] = []
    flags = re.IGNORECASE

    tokens: ClassVar[dict[str, list[tuple[str, Any]] | list[Any]]] = {
        "root": [
            (r"(?m)^([ \t]*)(![A-Za-z]\w*)", bygroups(Whitespace, COMMAND)),
            # Line ends for themselves: what comes behind one may be a command.
            (r"[\r\n]+|[^\S\r\n]+", Whitespace),
            (r"(?:--|//)[^\r\n]*", Comment.Single),
            (r"(?s)/\*\+.*?(?:\*/|\Z)", Comment.Preproc),
            (r"(?s)/\*.*?(?:\*/|\Z)", Comment.Multiline),
            (r"'(?:[^']|'')*(?:'|\Z)", String),
            (r'"(?:[^"\r\n]|"")*(?:"|(?=[\r\n])|\Z)', Name.Variable),
            (r"(?:\d+\.?\d*|\.\d+)(?:E[+-]?\d+)?", Number),
            (r"[^\W\d]\w*", _word),
            (r"[(),;.\[\]{}]", Punctuation),
            (r"=>|<>|<=|>=|!=|\|\||[-+*/%<>=:?]", Operator),
            (r".", Name),
        ]
    }


def tokens(text: str) -> list[tuple[int, _TokenType, str]]:
    """The tokens of a text that mean something: where each begins, its type and its text; no blanks or comments."""
    return [token for token in _lex(text) if token[1] not in Whitespace and token[1] not in Comment]


def is_prose(text: str) -> bool:
    """Whether the text ends within a comment or a string."""
    found = list(_lex(text))
    if not found:
        return False
    _, kind, word = found[-1]
    if kind in Comment:
        return kind is Comment.Single or not word.endswith("*/") or len(word) < 4
    return kind in String and (len(word) == 1 or not word.endswith("'"))


_lex: Callable[[str], Any] = RowtimeLexer().get_tokens_unprocessed
