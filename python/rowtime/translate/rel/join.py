"""Join of relations."""

from __future__ import annotations

from rowtime.errors import error
from rowtime.plan.nodes import Join
from rowtime.sparksql.result import Translated
from rowtime.translate.columns import keep, names_of, plain
from rowtime.translate.context import TranslationContext
from rowtime.translate.registry import translates
from rowtime.translate.rex import Scope, to_column

HOW = {
    "INNER": "inner",
    "LEFT": "left_outer",
    "RIGHT": "right_outer",
    "FULL": "full_outer",
    "SEMI": "left_semi",
    "ANTI": "left_anti",
}
"""Spark's names of the join types."""


@translates(Join)
def translate_join(node: Join, inputs: list[Translated], context: TranslationContext) -> Translated:
    if node.streaming:
        raise error("RT0999", "The planner should have refused: a join in a streaming query")
    left, right = inputs
    both = (*left.columns, *right.columns)
    joined = left.df.join(right.df, on=to_column(node.condition, Scope(both)), how=HOW[node.join_type])
    from_inputs = left.columns if node.join_type in ("SEMI", "ANTI") else both
    names = names_of(node)
    columns = [plain(keep(c), n) for c, n in zip(from_inputs, names, strict=True)]
    return Translated(joined.select(*columns), names)
