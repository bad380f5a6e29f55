"""How far the values of a column may go back, as the plan writes it."""

from __future__ import annotations

import re

_DURATION = re.compile(r"PT(?:(\d+)H)?(?:(\d+)M)?(?:(\d+)(?:\.(\d+))?S)?\Z")


def micros_of(disorder: str | None) -> int | None:
    """An ISO 8601 duration of hours, minutes and seconds, in microseconds; None where there is none."""
    match = _DURATION.match(disorder) if disorder else None
    if match is None:
        return None
    hours, minutes, seconds, fraction = match.groups()
    whole = (int(hours or 0) * 60 + int(minutes or 0)) * 60 + int(seconds or 0)
    return whole * 1_000_000 + int((fraction or "").ljust(6, "0")[:6])
