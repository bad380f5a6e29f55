"""A join of two streams as nested loops over all rows, by the rule of windows (seed 003, "Streaming Joins").

A row of time x is in a window from l to u after its current row at the base times x - u to x - l; a pair has the
earliest base time that both are at, a row that matches nothing the latest of its own. The latest rows of a stream are
in a window of ROWS; beside a window of RANGE that is more than a time it is the row itself."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

from .cases import Frame, Join, Row

Found = tuple[int, int | None, int | None]
"""ROWTIME in milliseconds, `n` of the left row, `n` of the right row."""


Span = tuple[int, int] | int
"""From when to when a row is there, in milliseconds after it; or how many later rows may come before it goes."""


@dataclass(frozen=True)
class Stay:
    """A row is there from `begin` to `end`; without a match it comes out with the time `last`, if ever."""

    begin: int
    end: float
    last: int | None


def expected(join: Join, lefts: Sequence[Row], rights: Sequence[Row]) -> list[Found]:
    found: list[Found] = []
    left_span, right_span = spans(join)
    left_stays, right_stays = (
        stays(span, rows, join.within) for span, rows in ((left_span, lefts), (right_span, rights))
    )
    for a in lefts:
        for b in rights:
            one, other = left_stays[a.n], right_stays[b.n]
            begin = max(one.begin, other.begin)
            meet = begin <= min(one.end, other.end)
            keys = not join.keyed or (a.k is not None and a.k == b.k)
            if meet and keys and not (join.rest and (a.n + b.n) % 3 == 0) and _near(join, a, b):
                found.append((begin, a.n, b.n))
    with_left, with_right = {f[1] for f in found}, {f[2] for f in found}
    if join.kind in ("SEMI", "ANTI"):
        return sorted((a.time, a.n, None) for a in lefts if (a.n in with_left) == (join.kind == "SEMI"))
    for a in lefts:
        last = left_stays[a.n].last
        if join.kind in ("LEFT", "FULL") and a.n not in with_left and last is not None:
            found.append((last, a.n, None))
    for b in rights:
        last = right_stays[b.n].last
        if join.kind in ("RIGHT", "FULL") and b.n not in with_right and last is not None:
            found.append((last, None, b.n))
    return sorted(found, key=lambda f: f[0])


def _near(join: Join, a: Row, b: Row) -> bool:
    if join.windows is not None:
        return True
    if join.within and a.time // (join.within * 1000) != b.time // (join.within * 1000):
        return False
    apart = b.time - a.time
    least, most = join.least * 1000, join.most * 1000
    return least < apart < most if join.strict else least <= apart <= most


def spans(join: Join) -> tuple[Span, Span]:
    """When rows of either side are there."""
    if join.windows is not None:
        left, right = join.windows
        return _framed(left, right), _framed(right, left)
    least, most = join.least * 1000, join.most * 1000
    if join.strict:
        least, most = least + 1, max(least + 1, most - 1)
    if join.by == "a":
        return (0, 0), (-most, -least)
    if join.by == "b":
        return (least, most), (0, 0)
    # The later of the two rows, and what matches nothing as soon as nothing can match it.
    return (max(least, 0), max(most, 0)), (max(-most, 0), max(-least, 0))


def _framed(frame: Frame, other: Frame) -> Span:
    if not isinstance(frame, int):
        return -frame[1] * 1000, -frame[0] * 1000
    # Beside a window of RANGE that is more than a time, the window of the other side is around the row itself.
    return frame if isinstance(other, int) or other == (0, 0) else (0, 0)


def shifted(time: int, millis: int, within: int) -> int:
    """So much later, and no further than the window of so many seconds that the time lies in, if any."""
    if not within:
        return time + millis
    start = time - time % (within * 1000)
    return max(start, min(start + within * 1000 - 1, time + millis))


def stays(span: Span, rows: Sequence[Row], within: int = 0) -> dict[int, Stay]:
    """When each row is there, by its `n`; with `within`, only in the window of so many seconds that it lies in."""
    if not isinstance(span, int):
        start, end = span
        ends = {row.n: shifted(row.time, end, within) for row in rows}
        return {row.n: Stay(shifted(row.time, start, within), ends[row.n], ends[row.n]) for row in rows}
    ordered = sorted(rows, key=lambda row: row.time)
    found = {}
    for place, row in enumerate(ordered):
        gone = ordered[place + span + 1].time if place + span + 1 < len(ordered) else None
        found[row.n] = Stay(row.time, math.inf if gone is None else gone - 1, gone)
    return found
