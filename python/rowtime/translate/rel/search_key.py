"""SearchKey: joins rows with those that a foreign table has for their keys, by operators of rowtime's. The plan says
what they do; the context knows the table."""

from __future__ import annotations

from dataclasses import replace

from rowtime.errors import error
from rowtime.jvm.steps import applied, kept, select
from rowtime.operators.search_key import search_files, search_key
from rowtime.plan.nodes import SearchKey
from rowtime.sparksql.expressions import sql
from rowtime.sparksql.result import Translated
from rowtime.translate.columns import names_of
from rowtime.translate.context import TranslationContext
from rowtime.translate.registry import translates
from rowtime.translate.rex import Scope, to_expression, to_plain


@translates(SearchKey, inputs=lambda node: [node.inputs[0]])
def translate_search_key(node: SearchKey, inputs: list[Translated], context: TranslationContext) -> Translated:
    (rows,) = inputs
    if node.search is None:
        raise error("RT0999", "The plan has a SEARCH_KEY without the way it is computed")
    (step,) = node.search.steps
    every = (rows.rowtime, rows.seq, *(key.column for key in rows.order))
    hidden = [name for name in dict.fromkeys(every) if name is not None]
    scope = Scope(rows.columns)
    columns = [to_plain(rex, scope, f"c{i}") for i, rex in enumerate(step.inputs[0].columns)]
    asking = applied(rows.df, select(*columns, *map(kept, hidden)))
    found = {field: f"d{i}" for i, field in enumerate(node.reads[1])}
    made = Scope([*(f"c{i}" for i in range(len(node.reads[0]))), *found.values()])
    condition = next((sql(to_expression(rex, made)) for rex in step.expressions), None)
    if node.connector == "DELTA":
        df, counts = search_files(asking, context.table_of_files(node.table, found), step.spec, condition)
    else:
        df, counts = search_key(asking, context.keyed_table(node.table), step.spec, condition)
    context.searched(counts)
    names, index = names_of(node), node.rowtime_index
    outputs = [to_plain(rex, made, name) for rex, name in zip(node.search.outputs, names, strict=True)]
    df = applied(df, select(*outputs, *map(kept, hidden)))
    return replace(rows, df=df, columns=names, rowtime=rows.rowtime if index is None else names[index])
