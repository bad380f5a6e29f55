"""Calls that rowtime's operators compute: the columns of their arguments, and the values that follow from their
results."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

from sqlglot import exp

from rowtime.operators import specs
from rowtime.plan.calls import Argument, CallResult, OperatorCalls
from rowtime.plan.rex import Ref
from rowtime.plan.types import SqlType, parse_type
from rowtime.sparksql.expressions import cast, column, fn, number
from rowtime.translate.averages import average
from rowtime.translate.rex import Scope, to_expression


@dataclass
class CallColumns:
    """The calls of a node over columns of its operator's input, `columns`.

    `name` returns the names of the columns of results, by suffix; `add` adds an expression as a column to the input,
    and returns its name. `calls` are those of the operator.
    """

    computed: OperatorCalls
    columns: Sequence[str]
    name: Callable[[str], str]
    add: Callable[[exp.Expression], str]
    calls: list[specs.Call] = field(default_factory=list)

    def __post_init__(self) -> None:
        for i, call in enumerate(self.computed.calls):
            call_spec = specs.Call(
                name=self.name(f"call{i}"),
                function=call.function,
                args=[self._argument(argument) for argument in call.args],
                type=parse_type(call.type).spark(),
                number=call.number,
                fraction=call.fraction,
                separator=call.separator,
                distinct=call.distinct,
                ignore_nulls=call.ignore_nulls,
                filter=None if call.filter is None else self._argument(Argument(call.filter, None)),
            )
            self.calls.append(call_spec)

    def value(self, result: CallResult, type: SqlType) -> exp.Expression:
        """Returns the value of a call of the node, of `type`."""
        made = [column(self.calls[i].name) for i in result.calls]
        if result.kind == "AVERAGE":
            total, count = made
            return average(total, count, type)
        (value,) = made
        return cast(fn("coalesce", value, number(0)) if result.kind == "VALUE_OR_ZERO" else value, type)

    def _argument(self, argument: Argument) -> str:
        """Returns the column of the input with the value of the argument."""
        if isinstance(argument.value, Ref) and argument.type is None:
            return self.columns[argument.value.index]
        value = to_expression(argument.value, Scope(self.columns))
        return self.add(value if argument.type is None else cast(value, parse_type(argument.type)))
