"""What nodes of a plan are made of, beside expressions and calls."""

from __future__ import annotations

from typing import Literal

import msgspec

from rowtime.plan.calls import Part
from rowtime.plan.clock import ClockStep
from rowtime.plan.rex import Literal as RexLiteral

Monotonicity = Literal[
    "STRICTLY_INCREASING", "INCREASING", "STRICTLY_DECREASING", "DECREASING", "CONSTANT", "NOT_MONOTONIC"
]


class Field(Part, frozen=True, omit_defaults=True):
    """A column of a node's output. `disorder` is an ISO duration, where a LATENESS allows rows out of order."""

    name: str
    type: str
    nullable: bool
    monotonicity: Monotonicity
    disorder: str | None = None


class State(Part, frozen=True):
    """What a node has to remember: how much, for how long (ISO duration), and why."""

    bound: Literal["none", "constant", "window", "unbounded"]
    retention: str | None
    why: str


class TextPart(Part, frozen=True):
    """A part of the SQL, in the coordinates of its file: both ends belong to it, and lines and columns count from 1."""

    line: int
    column: int
    end_line: int
    end_column: int


class SessionKey(Part, frozen=True):
    """The field, one of the keys, between whose values sessions are told apart, and the gap in ms."""

    key: int
    gap: int


class WindowBound(Part, frozen=True):
    """One end of a frame; `offset` is a number of rows, or a distance in the order's unit."""

    kind: Literal["UNBOUNDED_PRECEDING", "PRECEDING", "CURRENT_ROW", "FOLLOWING", "UNBOUNDED_FOLLOWING"]
    offset: RexLiteral | None


class Frame(Part, frozen=True):
    rows: bool
    lower: WindowBound
    upper: WindowBound


class WindowTime(Part, frozen=True):
    """The field by which the rows of a window come in order, its leading ORDER BY key: `index`. `clock` maps the bound
    of the sources to the field's; None where only rows tell how far the field has come."""

    index: int
    clock: list[ClockStep] | None


class WindowPass(Part, frozen=True):
    """Windows of one `number` are computed together, those of the least first; `clock` is that of the rows that come to
    them, which those before them may have held. `begins`: the window and those above it, up to the next that begins,
    are over the same rows; what is below it is an input like any other."""

    number: int
    begins: bool
    clock: list[ClockStep]


class AsOf(msgspec.Struct, forbid_unknown_fields=True, frozen=True, kw_only=True):
    """Which rows of its source a scan has. START: all, when the query starts. COMMIT: those of the newest version that
    was committed at `time` (ms since 1970) or before. HISTORY: those of all versions, with two more columns: the times
    of the commits from which on and up to which (NULL: it still does) the table had the row. HISTORY_BEGIN: one row,
    the time at which that history begins. `shift`, of both: the rows that they are joined with ask for no version
    before that of so many ms after their ROWTIME; None: for any."""

    by: Literal["START", "COMMIT", "HISTORY", "HISTORY_BEGIN"]
    time: int | None
    shift: int | None

    @property
    def is_history(self) -> bool:
        """Whether the scan reads all versions, up to the newest at the time of reading."""
        return self.by.startswith("HISTORY")


class Constant(Part, frozen=True):
    """A field of the input that has the same `value` in all rows."""

    index: int
    value: RexLiteral


class Interval(Part, frozen=True):
    """Base times at which a row is there: from `start` to `end` ms after its ROWTIME, both included; or, with `rows`,
    until the time at which so many later rows of its input have come, that time not included."""

    start: int = msgspec.field(name="from")
    end: int | None = msgspec.field(name="to")
    rows: int | None


class SearchOptions(Part, frozen=True):
    """How SEARCH_KEY looks rows up; times in ms. An executor sends `capacity` statements at once, each of at most
    `batch_size` keys; one that takes longer than `timeout` is given up. A key that has no row is looked up again
    `retries` times, `delay` later each time. An executor keeps what it has found for `cache_ttl` (None: not beyond the
    micro-batch), at most `cache_rows` rows, and with `cache_misses` also which keys have none. A streaming query waits
    for `outage` for a system that does not answer.

    Of these, the cache alone applies to Delta tables. The driver has it, and without `cache_ttl` keeps what it has
    found while the table has the same version."""

    capacity: int
    timeout: int
    batch_size: int
    retries: int
    delay: int
    cache_ttl: int | None
    cache_rows: int
    cache_misses: bool
    outage: int


class LatenessColumn(Part, frozen=True):
    """A field of the input, and how far behind the largest value so far it may be: an interval or a number."""

    index: int
    lateness: RexLiteral
