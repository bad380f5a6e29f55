"""Splits a script into SQL statements and client commands, each with its position.

A statement ends at a semicolon outside strings ('…'), quoted identifiers ("…") and comments (`-- …`, `// …`, `/* … */`;
a hint `/*+ … */` is part of its statement). A line whose first character is `!` is a client command, unless a statement
is open. The pieces of a script, joined, are its text again.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Literal

from rowtime.errors import LINE_END, Diagnostic
from rowtime.lexical.tokens import IDENTIFIER, LINE_COMMENT, STRING

Kind = Literal["space", "statement", "command", "broken"]


@dataclass(frozen=True, slots=True)
class Piece:
    """A part of the script, as it is written.

    `space` is text between statements: blanks, comments, semicolons. `broken` is a statement with an unterminated
    string, identifier or comment; the script has a diagnostic for it, and the planner does not see it.
    """

    kind: Kind
    text: str
    line: int
    column: int


@dataclass(frozen=True, slots=True)
class CommandWord:
    """A word of a client command: `text` without its quotes; `quote` is its quotation mark, or ''."""

    text: str
    quote: str
    line: int
    column: int


@dataclass(frozen=True, slots=True)
class Command:
    """A client command such as `!bound ORDERS '2006-09-11 12:05:00' strict`; `name` is lower case, without the `!`."""

    name: str
    words: tuple[CommandWord, ...]
    text: str
    line: int
    column: int


@dataclass(frozen=True, slots=True)
class Statement:
    """One SQL statement without its semicolon; it begins at `line` and `column` (1-based) of the script."""

    text: str
    line: int
    column: int


@dataclass(frozen=True, slots=True)
class Script:
    """The pieces of a script in order, and the errors in its structure (codes RT0401 … RT0404)."""

    text: str
    pieces: tuple[Piece, ...]
    diagnostics: tuple[Diagnostic, ...] = field(default=())
    is_open: bool = False
    """Whether the text ends within a statement, a string or a comment, so that more may follow."""

    @property
    def steps(self) -> Iterator[Statement | Command]:
        """Returns statements and commands, from top to bottom, without broken statements."""
        for piece in self.pieces:
            if piece.kind == "statement":
                yield Statement(piece.text, piece.line, piece.column)
            elif piece.kind == "command":
                yield parse_command(piece)


def split(text: str) -> Script:
    """Splits `text` into pieces. Never fails: errors are in the diagnostics of the result."""
    return _Splitter(text).run()


def parse_command(piece: Piece) -> Command:
    """Parses the name and the words of a command piece; words lose their quotes, and doubled quotes inside become
    single."""
    words: list[CommandWord] = []
    for match in _COMMAND_WORD.finditer(piece.text, 1):
        raw = match.group()
        quote = raw[0] if raw[0] in "'\"" else ""
        if quote:
            closed = len(raw) > 1 and raw.endswith(quote)
            raw = raw[1 : -1 if closed else None].replace(quote * 2, quote)
        words.append(CommandWord(raw, quote, piece.line, piece.column + match.start()))
    name = words[0].text.lower() if words and words[0].column == piece.column + 1 and not words[0].quote else ""
    return Command(name, tuple(words[1:] if name else words), piece.text, piece.line, piece.column)


_SPACE = re.compile(r"[\s;\ufeff]+")
_LINE_COMMENT = re.compile(LINE_COMMENT)
_STRING = re.compile(STRING)
_IDENTIFIER = re.compile(IDENTIFIER)
_PLAIN = re.compile(r"[^'\"/\-;!\r\n]+")
_END_OF_STATEMENT = re.compile(r";[^\S\r\n]*(?=[\r\n]|\Z)")
_COMMAND = re.compile(r"![A-Za-z]")
# A semicolon at the end of a command and a comment after it are accepted, because people write them.
_COMMAND_TEXT = re.compile(
    r"""!(?: '(?:[^'\r\n]|'')*' | "(?:[^"\r\n]|"")*" | (?!-- | // | ;[^\S\r\n]*(?: -- | // | [\r\n] | \Z))[^\r\n] )*""",
    re.VERBOSE,
)
_COMMAND_WORD = re.compile(r"'(?:[^']|'')*'?|\"(?:[^\"]|\"\")*\"?|[^\s'\"]+")


