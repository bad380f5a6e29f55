"""OVER on streams: the parameters of rowtime's operator for the passes of a window node."""

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
from rowtime.plan.parts import Arrival, OverWindow, WindowBound, WindowPass
from rowtime.plan.types import SqlType, parse_type
from rowtime.sparksql.expressions import TIMESTAMP, binary, cast, column, number, spark_column, timestamp_of
from rowtime.sparksql.result import Translated
from rowtime.translate.calls import CallColumns
from rowtime.translate.clock import operator_clock, watermark_at
from rowtime.translate.columns import internal, keep, names_of, plain, timestamp
from rowtime.translate.rex import Scope, to_expression

if TYPE_CHECKING:
    from pyspark.sql import Column


def over_stream(node: Window, rows: Translated, *, ordered: bool) -> Translated:
    """Returns the rows with a column for each call of the windows.

    Rows wait in the task of their partition values. If they must be `ordered`, only the watermark decides in which
    micro-batch they are emitted; otherwise the rows of a task decide as well, which emits most of a large batch
    immediately, and mixes the times of batches.
    """
    if rows.rowtime is None:
        raise error("RT0999", "The planner should have refused: OVER on a stream whose rows have no ROWTIME")
    results: dict[tuple[int, int], exp.Expression] = {}
    given = rows
    for part in node.passes:
        one = _Pass(node, part, given, part.arrival.of(ordered=ordered))
        given = replace(given, df=one.run())
        results |= one.results
    named = names_of(node)
    width = len(rows.columns)
    columns = [plain(keep(c), n) for c, n in zip(rows.columns, named[:width], strict=True)]
    calls = [(number_, i) for number_, window in enumerate(node.windows) for i in range(len(window.calls))]
    columns += [plain(spark_column(results[call]), n) for call, n in zip(calls, named[width:], strict=True)]
    hidden = [keep(c) for c in dict.fromkeys((rows.rowtime, rows.seq)) if c is not None and c not in named]
    index = node.rowtime_index
    rowtime = rows.rowtime if index is None else named[index]
    df = given.df.select(*columns, *hidden)
    return Translated(df, named, rowtime, rows.seq)


@dataclass
class _Pass:
    """A pass over the rows, and the operator's input for it.

    `results` are expressions over the operator's output, by the numbers of the window and the call; `added` are columns
    that it needs in addition to those of the input. `time` is the one that orders the rows, `unit` the value of 1 in it
    if it is computed from a number.
    """

    node: Window
    part: WindowPass
    rows: Translated
    arrival: Arrival
    results: dict[tuple[int, int], exp.Expression] = field(default_factory=dict)
    added: dict[str, Column] = field(default_factory=dict)
    time: str = ""
    unit: int = 1

    @property
    def partition(self) -> list[int]:
        return self.node.windows[self.part.windows[0]].partition

    def run(self) -> Any:
        below, time = self.node.inputs[0], self.part.time
        assert self.rows.rowtime is not None
        clock: Sequence[ClockStep] | None = self.part.clock
        self.time = timestamp(self.rows, below, self._add)
        if time is not None:
            clock = time.clock
            self.unit, value = _as_time(
                parse_type(below.fields[time.index].type), column(self.rows.columns[time.index])
            )
            self.time = self._add("time", value)
        windows = [self._window(number_, self.node.windows[number_]) for number_ in self.part.windows]
        closes = None
        if self.part.closes is not None:
            value = watermark_at(self.part.clock, to_expression(self.part.closes, Scope(self.rows.columns)))
            closes = self._add("closes", cast(value, TIMESTAMP))
        spec = specs.OverSpec(
            partition=[self.rows.columns[i] for i in self.partition],
            time=self.time,
            clock=None if clock is None else operator_clock(clock),
            seq=self.rows.seq,
            disordered=self.arrival.disordered,
            max_disorder=self.arrival.max_micros,
            closes=closes,
            windows=windows,
        )
        given = self.rows.df.select(*(keep(c) for c in self.rows.df.columns), *self.added.values())
        return over(given, spec).drop(*self.added)

    def _add(self, what: str, value: exp.Expression) -> str:
        name = internal(self.node, f"pass{self.part.windows[0]}_{what}")
        self.added[name] = plain(spark_column(value), name)
        return name

    def _window(self, number_: int, window: OverWindow) -> specs.Window:
        if window.operator is None:
            raise error("RT0999", "The plan has a streaming window without the calls of its operator")
        calls = CallColumns(
            window.operator,
            self.rows.columns,
            lambda suffix: internal(self.node, f"window{number_}_{suffix}"),
            lambda value: self._add(f"argument{len(self.added)}", value),
        )
        for i, (call, result) in enumerate(zip(window.calls, window.operator.results, strict=True)):
            self.results[number_, i] = calls.value(result, parse_type(call.type))
        frame = window.frame
        return specs.Window(
            order=[self._key(key, window.by_time and i == 0) for i, key in enumerate(window.order)],
            rows=frame.rows,
            lower=self._frame_bound(frame.rows, frame.lower),
            upper=self._frame_bound(frame.rows, frame.upper),
            calls=calls.calls,
        )

    def _key(self, key: SortKey, is_time: bool) -> specs.Order:
        return specs.Order(
            column=self.time if is_time else self.rows.columns[key.index],
            descending=key.direction == "DESC",
            nulls_first=key.nulls == "FIRST",
        )

    def _frame_bound(self, rows: bool, bound: WindowBound) -> specs.Bound:
        if bound.offset is None:
            return specs.Bound(kind=bound.kind, offset=None)
        if rows:
            return specs.Bound(kind=bound.kind, offset=str(int(bound.offset.value or 0)))
        unit = 1000 if parse_type(bound.offset.type).is_day_time else self.unit
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
