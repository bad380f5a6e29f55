"""The rules of a stream or ordered table for its rows: LATENESS, WATERMARK and MONOTONIC of its columns, and limits."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from rowtime.catalog.changes import Entry
from rowtime.errors import error
from rowtime.numerals import natural
from rowtime.types import times
from rowtime.types.columns import Column, columns
from rowtime.types.orders import ColumnOrder

ROWTIME = "ROWTIME"

HELD_ROWS = 1_000_000
PRODUCER_TIMEOUT = 60_000
FOR_EVER = 1 << 62
"""A history in milliseconds that keeps everything."""


@dataclass(frozen=True, slots=True)
class Distance:
    """A column and a LATENESS or WATERMARK of it, in units of the column's keys."""

    order: ColumnOrder
    value: Any


@dataclass(frozen=True, slots=True)
class Rules:
    """The rules of one log. `rowtime` is the index of a stream's ROWTIME column, None for tables; `disorder` is the
    LATENESS of ROWTIME in milliseconds, None if none is declared. Times are in milliseconds."""

    name: str
    columns: tuple[Column, ...]
    rowtime: int | None
    disorder: int | None
    watermarks: tuple[Distance, ...]
    lateness: tuple[Distance, ...]
    monotonic: tuple[tuple[ColumnOrder, bool], ...]
    """The MONOTONIC columns, and whether they increase."""
    held_rows: int = HELD_ROWS
    producer_timeout: int = PRODUCER_TIMEOUT
    late_stream: str | None = None

    @property
    def allowed_lateness(self) -> int:
        return self.disorder or 0


def is_ordered(entry: Entry) -> bool:
    """Returns whether an object is a table whose columns have an order."""
    marks = ("lateness", "watermark", "monotonic")
    return entry.kind == "TABLE" and any(c.get(mark) for c in entry.definition["columns"] for mark in marks)


def is_logged(entry: Entry) -> bool:
    """Returns whether the rows of an object are in a log of rowtime's."""
    return entry.kind == "STREAM" or is_ordered(entry)


def rules(entry: Entry) -> Rules:
    """Returns the rules of a catalog object. Raises RowtimeError RT0522 if one of its options is invalid."""
    definitions = entry.definition["columns"]
    found = columns(definitions)
    stream = entry.kind == "STREAM"
    rowtime = next((i for i, column in enumerate(found) if column.name == ROWTIME), None) if stream else None
    disorder, watermarks, lateness, monotonic = None, [], [], []
    for index, (column, definition) in enumerate(zip(found, definitions, strict=True)):
        order = ColumnOrder(column)
        late, watermark = definition.get("latenessValue"), definition.get("watermarkValue")
        if watermark is not None:
            watermarks.append(Distance(order, order.distance(watermark, up=True)))
        if index == rowtime:
            disorder = None if late is None else int(late["millis"])
            continue
        if late is not None:
            lateness.append(Distance(order, order.distance(late, up=False)))
        if direction := definition.get("monotonic"):
            monotonic.append((order, direction.upper() != "DECREASING"))
    timeout = _duration(entry, "producer_timeout", "a duration such as '60 SECONDS'")
    return Rules(
        entry.name,
        found,
        rowtime,
        disorder,
        tuple(watermarks),
        tuple(lateness),
        tuple(monotonic),
        _number(entry, "held_rows", HELD_ROWS),
        PRODUCER_TIMEOUT if timeout is None else timeout,
        entry.options.get("late_stream"),
    )


def history(entry: Entry) -> int | None:
    """Returns how long a stream keeps its rows, in milliseconds of ROWTIME before its bound; FOR_EVER: all of them,
    None: only those that a reader has not read yet. Raises RowtimeError RT0522 if its option `history` is invalid."""
    if entry.options.get("history", "").strip().lower() == "all":
        return FOR_EVER
    return _duration(entry, "history", "'all', or a duration such as '24 HOURS'")


def _number(entry: Entry, name: str, default: int) -> int:
    text = entry.options.get(name)
    if text is None:
        return default
    number = natural(text)
    if not number:
        raise error("RT0522", f"{_kind(entry)} has {name} '{text}', which is not a positive number")
    return number


def _duration(entry: Entry, name: str, example: str) -> int | None:
    """Returns the milliseconds of an option that is a duration; None if it is not set."""
    text = entry.options.get(name)
    if text is None:
        return None
    try:
        return times.parse_duration(text)
    except ValueError:
        raise error("RT0522", f"{_kind(entry)} has {name} '{text}'", hint=f"Write {example}") from None


def _kind(entry: Entry) -> str:
    return f"{entry.kind.capitalize()} '{entry.name}'"
