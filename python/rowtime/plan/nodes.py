"""The nodes of a plan: one struct per relational operator. The tag field is `op`.

A new operator is a struct here, a record in the planner's Operator and a script in `tests/sql`; one that Spark computes
also has a file in `rowtime.translate.rel`. Tests fail while one of them is missing.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal, TypeVar

import msgspec

from rowtime.plan.calls import AggregateCall, HopCall, SortKey
from rowtime.plan.clock import ClockStep, Shift
from rowtime.plan.parts import (
    Arrivals,
    AsOf,
    Claims,
    Constant,
    Execution,
    Field,
    Interval,
    LastMatch,
    LatenessColumn,
    OverWindow,
    SearchOptions,
    SessionKey,
    State,
    TextPart,
    TimeLimit,
    WindowPass,
)
from rowtime.plan.rex import Rex

T = TypeVar("T")
Compute = Callable[[Rex, list[T] | None], T]


@dataclass(frozen=True)
class Completion:
    """The time, an expression over a row, at which something is complete to which the row belongs, and the clock whose
    bound reaches it. `keys` are fields: rows that are equal in them have the same time (None: it differs by row)."""

    clock: list[ClockStep]
    closes: Rex
    keys: list[int] | None


@dataclass(frozen=True)
class TableFunction:
    """A user-defined function over a table: its name, its language, and where its code is."""

    name: str
    language: Literal["JAVA", "PYTHON"]
    body: str


class _Node(msgspec.Struct, tag_field="op", rename="camel", forbid_unknown_fields=True, frozen=True, kw_only=True):
    """The fields of every node.

    `origin` lists the parts of the statement that the node executes. For a node of a view, it is the view's name; for a
    node that the planner added, the origin of the nodes that it was made from. It is empty if no text asks for the
    node.

    `fields` are the output columns in order, `rowtime` names the one that carries ROWTIME (None if it is not among
    them), `clock` maps the sources' bound to the bound of this node's ROWTIME (None if no bound is known: a row may
    wait for others indefinitely).

    `changes` is how a row changes those before it; `needs` what the node requires of the engine; `signature` what its
    saved state depends on (None: it has none); `sorted` whether its rows have the order of an ORDER BY; `in_order`
    whether no micro-batch contains a ROWTIME before those of earlier ones (ORDERED: if the rows of the result must be
    in order); `reads` which fields of each input it reads, for a scan those of its source; `stored` the order in which
    its state has columns, which follows from what they mean: for each input that of its fields, for GROUP BY that of
    the keys and that of the calls, for a union that of its own fields (a join stores what it `reads`, in that order).
    """

    id: int
    origin: list[TextPart]
    inputs: list[Node]
    fields: list[Field]
    rowtime: str | None
    state: State
    streaming: bool
    clock: list[ClockStep] | None = []
    changes: Literal["append", "retract"]
    needs: list[Literal["WATERMARK", "STATE_STORE", "ORDER"]]
    signature: str | None
    sorted: bool
    in_order: Literal["ALWAYS", "ORDERED", "NEVER"]
    reads: list[list[int]]
    claims: Claims
    stored: list[list[int]]

    def is_in_order(self, *, ordered: bool) -> bool:
        """Returns whether rows come in order of ROWTIME; `ordered`: those of the result must."""
        return self.in_order == "ALWAYS" or (ordered and self.in_order == "ORDERED")

    @property
    def stores(self) -> Literal["NOTHING", "INPUTS", "GROUPS"]:
        """Returns what `stored` is the order of in a node that Spark computes, apart from unions: nothing, the fields
        of each input, or the keys and calls of a GROUP BY."""
        return "NOTHING"

    @property
    def executed(self) -> Execution | None:
        """Returns how rowtime's operators compute the node; None if Spark does."""
        return getattr(self, "execution", None)

    @property
    def table_function(self) -> TableFunction | None:
        """Returns the user-defined function over a table that the node calls; None if it calls none."""
        return None

    @property
    def late_rows_name(self) -> str | None:
        """Returns the name under which a query counts the rows that the node rejects because they are late."""
        return None

    @property
    def max_rows(self) -> int | None:
        """Returns the number to which the node limits its rows (LIMIT, FETCH); None if it does not."""
        return None

    @property
    def outage(self) -> int:
        """Returns for how many ms the node waits for a system that does not answer."""
        return 0

    def constant_rows(self, compute: Compute[T]) -> list[list[T]] | None:
        """Returns all rows if the query itself contains them, else None. `compute` returns the value of an expression
        over the values of the input's row (None: there is no input)."""
        return None

    @property
    def completions(self) -> list[Completion]:
        """Returns when something is complete to which a row of the first input belongs, such as its group."""
        return []

    @property
    def steps(self) -> list[ClockStep]:
        """Returns the clock of a node that has one, which a node that waits for a bound needs."""
        if self.clock is None:
            raise ValueError(f"node {self.id} of the plan has no clock")
        return self.clock

    @property
    def rowtime_index(self) -> int | None:
        """Returns the position of the field that carries ROWTIME."""
        if self.rowtime is None:
            return None
        return next((i for i, f in enumerate(self.fields) if f.name == self.rowtime), None)


