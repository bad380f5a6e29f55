"""Sort. On streams a time sort: rows wait until nothing earlier can arrive, and are then emitted in order with their
batch."""

from __future__ import annotations

from dataclasses import replace

from rowtime.errors import error
from rowtime.plan.nodes import Sort
from rowtime.sparksql.result import OrderKey, Translated
from rowtime.translate.columns import internal, keep
from rowtime.translate.context import TranslationContext
from rowtime.translate.held import held_until, release_column
from rowtime.translate.registry import translates
from rowtime.translate.rex import Scope, to_expression


@translates(Sort)
def translate_sort(node: Sort, inputs: list[Translated], context: TranslationContext) -> Translated:
    (rows,) = inputs
    order = tuple(OrderKey(rows.columns[k.index], k.direction == "ASC", k.nulls == "FIRST") for k in node.keys)
    if not node.streaming:
        df = rows.df.orderBy(*(k.to_spark() for k in order)) if order else rows.df
        df = df.offset(node.offset) if node.offset else df
        df = df.limit(node.fetch) if node.fetch is not None else df
        return replace(rows, df=df, order=order)
    if node.closes is None:
        raise error("RT0999", "The plan has a time sort without a time at which its rows are released")
    release = internal(node, "release")
    until = release_column(node.inputs[0].steps, to_expression(node.closes, Scope(rows.columns)), release)
    df = held_until(rows.df.select(*(keep(c) for c in rows.df.columns), until), release)
    return replace(rows, df=df, order=order)
