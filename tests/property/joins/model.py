"""A join of two streams as nested loops over all rows, by the rule of windows (seed 003, "Streaming Joins").

A row of time x is in a window from l to u after its current row at the base times x - u to x - l; a pair has the
earliest base time that both are at, a row that matches nothing the latest of its own. The latest rows of a stream are
in a window of ROWS; beside a window of RANGE that is more than a time it is the row itself. A filter gives a left row
once: at the time of its first pair, or, where it asks for rows without a match, at the latest of its own."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

from .cases import SEMI, Frame, Join, Row

Found = tuple[int, Row | None, Row | None]
"""ROWTIME in milliseconds, the left row, the right row."""
Shown = tuple[int, int | None, int | None]
"""The same with the `n` of each row."""


Span = tuple[int, int] | int
"""From when to when a row is present, in milliseconds after its time; or how many later rows may arrive before it
ends."""


@dataclass(frozen=True)
class Stay:
    """A row is present from `begin` to `end`. An outer join emits it without a match with the time `last`."""

    begin: int
    end: float
    last: int | None


def expected(join: Join, lefts: Sequence[Row], rights: Sequence[Row]) -> list[Found]:
    """Returns rows in order of ROWTIME."""
    found: list[Found] = []
    left_span, right_span = spans(join)
    left_stays, right_stays = (
        stays(span, rows, join.within) for span, rows in ((left_span, lefts), (right_span, rights))
    )
    for a in lefts:
        for b in rights:
            one, other = left_stays[a.place], right_stays[b.place]
            begin = max(one.begin, other.begin)
            meet = begin <= min(one.end, other.end)
            if meet and join.equal(a, b) and not (join.rest and (a.n + b.n) % 3 == 0) and _near(join, a, b):
                found.append((begin, a, b))
    with_left, with_right = {a for _, a, _ in found}, {b for _, _, b in found}
    alone: list[Found] = []
    for a in lefts:
        last = left_stays[a.place].last
        if a not in with_left and last is not None:
            alone.append((last, a, None))
    if join.filters:
        first: dict[Row | None, int] = {}
        for time, row, _ in found:
            first[row] = min(time, first.get(row, time))
        found = [(time, row, None) for row, time in first.items()] if join.kind in SEMI else alone
        return sorted(found, key=lambda f: f[0])
    if join.kind in ("LEFT", "FULL"):
        found += alone
    for b in rights:
        last = right_stays[b.place].last
        if join.kind in ("RIGHT", "FULL") and b not in with_right and last is not None:
            found.append((last, None, b))
    return sorted(found, key=lambda f: f[0])


def shown(found: Sequence[Found]) -> list[Shown]:
    return [(time, None if a is None else a.n, None if b is None else b.n) for time, a, b in found]


def _near(join: Join, a: Row, b: Row) -> bool:
    if join.windows is not None:
        return True
    if join.within and a.time // (join.within * 1000) != b.time // (join.within * 1000):
        return False
    apart = b.time - a.time
    least, most = join.least * 1000, join.most * 1000
    return least < apart < most if join.strict else least <= apart <= most


def spans(join: Join) -> tuple[Span, Span]:
    """When rows of each side are present."""
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
    """Returns a later time, but no later than the end of the window of this many seconds that contains the time, if
    any."""
    if not within:
        return time + millis
    start = time - time % (within * 1000)
    return max(start, min(start + within * 1000 - 1, time + millis))


def stays(span: Span, rows: Sequence[Row], within: int = 0) -> dict[int, Stay]:
    """Returns when each row is present, by its `place`; with `within`, only in its window of this many seconds."""
    if not isinstance(span, int):
        start, end = span
        ends = {row.place: shifted(row.time, end, within) for row in rows}
        return {row.place: Stay(shifted(row.time, start, within), ends[row.place], ends[row.place]) for row in rows}
    ordered = sorted(rows, key=lambda row: row.time)
    found = {}
    for place, row in enumerate(ordered):
        gone = ordered[place + span + 1].time if place + span + 1 < len(ordered) else None
        found[row.place] = Stay(row.time, math.inf if gone is None else gone - 1, gone)
    return found