class Scan(_Node, tag="scan", frozen=True, kw_only=True):
    """A named stream or table. `kind` is its kind in the catalog, `mode` how it is read (changes: the rows of a
    table, and then those that its commits add and remove; keys: only by SEARCH_KEY);
    `bound` names the column whose bound is the clock of the query (None: the scan has no clock). `min_rowtime`, for a
    relation: the earliest ROWTIME (ms since 1970) that the query needs (None: it needs all rows). `start` EARLIEST: the
    scan begins with all rows of the source, wherever the query begins. `clock_shift`: rows are emitted once the system
    clock is this many ms past their ROWTIME (None: immediately). `as_of`: the version of a relation that SNAPSHOT
    reads. `identity` says what the source is (of a foreign one: its connector, and the options that say what is read).
    `state_name` names, by what the scan means, what it stores in the query's folder. A SHIFT in `clock` is how far the
    bound is ahead of the clock of the query, if a join requires that."""

    source: str
    kind: str
    mode: Literal["stream", "changes", "relation", "keys"]
    identity: str
    state_name: str
    bound: str | None
    min_rowtime: int | None
    start: Literal["EARLIEST"] | None
    clock_shift: int | None
    as_of: AsOf | None

    @property
    def ahead(self) -> int:
        """Returns how many ms the bound of the source is ahead of the clock of the query."""
        return sum(step.millis for step in self.clock or () if isinstance(step, Shift))

    @property
    def holds_rows(self) -> bool:
        """Returns whether the query itself holds the rows of a foreign stream back until their WATERMARK."""
        return "WATERMARK" in self.needs


class Values(_Node, tag="values", frozen=True, kw_only=True):
    rows: list[list[Rex]]

    def constant_rows(self, compute: Compute[T]) -> list[list[T]] | None:
        return [[compute(rex, None) for rex in row] for row in self.rows]


class Fallible(msgspec.Struct, rename="camel", forbid_unknown_fields=True, frozen=True, kw_only=True):
    """What in a streaming projection or filter can fail for the values of a row, such as a division by zero.

    `exprs` are the numbers of the expressions (a filter has only 0). `on_error` says what becomes of a row for which
    one of them fails: the query fails (FAIL), or the row is set aside and the query goes on (SKIP). `nulls` are those
    of others, which are NULL if they fail, and noted with the row. `source` is the stream whose rows are computed
    (None: they come from an operator over several rows). `state_name` names, by what the node means, the rows that it
    sets aside or notes in the query's folder (None: none).
    """

    exprs: list[int]
    nulls: list[int]
    on_error: Literal["FAIL", "SKIP"]
    source: str | None
    state_name: str | None


