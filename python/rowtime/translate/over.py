"""OVER on streams: the parameters of rowtime's operator for the windows of a query.

A query's windows are a chain of nodes in the plan; each reads only columns from below the whole chain. So windows over
the same partitions are computed in one pass, whatever their frames.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from decimal import Decimal
from typing import TYPE_CHECKING, Any

from sqlglot import exp

from rowtime.errors import error
from rowtime.operators import specs
from rowtime.operators.over import over
from rowtime.plan.calls import SortKey
from rowtime.plan.clock import ClockStep
from rowtime.plan.nodes import Window
from rowtime.plan.parts import WindowBound
from rowtime.plan.types import SqlType, parse_type
from rowtime.sparksql.expressions import TIMESTAMP, binary, cast, column, number, spark_column, timestamp_of
from rowtime.sparksql.result import Translated
from rowtime.translate.calls import CallColumns
from rowtime.translate.clock import watermark_at, watermark_past
from rowtime.translate.columns import internal, keep, names_of, plain
from rowtime.translate.disorder import max_disorder
from rowtime.translate.rex import Scope, to_expression

if TYPE_CHECKING:
    from pyspark.sql import Column


def chain(top: Window) -> list[Window]:
    """Returns the streaming windows over the same rows, lowest first; for a relational one, the node alone."""
    found = [top]
    while found[0].pass_ is not None and not found[0].pass_.begins and isinstance(found[0].inputs[0], Window):
        found.insert(0, found[0].inputs[0])
    return found


def over_stream(windows: Sequence[Window], rows: Translated, *, ordered: bool) -> Translated:
    """Returns the rows with a column for each call of the windows, lowest window first.

    Rows wait in the task of their partition values. If they must be `ordered`, only the watermark decides in which
    micro-batch they are emitted; otherwise the rows of a task decide as well, which emits most of a large batch
    immediately, and mixes the times of batches.
    """
    if rows.rowtime is None:
        raise error("RT0999", "The planner should have refused: OVER on a stream whose rows have no ROWTIME")
    top = windows[-1]
    results: dict[Any, Any] = {}
    passes: dict[int, list[Window]] = {}
    for window in windows:
        if window.pass_ is None:
            raise error("RT0999", "The plan has a streaming window that is in no pass")
        passes.setdefault(window.pass_.number, []).append(window)
    given = rows
    for number_, same in sorted(passes.items()):
        one = _Pass(same, given, ordered or number_ < max(passes))
        straight = one.keeps_order
        given = replace(given, df=one.run())
        if one.by_rowtime:
            given = replace(given, in_order=straight, disorder_known=straight)
        results |= one.results
    named = names_of(top)
    width = len(rows.columns)
    columns = [plain(keep(c), n) for c, n in zip(rows.columns, named[:width], strict=True)]
    calls = [(window.id, i) for window in windows for i in range(len(window.calls))]
    columns += [plain(spark_column(results[call]), n) for call, n in zip(calls, named[width:], strict=True)]
    hidden = [keep(c) for c in dict.fromkeys((rows.rowtime, rows.seq)) if c is not None and c not in named]
    index = top.rowtime_index
    rowtime = rows.rowtime if index is None else named[index]
    df = given.df.select(*columns, *hidden)
    return Translated(df, named, rowtime, rows.seq, in_order=given.in_order, disorder_known=given.disorder_known)


def time_field(window: Window, rows: Translated) -> int | None:
    """Returns the field that orders the rows of a window on arrival; None if that is ROWTIME, or no field: those wait
    for whole partitions, as others over the same partitions can as well."""
    if window.time is None or rows.columns[window.time.index] == rows.rowtime:
        return None
    return window.time.index


@dataclass
class _Pass:
    """Windows over the same partitions and in the same order, and the operator's input for them.

    `results` are expressions over the operator's output, by window and number of the call; `added` are columns that it
    needs in addition to those of the input. `time` is the one that orders the rows, `unit` the value of 1 in it if it
    is computed from a number.
    """

    windows: list[Window]
    rows: Translated
    ordered: bool
    results: dict[tuple[int, int], exp.Expression] = field(default_factory=dict)
    added: dict[str, Column] = field(default_factory=dict)
    time: str = ""
    unit: int = 1

    @property
    def by_rowtime(self) -> bool:
        """Returns whether ROWTIME or a function of it orders the rows."""
        first = self.windows[0]
        return time_field(first, self.rows) is None or first.time is None or first.time.clock is not None

    @property
    def keeps_order(self) -> bool:
        """Returns whether rows are emitted in order of ROWTIME, from one micro-batch to the next."""
        first = self.windows[0]
        held = not self.rows.in_order or any(window.waits for window in self.windows)
        mixes = held and bool(first.partition) and not self.ordered
        by_row = bool(first.partition) and any(window.waits_for_rows for window in self.windows)
        coarsely = not self.rows.in_order and time_field(first, self.rows) is not None
        return not (mixes or by_row or coarsely)

    def run(self) -> Any:
        first = self.windows[0]
        below = first.inputs[0]
        while isinstance(below, Window):
            below = below.inputs[0]
        assert self.rows.rowtime is not None
        assert first.pass_ is not None
        index = time_field(first, self.rows)
        clock: Sequence[ClockStep] | None = first.pass_.clock
        self.time = self.rows.rowtime
        if index is not None and first.time is not None:
            clock = first.time.clock
            if not self.by_rowtime and not self.rows.disorder_known:
                raise error(
                    "RT0999",
                    "The planner should have refused: OVER by a column other than ROWTIME above an OVER that waits",
                )
            self.unit, value = _as_time(parse_type(below.fields[index].type), column(self.rows.columns[index]))
            self.time = self._add(first, "time", value)
        certain = None if clock is None else watermark_past(clock, column(self.time))
        windows = [self._window(window) for window in self.windows]
        alone = not first.partition or not self.ordered
        in_order = self.rows.in_order and (alone or not any(window.waits for window in self.windows))
        disordered = self.by_rowtime and not in_order
        closes = None
        if first.closes is not None:
            value = watermark_at(first.pass_.clock, to_expression(first.closes, Scope(self.rows.columns)))
            closes = self._add(first, "closes", cast(value, TIMESTAMP))
        spec = specs.OverSpec(
            partition=[self.rows.columns[i] for i in first.partition],
            time=self.time,
            watermark=None if certain is None else self._add(first, "certain", cast(certain, TIMESTAMP)),
            seq=self.rows.seq,
            disordered=disordered,
            max_disorder=(max_disorder(below, self.rows) if alone else None) if disordered else 0,
            closes=closes,
            windows=windows,
        )
        given = self.rows.df.select(*(keep(c) for c in self.rows.df.columns), *self.added.values())
        return over(given, spec).drop(*self.added)

    def _add(self, window: Window, what: str, value: exp.Expression) -> str:
        name = internal(window, what)
        self.added[name] = plain(spark_column(value), name)
        return name

    def _window(self, window: Window) -> specs.Window:
        if window.operator is None:
            raise error("RT0999", "The plan has a streaming window without the calls of its operator")
        calls = CallColumns(
            window.operator,
            self.rows.columns,
            lambda suffix: internal(window, suffix),
            lambda value: self._add(window, f"argument{len(self.added)}", value),
        )
        for i, (call, result) in enumerate(zip(window.calls, window.operator.results, strict=True)):
            self.results[window.id, i] = calls.value(result, parse_type(call.type))
        frame = window.frame
        return specs.Window(
            order=[self._key(window, key) for key in window.order],
            rows=frame.rows,
            lower=self._frame_bound(window, frame.lower),
            upper=self._frame_bound(window, frame.upper),
            calls=calls.calls,
        )

    def _key(self, window: Window, key: SortKey) -> specs.Order:
        leads = window.time is not None and key.index == window.time.index
        return specs.Order(
            column=self.time if leads else self.rows.columns[key.index],
            descending=key.direction == "DESC",
            nulls_first=key.nulls == "FIRST",
        )

    def _frame_bound(self, window: Window, bound: WindowBound) -> specs.Bound:
        if bound.offset is None:
            return specs.Bound(kind=bound.kind, offset=None)
        if window.frame.rows:
            return specs.Bound(kind=bound.kind, offset=str(int(bound.offset.value or 0)))
        unit = 1000 if parse_type(bound.offset.type).is_day_time else self.unit if window.time is not None else 1
        offset = Decimal(str(bound.offset.value)) * unit
        return specs.Bound(kind=bound.kind, offset=str(offset))


def _as_time(type_: SqlType, value: exp.Expression) -> tuple[int, exp.Expression]:
    """Returns the value of 1 in a time computed from the value, and that time; a number counts as that many
    microseconds."""
    if not type_.is_numeric:
        return 1, cast(value, TIMESTAMP)
    unit = 10 ** (type_.scale or 0)
    whole = (
        cast(binary(exp.Mul, value, number(unit)), parse_type("BIGINT"))
        if unit > 1
        else cast(value, parse_type("BIGINT"))
    )
    return unit, timestamp_of(whole)
