"""Sinks: they receive the rows of a query.

A sink that gets rows (`RowSink`) gets them in order, batch by batch: within a batch by ROWTIME and arrival, or by the
keys of the query's ORDER BY. `FileSink` and `NoSink` leave the rows with Spark, in no particular order.
"""

from __future__ import annotations

import threading
from collections import deque
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Protocol, runtime_checkable

from rowtime.display.values import Row
from rowtime.plan.parts import Field


@runtime_checkable
class RowSink(Protocol):
    """Receives rows in the order in which they are emitted, with the Python values that PySpark returns."""

    def open(self, fields: Sequence[Field]) -> None:
        """Called once, before any row, with the columns of the query."""

    def write(self, rows: list[Row]) -> None:
        """Called with the rows of one batch, in order: never without rows, and never twice for the same batch."""


@runtime_checkable
class GradualSink(RowSink, Protocol):
    """Receives the rows of a large batch as it asks for them, so that they are never all in memory."""

    def write_gradually(self, rows: Iterator[Row], batch: int) -> None:
        """Called in place of `write` with the rows of a large batch, in order. If it raises, the query may give the
        same batch, by its number, again."""


@dataclass(slots=True)
class MemorySink:
    """Keeps rows until they are taken."""

    _rows: deque[Row] = field(default_factory=deque)
    _changed: threading.Condition = field(default_factory=threading.Condition)

    def open(self, fields: Sequence[Field]) -> None:
        pass

    def write(self, rows: list[Row]) -> None:
        with self._changed:
            self._rows.extend(rows)
            self._changed.notify_all()

    def take(self) -> list[Row]:
        """Returns all rows that have arrived and were not taken yet."""
        with self._changed:
            taken = list(self._rows)
            self._rows.clear()
            return taken

    def latest(self, count: int) -> tuple[list[Row], int]:
        """Returns the latest rows that were not taken yet, at most `count`, and the number of all such rows; takes none
        of them."""
        with self._changed:
            return list(self._rows)[-count:], len(self._rows)

    def wait(self, seconds: float) -> bool:
        """Waits until there are rows, but no longer than `seconds`. Returns whether there are any."""
        with self._changed:
            return self._changed.wait_for(lambda: bool(self._rows), seconds)


@dataclass(frozen=True, slots=True)
class FileSink:
    """Files in a folder, written by Spark: `format` is parquet, json or csv; `options` are Spark's for that format.
    Exactly once, by Spark's own log in that folder."""

    path: str
    format: str = "parquet"
    options: dict[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class NoSink:
    """Computes the result and discards it: for measurements."""


Sink = RowSink | FileSink | NoSink
