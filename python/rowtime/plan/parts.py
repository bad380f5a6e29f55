"""Parts of a plan's nodes, in addition to expressions and calls."""

from __future__ import annotations

from typing import Any, Literal

import msgspec

from rowtime.plan.calls import Part, SortKey, WindowCall
from rowtime.plan.clock import ClockStep, Floor
from rowtime.plan.rex import Literal as RexLiteral
from rowtime.plan.rex import Rex

Monotonicity = Literal[
    "STRICTLY_INCREASING", "INCREASING", "STRICTLY_DECREASING", "DECREASING", "CONSTANT", "NOT_MONOTONIC"
]


class Field(Part, frozen=True, omit_defaults=True):
    """A column of a node's output. `disorder` is an ISO duration, if a LATENESS allows rows out of order."""

    name: str
    type: str
    nullable: bool
    monotonicity: Monotonicity
    disorder: str | None = None


class State(Part, frozen=True):
    """The state that a node keeps: how much, for how long (ISO duration), and why."""

    bound: Literal["none", "constant", "window", "unbounded"]
    retention: str | None
    why: str


class TextPart(Part, frozen=True):
    """A part of the SQL, in the coordinates of its file: it includes both ends; lines and columns count from 1."""

    line: int
    column: int
    end_line: int
    end_column: int


class SessionKey(Part, frozen=True):
    """The field, one of the keys, whose values are grouped into sessions, and the gap in ms."""

    key: int
    gap: int


class TimeLimit(Part, frozen=True):
    """A time at which a row enters or leaves: `millis` after the value of a field (TIMESTAMP or DATE), or, if `after`,
    the instant after that."""

    column: int
    millis: int
    after: bool


class WindowBound(Part, frozen=True):
    """One end of a frame; `offset` is a number of rows, or a distance in the order's unit."""

    kind: Literal["UNBOUNDED_PRECEDING", "PRECEDING", "CURRENT_ROW", "FOLLOWING", "UNBOUNDED_FOLLOWING"]
    offset: RexLiteral | None


class Frame(Part, frozen=True):
    rows: bool
    lower: WindowBound
    upper: WindowBound


class Arrival(Part, frozen=True):
    """How rows arrive at an operator from one micro-batch to the next, and what follows from it. `disordered`: out of
    order. `max_disorder`: a row proves that no row of a later micro-batch is more than this many ms behind it (None:
    rows prove nothing). `early`: the operator may emit what the rows of its own task prove complete, before the
    watermark does."""

    disordered: bool
    max_disorder: int | None
    early: bool


class Arrivals(Part, frozen=True):
    """How rows arrive at an operator if the rows of the result must be in order of ROWTIME from one micro-batch to the
    next (`ordered`), and if not. Only the start of a query decides which."""

    ordered: Arrival
    unordered: Arrival


class OverWindow(Part, frozen=True):
    """A window and its calls. `places_peers`: over history, the frame is one of distances, and the order in which rows
    of equal keys arrived matters; if that order is known, they count one by one. `by_time`, of a stream: the leading
    ORDER BY key is the time of the window's pass."""

    partition: list[int]
    order: list[SortKey]
    frame: Frame
    calls: list[WindowCall]
    places_peers: bool
    by_time: bool


class WindowTime(Part, frozen=True):
    """The field that orders the rows of a pass, the leading ORDER BY key of its windows: `index`. `clock` maps the
    bound of the sources to the field's; None if only rows show how far the field has advanced."""

    index: int
    clock: list[ClockStep] | None


class WindowPass(Part, frozen=True):
    """Windows over the same partitions, by their numbers in the node, which one operator computes. `clock` is that of
    its input, which earlier passes may have delayed. `time` is what orders the rows (None: ROWTIME or a copy of it, or
    rows wait for their whole partition). `closes`: the time at which a row's partition is complete, if it ever is, an
    expression over the input row in the domain of the input's ROWTIME. `waits`: a row may have to wait for later ones;
    `waits_for_rows`: for this many of its partition, however late they are. `arrival` is how rows arrive at the
    pass."""

    windows: list[int]
    clock: list[ClockStep]
    time: WindowTime | None
    closes: Rex | None
    waits: bool
    waits_for_rows: bool
    arrival: Arrivals


class AsOf(msgspec.Struct, forbid_unknown_fields=True, frozen=True, kw_only=True):
    """The version of its source that a scan reads. START: the rows that exist when the query starts. COMMIT: those of
    the newest version committed at `time` (ms since 1970) or before. HISTORY: those of all versions, with two more
    columns: the times of the commits between which the table had the row (the second is NULL if it still has it).
    HISTORY_BEGIN: one row, the time at which that history begins. `shift`, for both: the rows that they are joined with
    need no version before the one at this many ms after their ROWTIME; None: they may need any."""

    by: Literal["START", "COMMIT", "HISTORY", "HISTORY_BEGIN"]
    time: int | None
    shift: int | None

    @property
    def is_history(self) -> bool:
        """Returns whether the scan reads all versions, up to the newest at the time of reading."""
        return self.by.startswith("HISTORY")


