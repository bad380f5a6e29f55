"""Aggregate: GROUP BY. On streams each group comes out once, when it is complete.

Spark's own aggregation closes a group when the watermark reaches its window's end: of a key that is a struct (start,
end) and carries the metadata of an event time, `end` is what it compares. So the window is built here, with the end
that the plan states, mapped back to the watermark; that makes any of SQL's windows one of Spark's, also
above another stateful operator. Rows are never late here: their stream has judged them.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from rowtime.errors import error
from rowtime.plan.nodes import Aggregate, AggregateCall
from rowtime.plan.rex import Rex, references
from rowtime.plan.types import parse_type
from rowtime.translate.aggregates import AggregateUse, aggregate_expression
from rowtime.translate.clock import watermark_at
from rowtime.translate.columns import internal, keep, names_of, plain
from rowtime.translate.context import TranslationContext
from rowtime.translate.registry import translates
from rowtime.translate.result import Translated
from rowtime.translate.rex import Scope, to_expression
from rowtime.translate.sessions import EVENT_TIME, by_session
from rowtime.translate.sparksql import TIMESTAMP, cast, column, fn, number, spark_column, text

if TYPE_CHECKING:
    from pyspark.sql import Column, DataFrame


@translates(Aggregate)
def translate_aggregate(node: Aggregate, inputs: list[Translated], context: TranslationContext) -> Translated:
    (rows,) = inputs
    names = names_of(node)
    calls = [_call(node, c, rows).alias(n) for c, n in zip(node.calls, names[len(node.keys) :], strict=True)]
    if node.session is not None:
        return by_session(node, node.session, rows, calls)
    if not node.streaming:
        return Translated(_grouped(rows.df, [rows.columns[k] for k in node.keys], calls, names), names)
    if node.closes is None:
        raise error("RT0999", "The plan has a streaming aggregation without a time at which its groups close")
    return _windowed(node, rows, node.closes, calls)


def _grouped(df: DataFrame, keys: list[str], calls: list[Column], names: tuple[str, ...]) -> DataFrame:
    if not calls:
        listed = df.select(*(plain(keep(k), n) for k, n in zip(keys, names, strict=True)))
        return listed.distinct()
    grouped = df.groupBy(*(keep(k) for k in keys)).agg(*calls)
    renamed = [plain(keep(k), n) for k, n in zip(keys, names[: len(keys)], strict=True)]
    return grouped.select(*renamed, *(keep(n) for n in names[len(keys) :]))


def _windowed(node: Aggregate, rows: Translated, closes: Rex, calls: list[Column]) -> Translated:
    names = names_of(node)
    window = internal(node, "window")
    timed = _time_key(node, closes)
    start = column(rows.columns[node.keys[timed]])
    end = cast(watermark_at(node.inputs[0].clock, to_expression(closes, Scope(rows.columns))), TIMESTAMP)
    interval = spark_column(fn("named_struct", text("start"), start, text("end"), end))
    keyed = rows.df.select(*(keep(c) for c in rows.df.columns), interval.alias(window, metadata=EVENT_TIME))
    # the time key is the window's start; as a key of its own it would be in the state twice
    others = [rows.columns[k] for i, k in enumerate(node.keys) if i != timed]
    if not calls:
        calls = [spark_column(fn("count", number(1))).alias(internal(node, "count"))]
    grouped = keyed.groupBy(keep(window), *(keep(c) for c in others)).agg(*calls)
    columns = []
    for i, name in enumerate(names[: len(node.keys)]):
        value = grouped[window]["start"] if i == timed else keep(rows.columns[node.keys[i]])
        columns.append(plain(value, name))
    df = grouped.select(*columns, *(keep(n) for n in names[len(node.keys) :]))
    index = node.rowtime_index
    return Translated(df, names, None if index is None else names[index])


def _time_key(node: Aggregate, closes: Rex) -> int:
    """Which of the keys `closes` reads: one, so that a group has one end."""
    (read,) = references(closes) if len(references(closes)) == 1 else (None,)
    if read not in node.keys:
        raise error("RT0999", "The plan closes groups by something that is not one of their keys")
    return node.keys.index(read)


def _call(node: Aggregate, call: AggregateCall, rows: Translated) -> Column:
    fields = node.inputs[0].fields
    use = AggregateUse(
        function=call.function,
        args=[column(rows.columns[a]) for a in call.args],
        types=[parse_type(fields[a].type) for a in call.args],
        result=parse_type(call.type),
        distinct=call.distinct,
        condition=None if call.filter is None else column(rows.columns[call.filter]),
        sets=node.streaming,
    )
    return spark_column(aggregate_expression(use))
