"""Project: new columns from those of a row. ROWTIME and the order of arrival stay with the row, listed or not."""

from __future__ import annotations

from rowtime.jvm.steps import applied, kept, select
from rowtime.plan.nodes import Project
from rowtime.plan.rex import Ref
from rowtime.sparksql.result import OrderKey, Translated
from rowtime.translate.columns import names_of
from rowtime.translate.context import TranslationContext
from rowtime.translate.registry import translates
from rowtime.translate.rex import Scope, to_plain
from rowtime.translate.row_faults import checked


@translates(Project, of_one_row=True)
def translate_project(node: Project, inputs: list[Translated], context: TranslationContext) -> Translated:
    (rows,) = inputs
    scope = Scope(rows.columns)
    names = names_of(node)
    columns = [to_plain(e, scope, n) for e, n in zip(node.exprs, names, strict=True)]
    index = node.rowtime_index
    rowtime = rows.rowtime if index is None else names[index]
    # a column that only orders the rows is carried along under its old name
    order = tuple(_rename_key(key, node, rows, names) for key in rows.order)
    carried = {
        c for c in (rowtime, rows.seq, rows.change, rows.place, *(k.column for k in order)) if c is not None
    } - set(names)
    df = applied(rows.df, select(*columns, *(kept(c) for c in sorted(carried))))
    df = checked(df, node, node.exprs, rows, context)
    return Translated(df, names, rowtime, rows.seq, order, change=rows.change, place=rows.place)


def _rename_key(key: OrderKey, node: Project, rows: Translated, names: tuple[str, ...]) -> OrderKey:
    """Returns the key under its new name, if the projection contains its column."""
    for expression, name in zip(node.exprs, names, strict=True):
        if isinstance(expression, Ref) and rows.columns[expression.index] == key.column:
            return OrderKey(name, key.ascending, key.nulls_first)
    return key
