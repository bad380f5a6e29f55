"""The order of rows within an output batch."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import cmp_to_key
from heapq import heappop, heappush
from typing import Any, TypeVar

T = TypeVar("T")
_Key = tuple[tuple[Any, ...], ...]


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


def merge_pieces(
    pieces: Sequence[T], load: Callable[[T], list[tuple[Any, ...]]], keys: Sequence[RowSortKey]
) -> Iterator[tuple[Any, ...]]:
    """Returns the rows of all pieces, as `sort_rows` would, without having all pieces in memory: each is read twice,
    and kept while its rows are returned. Rows that arrive nearly in order need few pieces at a time."""
    if not keys:
        for piece in pieces:
            yield from load(piece)
        return

    # Of each piece: the key of its first row and its number, which decides between equal keys.
    waiting = []
    for number, piece in enumerate(pieces):
        if rows := sort_rows(load(piece), keys):
            waiting.append((_key_of(rows[0], keys), number, piece))
    waiting.sort(key=lambda each: each[:2], reverse=True)
    begun: list[tuple[_Key, int, tuple[Any, ...], Iterator[tuple[Any, ...]]]] = []

    def next_of(number: int, rows: Iterator[tuple[Any, ...]]) -> None:
        for row in rows:
            heappush(begun, (_key_of(row, keys), number, row, rows))
            return

    while waiting or begun:
        while waiting and (not begun or waiting[-1][:2] < begun[0][:2]):
            _, number, piece = waiting.pop()
            rows = sort_rows(load(piece), keys)
            if begun or (waiting and waiting[-1][:2] < (_key_of(rows[-1], keys), number)):
                next_of(number, iter(rows))
            else:
                # No other piece has rows among these.
                yield from rows
        if begun:
            _, number, row, rest = heappop(begun)
            yield row
            next_of(number, rest)


def _key_of(row: tuple[Any, ...], keys: Sequence[RowSortKey]) -> _Key:
    return tuple(_key_value(row[key.index], key) for key in keys)


def _key_value(value: Any, key: RowSortKey) -> tuple[Any, ...]:
    if value is None:
        return (0,) if key.nulls_first else (2,)
    return (1, _Descending(_comparable(value)) if key.descending else _comparable(value))


@dataclass(frozen=True, slots=True)
class _Descending:
    value: Any

    def __lt__(self, other: _Descending) -> bool:
        return bool(other.value < self.value)


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
