"""From exceptions to diagnostics: no traceback and no Java stack trace ever reaches a user.

What nobody foresaw becomes RT0999, and its traceback goes to a log file (`errors.log` in the warehouse, where there is
one, else in the user's cache folder), or to stderr with ROWTIME_DEBUG=1.
"""

from __future__ import annotations

import datetime
import os
import shlex
import sys
import tempfile
import traceback
from collections.abc import Iterator
from pathlib import Path

from rowtime.catalog import warehouse_path
from rowtime.errors import Diagnostic, RowtimeError, render_all


class WrongCommandLine(RowtimeError):
    """The command line cannot be carried out as it is: exit code 2."""


def report(fault: Exception) -> int:
    """Prints an exception to stderr as diagnostics and returns the exit code for it."""
    print(render_all(diagnostics_of(fault), color=colored(sys.stderr)), file=sys.stderr)
    return 2 if isinstance(fault, WrongCommandLine) else 1


def diagnostics_of(fault: BaseException) -> list[Diagnostic]:
    """The diagnostics of a RowtimeError; for any other exception one RT0999, its traceback being logged."""
    if isinstance(fault, RowtimeError) and fault.diagnostics:
        return fault.diagnostics
    log = _log(fault)
    where = f" together with '{log}'" if log else ""
    return [
        Diagnostic(
            code="RT0999",
            message=f"Internal error: {summary(fault)}",
            hint=f"This is a fault of rowtime, not of your SQL. Please report it{where}",
        )
    ]


def summary(fault: BaseException) -> str:
    """One line on an exception. Exceptions out of a JVM carry a stack trace in their text, which is left out."""
    name = type(fault).__name__
    lines = [line.strip() for line in str(fault).splitlines() if line.strip()]
    if name == "Py4JJavaError" and len(lines) > 1:
        return lines[1].lstrip(": ")
    return f"{name}: {lines[0]}" if lines else name


def colored(stream: object) -> bool:
    """Whether a stream takes colours: a terminal, and NO_COLOR is not set."""
    isatty = getattr(stream, "isatty", None)
    return bool(isatty and isatty()) and not os.environ.get("NO_COLOR") and os.environ.get("TERM") != "dumb"


def _log(fault: BaseException) -> Path | None:
    trace = "".join(traceback.format_exception(fault))
    if os.environ.get("ROWTIME_DEBUG") not in (None, "", "0"):
        print(trace, file=sys.stderr, end="")
        return None
    now = datetime.datetime.now(datetime.timezone.utc).isoformat(timespec="seconds")
    for folder in _log_folders():
        try:
            folder.mkdir(parents=True, exist_ok=True)
            with (folder / "errors.log").open("a", encoding="utf-8", errors="backslashreplace") as log:
                log.write(f"--- {now} {shlex.join(sys.argv)}\n{trace}\n")
            return folder / "errors.log"
        except OSError:
            continue
    return None


def _log_folders() -> Iterator[Path]:
    from rowtime.jvm.archive import cache_folder

    if warehouse_path().is_dir():
        yield warehouse_path()
    yield cache_folder()
    yield Path(tempfile.gettempdir())
