"""SessionAggregate: GROUP BY SESSION on streams, in an operator of rowtime's."""

from __future__ import annotations

from sqlglot import exp

from rowtime.operators.group import START, group
from rowtime.operators.specs import SessionSpec
from rowtime.plan.nodes import SessionAggregate
from rowtime.sparksql.expressions import TIMESTAMP, cast, column
from rowtime.sparksql.result import Translated
from rowtime.translate.clock import operator_clock, watermark_at
from rowtime.translate.context import TranslationContext
from rowtime.translate.grouping import by_keys
from rowtime.translate.groups import GroupInput, as_translated
from rowtime.translate.registry import translates
from rowtime.translate.rex import Scope, to_expression


@translates(SessionAggregate)
def translate_session_aggregate(
    node: SessionAggregate, inputs: list[Translated], context: TranslationContext
) -> Translated:
    """Returns the sessions of a stream, each once no more row can belong to it; a row exactly the gap after the last
    one does. Sessions may be emitted early like groups, see GroupAggregate."""
    (rows,) = inputs
    clock, session = node.inputs[0].steps, node.session
    given = GroupInput(node, by_keys(node, rows))
    timed = node.keys.index(session.key)
    keys = {i: given.key(i) for i in range(len(node.keys)) if i != timed}
    time = column(rows.columns[session.key])
    end = cast(watermark_at(clock, to_expression(node.closes, Scope(rows.columns))), TIMESTAMP)
    arrival = node.arrival.of(ordered=context.ordered)
    columns = [
        given.include(cast(time, TIMESTAMP), "time"),
        given.include(end, "closes"),
    ]
    given.call()
    spec = SessionSpec(
        keys=[*keys.values()],
        time=columns[0],
        clock=operator_clock(clock),
        closes=columns[1],
        disordered=arrival.disordered,
        max_disorder=arrival.max_micros,
        early=arrival.early,
        gap=session.gap * 1000,
        calls=given.calls,
    )
    out = group(given.input_rows(), spec)
    values: list[exp.Expression] = [column(keys.get(i, START)) for i in range(len(node.keys))]
    return as_translated(node, out, [*values, *given.results()])
