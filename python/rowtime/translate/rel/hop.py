"""Hop: each row once for every window that contains it."""

from __future__ import annotations

from dataclasses import replace

from sqlglot import exp

from rowtime.plan.nodes import Hop
from rowtime.sparksql.expressions import (
    TIMESTAMP,
    case,
    cast,
    column,
    floor,
    fn,
    is_null,
    long,
    micros,
    shift,
    spark_column,
    subtract,
    timestamp_of,
)
from rowtime.sparksql.result import Translated
from rowtime.translate.columns import internal, keep, names_of, plain
from rowtime.translate.context import TranslationContext
from rowtime.translate.registry import translates
from rowtime.translate.rex import Scope, to_expression

_WRITTEN_OUT = 32
"""The largest number of windows per row that are written one by one; more are generated as a sequence."""


@translates(Hop)
def translate_hop(node: Hop, inputs: list[Translated], context: TranslationContext) -> Translated:
    (rows,) = inputs
    names = names_of(node)
    width = len(rows.columns)
    time = cast(to_expression(node.time, Scope(rows.columns)), TIMESTAMP)
    columns = [plain(keep(c), n) for c, n in zip(rows.columns, names[:width], strict=True)]
    inner = dict.fromkeys((rows.rowtime, rows.seq, *(key.column for key in rows.order)))
    hidden = [keep(c) for c in inner if c is not None and c not in names]
    window = internal(node, "window")
    starts = spark_column(fn("explode", _starts(node, time)))
    exploded = rows.df.select(*(keep(c) for c in rows.df.columns), starts.alias(window))
    ends = spark_column(cast(shift(column(window), node.size), TIMESTAMP))
    start = spark_column(cast(column(window), TIMESTAMP))
    df = exploded.select(*columns, plain(start, names[width]), plain(ends, names[width + 1]), *hidden)
    index = node.rowtime_index
    return replace(rows, df=df, columns=names, rowtime=rows.rowtime if index is None else names[index])


def _starts(node: Hop, time: exp.Expression) -> exp.Expression:
    """Returns the starts of the windows that contain a time, latest first; NULL or an empty array if there are none."""
    count = -(-node.size // node.slide)
    latest = floor(time, node.slide, node.offset)
    if count <= _WRITTEN_OUT:
        starts: exp.Expression = fn("array", *(shift(latest, -node.slide * i) for i in range(count)))
    else:
        back = subtract(micros(latest), exp.Mul(this=long(node.slide * 1000), expression=exp.column("i")))
        each = exp.Lambda(this=timestamp_of(back), expressions=[exp.to_identifier("i")])
        starts = fn("transform", fn("sequence", long(0), long(count - 1)), each)
    if node.size % node.slide == 0:
        return case((exp.Not(this=is_null(time)), starts), default=exp.Null())
    inside = exp.GT(this=shift(exp.column("w"), node.size), expression=time)
    return fn("filter", starts, exp.Lambda(this=inside, expressions=[exp.to_identifier("w")]))
