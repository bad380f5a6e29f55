"""When a row of a join can come out at the earliest: as soon as no row to come can undo it or come out before it.

A row to come is at or after the bound of its stream. It may have any columns, so that every condition but those on time
may hold for it or not; rows whose key is NULL match nothing. Rows of equal ROWTIME may come out in any order, but for
this: a match waits until each stream whose window does not look ahead has come to its ROWTIME (seed 003, join query 2,
step 2: the trade of 10:04 waits for the orders of that time, although the order that it matches is there), and a row
without a match until no row to come can make a match of its ROWTIME. Rows of a stream with LATENESS that are later than
its bound have yet to be put in order, as if they had yet to come."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

from . import model
from .cases import ANTI, SEMI, Join, Row
from .model import Found, Span, Stay, shifted


@dataclass(frozen=True)
class _Side:
    """The rows of a stream up to its bound, and what is known about later rows.

    They are there at `begins` and later; without a match they come out at `ends` and later, if they do at all."""

    rows: Sequence[Row]
    stays: dict[int, Stay]
    by_rows: bool
    begins: int
    ends: int
    looks_ahead: bool
    outer: bool

    @classmethod
    def of(cls, span: Span, rows: Sequence[Row], bound: int, outer: bool, within: int) -> _Side:
        stays = model.stays(span, rows, within)
        if isinstance(span, int):
            return cls(rows, stays, True, bound, bound, False, outer)
        begins, ends = (shifted(bound, end, within) for end in span)
        return cls(rows, stays, False, begins, ends, span[0] < 0, outer)

    def is_there(self, time: int) -> bool:
        """Whether a row that is present at `time`, given the rows so far, is present whatever rows arrive."""
        return not self.by_rows or time < self.begins


def due(join: Join, lefts: Sequence[Row], rights: Sequence[Row], bounds: tuple[int | None, int | None]) -> list[Found]:
    """Returns the rows that must have been emitted, given these rows and bounds, with one partition."""
    if bounds[0] is None or bounds[1] is None:
        return []
    so_far = model.expected(
        join,
        known := [row for row in lefts if row.time <= bounds[0]],
        others := [row for row in rights if row.time <= bounds[1]],
    )
    spans = model.spans(join)
    left = _Side.of(spans[0], known, bounds[0], join.kind in ("LEFT", "FULL", *ANTI), join.within)
    right = _Side.of(spans[1], others, bounds[1], join.kind in ("RIGHT", "FULL"), join.within)
    out = {found[1] for found in so_far}
    matched: set[Row | None] = set()
    if join.filters:
        matched = out if join.kind in SEMI else {*known} - out
    threats = {
        "left": _meets(join, right, left, matched),
        "right": _meets(join, left, right, set()),
    }
    matches: list[float] = [*threats["left"].values()]
    if join.kind not in ANTI:
        matches += [*threats["right"].values(), max(left.begins, right.begins)]
    if not join.filters:
        matches += [time for time, a, b in so_far if not _is_certain(left, right, time, a, b)]
    match = min(matches, default=math.inf)
    earliest = min([match, *(side.ends for side in (left, right) if side.outer)])

    def is_due(found: Found) -> bool:
        time, a, b = found
        if time > earliest:
            return False
        if join.kind in SEMI:
            return True
        if a is None or b is None:
            return time < match
        reached = all(side.looks_ahead or time <= side.begins for side in (left, right))
        return reached and _is_certain(left, right, time, a, b)

    return [found for found in so_far if is_due(found)]


def _meets(join: Join, coming: _Side, side: _Side, without: set[Row | None]) -> dict[Row, float]:
    """Returns the rows of `side` that a later row of the other side can match, each with the earliest such time."""
    found = {}
    for row in side.rows:
        stay = side.stays[row.place]
        if join.can_match(row) and row not in without and coming.begins <= stay.end:
            found[row] = max(coming.begins, stay.begin)
    return found


def _is_certain(left: _Side, right: _Side, time: int, a: Row | None, b: Row | None) -> bool:
    """Whether no later row replaces a row of a pair before `time`."""
    return a is None or b is None or (left.is_there(time) and right.is_there(time))