class Filter(_Node, tag="filter", frozen=True, kw_only=True):
    condition: Rex
    fallible: Fallible | None


class Project(_Node, tag="project", frozen=True, kw_only=True):
    exprs: list[Rex]
    fallible: Fallible | None

    def constant_rows(self, compute: Compute[T]) -> list[list[T]] | None:
        below = self.inputs[0].constant_rows(compute)
        return None if below is None else [[compute(rex, row) for rex in self.exprs] for row in below]


class _Completing(_Node, frozen=True, kw_only=True):
    """An operator over groups of rows. Those of a stream are complete, and are emitted, when the input's bound reaches
    `closes`, an expression over the input row in the domain of the input's ROWTIME."""

    closes: Rex | None

    @property
    def complete_by(self) -> list[int] | None:
        """Returns fields of the input: rows that are equal in them are complete together (None: it differs by row)."""
        return None

    @property
    def completions(self) -> list[Completion]:
        return [] if self.closes is None else [Completion(self.inputs[0].steps, self.closes, self.complete_by)]


class _Aggregation(_Completing, frozen=True, kw_only=True):
    """GROUP BY. Output: the fields `keys` of the input, then the calls."""

    keys: list[int]
    calls: list[AggregateCall]


class Aggregate(_Aggregation, tag="aggregate", frozen=True, kw_only=True):
    """GROUP BY by Spark's own aggregation.

    `sets`: GROUPING SETS, each with some of the keys; in its groups the others are NULL. None: all keys, once.

    `session`: rows whose other keys are equal form a group as long as none is more than the gap after the one before
    it; the value of the session's key is the earliest, and a group is complete at the latest `closes` of its rows.

    `constants` are the arguments of calls that are constants."""

    sets: list[list[int]] | None
    constants: list[Constant]
    session: SessionKey | None

    @property
    def stores(self) -> Literal["NOTHING", "INPUTS", "GROUPS"]:
        return "GROUPS"

    @property
    def complete_by(self) -> list[int] | None:
        return None if self.session is not None else _common_keys(self.keys, self.sets)


class GroupAggregate(_Aggregation, tag="group_aggregate", frozen=True, kw_only=True):
    """GROUP BY of a stream by an operator of rowtime's that keeps values of groups; the fields are those of
    `Aggregate`. Rows are shuffled by the keys `partition`; `arrival` is how they arrive. `combines`: rows of a group
    are combined before the shuffle, by the calls that are not DISTINCT."""

    sets: list[list[int]] | None
    closes: Rex
    partition: list[int]
    arrival: Arrivals
    combines: bool
    execution: Execution | None

    @property
    def complete_by(self) -> list[int] | None:
        return _common_keys(self.keys, self.sets)


class UpdatingAggregate(_Aggregation, tag="updating_aggregate", frozen=True, kw_only=True):
    """GROUP BY of a stream by keys whose groups are never complete; the fields are those of `Aggregate`. Whenever rows
    of a group arrive, its earlier row is retracted, and the new one added. `combines`: rows of a group are combined
    before the shuffle. `ttl`: a row that is more than so many milliseconds after the one before it in its group begins
    the group anew: it adds a row, and retracts none (None: no row does)."""

    closes: None
    sets: list[list[int]] | None
    combines: bool
    ttl: int | None
    execution: Execution | None


class ToChangelog(_Node, tag="to_changelog", frozen=True, kw_only=True):
    """TO_CHANGELOG of a result that changes. Output: OP (0: a row is inserted, 1: it is replaced, 2: it replaces
    another, 3: it is deleted), and PAYLOAD, the row. Each micro-batch gives what it changes in all.

    `key` are fields of the input: no two rows of the result are equal in them (None: no such fields are known; rows are
    only inserted and deleted). `upserts`: rows that are replaced are left out. `renews`: rows of a key may be inserted
    though the earlier one is not deleted. `target`: the table that a pump keeps equal to the result; the output is then
    the fields of the row, and OP."""

    key: list[int] | None
    upserts: bool
    renews: bool
    target: str | None
    execution: Execution | None