class Constant(Part, frozen=True):
    """A field of the input that has the same `value` in all rows."""

    index: int
    value: RexLiteral


class ExecutionInput(Part, frozen=True):
    """An input of an operator: `columns` over those of the node's input, or of the step before. With `copies`, the
    operator gets each row once for each of these numbers. `source` is the scan whose own bounds are those of the input
    (None: the operator goes by the query's watermark)."""

    copies: list[int] | None
    columns: list[Rex]
    source: int | None


class ExecutionStep(Part, frozen=True):
    """A run of an operator. `spec` is for the operator alone, which has it as a record of `io.rowtime.operator.spec`;
    in it, the columns of the first input are named c0, c1, …, and those of a second one d0, d1, …. `expressions` are
    what the operator evaluates itself: the condition of a join over the columns of both inputs, if there is one; the
    arguments of a function."""

    inputs: list[ExecutionInput]
    spec: dict[str, Any]
    expressions: list[Rex]


class Execution(Part, frozen=True):
    """How rowtime's operators compute a node: in `steps`, each of which reads the columns that the step before makes.

    The others are over the columns that the last step makes. `outputs` are the fields of the node. `rowtime` is the
    ROWTIME that rows carry though it is not a field (None: it is one, or there is none), `arrival` their number in
    order of arrival (None: there is none), `change` how often a row is added (above 0) or retracted (below 0; None:
    rows are only added). `order` are the fields by which rows are sorted (empty: ROWTIME is their
    only order)."""

    steps: list[ExecutionStep]
    outputs: list[Rex]
    rowtime: Rex | None
    arrival: Rex | None
    change: Rex | None
    order: list[int]


class Interval(Part, frozen=True, omit_defaults=True):
    """The base times at which a row can match: from `start` to `end` ms after its ROWTIME, both included; or, with
    `rows`, until the time at which this many later rows of its input have arrived, excluding that time. A `window`
    limits it to the window that contains the ROWTIME: an end of the interval outside of it is moved to its first or
    last millisecond."""

    start: int = msgspec.field(name="from")
    end: int | None = msgspec.field(name="to")
    rows: int | None
    window: Floor | None = None


class LastMatch(Part, frozen=True):
    """A row of a join matches no row of the other input whose ROWTIME is later than the value of the field `column` and
    `millis` ms. A row in which it is NULL matches nothing."""

    column: int
    millis: int


class SearchOptions(Part, frozen=True):
    """How SEARCH_KEY looks rows up; times in ms. An executor sends `capacity` statements at once, each of at most
    `batch_size` keys; one that takes longer than `timeout` is abandoned. A key without a row is looked up again
    `retries` times, each time `delay` later. An executor caches results for `cache_ttl` (None: only within the
    micro-batch), at most `cache_rows` rows, and with `cache_misses` also the keys without rows. A streaming query waits
    up to `outage` for a system that does not answer.

    Only the cache applies to Delta tables. The driver has it, and without `cache_ttl` keeps results as long as the
    table has the same version."""

    capacity: int
    timeout: int
    batch_size: int
    retries: int
    delay: int
    cache_ttl: int | None
    cache_rows: int
    cache_misses: bool
    outage: int


class ColumnBound(Part, frozen=True):
    """A field that follows from the bound of the sources: `clock` maps that bound to one of the field, which is never
    before it."""

    index: int
    clock: list[ClockStep]


class ColumnOrder(Part, frozen=True):
    """A field that increases or decreases from one micro-batch to the next, as its monotonicity says: no value is more
    than `disorder` (ms for a time, units for a number) behind one of an earlier micro-batch."""

    index: int
    disorder: int


class UniqueFields(Part, frozen=True):
    """At most this many `rows` have the same values in the `fields`; of a stream, in all micro-batches together."""

    fields: list[int]
    rows: int


class Claims(Part, frozen=True):
    """What the planner has concluded of the rows of a node, for `--check-claims`. `orders_hold`: whether the `orders`
    do (ORDERED: if the rows of the result must be in order of ROWTIME)."""

    bounds: list[ColumnBound]
    orders: list[ColumnOrder]
    orders_hold: Literal["ALWAYS", "ORDERED", "NEVER"]
    unique: list[UniqueFields]


class LatenessColumn(Part, frozen=True):
    """A field of the input, and how far it may be behind the largest value so far: an interval or a number."""

    index: int
    lateness: RexLiteral
