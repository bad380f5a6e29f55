"""The rows of a result, in pages for a client to fetch."""

from __future__ import annotations

import threading
from collections import deque
from collections.abc import Iterator, Sequence
from itertools import islice
from typing import Protocol

from rowtime.display.values import Row
from rowtime.errors import error
from rowtime.plan.parts import Field

MOST_WAITING = 20_000
"""The number of rows of a stream that wait for a client. Its query stops computing more until the client has fetched
some."""


class Pages(Protocol):
    """Returns rows in order. `take` waits up to `seconds` for the first one; fewer than `most` rows do not mean the
    end."""

    def take(self, most: int, seconds: float) -> tuple[list[Row], bool]:
        """Returns rows, and whether these are the last ones."""

    def close(self) -> None: ...


class RelationPages:
    """The rows of a result that has been computed."""

    def __init__(self, rows: Iterator[Row]) -> None:
        self._rows = rows
        self._next: list[Row] = []

    def take(self, most: int, seconds: float) -> tuple[list[Row], bool]:
        rows = [*self._next, *islice(self._rows, most + 1 - len(self._next))]
        self._next = rows[most:]
        return rows[:most], len(rows) <= most

    def close(self) -> None:
        """Discards the remaining rows."""
        closing = getattr(self._rows, "close", None)
        if closing is not None:
            closing()
        self._rows, self._next = iter(()), []


class StreamSink:
    """A sink that holds few rows: while a client fetches none, the query waits."""

    def __init__(self) -> None:
        self._rows: deque[Row] = deque()
        self._changed = threading.Condition()
        self._closed = False
        self._batch, self._count = -1, 0

    def open(self, fields: Sequence[Field]) -> None:
        pass

    def write(self, rows: list[Row]) -> None:
        self._write(iter(rows))

    def write_gradually(self, rows: Iterator[Row], batch: int) -> None:
        if batch == self._batch:
            # The query failed in the middle of it.
            rows = islice(rows, self._count, None)
        else:
            self._batch, self._count = batch, 0
        self._write(rows)

    def _write(self, rows: Iterator[Row]) -> None:
        while some := list(islice(rows, MOST_WAITING)):
            with self._changed:
                self._changed.wait_for(lambda: self._closed or len(self._rows) < MOST_WAITING)
                if self._closed:
                    return
                self._rows.extend(some)
                self._count += len(some)
                self._changed.notify_all()

    def take(self, most: int, seconds: float) -> list[Row]:
        """Returns up to `most` rows; none if none has arrived within that time."""
        with self._changed:
            self._changed.wait_for(lambda: self._closed or bool(self._rows), seconds)
            taken = [self._rows.popleft() for _ in range(min(most, len(self._rows)))]
            self._changed.notify_all()
            return taken

    @property
    def is_empty(self) -> bool:
        return not self._rows

    def close(self) -> None:
        """Discards the remaining rows, and releases a query that waits."""
        with self._changed:
            self._closed = True
            self._rows.clear()
            self._changed.notify_all()


class FetchedPages:
    """Numbers the rows of a result, and repeats the latest page for a client that did not receive it."""

    def __init__(self, pages: Pages, limit: int) -> None:
        self._pages = pages
        self._left = limit if limit >= 0 else None
        self._offset = 0
        self._page: tuple[list[Row], bool] = ([], False)

    @property
    def end(self) -> int:
        """The offset after the latest page."""
        return self._offset + len(self._page[0])

    def page(self, offset: int, most: int, seconds: float) -> tuple[list[Row], bool]:
        """Returns the rows from `offset` on, which is that of the latest page or the one after it."""
        if offset == self._offset and self._page[0]:
            return self._page
        if offset != self.end:
            raise error("RT0646", f"Row {offset} of the result is no longer, or not yet, there")
        if self._page[1]:
            return [], True
        if self._left is not None:
            most = min(most, self._left)
        rows, done = self._pages.take(most, seconds) if most else ([], True)
        if self._left is not None:
            self._left -= len(rows)
            done = done or self._left == 0
        self._offset, self._page = offset, (rows, done)
        return self._page
