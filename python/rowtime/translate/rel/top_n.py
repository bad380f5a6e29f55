"""TopN: the first rows of each partition of a stream, by an operator of rowtime's."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sqlglot import exp

from rowtime.errors import error
from rowtime.operators import specs
from rowtime.operators.top_n import top_n
from rowtime.plan.nodes import TopN
from rowtime.plan.types import parse_type
from rowtime.sparksql.expressions import TIMESTAMP, cast, column, spark_column
from rowtime.sparksql.result import Translated
from rowtime.translate.clock import operator_clock, watermark_at
from rowtime.translate.columns import internal, keep, names_of, normalized_key, plain, timestamp
from rowtime.translate.context import TranslationContext
from rowtime.translate.registry import translates
from rowtime.translate.rex import Scope, to_expression

if TYPE_CHECKING:
    from pyspark.sql import Column


@translates(TopN)
def translate_top_n(node: TopN, inputs: list[Translated], context: TranslationContext) -> Translated:
    """Returns the first rows of each partition of `node`, once the bound has reached the time at which it closes.

    If rows must be in order from one micro-batch to the next, only the watermark closes partitions; otherwise the rows
    of a task can also prove that partitions are complete, as in `translate_group_aggregate`.
    """
    (rows,) = inputs
    if rows.rowtime is None:
        raise error("RT0999", "The planner should have refused: Top-N of a stream whose rows have no ROWTIME")
    clock = node.inputs[0].steps
    added: dict[str, Column] = {}

    def add(what: str, value: exp.Expression) -> str:
        name = internal(node, what)
        added[name] = plain(spark_column(value), name)
        return name

    partition = []
    for i in node.partition:
        type = parse_type(node.inputs[0].fields[i].type)
        name = rows.columns[i]
        partition.append(add(f"partition{i}", normalized_key(column(name), type)) if type.is_approximate else name)
    end = watermark_at(clock, to_expression(node.closes, Scope(rows.columns)))
    arrival = node.arrival.of(ordered=context.ordered)
    ranks = [specs.Rank(name=internal(node, f"rank{i}"), function=rank) for i, rank in enumerate(node.ranks)]
    spec = specs.TopNSpec(
        partition=partition,
        order=[
            specs.Order(
                column=rows.columns[key.index],
                descending=key.direction == "DESC",
                nulls_first=key.nulls == "FIRST",
            )
            for key in node.order
        ],
        function=node.function,
        limit=node.limit,
        ranks=ranks,
        time=timestamp(rows, node.inputs[0], add),
        clock=operator_clock(clock),
        seq=rows.seq,
        closes=add("closes", cast(end, TIMESTAMP)),
        max_disorder=arrival.max_micros,
        early=arrival.early,
    )
    given = rows.df.select(*(keep(c) for c in rows.df.columns), *added.values())
    out = top_n(given, spec)
    names = names_of(node)
    results = [*rows.columns, *(rank.name for rank in ranks)]
    columns = [plain(keep(c), name) for c, name in zip(results, names, strict=True)]
    columns += [keep(c) for c in dict.fromkeys((rows.rowtime, rows.seq)) if c is not None and c not in names]
    index = node.rowtime_index
    rowtime = rows.rowtime if index is None else names[index]
    return Translated(out.select(*columns), names, rowtime, rows.seq)
