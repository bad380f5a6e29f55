"""Recurse: WITH RECURSIVE. It runs while it is translated: only the rows decide how often its query is evaluated."""

from __future__ import annotations

from rowtime.errors import error
from rowtime.operators.recursions import evaluate
from rowtime.plan.nodes import Recurse
from rowtime.sparksql.result import Translated
from rowtime.translate.columns import conform_columns, names_of
from rowtime.translate.context import TranslationContext
from rowtime.translate.registry import translates

LIMIT_SETTING = "spark.sql.cteRecursionLevelLimit"
"""Spark's own setting for the depth of a recursion; -1 for no limit."""
LIMIT = 1_000
"""The limit without that setting; Spark's default of 100 is not enough for the days of a year."""


@translates(Recurse)
def translate_recurse(node: Recurse, inputs: list[Translated], context: TranslationContext) -> Translated:
    first, step = (rows.df.select(*conform_columns(node, i, rows.columns)) for i, rows in enumerate(inputs))
    most = int(context.spark.conf.getAll.get(LIMIT_SETTING, LIMIT))
    found = evaluate(first, step, node.recursion, all=node.all, most=most)
    if found is None:
        raise error(
            "RT0327",
            f"WITH RECURSIVE does not end: it was evaluated {most} times",
            hint="end it by a condition, or by UNION instead of UNION ALL, which drops rows that occurred before; "
            f"Spark's setting {LIMIT_SETTING} allows more",
        )
    return Translated(found, names_of(node))
