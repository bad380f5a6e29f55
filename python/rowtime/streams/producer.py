"""Producers: Python code that feeds a named stream."""

from __future__ import annotations

import contextlib
import datetime as dt
import operator
import uuid
import weakref
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import pyarrow as pa

from rowtime.errors import error, format_count
from rowtime.processes import process_name
from rowtime.streams.log import Rejected, StreamLog, WriteRequest
from rowtime.types import times
from rowtime.types.columns import Column
from rowtime.types.ranges import out_of_range, require_in_range
from rowtime.types.values import BadValue, stored_array, to_stored


@dataclass(frozen=True, slots=True)
class Inserted:
    """The result of an insert: how many rows were accepted (including held rows, which wait for other producers), and
    every row that was rejected because of it, with its reason and its producer."""

    entered: int
    rejected: list[Rejected] = field(default_factory=list)

    @property
    def summary(self) -> str:
        """Returns the counts in words: `2 rows inserted, 1 rejected`."""
        more = f", {len(self.rejected):,} rejected" if self.rejected else ""
        return f"{format_count(self.entered, 'row')} inserted{more}"


class Producer:
    """Feeds one stream. It attaches with its first insert or bound, and the stream waits for it until it is closed: no
    row of another producer enters before this one has reached it. Rows earlier than its bound are rejected as late and
    counted; all others enter in order of ROWTIME. Use it from one thread, or as a context manager.

    `name` identifies it among the stream's producers, and continues an attachment of that name. If its process ends
    without closing it, the attachment ends after `timeout` milliseconds (default: the stream's option
    producer_timeout; None: never).
    """

    def __init__(self, log: StreamLog, name: str | None = None, timeout: int | None = -1) -> None:
        self.name = name or f"producer-{uuid.uuid4().hex}"
        self._log = log
        self._timeout = log.rules.producer_timeout if timeout == -1 else _timeout(timeout)
        self._closed = False
        self._attached = [False]
        # A commit would take too long in a finalizer: the next commit of the log detaches it.
        self._leaving = weakref.finalize(self, _leave, log, self.name, self._attached)
        self._leaving.atexit = False

    @property
    def stream(self) -> str:
        return self._log.name

    @property
    def is_dropped(self) -> bool:
        """Returns whether its stream was dropped. Another one may have the name."""
        return self._log.defined() is None

    def insert(self, rows: Iterable[Mapping[str, Any] | Sequence[Any]]) -> Inserted:
        """Inserts rows: mappings by column name (case does not matter), or sequences in the order of the columns.

        A ROWTIME that is omitted from a mapping, or is None, is the system clock, or the bound if that is later.
        Timestamps are datetimes (UTC if they have no time zone) or ISO text. Raises RowtimeError RT0502 if a value
        does not fit its column, RT0505 if too many rows are held already, RT0312 if the stream was dropped; nothing is
        inserted then.
        """
        self._check_open()
        taken = [self._row(row) for row in rows]
        if not taken:
            return Inserted(0)
        done = self._log.submit(self._step(rows=self._log.table(taken)))
        self._attached[0] = True
        return Inserted(done.taken, done.rejected)

    def insert_table(self, rows: pa.Table) -> Inserted:
        """Inserts rows that already have the stored columns of the log, as one step."""
        self._check_open()
        done = self._log.submit(self._step(rows=rows))
        self._attached[0] = True
        return Inserted(done.taken, done.rejected)

    def set_rowtime_bound(self, bound: dt.datetime | str | int, strict: bool = False) -> None:
        """Promises that no later row of this producer is earlier than `bound` (a datetime, ISO text, or milliseconds
        since 1970); with `strict`, nor equal to it. Raises RowtimeError RT0501 if the bound would go back, RT0504 if
        it is not a time, RT0555 if it is not in the years 1 to 9999; in each case nothing changes."""
        self._check_open()
        self._log.submit(self._step(bound=millis_of(bound) + (1 if strict else 0)))
        self._attached[0] = True

    @property
    def bound(self) -> dt.datetime | None:
        """The bound of this producer, implied by its rows or set explicitly; UTC without a time zone. None if it has
        none yet."""
        known = self._log.state().producers.get(self.name)
        return None if known is None or known.bound is None else times.to_datetime(known.bound)

    def close(self) -> None:
        """Detaches from the stream. Rows that waited only for this producer enter. Closing twice is harmless."""
        if self._closed:
            return
        self._closed = True
        self._leaving.detach()
        if self._attached[0]:
            self._log.detach(self.name)

    def __enter__(self) -> Producer:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    # --- inside ------------------------------------------------------------------------------------------------------

    def _step(self, **what: Any) -> WriteRequest:
        return WriteRequest(producer=self.name, timeout=self._timeout, owner=process_name(), **what)

    def _check_open(self) -> None:
        if self._closed:
            raise error("RT0503", f"The producer of stream '{self.stream}' is closed", hint="Open a new one")
        self._log = self._log.current()

    def _row(self, row: Mapping[str, Any] | Sequence[Any]) -> list[Any]:
        columns = self._log.columns
        if isinstance(row, Mapping):
            values = self._by_name(row)
        else:
            values = list(row)
            if len(values) != len(columns):
                raise _misfit(self.stream, f"{len(values)} values for {len(columns)} columns")
        return store_row(self.stream, columns, values, self._log.rowtime)

    def _by_name(self, row: Mapping[str, Any]) -> list[Any]:
        exact = {column.name: i for i, column in enumerate(self._log.columns)}
        folded = {column.name.upper(): i for i, column in enumerate(self._log.columns)}
        values: list[Any] = [None] * len(self._log.columns)
        for name, value in row.items():
            index = exact.get(name, folded.get(name.upper()))
            if index is None:
                raise _misfit(self.stream, f"there is no column '{name}'")
            values[index] = value
        return values


