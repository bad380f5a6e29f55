"""Faults of a command: its diagnostics on stderr, and its exit code."""

from __future__ import annotations

import os
import sys

from rowtime.errors import RowtimeError, render_all
from rowtime.faults import diagnostics_of


class WrongCommandLine(RowtimeError):
    """The command line cannot be carried out as it is: exit code 2."""


def report(fault: Exception) -> int:
    """Prints an exception to stderr as diagnostics and returns the exit code for it."""
    print(render_all(diagnostics_of(fault), color=colored(sys.stderr)), file=sys.stderr)
    return 2 if isinstance(fault, WrongCommandLine) else 1


def colored(stream: object) -> bool:
    """Whether a stream takes colours: a terminal, and NO_COLOR is not set."""
    isatty = getattr(stream, "isatty", None)
    return bool(isatty and isatty()) and not os.environ.get("NO_COLOR") and os.environ.get("TERM") != "dumb"
