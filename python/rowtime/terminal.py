"""Text for a terminal: escapes characters that would control it, or reorder the text next to them.

Values, names and messages of others may contain anything. JSON and CSV output has its own rules, and keeps it
unchanged.
"""

from __future__ import annotations

import re

_SHORT = {"\n": "\\n", "\t": "\\t", "\r": "\\r"}

UNPRINTABLE = re.compile(
    "["
    "\x00-\x1f\x7f-\x9f"  # C0, DEL and C1: control characters of a terminal
    "\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069"  # these change the direction of the text after them
    "\u2028\u2029"  # line ends to some terminals
    "\ud800-\udfff"  # unpaired halves of a surrogate pair, which no encoding can write
    "]"
)


def printable(text: str) -> str:
    r"""Returns the text on one line, safe for a terminal: with `\n`, `\t`, `\r`, `\x1b`, `\u202e` in place of such
    characters."""
    if text.isascii() and text.isprintable():
        return text
    return UNPRINTABLE.sub(_escape, text)


def printable_lines(text: str) -> str:
    """Returns the text like `printable`, but keeps its line ends."""
    return "\n".join(printable(line) for line in text.split("\n"))


def _escape(found: re.Match[str]) -> str:
    character = found[0]
    code = ord(character)
    return _SHORT.get(character) or (f"\\x{code:02x}" if code < 0x100 else f"\\u{code:04x}")