def _leave(log: StreamLog, name: str, attached: list[bool]) -> None:
    if attached[0]:
        with contextlib.suppress(Exception):
            log.leave(name)


def store_row(stream: str, columns: Sequence[Column], values: Sequence[Any], rowtime: int | None) -> list[Any]:
    """Returns the values of a row as the log stores them. None at index `rowtime` stays, for the clock.

    Raises RowtimeError RT0502 if a value does not fit.
    """
    try:
        return [
            None if value is None and i == rowtime else to_stored(value, column)
            for i, (value, column) in enumerate(zip(values, columns, strict=True))
        ]
    except BadValue as fault:
        raise _misfit(stream, str(fault)) from fault


def store_column(stream: str, column: Column, values: Sequence[Any]) -> pa.Array:
    """Returns values of a column as the log stores them. Raises RowtimeError RT0502 if one does not fit."""
    try:
        return stored_array(values, column)
    except BadValue as fault:
        raise _misfit(stream, str(fault)) from fault


def millis_of(bound: dt.datetime | str | int) -> int:
    """Returns a bound in milliseconds since 1970. Raises RowtimeError RT0504 if it is not a time, RT0555 if it is out
    of range."""
    try:
        if isinstance(bound, str):
            return times.parse_millis(bound)
        if isinstance(bound, dt.date | np.datetime64):
            return times.to_micros(bound) // 1000
        if isinstance(bound, bool):
            raise TypeError
        return require_in_range(operator.index(bound))
    except times.OutOfRange:
        raise out_of_range(f"The bound '{bound}'") from None
    except (TypeError, ValueError):
        raise error(
            "RT0504",
            f"'{bound}' is not a timestamp",
            hint="Write it as '2006-09-11 12:05:00' or …:00.000, or give milliseconds since 1970",
        ) from None


def _timeout(timeout: int | None) -> int | None:
    """Returns a producer's time-out in milliseconds. Raises RowtimeError RT0556."""
    if timeout is None:
        return None
    try:
        millis = -1 if isinstance(timeout, bool) else operator.index(timeout)
    except TypeError:
        millis = -1
    if not 0 <= millis <= times.LONGEST:
        raise error(
            "RT0556",
            f"A producer's timeout is a number of milliseconds from 0 to {times.LONGEST}, not '{timeout}'",
            hint="Use None for no timeout",
        )
    return millis


def _misfit(stream: str, reason: str):  # type: ignore[no-untyped-def]
    return error("RT0502", f"A row does not fit stream '{stream}': {reason}")
