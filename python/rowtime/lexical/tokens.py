"""The tokens of a statement, including comments. Joined with the text between them, they are the statement's text
again.

Unfinished text has tokens, too: a string, a hint or a comment without an end extends to the end of the text, and a
quoted identifier to the end of its line, as the parser allows no line end in one.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal

Kind = Literal["word", "quoted", "string", "number", "sign", "hint", "comment"]


@dataclass(frozen=True, slots=True)
class Token:
    """A token as it is written, with its offset `start`. `quoted`: an identifier in double quotes.

    `own_line`: only blanks precede it on its line; `glued`: not even a blank precedes it.
    """

    kind: Kind
    text: str
    start: int
    own_line: bool
    glued: bool

    @property
    def end(self) -> int:
        return self.start + len(self.text)

    @property
    def upper(self) -> str:
        """Returns a word in the form in which keywords are compared; other tokens unchanged."""
        return self.text.upper() if self.kind == "word" else self.text

    @property
    def is_open(self) -> bool:
        """Returns whether a string, a hint or a comment has no end yet; a comment to the end of the line always has
        one."""
        if self.kind == "string":
            return self.text.count("'") % 2 == 1
        block = self.kind in ("hint", "comment") and not self.ends_line
        return self.ends_line or (block and not (self.text.endswith("*/") and len(self.text) > 3))

    @property
    def ends_line(self) -> bool:
        """Returns whether nothing can follow the token on its line."""
        return self.kind == "comment" and not self.text.startswith("/*")


LINE_COMMENT = r"(?:--|//)[^\r\n]*"
STRING = r"'(?:[^']|'')*'"
IDENTIFIER = r'"(?:[^"\r\n]|"")*"'

_TOKEN = re.compile(
    rf"""
    (?P<comment> {LINE_COMMENT} | /\*(?!\+)[\s\S]*?(?:\*/|\Z) )
  | (?P<hint>    /\*\+ [\s\S]*?(?:\*/|\Z) )
  | (?P<string>  (?: [NnXxBb] | [Uu]& | _[\w.:-]+ )? (?: {STRING} | '[\s\S]* ) )
  | (?P<quoted>  (?: [Uu]& )? (?: {IDENTIFIER} | "[^\r\n]* ) )
  | (?P<number>  (?: \d+ (?: \.(?!\.)\d* )? | \.\d+ ) (?: [Ee][+-]?\d+ )? )
  | (?P<word>    (?: [^\W\d] | \$ ) [\w$]* )
  | (?P<sign>    <=> | <= | >= | <> | != | == | \|\| | => | -> | :: | \.\. | << | >> | [^\s] )
    """,
    re.VERBOSE,
)


def tokens(text: str) -> list[Token]:
    """Returns the tokens of `text` in order. A character that belongs to no other token is a sign."""
    return list(_tokens(text))


def _tokens(text: str) -> Iterator[Token]:
    end = 0
    for match in _TOKEN.finditer(text):
        between = text[end : match.start()]
        own_line = end == 0 or "\n" in between or "\r" in between
        kind: Kind = match.lastgroup  # type: ignore[assignment]
        written = match.group().rstrip() if kind == "comment" else match.group()
        yield Token(kind, written, match.start(), own_line, not between and end > 0)
        end = match.end()
