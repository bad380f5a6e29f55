"""Nodes that one of rowtime's operators computes: the plan says which columns it gets, what it does, and which columns
follow from its own. What it does is for the operator alone."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rowtime.operators.run import run
from rowtime.plan.nodes import GroupAggregate, HopAggregate, SessionAggregate
from rowtime.plan.parts import Execution, ExecutionInput
from rowtime.plan.types import parse_type
from rowtime.sparksql.expressions import cast, fn, number, spark_column
from rowtime.sparksql.result import Translated
from rowtime.translate.columns import internal, keep, names_of, plain
from rowtime.translate.context import TranslationContext
from rowtime.translate.registry import translates
from rowtime.translate.rex import Scope, to_column

if TYPE_CHECKING:
    from pyspark.sql import DataFrame

    from rowtime.plan.nodes import Node

_ARRAY_OF_INT = parse_type("INTEGER ARRAY")


@translates(GroupAggregate)
@translates(SessionAggregate)
@translates(HopAggregate)
def translate_execution(
    node: GroupAggregate | SessionAggregate | HopAggregate, inputs: list[Translated], context: TranslationContext
) -> Translated:
    """Returns the rows of the operator, with the columns of the node."""
    execution: Execution = node.execution
    given = [_given(node, part, rows) for part, rows in zip(execution.inputs, inputs, strict=True)]
    out = run(execution.spec, given, ordered=context.ordered)
    names, index = names_of(node), node.rowtime_index
    scope = Scope(out.columns)
    columns = [plain(to_column(rex, scope), name) for rex, name in zip(execution.outputs, names, strict=True)]
    return Translated(out.select(*columns), names, None if index is None else names[index])


def _given(node: Node, part: ExecutionInput, rows: Translated) -> DataFrame:
    """Returns the columns of an input of the operator, which are named by their places."""
    carried = {"ROWTIME": rows.rowtime, "ARRIVAL": rows.seq}
    df = rows.df
    if part.copies is not None:
        copy = carried["COPY"] = internal(node, "copy")
        numbers = spark_column(fn("explode", cast(fn("array", *map(number, part.copies)), _ARRAY_OF_INT)))
        df = df.select(*map(keep, df.columns), numbers.alias(copy))
    scope = Scope(rows.columns, {what: name for what, name in carried.items() if name is not None})
    return df.select(*(plain(to_column(rex, scope), f"c{i}") for i, rex in enumerate(part.columns)))
