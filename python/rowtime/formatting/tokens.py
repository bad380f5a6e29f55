"""The tokens of a statement, comments included; put together with what lies between, they are its text again."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal

Kind = Literal["word", "quoted", "string", "number", "sign", "hint", "comment"]


@dataclass(frozen=True, slots=True)
class Token:
    """A token as it is written, and the offset at which it `start`s. `quoted` is an identifier in double quotes.

    `own_line`: nothing but blanks stands before it on its line; `glued`: not even a blank stands before it.
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
        """A word as keywords are compared; other tokens as they are."""
        return self.text.upper() if self.kind == "word" else self.text

    @property
    def ends_line(self) -> bool:
        """Whether nothing can follow it on its line."""
        return self.kind == "comment" and not self.text.startswith("/*")


_TOKEN = re.compile(
    r"""
    (?P<comment> (?:--|//)[^\r\n]* | /\*(?!\+)[\s\S]*?\*/ )
  | (?P<hint>    /\*\+ (?: [\s\S]*?\*/ | [\s\S]* ) )
  | (?P<string>  (?: [NnXxBb] | [Uu]& | _[\w.:-]+ )? '(?:[^']|'')*' )
  | (?P<quoted>  (?: [Uu]& )? "(?:[^"]|"")*" )
  | (?P<number>  (?: \d+ (?: \.(?!\.)\d* )? | \.\d+ ) (?: [Ee][+-]?\d+ )? )
  | (?P<word>    (?: [^\W\d] | \$ ) [\w$]* )
  | (?P<sign>    <=> | <= | >= | <> | != | == | \|\| | => | -> | :: | \.\. | << | >> | [^\s] )
    """,
    re.VERBOSE,
)


def tokens(text: str) -> list[Token]:
    """The tokens of `text` in order. A hint without an end goes up to that of the text; what else belongs to none, such
    as a quotation mark without its pair, is a sign."""
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
