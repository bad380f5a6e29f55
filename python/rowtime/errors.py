"""Diagnostics: each names an error, its position, and the way out.

Every error that a user can cause becomes a `Diagnostic`. Python code gets them inside a `RowtimeError`; the command
line prints them. The first two digits of a code name its area:

    RT00  words and grammar            RT04  scripts and client commands
    RT01  names, types, stream or relation    RT05  data: rows and bounds
    RT02  monotonicity, progress, state       RT06  environment: Java, Spark, jars, warehouse
    RT03  DDL and the catalog                 RT09  not supported yet (RT0900), internal errors (RT0998, RT0999)

Positions are 1-based, count Unicode characters (a tab is one), and include their end.
"""

from __future__ import annotations

import os
import re
import unicodedata
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Any, Literal

import msgspec

from rowtime.secrets.memory import without_secrets
from rowtime.terminal import UNPRINTABLE, printable, printable_lines

if TYPE_CHECKING:
    from rowtime.secrets.masking import Mask

Severity = Literal["error", "warning", "info"]

LINE_END = re.compile(r"\r\n|\r|\n")
"""A line end, as the SQL parser sees it; `str.splitlines` would also split at form feeds and Unicode separators."""


class Diagnostic(msgspec.Struct, frozen=True, rename="camel", kw_only=True):
    """One finding. `line` … `end_column` are None if the error is not in a text; `file` is None for the main script."""

    severity: Severity = "error"
    code: str
    message: str
    line: int | None = None
    column: int | None = None
    end_line: int | None = None
    end_column: int | None = None
    hint: str | None = None
    file: str | None = None

    def __post_init__(self) -> None:
        # No secret gets into a diagnostic, wherever its text comes from.
        for name, text in (("message", self.message), ("hint", self.hint)):
            if text is not None and (shown := without_secrets(text)) != text:
                msgspec.structs.force_setattr(self, name, shown)

    def to_dict(self) -> dict[str, Any]:
        """Returns the JSON form: severity, code, message, line, column, endLine, endColumn, hint, and file if one is
        set."""
        plain: dict[str, Any] = msgspec.to_builtins(self)
        if self.file is None:
            del plain["file"]
        return plain

    @property
    def is_error(self) -> bool:
        return self.severity == "error"


class RowtimeError(Exception):
    """The exception of the Python API: one or more diagnostics, in order of their position.

    `source` is the text in which the positions count; None if it is not known. `str` returns each diagnostic with its
    position, the marked line of SQL, and the hint. A notebook shows this below the lines of the user's own code."""

    def __init__(self, diagnostics: Diagnostic | Iterable[Diagnostic], source: str | None = None) -> None:
        self.diagnostics: list[Diagnostic] = [diagnostics] if isinstance(diagnostics, Diagnostic) else list(diagnostics)
        self.source = source
        super().__init__("\n".join(headline(d) for d in self.diagnostics))

    def __reduce__(self) -> tuple[Any, ...]:
        return type(self), (self.diagnostics, self.source)

    @property
    def headlines(self) -> str:
        """The diagnostics without SQL and hints, a line for each."""
        return str(self.args[0])

    def __str__(self) -> str:
        return render_all(self.diagnostics, self.source)

    def _render_traceback_(self) -> list[str]:
        """Returns the lines that IPython shows in place of its own traceback."""
        import traceback

        frames = traceback.extract_tb(self.__traceback__)
        own = [frame for frame in frames if _is_users(frame.filename)]
        lines = [line for text in traceback.format_list(own) for line in text.rstrip().split("\n")]
        return [*lines, f"{type(self).__name__}: {self}"]

    @property
    def code(self) -> str:
        """The code of the first diagnostic."""
        return self.diagnostics[0].code if self.diagnostics else "RT0999"


_OWN_FOLDER = os.path.dirname(os.path.abspath(__file__)) + os.sep
_FRAMEWORK = re.compile(r"[/\\](?:IPython|pyspark|py4j)[/\\]")


def _is_users(file: str) -> bool:
    """Returns whether a traceback that names this file tells of the user's code."""
    return not file.startswith(_OWN_FOLDER) and not _FRAMEWORK.search(file)


def error(code: str, message: str, *, hint: str | None = None) -> RowtimeError:
    """Returns a RowtimeError with one diagnostic that has no position in a text."""
    return RowtimeError(Diagnostic(code=code, message=message, hint=hint))


def format_count(count: int, what: str) -> str:
    """Returns `1 row`, `2,000 rows`."""
    return f"{count:,} {what}{'' if count == 1 else 's'}"


def headline(diagnostic: Diagnostic, file: str | None = None) -> str:
    """Returns `orders.sql:3:8: error RT0102: Cannot convert table 'PRODUCTS' to a stream`, on one line."""
    place = ""
    name = diagnostic.file or file
    if name is not None:
        place = f"{printable(name)}:"
    if diagnostic.line is not None:
        place += f"{diagnostic.line}:{diagnostic.column or 1}:"
    return f"{place}{' ' if place else ''}{diagnostic.severity} {diagnostic.code}: {printable(diagnostic.message)}"


