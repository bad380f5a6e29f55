"""LookupJoin: joins rows of a stream with the rows that a relation has in their micro-batch, by Spark."""

from __future__ import annotations

from dataclasses import replace

from rowtime.plan.nodes import LookupJoin
from rowtime.plan.types import parse_type
from rowtime.sparksql.expressions import null, spark_column
from rowtime.sparksql.result import Translated
from rowtime.translate.columns import keep, names_of, plain
from rowtime.translate.context import TranslationContext
from rowtime.translate.registry import translates
from rowtime.translate.rel.join import HOW
from rowtime.translate.rex import Scope, to_column


@translates(LookupJoin, inputs=lambda node: [node.inputs[node.stream_input]])
def translate_lookup_join(node: LookupJoin, inputs: list[Translated], context: TranslationContext) -> Translated:
    (rows,) = inputs
    number = 1 - node.stream_input
    found = context.lookup(
        node.inputs[number], node.reads[number], varies=node.varies, rows=node.inputs[node.stream_input]
    )
    stream, relation = ((rows.df, rows.columns), (found.df, found.columns))
    (left, left_columns), (right, right_columns) = (stream, relation) if number == 1 else (relation, stream)
    both = (*left_columns, *right_columns)
    joined = left.join(right, on=to_column(node.condition, Scope(both)), how=HOW[node.join_type])
    names = names_of(node)
    there = {*rows.columns, *(found.columns[i] for i in node.reads[number])}
    # Fields of the relation that are not read have not been kept.
    columns = [
        plain(keep(column) if column in there else spark_column(null(parse_type(field.type))), name)
        for column, name, field in zip(both, names, node.fields, strict=False)
    ]
    hidden = (rows.rowtime, rows.seq, *(key.column for key in rows.order))
    df = joined.select(*columns, *(keep(c) for c in dict.fromkeys(hidden) if c is not None))
    index = node.rowtime_index
    return replace(rows, df=df, columns=names, rowtime=rows.rowtime if index is None else names[index])
