"""Aggregate and analytic calls as rowtime's operators compute them: what each is given, and the value made of it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any, Protocol

from sqlglot import exp

from rowtime.errors import error
from rowtime.operators.over import described
from rowtime.plan.functions import PERCENTILES, SPREADS, operator_function
from rowtime.plan.rex import Literal, Ref, Rex
from rowtime.plan.types import SqlType, parse_type
from rowtime.sparksql.expressions import BIGINT, all_of, case, cast, column, fn, is_null, number
from rowtime.translate.aggregates import known_with
from rowtime.translate.averages import average
from rowtime.translate.rex import Scope, to_expression

_NUMBERED = ("LAG", "LEAD", "NTH_VALUE", "NTILE")
"""Functions with a number among their arguments, which is the same for all rows."""
_OWN_TYPE = ("MIN", "MAX", "FIRST_VALUE", "LAST_VALUE", "NTH_VALUE", "LAG", "LEAD", "ANY_VALUE", "PERCENTILE_DISC")
"""Functions that give one of the values they are given."""


class Call(Protocol):
    """A call over columns of the operator's input. `args` are over its columns, types are SQL's."""

    @property
    def function(self) -> str: ...
    @property
    def args(self) -> list[Rex]: ...
    @property
    def distinct(self) -> bool: ...
    @property
    def ignore_nulls(self) -> bool: ...
    @property
    def type(self) -> str: ...


@dataclass
class OperatorCalls:
    """The calls of one window or GROUP BY of an operator, whose input has `columns`.

    `name` gives names to the columns of results, by suffix; `add` makes an expression a further column of the input,
    and gives its name. `calls` is what the operator is told.
    """

    columns: Sequence[str]
    name: Callable[[str], str]
    add: Callable[[exp.Expression], str]
    calls: list[dict[str, Any]] = field(default_factory=list)

    def value(self, index: int, call: Call) -> exp.Expression:
        """Adds what the operator computes for a call, and gives the call's value made of it."""
        result = parse_type(call.type)
        function = operator_function(call.function)
        if function == "AVG":
            total = self._compute(f"{index}_sum", call, "SUM", _total(call))
            count = self._compute(f"{index}_count", call, "COUNT", BIGINT)
            return average(total, count, result)
        if function in SPREADS:
            double = parse_type("DOUBLE")
            return cast(self._compute(f"{index}", call, function, double, argument_type=double), result)
        if function in ("SUM", "SUM0"):
            value = self._compute(f"{index}", call, "SUM", _total(call))
            if function == "SUM0":
                value = fn("coalesce", value, number(0))
            return cast(value, result)
        own = parse_type(getattr(call.args[0], "type", call.type)) if function in _OWN_TYPE else result
        return cast(self._compute(f"{index}", call, function, own), result)

    def _compute(
        self, suffix: str, call: Call, function: str, type: SqlType, argument_type: SqlType | None = None
    ) -> exp.Expression:
        args, constants = self._arguments(call, function, argument_type)
        return self.compute(suffix, call, function, type, args, constants)

    def compute(
        self,
        suffix: str,
        call: Call,
        function: str,
        type: SqlType,
        args: Sequence[exp.Expression],
        constants: list[Any],
    ) -> exp.Expression:
        """Has the operator compute one function, of `type`, over values of its input; gives its result."""
        name = self.name(f"call{suffix}")
        given = [self.argument(value) for value in args]
        self.calls.append(
            described(name, function, given, type, constants, distinct=call.distinct, ignore_nulls=call.ignore_nulls)
        )
        return column(name)

    def argument(self, value: exp.Expression) -> str:
        """The column of the input that has a value."""
        if isinstance(value, exp.Column) and value.name in self.columns:
            return value.name
        return self.add(value)

    def _arguments(self, call: Call, function: str, type: SqlType | None) -> tuple[list[exp.Expression], list[Any]]:
        """What is different for each row, and what is not."""
        given: list[Rex] = list(call.args)
        constants: list[Any] = []
        if function == "COUNT" and len(given) > 1:
            # a row counts where none of them is NULL
            values = [self._value(rex, None) for rex in given]
            return [case((all_of(*(exp.Not(this=is_null(v)) for v in values)), number(1)))], constants
        if function == "SUM" and len(given) > 1:
            return [known_with([self._value(rex, type) for rex in given])], constants
        if function == "LISTAGG" and len(given) > 1:
            separator = given.pop()
            constants = [separator.value if isinstance(separator, Literal) else None]
        if function in PERCENTILES:
            fraction = given.pop()
            constants = [
                float(fraction.value) if isinstance(fraction, Literal) and fraction.value is not None else None
            ]
        if call.function in _NUMBERED:
            place = 0 if call.function == "NTILE" else 1
            if len(given) > place:
                constant = given.pop(place)
                if not isinstance(constant, Literal) or constant.value is None:
                    raise error(
                        "RT0999", f"The planner has let through: {call.function} whose number is not a constant"
                    )
                constants = [int(constant.value)]
            else:
                constants = [1]
        values = [self._value(rex, type) for rex in given]
        if call.function in ("LAG", "LEAD") and len(given) == 2:
            # the default is of the type of the values
            values[1] = self._value(given[1], parse_type(getattr(given[0], "type", call.type)))
        return values, constants

    def _value(self, rex: Rex, type: SqlType | None) -> exp.Expression:
        if isinstance(rex, Ref) and type is None:
            return column(self.columns[rex.index])
        value = to_expression(rex, Scope(self.columns))
        return value if type is None else cast(value, type)


def _total(call: Call) -> SqlType:
    """The type in which a sum is exact: BIGINT of integers, the most digits there are of decimals."""
    argument = parse_type(getattr(call.args[0], "type", call.type))
    if argument.is_decimal:
        return parse_type(f"DECIMAL(38, {argument.scale or 0})")
    return parse_type("BIGINT" if argument.is_integer else "DOUBLE")
