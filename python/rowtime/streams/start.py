"""Where a streaming query starts to read."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from rowtime.planner import PlannedStatement
from rowtime.streams.ends import Place
from rowtime.types import times


@dataclass(frozen=True, slots=True)
class Start:
    """The start of a streaming query: with rows that arrive from now on, or have since the system clock was `started`
    (milliseconds); with all rows in its streams (`earliest`); with those from a ROWTIME on (`since`, milliseconds); or
    in foreign streams at `offsets`, by the id of the stream, as text in the form of its connector. `skipped` are the
    positions of rows over which it steps if they cannot be computed, `until` the places in logs and topics
    at which it waits, by the name of the stream."""

    earliest: bool = False
    since: int | None = None
    started: int | None = None
    offsets: Mapping[str, str] = field(default_factory=dict)
    skipped: Mapping[str, Sequence[str]] = field(default_factory=dict)
    until: Mapping[str, Place] = field(default_factory=dict)

    def of(self, statement: PlannedStatement) -> Start:
        """Returns where the query of a statement starts that is to start here: its hint FROM_EARLIEST comes first."""
        return Start(earliest=True) if statement.from_earliest else self


def parse_start(text: str) -> Start:
    """Parses `earliest`, or a timestamp. Raises ValueError for anything else."""
    return start_at(times.parse_begin(text))


def start_at(since: int | None) -> Start:
    """Returns the start with the rows from a ROWTIME on (milliseconds), None for all."""
    return Start(earliest=since is None, since=since)