class FromChangelog(_Node, tag="from_changelog", frozen=True, kw_only=True):
    """FROM_CHANGELOG of a stream, by an operator of rowtime's: the rows that changes have added and not retracted.
    Output: the input's fields but `changeKind`, which is OP as in `ToChangelog`; rows with other numbers are no
    changes. Whenever these rows change, some are added and some retracted.

    `key` are fields of the input by which a change replaces or deletes a row (None: a change is of the row that is
    equal in all fields)."""

    change_kind: int
    key: list[int] | None
    execution: Execution | None


class SessionAggregate(_Aggregation, tag="session_aggregate", frozen=True, kw_only=True):
    """GROUP BY SESSION of a stream by an operator of rowtime's; the fields are those of `Aggregate`."""

    closes: Rex
    session: SessionKey
    arrival: Arrivals
    execution: Execution | None

    @property
    def sets(self) -> list[list[int]] | None:
        """Returns None: sessions have no GROUPING SETS."""
        return None


class HopAggregate(_Node, tag="hop_aggregate", frozen=True, kw_only=True):
    """GROUP BY HOP of a stream by an operator of rowtime's. Output: the `keys`, then the calls.

    The field `pane` of the input is the start of the row's pane, a stretch of time between two borders of windows; the
    input's clock is `late` ahead of it. Windows are as in `Hop`. A key is a field of the input, or the START or END of
    the window. `combines`: rows of a pane are combined before the shuffle. All times are in ms."""

    pane: int
    late: int
    slide: int
    size: int
    offset: int
    keys: list[int | Literal["START", "END"]]
    calls: list[HopCall]
    arrival: Arrivals
    combines: bool
    execution: Execution | None


class Union(_Node, tag="union", frozen=True, kw_only=True):
    """UNION [ALL]. A stream that `merges` is in order of ROWTIME; a row is released when the input's bound reaches its
    `closes`. Where no order is needed, rows do not wait."""

    all: bool
    merges: bool
    closes: Rex | None


class Sort(_Node, tag="sort", frozen=True, kw_only=True):
    """ORDER BY. Streaming: a time sort; a row is released when the input's bound reaches its `closes`."""

    keys: list[SortKey]
    offset: int | None
    fetch: int | None
    closes: Rex | None

    @property
    def max_rows(self) -> int | None:
        return self.fetch

    @property
    def stores(self) -> Literal["NOTHING", "INPUTS", "GROUPS"]:
        return "INPUTS"


class Join(_Node, tag="join", frozen=True, kw_only=True):
    join_type: Literal["INNER", "LEFT", "RIGHT", "FULL", "SEMI", "ANTI"]
    condition: Rex


class IntervalJoin(_Node, tag="interval_join", frozen=True, kw_only=True):
    """Join of two streams by an operator of rowtime's (seed 003, "Streaming Joins"). Output: the fields of the left
    input, then those of the right one; after them the ROWTIME of the joined row, if the query names it.

    SEMI and ANTI: only the fields of the left input, for the rows that have a match, or that have none.

    Rows match if their intervals overlap, their keys are equal (expressions over one input each) and the `condition`
    over the fields of both, if there is one, is true. The ROWTIME of a match is the earliest base time in both
    intervals; that of a row without a match is the end of its interval. If an input's rows come from one stream without
    waiting, `left_source` or `right_source` is the scan of that stream: its own bounds are the input's.
    `left_distinct`, `right_distinct`: rows of that input that are equal in all columns count once."""

    join_type: Literal["INNER", "LEFT", "RIGHT", "FULL", "SEMI", "ANTI"]
    left_interval: Interval
    right_interval: Interval
    left_distinct: bool
    right_distinct: bool
    left_arrival: Arrivals
    right_arrival: Arrivals
    left_source: int | None
    right_source: int | None
    left_keys: list[Rex]
    right_keys: list[Rex]
    condition: Rex | None
    execution: Execution | None


