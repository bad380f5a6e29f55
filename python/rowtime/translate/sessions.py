"""GROUP BY SESSION over relations, by Spark's own session windows."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from rowtime.plan.nodes import Aggregate
from rowtime.plan.parts import SessionKey
from rowtime.sparksql.expressions import TIMESTAMP, cast, column, fn, spark_column
from rowtime.sparksql.result import Translated
from rowtime.translate.columns import internal, keep, names_of, plain

if TYPE_CHECKING:
    from pyspark.sql import Column


def by_session(node: Aggregate, session: SessionKey, rows: Translated, calls: Sequence[Column]) -> Translated:
    """Returns the groups of a node with a session key; the value of that key is the earliest time of the session.

    A session ends a microsecond after the gap: a row exactly one gap later belongs to it.
    """
    from pyspark.sql import functions

    names = names_of(node)
    timed = node.keys.index(session.key)
    time = column(rows.columns[session.key])
    at, window, earliest = (internal(node, what) for what in ("at", "window", "earliest"))
    timed_rows = rows.df.select(*(keep(c) for c in rows.df.columns), spark_column(cast(time, TIMESTAMP)).alias(at))
    sessions = functions.session_window(at, f"{session.gap * 1000 + 1} microseconds").alias(window)
    others = [rows.columns[key] for i, key in enumerate(node.keys) if i != timed]
    first = spark_column(fn("min", time)).alias(earliest)
    grouped = timed_rows.groupBy(sessions, *(keep(c) for c in others)).agg(first, *calls)
    columns = []
    for i, name in enumerate(names[: len(node.keys)]):
        columns.append(plain(keep(earliest if i == timed else rows.columns[node.keys[i]]), name))
    df = grouped.select(*columns, *(plain(keep(n), n) for n in names[len(node.keys) :]))
    index = node.rowtime_index
    return Translated(df, names, None if index is None else names[index])
