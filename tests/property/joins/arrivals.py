"""Which rows enter a stream and which are late, by the rule for streams; and what the product says of them."""

from __future__ import annotations

import datetime as dt
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from recorded import Recorder

from rowtime.display.printers import Columns
from rowtime.script.runner import ScriptRunner
from rowtime.session import Session
from rowtime.splitter import split

from ..e2e.model import Stream
from .cases import LATENESS, Row, Step

Late = tuple[str, int]
"""The name of a stream, and `n` of a row."""


class Arrivals:
    """The streams of a case: the rows that have entered, in order of arrival, and those that were late."""

    def __init__(self, lateness: Mapping[str, bool]) -> None:
        """`lateness`: whether a stream has LATENESS, by its name."""
        self._streams = {name: Stream(LATENESS if late else None) for name, late in lateness.items()}
        self.entered: dict[str, list[Row]] = {name: [] for name in lateness}
        self.late: list[Late] = []

    def take(self, step: Step) -> None:
        if not step.stream:
            return
        stream = self._streams[step.stream]
        late = {place for _, place in stream.step(None, [(row.time, row.place) for row in step.rows], step.bound)}
        self.entered[step.stream] += [row for row in step.rows if row.place not in late]
        self.late += [(step.stream, row.n) for row in step.rows if row.place in late]

    def bound(self, name: str) -> int | None:
        """In milliseconds."""
        return self._streams[name].bound


@dataclass
class LateRows(Recorder):
    """A printer that also records the rejected rows."""

    late: list[Late] = field(default_factory=list)

    def rejected(self, stream: str, step: int, columns: Columns, row: tuple[Any, ...], *reason: str | None) -> None:
        self.late.append((stream, row[1]))


def feed(runner: ScriptRunner, arrivals: Arrivals, steps: Sequence[Step]) -> str:
    """Runs the steps, of which `arrivals` takes the rows; returns their lines."""
    for step in steps:
        runner.run(split(step.line))
        arrivals.take(step)
    return "".join(step.line for step in steps)


def bounds(session: Session, names: Sequence[str]) -> list[int | None]:
    """Returns the bounds of streams, in milliseconds."""
    times = [session.rowtime_bound(name) for name in names]
    return [None if time is None else millis(time) for time in times]


def millis(time: dt.datetime) -> int:
    """Returns the milliseconds since 1970."""
    return round((time - dt.datetime(1970, 1, 1)) / dt.timedelta(milliseconds=1))
