"""What a streaming query has left out, as warnings: records that are no rows, and rows that came too late."""

from __future__ import annotations

from pathlib import Path

from rowtime.errors import Diagnostic
from rowtime.runtime.progress import Progress


def warnings(name: str, progress: Progress) -> list[Diagnostic]:
    """The warnings of the query that is called `name` in messages: RT0531 and RT0532, each where there are such rows.
    Late rows of named streams are not among them; who inserts them is told."""
    found = []
    kept = f"in {', '.join(_shown(folder) for folder in progress.aside)}"
    if progress.bad_rows:
        what = "record that was no row" if progress.bad_rows == 1 else "records that were no rows"
        hint = f"They are, with the reasons, {kept}" if progress.aside else None
        found.append(_warning("RT0531", f"{name} has set aside {progress.bad_rows:,} {what}", hint))
    if progress.late_rows:
        what = "row that" if progress.late_rows == 1 else "rows that"
        where = f"; they are {kept}/late" if len(progress.aside) == 1 else ""
        hint = f"A LATENESS on ROWTIME allows for rows that are out of order{where}"
        found.append(_warning("RT0532", f"{name} has left out {progress.late_rows:,} {what} came too late", hint))
    return found


def _shown(folder: Path) -> str:
    """The path as one would type it here."""
    here = Path.cwd()
    return str(folder.relative_to(here) if folder.is_relative_to(here) else folder)


def _warning(code: str, message: str, hint: str | None) -> Diagnostic:
    return Diagnostic(severity="warning", code=code, message=message, hint=hint)
