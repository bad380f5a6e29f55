"""HopAggregate: GROUP BY HOP on streams, in one operator of rowtime's.

It keeps each row, or the partial aggregate of one pane and group, for the length of a window, instead of a total for
each group and window.
"""

from __future__ import annotations

from sqlglot import exp

from rowtime.operators.group import START, group
from rowtime.operators.specs import HopSpec
from rowtime.plan.clock import Shift
from rowtime.plan.nodes import HopAggregate
from rowtime.plan.types import parse_type
from rowtime.sparksql.expressions import TIMESTAMP, cast, column, shift, spark_column
from rowtime.sparksql.result import Translated
from rowtime.translate.calls import CallColumns
from rowtime.translate.clock import operator_clock
from rowtime.translate.columns import internal, plain
from rowtime.translate.context import TranslationContext
from rowtime.translate.groups import as_translated, normalized_key
from rowtime.translate.registry import translates


@translates(HopAggregate)
def translate_hop_aggregate(node: HopAggregate, inputs: list[Translated], context: TranslationContext) -> Translated:
    """Translates a HOP aggregate. If rows must be in order from one micro-batch to the next, only the watermark closes
    windows; otherwise the rows of a task can also prove that a window is complete."""
    (rows,) = inputs
    fields, clock = node.inputs[0].fields, node.inputs[0].steps
    time = internal(node, "time")
    keys = {key: internal(node, f"key{i}") for i, key in enumerate(node.keys) if isinstance(key, int)}
    start = column(rows.columns[node.pane])
    given = [plain(spark_column(start), time)]
    for key, name in keys.items():
        given.append(plain(spark_column(normalized_key(column(rows.columns[key]), parse_type(fields[key].type))), name))
    arrival = node.arrival.of(ordered=context.ordered)

    def add(value: exp.Expression) -> str:
        given.append(plain(spark_column(value), internal(node, f"argument{len(given)}")))
        return internal(node, f"argument{len(given) - 1}")

    calls = CallColumns(node.operator, rows.columns, lambda suffix: internal(node, suffix), add)
    spec = HopSpec(
        keys=[*keys.values()],
        time=time,
        disordered=arrival.disordered,
        max_disorder=arrival.max_micros,
        early=arrival.early,
        slide=node.slide * 1000,
        size=node.size * 1000,
        offset=node.offset * 1000,
        clock=operator_clock((*clock, Shift(-node.late))),
        calls=calls.calls,
        combine=calls.combine,
    )
    timed = rows.df.select(*given).filter(f"`{time}` IS NOT NULL")
    out = group(timed, spec)
    values = [column(keys[key]) if isinstance(key, int) else _border(node, key) for key in node.keys]
    results = zip(node.operator.results, node.calls, strict=True)
    values += [calls.value(result, parse_type(call.type)) for result, call in results]
    return as_translated(node, out, values)


def _border(node: HopAggregate, which: str) -> exp.Expression:
    """Returns the start or the end of a window."""
    start = column(START)
    return start if which == "START" else cast(shift(start, node.size), TIMESTAMP)
