"""Session: each row with the start and the end of its session."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rowtime.errors import error
from rowtime.operators.group import END, START, session_windows
from rowtime.operators.specs import SessionWindowsSpec
from rowtime.plan.nodes import Session
from rowtime.plan.types import parse_type
from rowtime.sparksql.expressions import TIMESTAMP, cast, column, shift, spark_column
from rowtime.sparksql.result import OrderKey, Translated
from rowtime.translate.clock import operator_clock, watermark_at
from rowtime.translate.columns import internal, keep, names_of, normalized_key, plain
from rowtime.translate.context import TranslationContext
from rowtime.translate.registry import translates
from rowtime.translate.rex import Scope, to_expression

if TYPE_CHECKING:
    from pyspark.sql import DataFrame


@translates(Session)
def translate_session(node: Session, inputs: list[Translated], context: TranslationContext) -> Translated:
    """Translates SESSION. The rows of a stream are emitted together with those of their session, in the order in which
    sessions end."""
    (rows,) = inputs
    names = names_of(node)
    width = len(rows.columns)
    out = _of_stream(node, rows, context.ordered) if node.streaming else _of_relation(node, rows)
    columns = [plain(keep(c), n) for c, n in zip(rows.columns, names[:width], strict=True)]
    columns += [plain(keep(START), names[width]), plain(keep(END), names[width + 1])]
    hidden = [rows.seq] if rows.seq is not None else []
    df = out.select(*columns, *(keep(c) for c in hidden))
    if not node.streaming:
        return Translated(df, names, None, rows.seq)
    order = (OrderKey(names[width + 1]), OrderKey(names[width]), OrderKey(names[node.time]))
    return Translated(df, names, names[width + 1], rows.seq, order)


def _of_stream(node: Session, rows: Translated, ordered: bool) -> DataFrame:
    if node.closes is None or node.arrival is None:
        raise error("RT0999", "The plan has streaming sessions without a time at which they close")
    clock = node.inputs[0].steps
    time = column(rows.columns[node.time])
    arrival = node.arrival.of(ordered=ordered)
    added = {
        "time": cast(time, TIMESTAMP),
        "closes": cast(watermark_at(clock, to_expression(node.closes, Scope(rows.columns))), TIMESTAMP),
    }
    for i, key in enumerate(node.keys):
        added[f"key{i}"] = normalized_key(column(rows.columns[key]), parse_type(node.inputs[0].fields[key].type))
    spec = SessionWindowsSpec(
        keys=[internal(node, f"key{i}") for i in range(len(node.keys))],
        time=internal(node, "time"),
        clock=operator_clock(clock),
        closes=internal(node, "closes"),
        disordered=arrival.disordered,
        max_disorder=arrival.max_micros,
        early=arrival.early,
        gap=node.gap * 1000,
    )
    given = [plain(spark_column(value), internal(node, what)) for what, value in added.items()]
    return session_windows(rows.df.select(*(keep(c) for c in rows.df.columns), *given), spec)


def _of_relation(node: Session, rows: Translated) -> DataFrame:
    from pyspark.sql import Window, functions

    time = rows.columns[node.time]
    keys = [keep(rows.columns[key]) for key in node.keys]
    begins, number = internal(node, "begins"), internal(node, "number")
    before = functions.lag(keep(time)).over(Window.partitionBy(*keys).orderBy(keep(time)))
    # If there is no row before it, NULL is not true.
    joins = before >= spark_column(cast(shift(column(time), -node.gap), TIMESTAMP))
    numbered = rows.df.withColumn(begins, functions.when(joins, 0).otherwise(1)).withColumn(
        number, functions.sum(begins).over(Window.partitionBy(*keys).orderBy(keep(time)))
    )
    session = Window.partitionBy(*keys, keep(number))
    latest = functions.max(keep(time)).over(session)
    timed = numbered.withColumn(START, functions.min(keep(time)).over(session)).withColumn(END, latest)
    return timed.withColumn(END, spark_column(cast(shift(column(END), node.gap), TIMESTAMP)))
