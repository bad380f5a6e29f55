"""Reads the rows of a log in committed order from its files, without Spark."""

from __future__ import annotations

import contextlib
import time
import uuid
from collections.abc import Iterator
from typing import Any

import pyarrow as pa
import pyarrow.compute as pc

from rowtime.errors import RowtimeError
from rowtime.streams.log import CONTROL, SEQ, StreamLog
from rowtime.streams.writes import stored_rows
from rowtime.types import times
from rowtime.types.times import to_micros
from rowtime.types.values import from_stored

Row = tuple[Any, ...]

_POLL = 0.2
_LEASE = 60.0


class Tail:
    """Reads one log from a chosen position: first `last` or `since`, then `follow`.

    Rows are tuples in the order of the log's columns, with the values of `from_stored`; each list contains those of one
    commit. Reading does not create a log to which nothing was ever written.
    """

    def __init__(self, log: StreamLog) -> None:
        self.log = log
        self._next = 0
        """The first version that has not been returned."""

    def last(self, count: int) -> list[Row]:
        """Returns the latest `count` rows in the log, in order."""
        newest = self.log.newest()
        self._next = newest + 1
        found: list[list[Row]] = []
        missing = count
        for version in reversed(self._stored_versions(newest)):
            if missing <= 0:
                break
            rows = self._rows(version)[-missing:]
            missing -= len(rows)
            found.append(rows)
        return [row for rows in reversed(found) for row in rows]

    def since(self, millis: int | None) -> Iterator[list[Row]]:
        """Yields the rows in the log, from a ROWTIME on (milliseconds since 1970; None: all of them)."""
        newest = self.log.newest()
        self._next = newest + 1
        for version in self._stored_versions(newest):
            if millis is not None and self._is_before(version, millis):
                continue
            rows = [row for row in self._rows(version) if millis is None or self._rowtime(row) >= millis]
            if rows:
                yield rows

    def follow(self) -> Iterator[list[Row]]:
        """Yields the rows of each commit from now on, without end; clean-up keeps them until they were read. Raises
        RowtimeError RT0312 when the stream is dropped."""
        reader = f"tail {uuid.uuid4().hex}"
        renewed = float("-inf")
        try:
            while True:
                newest = self.log.newest()
                if newest >= 0 and time.monotonic() - renewed > _LEASE / 3:
                    # A warehouse that cannot be written to is read without a lease.
                    with contextlib.suppress(RowtimeError):
                        self.log.lease(reader, self._next, _LEASE)
                    renewed = time.monotonic()
                while self._next <= newest:
                    rows = self._rows(self._next)
                    self._next += 1
                    if rows:
                        yield rows
                time.sleep(_POLL)
        finally:
            with contextlib.suppress(OSError):
                self.log.release(reader)

    def _stored_versions(self, newest: int) -> list[int]:
        """Returns the versions whose rows have not been cleaned up, up to the newest."""
        cleaned = self.log.state_at(newest).cleaned if newest >= 0 else 0
        return list(range(cleaned + 1, newest + 1))

    def _rows(self, version: int) -> list[Row]:
        """Returns the rows of one commit, in order; none if it has been cleaned up. Raises RowtimeError RT0605 if they
        are lost."""
        file = self.log.delta.file(version)
        tables = []
        try:
            for added in self.log.delta.commit_of(version).added:
                file = added.name
                tables.append(self.log.delta.read(added))
        except FileNotFoundError:
            newest = self.log.newest()
            if newest >= 0 and version > self.log.state_at(newest).cleaned:
                raise self.log.delta.missing(version, self.log.storage.place(file)) from None
            return []
        if not tables:
            return []
        table = pa.concat_tables(tables)
        table = table.filter(pc.invert(table[CONTROL])).sort_by(SEQ)
        columns = self.log.columns
        return [
            tuple(from_stored(value, column) for value, column in zip(row, columns, strict=True))
            for row in stored_rows(table.select([column.stored for column in columns]))
        ]

    def _is_before(self, version: int, millis: int) -> bool:
        """Returns whether all rows of a commit are before that time."""
        state = self.log.state_at(version)
        return state.bound is None or state.bound + self.log.rules.allowed_lateness < millis

    def _rowtime(self, row: Row) -> int:
        assert self.log.rowtime is not None
        value = row[self.log.rowtime]
        if isinstance(value, str):
            # Outside the years of a datetime.
            return times.LEAST - 1 if value.startswith("-") else times.GREATEST + 1
        return to_micros(value) // 1000
