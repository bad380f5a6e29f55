"""TemporalJoin: a join of a stream with the versions of rows, by an operator of rowtime's."""

from __future__ import annotations

from rowtime.operators.specs import TemporalJoinSpec, VersionSide
from rowtime.operators.temporal_join import temporal_join
from rowtime.plan.nodes import TemporalJoin
from rowtime.sparksql.expressions import column, spark_column
from rowtime.sparksql.result import Translated
from rowtime.translate.columns import internal, keep, names_of, plain
from rowtime.translate.context import TranslationContext
from rowtime.translate.registry import translates
from rowtime.translate.stream_joins import JoinSide, condition_sql, output, source_bounds


@translates(TemporalJoin)
def translate_temporal_join(node: TemporalJoin, inputs: list[Translated], context: TranslationContext) -> Translated:
    left, right = inputs
    names, rowtime = names_of(node), internal(node, "rowtime")
    width = len(left.columns)
    sides = [
        JoinSide(node, 0, left, names[:width], _time(left, node.left_time), context, _hidden(left)),
        JoinSide(node, 1, right, names[width:], _time(right, node.right_time), context, _hidden(right)),
    ]
    spec = TemporalJoinSpec(
        join_type=node.join_type,
        left=_spec(sides[0], _hidden(left)),
        right=_spec(sides[1], _hidden(right)),
        shift=node.shift * 1000,
        inclusive=node.inclusive,
        within=None if node.within is None else node.within * 1000,
        identity=[names[width + i] for i in node.identity],
        one_task=node.one_task,
        seq=right.seq,
        condition=condition_sql(node, names),
        ordered=context.ordered,
        rowtime=rowtime,
    )
    joined = temporal_join(
        sides[0].df, sides[1].df, source_bounds(node, 0, context), source_bounds(node, 1, context), spec
    )
    given = frozenset((*sides[0].columns, *sides[1].columns))
    index = node.rowtime_index
    columns = [
        plain(spark_column(column(rowtime)), name) if i == index else output(node, i, name, given)
        for i, name in enumerate(names)
    ]
    df = joined.select(*columns, *([keep(rowtime)] if index is None else []), *map(keep, _hidden(left)))
    named = rowtime if index is None else names[index]
    return Translated(df, names, named, left.seq)


def _time(rows: Translated, index: int | None) -> str:
    """Returns the time column of an input: a field, or ROWTIME, which is not a field."""
    name = rows.rowtime if index is None else rows.columns[index]
    assert name is not None, "no stream without a time comes into a join"
    return name


def _hidden(rows: Translated) -> list[str]:
    """Returns the order of arrival: of several rows of one time, the version that arrived last holds."""
    return [] if rows.seq is None else [rows.seq]


def _spec(side: JoinSide, hidden: list[str]) -> VersionSide:
    return VersionSide(
        keys=side.keys, columns=[*side.columns, *hidden], time=side.time, clock=side.clock, disorder=side.disorder
    )
