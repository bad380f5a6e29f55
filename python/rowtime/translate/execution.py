"""Nodes that rowtime's operators compute: the plan says which columns an operator gets, what it does, and which columns
follow from its own. What it does is for the operator alone."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from sqlglot import exp

from rowtime.jvm.steps import applied, select
from rowtime.operators.run import run
from rowtime.plan.operators import scans
from rowtime.plan.parts import Execution, ExecutionInput
from rowtime.plan.types import parse_type
from rowtime.sparksql.expressions import BIGINT, cast, column, fn, null, number, spark_column, sql
from rowtime.sparksql.result import OrderKey, Translated
from rowtime.translate.columns import internal, keep, names_of
from rowtime.translate.rex import Scope, to_expression, to_plain

if TYPE_CHECKING:
    from pyspark.sql import DataFrame

    from rowtime.plan.nodes import Node
    from rowtime.translate.context import TranslationContext

PREFIXES = ("c", "d")
"""What the names of the columns of each input begin with."""

_ARRAY_OF_INT = parse_type("INTEGER ARRAY")


def execute(node: Node, execution: Execution, inputs: Sequence[Translated], context: TranslationContext) -> Translated:
    """Returns the rows that operators make of those of the node's inputs."""
    given = [_Rows(rows.df, rows.columns, _carried(node, rows)) for rows in inputs]
    for step in execution.steps:
        columns = [
            _columns(node, part, rows, prefix)
            for part, rows, prefix in zip(step.inputs, given, PREFIXES[: len(given)], strict=True)
        ]
        bounds = [_bounds(node, part, context) for part in step.inputs]
        both = Scope([name for each in columns for name in each.columns])
        expressions = [sql(to_expression(rex, both)) for rex in step.expressions]
        out = run(step.spec, columns, ordered=context.ordered, bounds=bounds, expressions=expressions)
        given = [_Rows(out, out.columns, {})]
    (made,) = given
    names, index, scope = names_of(node), node.rowtime_index, Scope(made.columns)
    outputs = dict(zip(names, execution.outputs, strict=True))
    hidden = {"rowtime": execution.rowtime, "arrival": execution.arrival, "change": execution.change}
    outputs |= {internal(node, what): rex for what, rex in hidden.items() if rex is not None}
    df = applied(made.df, select(*(to_plain(rex, scope, name) for name, rex in outputs.items())))
    rowtime = internal(node, "rowtime") if execution.rowtime is not None else None if index is None else names[index]
    arrival = None if execution.arrival is None else internal(node, "arrival")
    change = None if execution.change is None else internal(node, "change")
    order = tuple(OrderKey(names[i]) for i in execution.order)
    return Translated(df, names, rowtime, arrival, order, change=change)


class _Rows:
    """Rows with their fields, and the columns that they carry besides."""

    def __init__(self, df: DataFrame, columns: Sequence[str], carried: Mapping[str, exp.Expression]) -> None:
        self.df, self.columns, self.carried = df, columns, carried


def _carried(node: Node, rows: Translated) -> dict[str, exp.Expression]:
    names = {"ROWTIME": rows.rowtime, "ARRIVAL": rows.seq, "CHANGE": rows.change}
    carried: dict[str, exp.Expression] = {what: column(name) for what, name in names.items() if name is not None}
    # Rows of a relation can be without a number.
    return carried if node.streaming else {"ARRIVAL": null(BIGINT), **carried}


def _bounds(node: Node, part: ExecutionInput, context: TranslationContext) -> DataFrame | None:
    """Returns the bounds of an input's own source; None if the plan names none."""
    if part.source is None:
        return None
    return context.bounds(next(scan for scan in scans(node) if scan.id == part.source))


def _columns(node: Node, part: ExecutionInput, rows: _Rows, prefix: str) -> DataFrame:
    """Returns the columns of an input of the operator, which are named by their places."""
    df, carried = rows.df, dict(rows.carried)
    if part.copies is not None:
        copy = internal(node, "copy")
        carried["COPY"] = column(copy)
        numbers = spark_column(fn("explode", cast(fn("array", *map(number, part.copies)), _ARRAY_OF_INT)))
        df = df.select(*map(keep, df.columns), numbers.alias(copy))
    scope = Scope(rows.columns, carried)
    return applied(df, select(*(to_plain(rex, scope, f"{prefix}{i}") for i, rex in enumerate(part.columns))))