class UpdatingJoin(_Node, tag="updating_join", frozen=True, kw_only=True):
    """Join of two streams, or of results that change, by an operator of rowtime's. Output: as of `Join`. A row is
    retracted when a row that it comes from is retracted, or, in an outer join, when a match arrives.

    Rows match if their keys are equal (expressions over one input each) and the `condition` over the fields of both, if
    there is one, is true. `left_end`, `right_end`: when rows of that input have had their last match, and are no longer
    kept; None if they can always get another one."""

    join_type: Literal["INNER", "LEFT", "RIGHT", "FULL", "SEMI", "ANTI"]
    left_keys: list[Rex]
    right_keys: list[Rex]
    left_end: LastMatch | None
    right_end: LastMatch | None
    condition: Rex | None
    execution: Execution | None


class LookupJoin(_Node, tag="lookup_join", frozen=True, kw_only=True):
    """Join of a `stream`, the LEFT or the RIGHT input, with a relation: each row of the stream is joined with the rows
    that the relation has when the row is processed, in one version for all of a micro-batch. Output: as for `Join`, in
    the order of the stream, with its ROWTIME. The relation's rows never appear without one of the stream. `varies`: the
    relation depends on the time of reading or on chance, so each micro-batch reads it again."""

    join_type: Literal["INNER", "LEFT", "RIGHT", "SEMI", "ANTI"]
    stream: Literal["LEFT", "RIGHT"]
    varies: bool
    condition: Rex

    @property
    def stream_input(self) -> int:
        """Returns which of the inputs is the stream."""
        return 0 if self.stream == "LEFT" else 1


class SearchKey(_Node, tag="search_key", frozen=True, kw_only=True):
    """SEARCH_KEY of a foreign table (seed 004, "Correlated SEARCH functions"). Output: the fields of the left input,
    then those of the right one, a scan of the table, which is never read as a whole. For the distinct keys of each
    micro-batch, JDBC lets the database look rows up, and DELTA reads the files that can contain them.

    Rows match if the fields `keys` of the right input are equal to the values `lookup`, expressions over the left one,
    and the `condition` over the fields of both, if there is one, is true. LEFT: rows without a match are emitted
    too. `search` is how the operator does that: its second input are the columns that it finds."""

    connector: Literal["JDBC", "DELTA"]
    join_type: Literal["INNER", "LEFT"]
    keys: list[int]
    lookup: list[Rex]
    condition: Rex | None
    options: SearchOptions
    search: Execution | None

    @property
    def table(self) -> Scan:
        """Returns the scan of the table."""
        scan = self.inputs[1]
        assert isinstance(scan, Scan), "the planner looks rows up in tables"
        return scan

    @property
    def outage(self) -> int:
        return self.options.outage


class TemporalJoin(_Node, tag="temporal_join", frozen=True, kw_only=True):
    """Join of a stream with versions by an operator of rowtime's (seed 004, "SNAPSHOT for temporal joins"). Output: the
    fields of the left input, then those of the right one, in the order and with the ROWTIME of the left input.

    A row of the right input is a version that holds from its time, the field `right_time`, until the next one with the
    same `identity` (fields of the right input; if there are none, the `right_keys`). `one_task`: versions with one
    identity can have different keys, so one task processes all rows. A left row is joined with the versions that hold
    `shift` ms after its own time, the field `left_time` (None: its ROWTIME, which is not a field), or just before then
    if not `inclusive`; of these, with the ones whose keys are equal and for which the `condition` over the fields of
    both, if there is one, is true. With `within`, the right input has no versions: a left row is joined with the next
    row with its keys from that time (after it if not `inclusive`) to `within` ms after its own. LEFT: a row without
    such a version or row is emitted too. `left_source` and `right_source` are as in `IntervalJoin`."""

    join_type: Literal["INNER", "LEFT"]
    left_time: int | None
    right_time: int | None
    shift: int
    inclusive: bool
    within: int | None
    identity: list[int]
    one_task: bool
    left_arrival: Arrivals
    right_arrival: Arrivals
    left_source: int | None
    right_source: int | None
    left_keys: list[Rex]
    right_keys: list[Rex]
    condition: Rex | None
    execution: Execution | None


