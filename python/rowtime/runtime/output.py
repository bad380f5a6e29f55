"""The order of rows within an output batch."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cmp_to_key
from typing import Any


@dataclass(frozen=True, slots=True)
class RowSortKey:
    """One key of an order: a position in the row, its direction, and the place of NULLs."""

    index: int
    descending: bool = False
    nulls_first: bool = False


def sort_rows(rows: list[tuple[Any, ...]], keys: Sequence[RowSortKey]) -> list[tuple[Any, ...]]:
    """Returns the rows sorted by the keys; the sort is stable."""
    for key in reversed(keys):
        rows = _sort_by(rows, key)
    return rows


def _sort_by(rows: list[tuple[Any, ...]], key: RowSortKey) -> list[tuple[Any, ...]]:
    nulls = [row for row in rows if row[key.index] is None]
    others = [row for row in rows if row[key.index] is not None]
    # Stable in both directions: reverse=True keeps equal rows in their order.
    others.sort(key=lambda row: _comparable(row[key.index]), reverse=key.descending)
    return [*nulls, *others] if key.nulls_first else [*others, *nulls]


def _comparable(value: Any) -> Any:
    if isinstance(value, float):
        # NaN is greater than every number, as in Spark.
        return (1, 0.0) if math.isnan(value) else (0, value)
    if isinstance(value, list | tuple):
        return cmp_to_key(_compare)(list(value))
    return value


def _compare(left: list[Any], right: list[Any]) -> int:
    for one, other in zip(left, right, strict=False):
        if one is None or other is None:
            if one is not other:
                return -1 if one is None else 1
            continue
        mine, theirs = _comparable(one), _comparable(other)
        if mine != theirs:
            return -1 if mine < theirs else 1
    return len(left) - len(right)
