"""Filter: rows for which the condition is true."""

from __future__ import annotations

from dataclasses import replace

from rowtime.plan.nodes import Filter
from rowtime.sparksql.result import Translated
from rowtime.translate.context import TranslationContext
from rowtime.translate.registry import translates
from rowtime.translate.rex import Scope, to_column
from rowtime.translate.row_faults import checked


@translates(Filter, of_one_row=True)
def translate_filter(node: Filter, inputs: list[Translated], context: TranslationContext) -> Translated:
    (rows,) = inputs
    passed = rows.df.filter(to_column(node.condition, Scope(rows.columns)))
    return replace(rows, df=checked(passed, node, [node.condition], rows, context))
