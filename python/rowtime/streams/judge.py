"""Which rows may enter a stream: the rule of rowtime bounds, as a function of the rows and the bound alone."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field

LATE = "late"


@dataclass(slots=True)
class Verdict:
    """What becomes of rows, named by their index.

    `entered` are (index, rowtime) in order, `rejected` are (index, reason); `bound` is the stream's bound afterwards,
    in milliseconds, or None while nothing has ever entered.
    """

    bound: int | None
    entered: list[tuple[int, int]] = field(default_factory=list)
    rejected: list[tuple[int, str]] = field(default_factory=list)


def judge(rowtimes: Iterable[int | None], bound: int | None, floor: int | None, clock: int) -> Verdict:
    """Judges rows one by one in their order of arrival.

    `rowtimes` in milliseconds; None gets the clock, or the bound where that is later. A row earlier than the greater of
    `bound` (the stream's) and `floor` (its producer's) is late. A row that enters is the stream's new bound.
    """
    verdict = Verdict(bound)
    for index, rowtime in enumerate(rowtimes):
        least = _greater(verdict.bound, floor)
        if rowtime is None:
            rowtime = clock if least is None else max(clock, least)
        if least is not None and rowtime < least:
            verdict.rejected.append((index, LATE))
            continue
        verdict.entered.append((index, rowtime))
        verdict.bound = rowtime
    return verdict


def _greater(one: int | None, other: int | None) -> int | None:
    if one is None or other is None:
        return other if one is None else one
    return max(one, other)
