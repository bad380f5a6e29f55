"""Producers: Python code that feeds a named stream."""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from rowtime.errors import error
from rowtime.streams import times
from rowtime.streams.columns import Column
from rowtime.streams.log import StreamLog
from rowtime.streams.values import BadValue, stored


@dataclass(frozen=True, slots=True)
class Inserted:
    """How many rows an insert brought in, and the rows that were rejected, each with its reason (`late`); their values
    as they would be stored (timestamps in microseconds since 1970)."""

    entered: int
    rejected: list[tuple[dict[str, Any], str]]


class Producer:
    """Feeds one stream. Rows that are earlier than the stream's bound, or than this producer's own, are rejected as
    late and counted; everything else enters in the order given. Use it from one thread, or as a context manager."""

    def __init__(self, log: StreamLog) -> None:
        self._log = log
        self._bound: int | None = None
        self._closed = False

    @property
    def stream(self) -> str:
        return self._log.name

    def insert(self, rows: Iterable[Mapping[str, Any] | Sequence[Any]]) -> Inserted:
        """Inserts rows: mappings by column name (case does not matter), or sequences in the order of the columns.

        A ROWTIME that is left out, or None in a mapping's place, is the system clock, or the bound where that is later.
        Timestamps are datetimes (without zone: UTC) or ISO text. Raises RowtimeError RT0502 where a value does not fit
        its column; nothing was inserted then.
        """
        self._check_open()
        taken = [self._row(row) for row in rows]
        if not taken:
            return Inserted(0, [])
        done = self._log.append(taken, floor=self._bound)
        refused = [(self._named(taken[index]), reason) for index, reason in done.rejected]
        return Inserted(done.entered, refused)

    def set_rowtime_bound(self, bound: dt.datetime | str | int, strict: bool = False) -> None:
        """Promises that no later row of this producer is earlier than `bound` (a datetime, ISO text, or milliseconds
        since 1970); `strict`: nor equal to it. Raises RowtimeError RT0501 where the bound would go back."""
        self._check_open()
        wanted = _millis(bound) + (1 if strict else 0)
        state = self._log.state()
        known = [b for b in (self._bound, state.bound) if b is not None]
        if known and wanted < max(known):
            raise error(
                "RT0501",
                f"The bound of stream '{self.stream}' cannot go back from {times.text(max(known))} "
                f"to {times.text(wanted)}",
                hint="Bounds only move forward; leave this one out",
            )
        self._bound = wanted
        self._log.advance(wanted)

    @property
    def bound(self) -> dt.datetime | None:
        """The bound that this producer has set, UTC without zone."""
        return None if self._bound is None else times.to_datetime(self._bound)

    def close(self) -> None:
        """Leaves the stream. Closing twice does no harm."""
        self._closed = True

    def __enter__(self) -> Producer:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    # --- inside ------------------------------------------------------------------------------------------------------

    def _check_open(self) -> None:
        if self._closed:
            raise error("RT0503", f"The producer of stream '{self.stream}' is closed", hint="Open a new one")

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

    def _named(self, row: Sequence[Any]) -> dict[str, Any]:
        return {column.name: value for column, value in zip(self._log.columns, row, strict=True)}


def store_row(stream: str, columns: Sequence[Column], values: Sequence[Any], rowtime: int) -> list[Any]:
    """The values of a row as the log stores them; None at index `rowtime` stays, for the clock.

    Raises RowtimeError RT0502 where one does not fit.
    """
    try:
        return [
            None if value is None and i == rowtime else stored(value, column)
            for i, (value, column) in enumerate(zip(values, columns, strict=True))
        ]
    except BadValue as fault:
        raise _misfit(stream, str(fault)) from fault


def _misfit(stream: str, reason: str):  # type: ignore[no-untyped-def]
    return error("RT0502", f"A row does not fit stream '{stream}': {reason}")


def _millis(bound: dt.datetime | str | int) -> int:
    if isinstance(bound, int):
        return bound
    if isinstance(bound, str):
        try:
            return times.parse_millis(bound)
        except ValueError:
            raise error(
                "RT0504", f"'{bound}' is not a timestamp", hint="Write it as '2006-09-11 12:05:00' or …:00.000"
            ) from None
    return times.to_micros(bound) // 1000
