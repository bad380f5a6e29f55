"""Recursive: the latest rows of a WITH RECURSIVE."""

from __future__ import annotations

from rowtime.operators.recursions import latest
from rowtime.plan.nodes import Recursive
from rowtime.plan.types import parse_type
from rowtime.sparksql.expressions import null, spark_column
from rowtime.sparksql.result import Translated
from rowtime.translate.columns import names_of
from rowtime.translate.context import TranslationContext
from rowtime.translate.registry import translates


@translates(Recursive)
def translate_recursive(node: Recursive, inputs: list[Translated], context: TranslationContext) -> Translated:
    names = names_of(node)
    columns = [spark_column(null(parse_type(f.type))).alias(n) for f, n in zip(node.fields, names, strict=True)]
    schema = context.spark.range(0).select(*columns).schema
    return Translated(latest(context.spark, schema, node.recursion), names)