def render(diagnostic: Diagnostic, source: str | None = None, file: str | None = None, *, color: bool = False) -> str:
    """Returns the text form: the headline, the line of `source` at the position, a caret underline, and the hint.

    `source` is the whole text in which the diagnostic's line is counted. Carets are aligned even if the line contains
    tabs, wide characters (East Asian, emoji) or combining characters.
    """
    bold, tint, off = ("\x1b[1m", _TINTS[diagnostic.severity], "\x1b[0m") if color else ("", "", "")
    parts = [f"{bold}{headline(diagnostic, file)}{off}"]
    shown, diagnostic = _source_line(source, diagnostic)
    if shown is not None:
        before, marked = _underline(shown, diagnostic)
        parts.append("  " + _expand(shown))
        parts.append("  " + " " * before + tint + "^" * marked + off)
    if diagnostic.hint:
        parts.append(f"  hint: {printable_lines(diagnostic.hint)}")
    return "\n".join(parts)


def render_all(
    diagnostics: Sequence[Diagnostic], source: str | None = None, file: str | None = None, *, color: bool = False
) -> str:
    """Renders all diagnostics in order. A diagnostic that names another file shows no line of `source`."""
    return "\n".join(render(d, source if d.file in (None, file) else None, file, color=color) for d in diagnostics)


_TAB = 4
_LONGEST_LINE = 400
_TINTS = {"error": "\x1b[31m", "warning": "\x1b[33m", "info": "\x1b[36m"}


def _source_line(source: str | None, diagnostic: Diagnostic) -> tuple[str | None, Diagnostic]:
    """Returns the line that a diagnostic points at, with secrets masked, and the diagnostic with its columns in that
    line."""
    if source is None or diagnostic.line is None:
        return None, diagnostic
    starts = [0, *(match.end() for match in LINE_END.finditer(source))]
    if not 1 <= diagnostic.line <= len(starts):
        return None, diagnostic
    begin = starts[diagnostic.line - 1]
    line = LINE_END.split(source[begin:], 1)[0]
    here = [mask for mask in _masks(source) if mask.start < begin + len(line) and mask.end > begin]
    made, end = "", begin
    columns: list[int] = []
    for mask in here:
        kept = source[end : max(mask.start, begin)]
        columns += range(len(made), len(made) + len(kept))
        made += kept
        stop = min(mask.end, begin + len(line))
        # A position within a masked part becomes the position of the mask.
        columns += [len(made)] * (stop - max(mask.start, begin))
        made, end = made + mask.shown, stop
    columns += range(len(made), len(made) + begin + len(line) - end)
    made += source[end : begin + len(line)]
    if len(made) > _LONGEST_LINE:
        return None, diagnostic
    if not here:
        return made, diagnostic
    columns += [len(made)]

    def moved(column: int | None) -> int | None:
        return None if column is None else columns[min(max(column - 1, 0), len(line))] + 1

    return made, msgspec.structs.replace(
        diagnostic, column=moved(diagnostic.column), end_column=moved(diagnostic.end_column)
    )


def _masks(source: str) -> Sequence[Mask]:
    from rowtime.secrets.masking import masks

    return masks(source)


def _underline(shown: str, diagnostic: Diagnostic) -> tuple[int, int]:
    """Returns how many cells precede the underline and how many it covers; it never exceeds the line."""
    start = min(max((diagnostic.column or 1) - 1, 0), len(shown))
    end = start + 1
    if diagnostic.end_line is not None and diagnostic.line is not None and diagnostic.end_line > diagnostic.line:
        end = len(shown.rstrip())
    elif diagnostic.end_column is not None:
        end = diagnostic.end_column
    end = min(max(end, start + 1), max(len(shown), start + 1))
    before = len_cells(_expand(shown[:start]))
    return before, max(len_cells(_expand(shown[:end])) - before, 1)


def _expand(text: str) -> str:
    """Returns the text as it is shown: tabs expanded to the next stop, unprintable characters replaced."""
    out: list[str] = []
    cells = 0
    for character in text:
        piece = character
        if character == "\t":
            piece = " " * (_TAB - cells % _TAB)
        elif UNPRINTABLE.match(character):
            piece = "\N{REPLACEMENT CHARACTER}"
        out.append(piece)
        cells += len_cells(piece)
    return "".join(out)


def len_cells(text: str) -> int:
    """Returns the width of `text` in terminal cells."""
    if text.isascii():
        return len(text)
    cells = 0
    for character in text:
        if unicodedata.combining(character) or unicodedata.category(character) in ("Mn", "Me", "Cf"):
            continue
        cells += 2 if unicodedata.east_asian_width(character) in ("W", "F") else 1
    return cells
