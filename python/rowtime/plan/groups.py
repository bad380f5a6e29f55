"""GROUP BY on streams that an operator of rowtime's computes, and not Spark's own aggregation."""

from __future__ import annotations

from typing import Protocol

from rowtime.plan.functions import GROUPINGS, OF_ALL_VALUES, ONCE, PERCENTILES, PLAIN, SPREADS, operator_function
from rowtime.plan.nodes import Aggregate, AggregateCall, Node, Project
from rowtime.plan.rex import Literal, Ref, Rex
from rowtime.plan.types import SqlType, parse_type


class _Call(Protocol):
    @property
    def function(self) -> str: ...
    @property
    def distinct(self) -> bool: ...


def operator_suits(node: Node) -> bool:
    """Whether the operator can compute a streaming GROUP BY, and does it better than Spark's own: sessions, and where
    values of a group have to be kept, which Spark writes again whole for each micro-batch."""
    if not isinstance(node, Aggregate) or not node.streaming or node.closes is None:
        return False
    calls = [call for call in node.calls if call.function not in GROUPINGS]
    if not all(_is_known(node, call) for call in calls):
        return False
    keeps = any(_needs_values(call) for call in calls)
    # Sessions keep no rows.
    return keeps if node.session is None else not keeps and node.sets is None


def counts_once(call: _Call) -> bool:
    """Whether a call is DISTINCT, and would give something else if it were not."""
    return call.distinct and operator_function(call.function) not in ONCE


def argument_of(node: Aggregate, index: int) -> Rex:
    """A field of the input, or the constant that it holds."""
    below = node.inputs[0]
    if isinstance(below, Project) and isinstance(below.exprs[index], Literal):
        return below.exprs[index]
    given = below.fields[index]
    return Ref(index=index, type=given.type, nullable=given.nullable)


def _needs_values(call: AggregateCall) -> bool:
    return call.function in OF_ALL_VALUES or counts_once(call)


def _is_known(node: Aggregate, call: AggregateCall) -> bool:
    function, fields = operator_function(call.function), node.inputs[0].fields
    if function not in (*PLAIN, *SPREADS, *OF_ALL_VALUES) or (call.distinct and len(call.args) != 1):
        return False
    if function in PERCENTILES:
        fraction = argument_of(node, call.args[-1])
        if not isinstance(fraction, Literal) or fraction.value is None:
            return False
    by = [key.index for key in call.order]
    falls = any(key.direction == "DESC" for key in call.order)
    if by and (function not in PERCENTILES or (falls and function == "PERCENTILE_DISC")):
        return False
    return all(_can_be_kept(parse_type(fields[index].type)) for index in (*call.args, *by))


def _can_be_kept(type: SqlType) -> bool:
    simple = type.is_numeric or type.is_character or type.is_binary or type.is_datetime or type.is_interval
    return simple or type.name == "BOOLEAN"
