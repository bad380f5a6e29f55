"""Text for a terminal: what would steer it, or reorder what stands beside it, is shown as an escape.

Values, names and messages of others may hold anything. JSON and CSV keep them as they are, by rules of their own.
"""

from __future__ import annotations

import re

_SHORT = {"\n": "\\n", "\t": "\\t", "\r": "\\r"}

UNPRINTABLE = re.compile(
    "["
    "\x00-\x1f\x7f-\x9f"  # C0, DEL and C1: a terminal acts on them
    "\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069"  # these change the direction of what follows
    "\u2028\u2029"  # line ends to some
    "\ud800-\udfff"  # halves of a pair alone, which no encoding can write
    "]"
)


def printable(text: str) -> str:
    r"""The text on one line, safe for a terminal: `\n`, `\t`, `\r`, `\x1b`, `\u202e` in place of such characters."""
    if text.isascii() and text.isprintable():
        return text
    return UNPRINTABLE.sub(_escaped, text)


def printable_lines(text: str) -> str:
    """The same for a text whose line ends are meant."""
    return "\n".join(printable(line) for line in text.split("\n"))


def _escaped(found: re.Match[str]) -> str:
    character = found[0]
    code = ord(character)
    return _SHORT.get(character) or (f"\\x{code:02x}" if code < 0x100 else f"\\u{code:04x}")
