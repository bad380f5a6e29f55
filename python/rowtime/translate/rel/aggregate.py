"""Aggregate: GROUP BY by Spark. On streams each group is emitted once, when it is complete.

Spark's own aggregation closes a group when the watermark reaches the key that carries the metadata of an event time. So
the time at which a group closes, from the plan, mapped back to the watermark, becomes an additional key; this works for
any window of SQL, also above another stateful operator. The key is a plain time, and not a struct as Spark's own
windows are, because generated code finds groups by such keys faster. Rows are never late here: their stream has checked
them.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from sqlglot import exp

from rowtime.errors import error
from rowtime.plan.calls import AggregateCall
from rowtime.plan.functions import GROUPINGS
from rowtime.plan.nodes import Aggregate
from rowtime.plan.rex import Rex, references
from rowtime.plan.types import parse_type
from rowtime.sparksql.expressions import TIMESTAMP, cast, column, fn, null, number, spark_column
from rowtime.sparksql.result import Translated
from rowtime.translate.aggregates import AggregateUse, aggregate_expression
from rowtime.translate.clock import watermark_at
from rowtime.translate.columns import internal, keep, names_of, plain
from rowtime.translate.context import TranslationContext
from rowtime.translate.grouping import GroupedRows, by_keys, global_groups
from rowtime.translate.registry import translates
from rowtime.translate.rex import Scope, to_expression
from rowtime.translate.sessions import by_session

if TYPE_CHECKING:
    from pyspark.sql import Column, DataFrame

EVENT_TIME = {"spark.watermarkDelayMs": 0}
"""The metadata by which Spark recognises an event-time column (EventTimeWatermark.delayKey)."""


@translates(Aggregate)
def translate_aggregate(node: Aggregate, inputs: list[Translated], context: TranslationContext) -> Translated:
    (rows,) = inputs
    grouped = by_keys(node, rows)
    if node.session is not None:
        return by_session(node, node.session, rows, _calls(node, grouped) if node.calls else [])
    if not node.streaming:
        return Translated(_relation(node, grouped, rows), names_of(node))
    if node.closes is None:
        raise error("RT0999", "The plan has a streaming aggregation without a time at which its groups close")
    return _close_by_watermark(node, grouped, node.closes)


def _relation(node: Aggregate, grouped: GroupedRows, rows: Translated) -> DataFrame:
    names, keys, df = names_of(node), grouped.keys, grouped.rows.df
    by = keys if grouped.number is None else (*keys, grouped.number)
    found = df.groupBy(*(keep(k) for k in by)).agg(*_calls(node, grouped))
    renamed = [plain(keep(k), n) for k, n in zip(keys, names, strict=False)]
    found = found.select(*renamed, *(keep(n) for n in names[len(node.keys) :]))
    for total in global_groups(node, rows):
        nulls = [spark_column(null(parse_type(f.type))).alias(n) for f, n in zip(node.fields, names, strict=True)]
        one = total.rows.df.agg(*_calls(node, total))
        found = found.unionAll(one.select(*nulls[: len(node.keys)], *(keep(n) for n in names[len(node.keys) :])))
    return found


def _calls(node: Aggregate, grouped: GroupedRows) -> list[Column]:
    """Returns the calls under their names; Spark needs at least one aggregate."""
    names = names_of(node)[len(node.keys) :]
    calls = [_call(node, call, grouped).alias(name) for call, name in zip(node.calls, names, strict=True)]
    return calls or [spark_column(fn("count", number(1))).alias(internal(node, "count"))]


def _close_by_watermark(node: Aggregate, groups: GroupedRows, closes: Rex) -> Translated:
    names, rows, keys = names_of(node), groups.rows, groups.keys
    closing = internal(node, "closes")
    if not references(closes) <= set(node.keys):
        raise error("RT0999", "The plan closes groups by something that is not one of their keys")
    end = cast(watermark_at(node.inputs[0].steps, to_expression(closes, Scope(rows.columns))), TIMESTAMP)
    keyed = rows.df.select(*(keep(c) for c in rows.df.columns), spark_column(end).alias(closing, metadata=EVENT_TIME))
    by = [closing, *keys, *([] if groups.number is None else [groups.number])]
    grouped = keyed.groupBy(*(keep(k) for k in by)).agg(*_calls(node, groups))
    columns = [plain(keep(k), n) for k, n in zip(keys, names[: len(keys)], strict=True)]
    df = grouped.select(*columns, *(keep(n) for n in names[len(keys) :]))
    index = node.rowtime_index
    return Translated(df, names, None if index is None else names[index])


def _argument(node: Aggregate, index: int, rows: Translated) -> exp.Expression:
    """Returns a column, or the constant that it contains: Spark accepts no column for a separator or a fraction."""
    constant = next((constant.value for constant in node.constants if constant.index == index), None)
    return column(rows.columns[index]) if constant is None else to_expression(constant, Scope(()))


def _call(node: Aggregate, call: AggregateCall, groups: GroupedRows) -> Column:
    if call.function in GROUPINGS:
        return spark_column(cast(groups.grouping(call), parse_type(call.type)))
    fields, rows = node.inputs[0].fields, groups.rows
    use = AggregateUse(
        function=call.function,
        args=[_argument(node, a, rows) for a in call.args],
        types=[parse_type(fields[a].type) for a in call.args],
        result=parse_type(call.type),
        distinct=call.distinct,
        condition=None if call.filter is None else column(rows.columns[call.filter]),
        order=[
            exp.Ordered(
                this=column(rows.columns[key.index]), desc=key.direction == "DESC", nulls_first=key.nulls == "FIRST"
            )
            for key in call.order
        ],
        sets=call.of_set,
    )
    return spark_column(aggregate_expression(use))
