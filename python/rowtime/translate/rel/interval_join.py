"""IntervalJoin: a join of two streams within intervals of time, by an operator of rowtime's."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from rowtime.operators.interval_join import interval_join
from rowtime.operators.specs import IntervalJoinSpec, Side
from rowtime.plan.clock import Shift
from rowtime.plan.nodes import Interval, IntervalJoin, Node, Scan
from rowtime.plan.rex import Rex, Symbol
from rowtime.plan.types import parse_type
from rowtime.sparksql.expressions import cast, column, null, spark_column, sql
from rowtime.sparksql.result import Translated
from rowtime.streams.times import ORIGIN
from rowtime.translate.clock import operator_step
from rowtime.translate.columns import internal, keep, names_of, plain
from rowtime.translate.context import TranslationContext
from rowtime.translate.disorder import max_disorder
from rowtime.translate.groups import normalized_key
from rowtime.translate.registry import translates
from rowtime.translate.rex import Scope, to_expression

if TYPE_CHECKING:
    from pyspark.sql import Column, DataFrame


@translates(IntervalJoin)
def translate_interval_join(node: IntervalJoin, inputs: list[Translated], context: TranslationContext) -> Translated:
    left, right = inputs
    names, rowtime = names_of(node), internal(node, "rowtime")
    width = len(left.columns)
    # Those of the right side have names where they are not in the result, too: the condition reads them.
    both = tuple(internal(node, i) for i in range(width + len(right.columns)))
    sides = [
        _Side(node, 0, left, both[:width], node.left_interval, node.left_keys),
        _Side(node, 1, right, both[width:], node.right_interval, node.right_keys),
    ]
    spec = IntervalJoinSpec(
        join_type=node.join_type,
        left=sides[0].spec,
        right=sides[1].spec,
        condition=None if node.condition is None else sql(to_expression(node.condition, Scope(both))),
        ordered=context.ordered,
        rowtime=rowtime,
    )
    joined = interval_join(
        sides[0].df,
        sides[1].df,
        _bounds(node.inputs[0], node.left_source, context),
        _bounds(node.inputs[1], node.right_source, context),
        spec,
    )
    given = {*sides[0].spec.columns, *sides[1].spec.columns}
    index = node.rowtime_index

    def output(i: int, name: str) -> Column:
        if i == index or i == len(both):
            return plain(spark_column(column(rowtime)), name)
        # What nobody reads has not travelled.
        return keep(name) if name in given else plain(spark_column(null(parse_type(node.fields[i].type))), name)

    columns = [output(i, name) for i, name in enumerate(names)]
    df = joined.select(*columns, *([keep(rowtime)] if index is None else []))
    named = rowtime if index is None else names[index]
    return Translated(df, names, named, in_order=context.ordered, disorder_known=context.ordered)


def _bounds(node: Node, source: int | None, context: TranslationContext) -> DataFrame | None:
    """What the stream whose scan has that number, and which only nodes with one input lie above, tells of its clock."""
    if source is None:
        return None
    while not isinstance(node, Scan):
        (node,) = node.inputs
    assert node.id == source, "the planner names a scan below the input"
    return context.bounds(node)


class _Side:
    """An input as the operator takes it: `df`, and what its `spec` says of it."""

    def __init__(
        self,
        node: IntervalJoin,
        number: int,
        rows: Translated,
        names: Sequence[str],
        interval: Interval,
        keys: Sequence[Rex],
    ) -> None:
        below = node.inputs[number]
        assert rows.rowtime is not None, "the planner lets no stream without ROWTIME into a join"
        time = internal(node, f"time{number}")
        scope = Scope(rows.columns)
        read = [names[i] for i in node.reads[number]]
        given = [plain(spark_column(column(rows.columns[i])), names[i]) for i in node.reads[number]]
        given.append(plain(spark_column(column(rows.rowtime)), time))
        key_names = []
        for i, key in enumerate(keys):
            assert not isinstance(key, Symbol), "a key is a value"
            key_names.append(internal(node, f"key{number}_{i}"))
            type = parse_type(key.type)
            value = normalized_key(to_expression(key, scope), type)
            given.append(plain(spark_column(cast(value, type)), key_names[-1]))
        self.df = rows.df.select(*given)
        self.spec = Side(
            keys=key_names,
            columns=read,
            time=time,
            start=interval.start * 1000,
            end=None if interval.end is None else interval.end * 1000,
            rows=interval.rows,
            clock=[operator_step(step) for step in (Shift(-ORIGIN), *below.steps)],
            disorder=max_disorder(below, rows),
        )
