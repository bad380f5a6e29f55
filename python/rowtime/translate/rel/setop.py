"""INTERSECT and EXCEPT of relations."""

from __future__ import annotations

from functools import reduce

from rowtime.errors import error
from rowtime.plan.nodes import SetOp
from rowtime.sparksql.result import Translated
from rowtime.translate.columns import conform_columns, names_of
from rowtime.translate.context import TranslationContext
from rowtime.translate.registry import translates


@translates(SetOp)
def translate_setop(node: SetOp, inputs: list[Translated], context: TranslationContext) -> Translated:
    if node.streaming:
        raise error("RT0999", f"The planner should have refused: {node.kind} of streams")
    frames = [rows.df.select(*conform_columns(node, i, rows.columns)) for i, rows in enumerate(inputs)]
    method = {
        ("INTERSECT", False): "intersect",
        ("INTERSECT", True): "intersectAll",
        ("EXCEPT", False): "subtract",
        ("EXCEPT", True): "exceptAll",
    }[node.kind, node.all]
    return Translated(reduce(lambda one, other: getattr(one, method)(other), frames), names_of(node))
