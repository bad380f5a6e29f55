"""IntervalJoin: a join of two streams within intervals of time, by an operator of rowtime's."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rowtime.operators.interval_join import interval_join
from rowtime.operators.specs import IntervalJoinSpec, Side, TimeWindow
from rowtime.plan.clock import Floor
from rowtime.plan.nodes import IntervalJoin
from rowtime.plan.parts import Interval
from rowtime.sparksql.expressions import column, spark_column
from rowtime.sparksql.result import Translated
from rowtime.translate.calendar import UNITS
from rowtime.translate.columns import internal, keep, names_of, plain
from rowtime.translate.context import TranslationContext
from rowtime.translate.registry import translates
from rowtime.translate.stream_joins import JoinSide, condition_sql, output, source_bounds

if TYPE_CHECKING:
    from pyspark.sql import Column


@translates(IntervalJoin)
def translate_interval_join(node: IntervalJoin, inputs: list[Translated], context: TranslationContext) -> Translated:
    left, right = inputs
    assert left.rowtime is not None and right.rowtime is not None, "no stream without ROWTIME comes into a join"
    names, rowtime = names_of(node), internal(node, "rowtime")
    width = len(left.columns)
    # Fields of the right side have names even if they are not in the result, because the condition reads them.
    both = tuple(internal(node, i) for i in range(width + len(right.columns)))
    sides = [
        JoinSide(node, 0, left, both[:width], left.rowtime, context),
        JoinSide(node, 1, right, both[width:], right.rowtime, context),
    ]
    spec = IntervalJoinSpec(
        join_type=node.join_type,
        left=_spec(sides[0], node.left_interval, node.left_distinct),
        right=_spec(sides[1], node.right_interval, node.right_distinct),
        condition=condition_sql(node, both),
        ordered=context.ordered,
        rowtime=rowtime,
    )
    joined = interval_join(
        sides[0].df, sides[1].df, source_bounds(node, 0, context), source_bounds(node, 1, context), spec
    )
    given = frozenset((*sides[0].columns, *sides[1].columns))
    index = node.rowtime_index

    def field(i: int, name: str) -> Column:
        if i == index or i == len(both):
            return plain(spark_column(column(rowtime)), name)
        return output(node, i, name, given)

    columns = [field(i, name) for i, name in enumerate(names)]
    df = joined.select(*columns, *([keep(rowtime)] if index is None else []))
    named = rowtime if index is None else names[index]
    return Translated(df, names, named)


def _spec(side: JoinSide, interval: Interval, distinct: bool) -> Side:
    return Side(
        keys=side.keys,
        columns=side.columns,
        time=side.time,
        start=interval.start * 1000,
        end=None if interval.end is None else interval.end * 1000,
        rows=interval.rows,
        window=None if interval.window is None else _window(interval.window),
        clock=side.clock,
        disorder=side.disorder,
        distinct=distinct,
    )


def _window(floor: Floor) -> TimeWindow:
    if floor.millis is None:
        return TimeWindow(micros=0, offset=0, months=UNITS[floor.unit or ""])
    return TimeWindow(micros=floor.millis * 1000, offset=floor.offset * 1000, months=0)
