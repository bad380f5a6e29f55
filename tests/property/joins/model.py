"""A join of two streams as nested loops over all rows, by the rule of windows (seed 003, "Streaming Joins").

A row of time x is in a window from l to u after its current row at the base times x - u to x - l; a pair has the
earliest base time that both are at, a row that matches nothing the latest of its own."""

from __future__ import annotations

from collections.abc import Sequence

from .cases import Join, Row

Found = tuple[int, int | None, int | None]
"""ROWTIME in milliseconds, `n` of the left row, `n` of the right row."""


def expected(join: Join, lefts: Sequence[Row], rights: Sequence[Row]) -> list[Found]:
    found: list[Found] = []
    (left_from, left_to), (right_from, right_to) = _stays(join)
    for a in lefts:
        for b in rights:
            begin = max(a.time + left_from, b.time + right_from)
            meet = begin <= min(a.time + left_to, b.time + right_to)
            keys = not join.keyed or (a.k is not None and a.k == b.k)
            if meet and keys and not (join.rest and (a.n + b.n) % 3 == 0) and _near(join, a, b):
                found.append((begin, a.n, b.n))
    with_left, with_right = {f[1] for f in found}, {f[2] for f in found}
    if join.kind in ("LEFT", "FULL"):
        found += [(a.time + left_to, a.n, None) for a in lefts if a.n not in with_left]
    if join.kind in ("RIGHT", "FULL"):
        found += [(b.time + right_to, None, b.n) for b in rights if b.n not in with_right]
    return sorted(found, key=lambda f: f[0])


def _near(join: Join, a: Row, b: Row) -> bool:
    if join.windows is not None:
        return True
    apart = b.time - a.time
    least, most = join.least * 1000, join.most * 1000
    return least < apart < most if join.strict else least <= apart <= most


def _stays(join: Join) -> tuple[tuple[int, int], tuple[int, int]]:
    """From and to how many milliseconds after its time a row of either side is there."""
    if join.windows is not None:
        (a, b), (c, d) = join.windows
        return (-b * 1000, -a * 1000), (-d * 1000, -c * 1000)
    least, most = join.least * 1000, join.most * 1000
    if join.strict:
        least, most = least + 1, max(least + 1, most - 1)
    if join.by == "a":
        return (0, 0), (-most, -least)
    if join.by == "b":
        return (least, most), (0, 0)
    # The later of the two rows, and what matches nothing as soon as nothing can match it.
    return (max(least, 0), max(most, 0)), (max(-most, 0), max(-least, 0))
