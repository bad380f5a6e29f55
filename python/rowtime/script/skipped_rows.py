"""Warnings about the rows that a streaming query skipped: invalid records and late rows."""

from __future__ import annotations

from pathlib import Path

from rowtime.errors import Diagnostic, format_count
from rowtime.runtime.launch.progress import Progress


def warnings(name: str, progress: Progress) -> list[Diagnostic]:
    """The warnings for the query that messages call `name`: RT0531 for invalid records and for rows
    whose values could not be computed, RT0532 for late rows. They
    do not include late rows of named streams, which the INSERT reports."""
    found = []
    kept = f"in {', '.join(_typed_path(folder) for folder in progress.aside)}"
    if progress.bad_rows:
        invalid = progress.bad_rows - progress.failed_rows
        what = format_count(invalid, "invalid record")
        failed = f"{format_count(progress.failed_rows, 'row')} whose values could not be computed"
        what = " and ".join([what] * (invalid > 0) + [failed] * (progress.failed_rows > 0))
        hint = f"They are {kept}, with the reasons" if progress.aside else None
        found.append(_warning("RT0531", f"{name} has set aside {what}", hint))
    if progress.late_rows:
        what = "late row" if progress.late_rows == 1 else "late rows"
        where = f"; the late rows are {kept}/late" if len(progress.aside) == 1 else ""
        hint = f"A LATENESS on ROWTIME allows rows out of order{where}"
        found.append(_warning("RT0532", f"{name} has dropped {progress.late_rows:,} {what}", hint))
    return found


def _typed_path(folder: Path) -> str:
    """Returns the path in the form in which one would type it here."""
    here = Path.cwd()
    return str(folder.relative_to(here) if folder.is_relative_to(here) else folder)


def _warning(code: str, message: str, hint: str | None) -> Diagnostic:
    return Diagnostic(severity="warning", code=code, message=message, hint=hint)
