"""Formats a script: its statements are laid out, client commands and comments stay, at most one blank line in a row."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from rowtime.errors import RowtimeError, error
from rowtime.formatting.layout import lay_out
from rowtime.lexical.tokens import Token, tokens
from rowtime.splitter import Script, split

LINE_LENGTH = 100


def format_script(text: str, line_length: int = LINE_LENGTH) -> str:
    """Returns the script in the standard layout: the same statements, commands and comments. Formatting is idempotent.

    Raises RowtimeError RT0401 … RT0404 if a string, a quoted identifier or a comment has no end, or a statement runs
    into a client command: then the tokens are ambiguous. Otherwise statements need not be valid.
    """
    script = split(text)
    if script.diagnostics:
        raise RowtimeError(script.diagnostics)
    lines: list[str] = []
    for entry in _entries(script, line_length):
        if entry.same_line and lines:
            lines[-1] = f"{lines[-1]}  {entry.lines[0]}"
            continue
        if entry.blank_before and lines:
            lines.append("")
        lines += entry.lines
    end = "\r\n" if text.partition("\n")[0].endswith("\r") else "\n"
    done = "".join(f"{line}{end}" for line in lines)
    if _content(done) != _content(text):
        raise error("RT0999", "Internal error: formatting would have changed the script, so it was left as it is")
    return done


@dataclass(frozen=True, slots=True)
class _Entry:
    """A statement, a command or a comment between them. `same_line`: it follows the one before on its line."""

    lines: list[str]
    blank_before: bool = False
    same_line: bool = False


def _entries(script: Script, line_length: int) -> Iterator[_Entry]:
    blank = False
    for piece in script.pieces:
        if piece.kind == "space":
            end = 0
            for comment in _comments(piece.text):
                blank = blank or _blank_line(piece.text[end : comment.start])
                behind = not comment.own_line and end == 0
                yield _Entry([comment.text], blank and not behind, behind)
                blank, end = False, comment.end
            blank = blank or _blank_line(piece.text[end:])
            continue
        lines = [piece.text.rstrip()] if piece.kind == "command" else lay_out(piece.text, line_length)
        yield _Entry(lines, blank)
        blank = False


def _comments(space: str) -> Iterator[Token]:
    """Yields the comments between statements. The text may begin in the middle of a line, behind a statement."""
    for token in tokens(f"\N{ZERO WIDTH SPACE};{space}")[2:]:
        if token.kind == "comment":
            yield Token("comment", token.text, token.start - 2, token.own_line, token.glued)


def _blank_line(between: str) -> bool:
    return between.replace("\r\n", "\n").replace("\r", "\n").count("\n") > 1


def _content(text: str) -> tuple[list[object], list[str]]:
    """Returns what formatting must not change: the tokens of the statements, the commands, and the comments."""
    found: list[object] = []
    comments: list[str] = []
    for piece in split(text).pieces:
        if piece.kind == "command":
            found.append(piece.text.rstrip())
            continue
        written = tokens(piece.text)
        comments += [token.text for token in written if token.kind == "comment"]
        if piece.kind != "space":
            found.append([token.upper for token in written if token.kind != "comment"])
    return found, comments
