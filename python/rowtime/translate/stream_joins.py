"""Shared by the joins of streams: prepares inputs for rowtime's operators."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from rowtime.plan.nodes import IntervalJoin, Node, SearchKey, TemporalJoin
from rowtime.plan.operators import scans
from rowtime.plan.rex import Symbol
from rowtime.plan.types import parse_type
from rowtime.sparksql.expressions import cast, column, null, spark_column, sql
from rowtime.sparksql.result import Translated
from rowtime.translate.clock import operator_clock
from rowtime.translate.columns import internal, keep, normalized_key, plain
from rowtime.translate.context import TranslationContext
from rowtime.translate.rex import Scope, to_expression

if TYPE_CHECKING:
    from pyspark.sql import Column, DataFrame


class JoinSide:
    """An input of a join: `df`, the rows with the columns that the join reads, and the parameters of the operator for
    it. `names` are the names for the fields of the input; `rowtime` is the input's ROWTIME, as a column of its rows;
    `hidden` are columns that are carried along though they are not fields."""

    def __init__(
        self,
        node: IntervalJoin | TemporalJoin,
        number: int,
        rows: Translated,
        names: Sequence[str],
        rowtime: str,
        context: TranslationContext,
        hidden: Sequence[str] = (),
    ) -> None:
        below = node.inputs[number]
        self.time = internal(node, f"time{number}")
        self.columns = [names[i] for i in node.reads[number]]
        self.keys: list[str] = []
        self.clock = operator_clock(below.steps)
        arrivals = node.left_arrival if number == 0 else node.right_arrival
        self.disorder = arrivals.of(ordered=context.ordered).max_micros
        given = [plain(spark_column(column(rows.columns[i])), names[i]) for i in node.reads[number]]
        given += [keep(name) for name in hidden]
        given.append(plain(spark_column(column(rowtime)), self.time))
        scope = Scope(rows.columns)
        for i, key in enumerate(node.left_keys if number == 0 else node.right_keys):
            assert not isinstance(key, Symbol), "a key is a value"
            self.keys.append(internal(node, f"key{number}_{i}"))
            type = parse_type(key.type)
            value = normalized_key(to_expression(key, scope), type)
            given.append(plain(spark_column(cast(value, type)), self.keys[-1]))
        self.df = rows.df.select(*given)


def source_bounds(node: IntervalJoin | TemporalJoin, number: int, context: TranslationContext) -> DataFrame | None:
    """Returns the bounds of an input's clock from the stream of the scan that the plan names; None if it names none."""
    source = node.left_source if number == 0 else node.right_source
    if source is None:
        return None
    return context.bounds(next(scan for scan in scans(node.inputs[number]) if scan.id == source))


def output(node: Node, index: int, name: str, given: frozenset[str]) -> Column:
    """Returns a field of the result; NULL if it is not read, because then it was not carried along."""
    return keep(name) if name in given else plain(spark_column(null(parse_type(node.fields[index].type))), name)


def condition_sql(node: IntervalJoin | SearchKey | TemporalJoin, names: Sequence[str]) -> str | None:
    """Returns the condition over the columns of both sides, as Spark SQL; None if equal keys suffice."""
    return None if node.condition is None else sql(to_expression(node.condition, Scope(names)))
