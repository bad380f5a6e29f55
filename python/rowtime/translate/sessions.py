"""GROUP BY SESSION by Spark's own session windows."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from rowtime.errors import error
from rowtime.plan.nodes import Aggregate
from rowtime.plan.parts import SessionKey
from rowtime.sparksql.expressions import TIMESTAMP, cast, column, fn, micros, number, shift, spark_column
from rowtime.sparksql.result import Translated
from rowtime.translate.clock import watermark_at
from rowtime.translate.columns import internal, keep, names_of, plain
from rowtime.translate.rex import Scope, to_expression

if TYPE_CHECKING:
    from pyspark.sql import Column

EVENT_TIME = {"spark.watermarkDelayMs": 0}
"""The metadata by which Spark recognises an event-time column (EventTimeWatermark.delayKey)."""


def by_session(node: Aggregate, session: SessionKey, rows: Translated, calls: Sequence[Column]) -> Translated:
    """Returns the groups of a node with a session key; the value of that key is the earliest time of the session.

    The gap is measured in the domain of the watermark, so Spark closes a session when the watermark reaches its end.
    That end is a microsecond after the gap: a row exactly one gap later belongs to the session, and a bound of whole
    milliseconds at that time still admits it.
    """
    from pyspark.sql import functions

    names = names_of(node)
    timed = node.keys.index(session.key)
    time = column(rows.columns[session.key])
    if node.streaming:
        if node.closes is None:
            raise error("RT0999", "The plan has streaming sessions without a time at which they close")
        ends = watermark_at(node.inputs[0].steps, to_expression(node.closes, Scope(rows.columns)))
        time = shift(ends, -session.gap - 1)
    at, window, earliest = (internal(node, what) for what in ("at", "window", "earliest"))
    tagged = spark_column(cast(time, TIMESTAMP)).alias(at, metadata=EVENT_TIME if node.streaming else {})
    keyed = rows.df.select(*(keep(c) for c in rows.df.columns), tagged)
    sessions = functions.session_window(at, f"{session.gap * 1000 + 1} microseconds").alias(window)
    others = [rows.columns[key] for i, key in enumerate(node.keys) if i != timed]
    first = spark_column(fn("min", column(rows.columns[session.key]))).alias(earliest)
    if not others:
        # Spark accepts no stream whose only key is the session, and sees through constants
        others = [internal(node, "all")]
        keyed = keyed.withColumn(others[0], spark_column(fn("pmod", micros(cast(time, TIMESTAMP)), number(1))))
    grouped = keyed.groupBy(sessions, *(keep(c) for c in others)).agg(first, *calls)
    columns = []
    for i, name in enumerate(names[: len(node.keys)]):
        columns.append(plain(keep(earliest if i == timed else rows.columns[node.keys[i]]), name))
    df = grouped.select(*columns, *(plain(keep(n), n) for n in names[len(node.keys) :]))
    index = node.rowtime_index
    return Translated(df, names, None if index is None else names[index])
