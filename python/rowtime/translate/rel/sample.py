"""TABLESAMPLE."""

from __future__ import annotations

from dataclasses import replace

from rowtime.errors import error
from rowtime.plan.nodes import Sample
from rowtime.sparksql.result import Translated
from rowtime.translate.context import TranslationContext
from rowtime.translate.registry import translates


@translates(Sample)
def translate_sample(node: Sample, inputs: list[Translated], context: TranslationContext) -> Translated:
    if node.streaming:
        raise error("RT0999", "The planner should have refused: TABLESAMPLE of a stream")
    (rows,) = inputs
    return replace(rows, df=rows.df.sample(fraction=node.fraction, seed=node.seed))