class Hop(_Node, tag="hop", frozen=True, kw_only=True):
    """HOP: each row once for every window that contains its `time`, with the window's start and end after its own
    columns. Windows begin at every `slide` and have the length `size`; one begins at `offset` (all in ms). A row whose
    time is NULL is in none."""

    time: Rex
    slide: int
    size: int
    offset: int


class Session(_Completing, tag="session", frozen=True, kw_only=True):
    """SESSION: each row with the start and the end of its session after its own columns. Rows with equal `keys`, fields
    of the input, are in one session as long as none is more than the `gap` (ms) after the one before it, by the field
    `time`; the session ends one gap after the latest row. Streaming: a session is complete, and its rows are emitted,
    when the input's bound reaches the latest `closes` of its rows, an expression as in `Aggregate`. `arrival`: None in
    relations."""

    time: int
    keys: list[int]
    gap: int
    arrival: Arrivals | None
    execution: Execution | None


class Unnest(_Node, tag="unnest", frozen=True, kw_only=True):
    """UNNEST: each row once for every element of the collections `exprs`, side by side, with the elements after its own
    columns: the fields of a row, key and value of a map; then, with `ordinality`, their number, from 1. A row without
    elements is omitted, or kept with NULLs if `outer`."""

    exprs: list[Rex]
    ordinality: bool
    outer: bool


class Process(_Node, tag="process", frozen=True, kw_only=True):
    """A user-defined table function over the rows of each partition, in the order of the field `time`, which is
    ROWTIME. Output: ROWTIME, the `partition` fields, the columns of the function. `args` are constants, the values of
    the `parameters`. The ROWTIME of a row may be up to `delay` ms before the time at which it is emitted; the state of
    a partition is kept for `state_ttl` ms after its latest row or timer (None: indefinitely)."""

    function: str
    language: Literal["JAVA", "PYTHON"]
    body: str
    time: int
    partition: list[int]
    parameters: list[str]
    args: list[Rex]
    delay: int
    state_ttl: int | None
    arrival: Arrivals | None
    execution: Execution | None

    @property
    def table_function(self) -> TableFunction:
        return TableFunction(self.function, self.language, self.body)


class Sample(_Node, tag="sample", frozen=True, kw_only=True):
    """TABLESAMPLE: about this `fraction` of the rows, chosen at random; the same ones for the same `seed`."""

    fraction: float
    seed: int | None


class Recurse(_Node, tag="recurse", frozen=True, kw_only=True):
    """WITH RECURSIVE: the rows of the first input; then, until there are none, those that the second computes from the
    latest rows, which it reads by the `Recursive` of the same `recursion`. Not `all`: rows that already exist are not
    added again. Relations only."""

    recursion: int
    all: bool


class Recursive(_Node, tag="recursive", frozen=True, kw_only=True):
    """The latest rows of a `recursion`."""

    recursion: int


class Lateness(_Node, tag="lateness", frozen=True, kw_only=True):
    """LATENESS on columns of a view (seed 000): drops rows that are late in one of `columns`, by the largest values of
    earlier steps. Streaming only. `bound` names the column whose bound is the clock of the query, if that is one of
    these. `state_name` names, by what the rows and columns mean, what it stores in the query's folder."""

    columns: list[LatenessColumn]
    bound: str | None
    state_name: str

    @property
    def executed(self) -> Execution | None:
        """Returns how rowtime's operators compute the node; None if Spark does."""
        return getattr(self, "execution", None)

    @property
    def late_rows_name(self) -> str | None:
        return self.state_name


class SetOp(_Node, tag="setop", frozen=True, kw_only=True):
    kind: Literal["INTERSECT", "EXCEPT"]
    all: bool


