"""Checks rows against the bound of their producer. Vectorised, and without state."""

from __future__ import annotations

import numpy as np

from rowtime.streams.pending import Ints, Mask

_NEVER = np.iinfo(np.int64).min


def check_rowtimes(
    rowtimes: Ints, missing: Mask | None, floor: int | None, clock: int, *, moving: bool
) -> tuple[Ints, Mask]:
    """Returns the rows' ROWTIMEs, and which rows are in time.

    `rowtimes` are in milliseconds, in order of arrival; a `missing` one becomes the clock, or the bound at that row if
    it is later. A row before the bound `floor` is late. `moving`: each row that is in time is the bound of those after
    it, as if no LATENESS allows disorder; otherwise the bound stays.
    """
    least = _NEVER if floor is None else floor
    if missing is not None:
        rowtimes = np.where(missing, np.int64(clock), rowtimes)
    if moving and len(rowtimes):
        # A late row is below the greatest before it, so it makes no difference to those after it.
        reached = np.maximum(np.maximum.accumulate(rowtimes), least)
        before = np.concatenate(([np.int64(least)], reached[:-1]))
    else:
        before = np.full(len(rowtimes), np.int64(least))
    if missing is not None:
        rowtimes = np.where(missing, np.maximum(rowtimes, before), rowtimes)
    return rowtimes, rowtimes >= before