class _Splitter:
    def __init__(self, text: str) -> None:
        self.text = text
        self.at = 0
        self.pieces: list[Piece] = []
        self.diagnostics: list[Diagnostic] = []
        self.starts = [0, *(match.end() for match in LINE_END.finditer(text))]
        self.is_open = False

    def run(self) -> Script:
        while self.at < len(self.text):
            start = self.at
            self._space()
            self._add("space", start, self.at)
            if self.at >= len(self.text):
                break
            if self.text[self.at] == "!" and self._at_line_start(self.at):
                self._command()
            else:
                self._statement()
        # Strings and comments extend over lines; a quoted identifier does not, and nothing that follows closes it.
        unclosed = any(found.code in ("RT0401", "RT0403") for found in self.diagnostics)
        return Script(self.text, tuple(self.pieces), tuple(self.diagnostics), self.is_open or unclosed)

    def _space(self) -> None:
        while self.at < len(self.text):
            match = _SPACE.match(self.text, self.at) or _LINE_COMMENT.match(self.text, self.at)
            end = match.end() if match else self._block_comment()
            if end is None:
                return
            self.at = end

    def _block_comment(self) -> int | None:
        """Returns the end of the comment that begins here; None if there is none, or it is a hint, or it has no end."""
        if not self.text.startswith("/*", self.at) or self.text.startswith("/*+", self.at):
            return None
        end = self.text.find("*/", self.at + 2)
        return end + 2 if end >= 0 else None

    def _command(self) -> None:
        match = _COMMAND_TEXT.match(self.text, self.at)
        assert match is not None
        end = self.at + len(match.group().rstrip())
        self._add("command", self.at, end)
        self.at = end

    def _statement(self) -> None:
        """Reads from the first word up to the semicolon, or to the end, without blanks and comments at its end."""
        start = last = self.at
        kind: Kind = "statement"
        while self.at < len(self.text):
            character = self.text[self.at]
            if character == ";":
                break
            if character == "!" and _COMMAND.match(self.text, self.at) and self._at_line_start(self.at):
                self._report(
                    "RT0404",
                    f"Statement is not ended by ';' before {self._command_name()}",
                    self.at,
                    self.at + 1,
                    "Put a ';' at the end of the statement",
                )
                break
            match = _SPACE.match(self.text, self.at) or _LINE_COMMENT.match(self.text, self.at)
            end = match.end() if match else self._block_comment()
            if match and ";" in match.group() and match.re is _SPACE:
                end = self.at + match.group().index(";")
            if end is not None:
                self.at = end
                continue
            broken = self._word()
            if broken:
                kind = "broken"
            last = self.at
        self.is_open = self.at >= len(self.text)
        self._add(kind, start, last)
        self._add("space", last, self.at)

    def _word(self) -> bool:
        """Skips a string, a quoted identifier or plain text; returns whether it has no end."""
        character = self.text[self.at]
        if character == "'":
            match = _STRING.match(self.text, self.at)
            if match:
                self.at = match.end()
                return False
            self._report(
                "RT0401", "String is not closed", self.at, hint="Put a ' at its end; a ' inside it is written ''"
            )
            return self._resynchronise()
        if character == '"':
            match = _IDENTIFIER.match(self.text, self.at)
            if match:
                self.at = match.end()
                return False
            self._report("RT0402", "Quoted identifier is not closed on its line", self.at, hint='Put a " at its end')
            return self._resynchronise()
        if self.text.startswith("/*", self.at) and not self.text.startswith("/*+", self.at):
            self._report("RT0403", "Comment is not closed", self.at, self.at + 2, "Put */ at its end")
            return self._resynchronise()
        match = _PLAIN.match(self.text, self.at)
        if match is None:
            self.at += 1
        else:
            self.at += max(len(match.group().rstrip()), 1)
        return False

    def _resynchronise(self) -> bool:
        """Continues where the next statement most likely begins: after a semicolon that ends a line."""
        match = _END_OF_STATEMENT.search(self.text, self.at)
        self.at = match.start() if match else len(self.text)
        return True

    def _command_name(self) -> str:
        match = re.compile(r"!\w+").match(self.text, self.at)
        return match.group() if match else "!"

    def _at_line_start(self, offset: int) -> bool:
        start = self.starts[bisect_right(self.starts, offset) - 1]
        return not self.text[start:offset].strip(" \t\ufeff")

    def _add(self, kind: Kind, start: int, end: int) -> None:
        if end > start:
            line, column = self._position(start)
            self.pieces.append(Piece(kind, self.text[start:end], line, column))

    def _report(self, code: str, message: str, start: int, end: int | None = None, hint: str | None = None) -> None:
        line, column = self._position(start)
        _, last = self._position(max(start, (end or start + 1) - 1))
        self.diagnostics.append(
            Diagnostic(code=code, message=message, line=line, column=column, end_line=line, end_column=last, hint=hint)
        )

    def _position(self, offset: int) -> tuple[int, int]:
        line = bisect_right(self.starts, offset)
        return line, offset - self.starts[line - 1] + 1
