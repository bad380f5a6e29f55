"""How far the values of a column may go back, from the plan."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from rowtime.plan.nodes import Node

if TYPE_CHECKING:
    from rowtime.sparksql.result import Translated

_DURATION = re.compile(r"PT(?:(\d+)H)?(?:(\d+)M)?(?:(\d+)(?:\.(\d+))?S)?\Z")


def micros_of(disorder: str | None) -> int | None:
    """Returns an ISO 8601 duration of hours, minutes and seconds in microseconds; None if there is none."""
    match = _DURATION.match(disorder) if disorder else None
    if match is None:
        return None
    hours, minutes, seconds, fraction = match.groups()
    whole = (int(hours or 0) * 60 + int(minutes or 0)) * 60 + int(seconds or 0)
    return whole * 1_000_000 + int((fraction or "").ljust(6, "0")[:6])


def max_disorder(node: Node, rows: Translated) -> int | None:
    """Returns how far rows of later micro-batches may be behind earlier ones, in microseconds: the LATENESS of ROWTIME,
    0 if they are in order. None if it is unknown."""
    if rows.in_order:
        return 0
    if not rows.disorder_known:
        return None
    found = [f.disorder for f, name in zip(node.fields, rows.columns, strict=True) if name == rows.rowtime]
    return micros_of(found[0]) if found else None
