"""Values: rows that the query itself contains."""

from __future__ import annotations

from sqlglot import exp

from rowtime.plan.nodes import Values
from rowtime.plan.types import parse_type
from rowtime.sparksql.expressions import cast, column, fn, null, spark_column
from rowtime.sparksql.result import Translated
from rowtime.translate.columns import names_of
from rowtime.translate.context import TranslationContext
from rowtime.translate.registry import translates
from rowtime.translate.rex import Scope, to_expression


@translates(Values)
def translate_values(node: Values, inputs: list[Translated], context: TranslationContext) -> Translated:
    types = [parse_type(f.type) for f in node.fields]
    names = names_of(node)
    if not node.rows:
        empty = [spark_column(null(t)).alias(n) for t, n in zip(types, names, strict=True)]
        return Translated(context.spark.range(1).select(*empty).filter("false"), names)
    scope = Scope(())
    rows = []
    for row in node.rows:
        fields: list[exp.Expression] = []
        for name, rex, type_ in zip(names, row, types, strict=True):
            fields += [exp.Literal.string(name), cast(to_expression(rex, scope), type_)]
        rows.append(fn("named_struct", *fields))
    # one row is a struct in an array: Spark folds it to a local relation, but would plan each row of a union
    listed = context.spark.range(1).select(spark_column(fn("inline", fn("array", *rows))))
    return Translated(listed.select(*(spark_column(column(n)) for n in names)), names)
