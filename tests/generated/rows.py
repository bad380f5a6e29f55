"""Compares the rows of two engines."""

from __future__ import annotations

import datetime as dt
import math
from collections import defaultdict
from collections.abc import Sequence
from typing import Any

from .text import Query

Row = tuple[Any, ...]


def difference(found: Sequence[Row], wanted: Sequence[Row], query: Query) -> str | None:
    """Returns the difference, or None. Inexact columns are compared with a tolerance; rows without an order as a
    multiset."""
    exact = [i for i, c in enumerate(query.columns) if c.exact]
    ours, theirs = ([_plain(row, query) for row in rows] for rows in (found, wanted))
    if len(ours) != len(theirs):
        return f"{len(ours)} rows, expected {len(theirs)}: {_apart(ours, theirs)}"
    if query.ordered:
        pairs = zip(ours, theirs, strict=True)
        return next((f"row {n}: {a}, expected {b}" for n, (a, b) in enumerate(pairs) if not _same(a, b)), None)
    wanted_by, found_by = _by(exact, theirs), _by(exact, ours)
    for key, rows in found_by.items():
        others = wanted_by.get(key, [])
        if len(rows) != len(others):
            return _apart(ours, theirs)
        for a, b in zip(sorted(rows, key=_sortable), sorted(others, key=_sortable), strict=True):
            if not _same(a, b):
                return f"{a}, expected {b}"
    return None


def _by(columns: Sequence[int], rows: Sequence[Row]) -> dict[Row, list[Row]]:
    """Returns the rows by their values in those columns."""
    found: dict[Row, list[Row]] = defaultdict(list)
    for row in rows:
        found[tuple(row[i] for i in columns)].append(row)
    return found


def _plain(row: Row, query: Query) -> Row:
    """Returns the row with each TIMESTAMP as a datetime, whichever Python type its engine returns for midnight."""
    return tuple(
        dt.datetime(v.year, v.month, v.day) if c.kind == "TIMESTAMP" and type(v) is dt.date else v
        for v, c in zip(row, query.columns, strict=True)
    )


def _same(one: Row, other: Row) -> bool:
    """Averages of exact numbers have six digits."""
    return all(
        a == b
        if a is None or b is None or not _is_number(a) or not _is_number(b)
        else math.isclose(float(a), float(b), rel_tol=1e-9, abs_tol=1e-6)
        for a, b in zip(one, other, strict=True)
    )


def _is_number(value: Any) -> bool:
    return not isinstance(value, bool | str | dt.date)


def _sortable(row: Row) -> list[tuple[bool, float, str]]:
    return [
        (v is None, round(float(v), 5) if v is not None and _is_number(v) else 0.0, "" if _is_number(v) else str(v))
        for v in row
    ]


def _apart(ours: Sequence[Row], theirs: Sequence[Row]) -> str:
    """Returns a few rows that only one of them has."""
    extra = [row for row in ours if row not in theirs]
    missing = [row for row in theirs if row not in ours]
    return f"{len(extra)} too many {extra[:3]}, {len(missing)} missing {missing[:3]}"