class Window(_Node, tag="window", frozen=True, kw_only=True):
    """OVER: all windows of a SELECT, each over the input's rows. Output: the input's fields, then the calls of one
    window after the other. A stream goes through the `passes` in turn, each of which computes some of the windows; a
    relation has no passes, because Spark computes all windows."""

    windows: list[OverWindow]
    passes: list[WindowPass]
    execution: Execution | None

    @property
    def completions(self) -> list[Completion]:
        # The input of a further pass is the output of the one before.
        return [
            Completion(first.clock, first.closes, self.windows[first.windows[0]].partition)
            for first in self.passes[:1]
            if first.closes is not None
        ]


RankFunction = Literal["ROW_NUMBER", "RANK", "DENSE_RANK"]


class TopN(_Completing, tag="top_n", frozen=True, kw_only=True):
    """Returns, from each partition of a stream, once it is complete, the rows whose `function` is at most `limit`, by
    an operator of rowtime's. Output: the input's fields, then the values of the functions `ranks` (BIGINT). Peers are
    in order of ROWTIME, then of arrival. `closes` is as in `WindowPass`."""

    partition: list[int]
    order: list[SortKey]
    function: RankFunction
    limit: int
    ranks: list[RankFunction]
    closes: Rex
    arrival: Arrivals
    execution: Execution | None

    @property
    def complete_by(self) -> list[int] | None:
        return self.partition


class UpdatingTopN(_Node, tag="updating_top_n", frozen=True, kw_only=True):
    """The rows of partitions of a stream, which are never complete, whose `function` is at most `limit`, by an operator
    of rowtime's; the fields are those of `TopN`. Whenever these change, rows that are no longer among them are
    retracted, and those that have come in are added. Peers are in order of ROWTIME if there is one, then of all their
    columns. `ttl`: a row that is more than so many milliseconds after the one before it in its partition begins the
    partition anew, and retracts none (None: no row does)."""

    partition: list[int]
    order: list[SortKey]
    function: RankFunction
    limit: int
    ranks: list[RankFunction]
    ttl: int | None
    execution: Execution | None


class UpdatingOver(_Node, tag="updating_over", frozen=True, kw_only=True):
    """OVER whose values change, by an operator of rowtime's; the fields are those of `Window`. All windows have the
    same partitions and, apart from those without one, the same order. Whenever rows come or go, rows whose values that
    changes are retracted, and added with the new values. Peers are in order of ROWTIME if there is one, then of all
    their columns."""

    windows: list[OverWindow]
    execution: Execution | None


class TemporalFilter(_Node, tag="temporal_filter", frozen=True, kw_only=True):
    """WHERE with conditions on the current time, of a stream, by an operator of rowtime's. A row is added once the
    bound of the input (of its sources, if its rows have no ROWTIME) has reached all times of `enters`, and retracted
    once it has reached one of `leaves`. A row with NULL for one of them is never there."""

    enters: list[TimeLimit]
    leaves: list[TimeLimit]
    execution: Execution | None


def _common_keys(keys: list[int], sets: list[list[int]] | None) -> list[int]:
    """Returns the keys that are in all GROUPING SETS."""
    return keys if sets is None else [key for key in keys if all(key in each for each in sets)]


Node = (
    Scan | Values | Filter | Project | Aggregate | GroupAggregate | SessionAggregate | HopAggregate
    | UpdatingAggregate | ToChangelog | FromChangelog | Union | Sort | Join | IntervalJoin | UpdatingJoin | LookupJoin
    | SearchKey | TemporalJoin | Hop | Session | Unnest | Process | Sample | Recurse | Recursive | Lateness | SetOp
    | Window | TopN | UpdatingTopN | UpdatingOver | TemporalFilter
)  # fmt: skip


def op(node: Node) -> str:
    """Returns the operator's name in the plan, such as `hop_aggregate`."""
    return str(type(node).__struct_config__.tag)
