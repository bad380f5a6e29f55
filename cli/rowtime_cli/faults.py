"""Errors of a command: its diagnostics on stderr, and its exit code."""

from __future__ import annotations

import os
import sys

from rowtime.errors import RowtimeError, render_all
from rowtime.faults import diagnostics_of


class WrongCommandLine(RowtimeError):
    """The command line is invalid: exit code 2."""


def report(fault: Exception) -> int:
    """Prints an exception to stderr as diagnostics. Returns its exit code."""
    print(render_all(diagnostics_of(fault), color=supports_colors(sys.stderr)), file=sys.stderr)
    return 2 if isinstance(fault, WrongCommandLine) else 1


def supports_colors(stream: object) -> bool:
    """Returns whether a stream supports colours: it is a terminal, and NO_COLOR is not set."""
    isatty = getattr(stream, "isatty", None)
    return bool(isatty and isatty()) and not os.environ.get("NO_COLOR") and os.environ.get("TERM") != "dumb"
