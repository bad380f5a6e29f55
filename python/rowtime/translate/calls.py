"""Aggregate and analytic calls as rowtime's operators compute them: what each is given, and the value made of it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any, Protocol

from sqlglot import exp

from rowtime.errors import error
from rowtime.operators import specs
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


@dataclass(frozen=True)
class Arguments:
    """What a call is given: `values`, which are different for each row, and what is not."""

    values: list[exp.Expression]
    number: int | None = None
    fraction: float | None = None
    separator: str | None = None

    def call(
        self,
        name: str,
        function: str,
        args: list[str],
        type: SqlType,
        *,
        distinct: bool = False,
        ignore_nulls: bool = False,
        condition: str | None = None,
    ) -> specs.Call:
        """The call as the operator is told: the column that it becomes, of what type, and the columns that it reads;
        `condition` is the one that FILTER asks for."""
        return specs.Call(
            name=name,
            function=function,
            args=args,
            type=type.spark(),
            number=self.number,
            fraction=self.fraction,
            separator=self.separator,
            distinct=distinct,
            ignore_nulls=ignore_nulls,
            filter=condition,
        )


@dataclass
class OperatorCalls:
    """The calls of one window or GROUP BY of an operator, whose input has `columns`.

    `name` gives names to the columns of results, by suffix; `add` makes an expression a further column of the input,
    and gives its name. `calls` is what the operator is told.
    """

    columns: Sequence[str]
    name: Callable[[str], str]
    add: Callable[[exp.Expression], str]
    calls: list[specs.Call] = field(default_factory=list)

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
        return self.compute(suffix, call, function, type, self._arguments(call, function, argument_type))

    def compute(
        self,
        suffix: str,
        call: Call,
        function: str,
        type: SqlType,
        given: Arguments,
    ) -> exp.Expression:
        """Has the operator compute one function, of `type`, over values of its input; gives its result."""
        name = self.name(f"call{suffix}")
        args = [self.argument(value) for value in given.values]
        self.calls.append(
            given.call(name, function, args, type, distinct=call.distinct, ignore_nulls=call.ignore_nulls)
        )
        return column(name)

    def argument(self, value: exp.Expression) -> str:
        """The column of the input that has a value."""
        if isinstance(value, exp.Column) and value.name in self.columns:
            return value.name
        return self.add(value)

    def _arguments(self, call: Call, function: str, type: SqlType | None) -> Arguments:
        given: list[Rex] = list(call.args)
        if function == "COUNT" and len(given) > 1:
            # a row counts where none of them is NULL
            values = [self._value(rex, None) for rex in given]
            return Arguments([case((all_of(*(exp.Not(this=is_null(v)) for v in values)), number(1)))])
        if function == "SUM" and len(given) > 1:
            return Arguments([known_with([self._value(rex, type) for rex in given])])
        separator, fraction, count = None, None, None
        if function == "LISTAGG":
            # NULL separates by nothing, as an empty text does
            separator = str(_constant(call, given.pop()) or "") if len(given) > 1 else ","
        if function in PERCENTILES:
            fraction = float(_constant(call, given.pop()) or 0)
        if call.function in _NUMBERED:
            place = 0 if call.function == "NTILE" else 1
            count = int(_constant(call, given.pop(place)) or 0) if len(given) > place else 1
        values = [self._value(rex, type) for rex in given]
        if call.function in ("LAG", "LEAD") and len(given) == 2:
            # the default is of the type of the values
            values[1] = self._value(given[1], parse_type(getattr(given[0], "type", call.type)))
        return Arguments(values, count, fraction, separator)

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


def _constant(call: Call, rex: Rex) -> Any:
    """The value of a constant argument; None for NULL."""
    if not isinstance(rex, Literal):
        raise error("RT0999", f"The planner has let through: {call.function} whose number is not a constant")
    return rex.value
