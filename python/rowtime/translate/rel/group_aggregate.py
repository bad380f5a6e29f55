"""GroupAggregate: GROUP BY on streams with DISTINCT, and with functions that need all values of a group.

Spark would store those values as one value of its state for each group, and rewrite it completely in each micro-batch.
The operator writes only new values. Rows that differ only in the arguments of other calls are combined before the
shuffle.
"""

from __future__ import annotations

from rowtime.operators.group import group
from rowtime.operators.specs import Call, GroupSpec
from rowtime.plan.nodes import GroupAggregate
from rowtime.sparksql.expressions import TIMESTAMP, cast, column
from rowtime.sparksql.result import Translated
from rowtime.translate.clock import operator_clock, watermark_at
from rowtime.translate.columns import internal
from rowtime.translate.context import TranslationContext
from rowtime.translate.grouping import by_keys
from rowtime.translate.groups import GroupInput, as_translated
from rowtime.translate.registry import translates
from rowtime.translate.rex import Scope, to_expression


@translates(GroupAggregate)
def translate_group_aggregate(
    node: GroupAggregate, inputs: list[Translated], context: TranslationContext
) -> Translated:
    """Returns a row for each group of `node`, once the bound has reached the time at which it closes.

    If rows must be in order from one micro-batch to the next, only the watermark closes groups; otherwise the rows of a
    task can also prove that groups are complete, which keeps most groups of a large batch out of the state.
    """
    groups = by_keys(node, inputs[0])
    rows, clock = groups.rows, node.inputs[0].steps
    given = GroupInput(node, groups)
    keys = [given.key(i) for i in range(len(node.keys))]
    arrival = node.arrival.of(ordered=context.ordered)
    end = watermark_at(clock, to_expression(node.closes, Scope(rows.columns)))
    closes = given.include(cast(end, TIMESTAMP), "closes")
    group_keys = [*keys, *given.set_number()]
    given.call()
    time = None if rows.rowtime is None else given.include(cast(column(rows.rowtime), TIMESTAMP), "time")
    if time is not None and node.combines:
        # The latest of the combined rows proves what each of them proves.
        given.combine.append(Call(name=internal(node, "latest"), function="MAX", args=[time], type=TIMESTAMP.spark()))
    spec = GroupSpec(
        partition=[name for name, key in zip(keys, node.keys, strict=True) if key in node.partition],
        keys=group_keys,
        closes=closes,
        time=time,
        clock=operator_clock(clock),
        max_disorder=arrival.max_micros,
        early=arrival.early,
        calls=given.calls,
        combine=given.combine,
    )
    return as_translated(node, group(given.input_rows(), spec), [*map(column, keys), *given.results()])
