"""What the operators of rowtime's for GROUP BY on streams are given, and what is made of what they give."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import msgspec
from sqlglot import exp

from rowtime.operators import specs
from rowtime.plan.functions import FUNCTIONS, GROUPINGS, PERCENTILES, counts_once, operator_function
from rowtime.plan.nodes import AggregateCall, GroupAggregate, HopAggregate, SessionAggregate
from rowtime.plan.rex import Literal, Rex
from rowtime.plan.types import SqlType, parse_type
from rowtime.sparksql.expressions import add, case, cast, column, is_null, long, number, spark_column
from rowtime.sparksql.result import Translated
from rowtime.translate.calls import Arguments, Call, OperatorCalls
from rowtime.translate.columns import internal, names_of, plain
from rowtime.translate.grouping import Grouped

if TYPE_CHECKING:
    from pyspark.sql import Column, DataFrame


def normalized_key(value: exp.Expression, type: SqlType) -> exp.Expression:
    """A key such that equal values are the same bytes: there are two zeros among approximate numbers."""
    return cast(add(value, number(0)), type) if type.is_approximate else value


def of_one_row(function: str, value: exp.Expression | None, condition: exp.Expression | None) -> exp.Expression:
    """What a function gives for a single row."""
    one: exp.Expression
    if function == "COUNT":
        one = long(1) if value is None else case((is_null(value), long(0)), default=long(1))
    else:
        assert value is not None
        one = value
    if condition is None:
        return one
    none = long(0) if function == "COUNT" else exp.Null()
    return case((condition, one), default=none)


def combining(
    call: specs.Call, function: str, value: exp.Expression | None, condition: exp.Expression | None
) -> specs.Call:
    """The call by which rows are combined for `call`, whose argument is `of_one_row`. A count looks at no row."""
    counts = function == "COUNT" and value is None and condition is None
    return msgspec.structs.replace(call, function="COUNT") if counts else call


@dataclass(frozen=True)
class _GroupCall:
    """A call of an aggregation with its arguments as expressions, and what FILTER asks for."""

    function: str
    args: list[Rex]
    distinct: bool
    type: str
    condition: exp.Expression | None
    ignore_nulls: bool = False


def _call(node: GroupAggregate | SessionAggregate, call: AggregateCall, columns: Sequence[str]) -> _GroupCall:
    args = [node.argument(index) for index in call.args]
    function = operator_function(call.function)
    if function in PERCENTILES and call.order:
        (fraction,), key = args, call.order[0]
        if key.direction == "DESC" and isinstance(fraction, Literal):
            fraction = Literal(type="DOUBLE", nullable=False, value=1 - float(fraction.value or 0))
        args = [node.argument(key.index), fraction]
    condition = None if call.filter is None else column(columns[call.filter])
    return _GroupCall(function, args, call.distinct, call.type, condition)


@dataclass
class _GroupCalls(OperatorCalls):
    """The calls; `combine` are those by which rows are combined, where they are."""

    combines: bool = False
    combine: list[specs.Call] = field(default_factory=list)

    def compute(
        self,
        suffix: str,
        call: Call,
        function: str,
        type: SqlType,
        given: Arguments,
    ) -> exp.Expression:
        assert isinstance(call, _GroupCall)
        name = self.name(f"call{suffix}")
        value = given.values[0] if given.values else None
        if counts_once(call):
            counted = value if call.condition is None else of_one_row("", value, call.condition)
            assert counted is not None
            self.calls.append(given.call(name, function, [self.argument(counted)], type, distinct=True))
        elif self.combines:
            argument = self.add(cast(of_one_row(function, value, call.condition), type))
            merged = Arguments([]).call(name, FUNCTIONS[function].merged_by or function, [argument], type)
            self.calls.append(merged)
            self.combine.append(combining(merged, function, value, call.condition))
        else:
            condition = None if call.condition is None else self.argument(call.condition)
            names = [self.argument(each) for each in given.values]
            self.calls.append(given.call(name, function, names, type, condition=condition))
        return column(name)


class GroupInput:
    """What the operator is given: columns made of those of `rows`, and calls over them."""

    def __init__(self, node: GroupAggregate | SessionAggregate, groups: Grouped) -> None:
        self.node = node
        self.rows = groups.rows
        self.calls: list[specs.Call] = []
        self.combine: list[specs.Call] = []
        self._groups = groups
        self._added: dict[str, Column] = {}
        self._results: list[exp.Expression] = []

    def include(self, value: exp.Expression, what: str) -> str:
        """Adds a column; gives its name."""
        name = internal(self.node, what)
        self._added[name] = plain(spark_column(value), name)
        return name

    def key(self, i: int) -> str:
        """Adds the key number `i` of the node."""
        type_ = parse_type(self.node.inputs[0].fields[self.node.keys[i]].type)
        return self.include(normalized_key(column(self._groups.keys[i]), type_), f"group{i}")

    def set_number(self) -> list[str]:
        """Adds the number of the GROUPING SET, where there are any."""
        if self._groups.number is None:
            return []
        self._keep(self._groups.number)
        return [self._groups.number]

    def call(self, *, combines: bool) -> None:
        """Adds the calls of the node; `combines` says whether rows are combined by them."""
        rows, node = self.rows, self.node
        asked = [_call(node, call, rows.columns) for call in node.calls if call.function not in GROUPINGS]
        calls = _GroupCalls(
            rows.columns,
            lambda suffix: internal(node, suffix),
            lambda value: self.include(value, f"argument{len(self._added)}"),
            combines=combines,
        )
        values = iter([calls.value(i, call) for i, call in enumerate(asked)])
        self._results = [
            self._groups.grouping(call) if call.function in GROUPINGS else next(values) for call in node.calls
        ]
        for name in {name for call in calls.calls for name in (*call.args, call.filter) if name}:
            if name not in self._added:
                self._keep(name)
        self.calls, self.combine = calls.calls, calls.combine

    def _keep(self, name: str) -> None:
        self._added[name] = plain(spark_column(column(name)), name)

    def rows_given(self) -> DataFrame:
        """The rows as the operator is given them."""
        return self.rows.df.select(*self._added.values())

    def results(self) -> list[exp.Expression]:
        """The values of the node's calls, made of what the operator gives."""
        return [cast(value, parse_type(call.type)) for value, call in zip(self._results, self.node.calls, strict=True)]


def grouped(
    node: GroupAggregate | SessionAggregate | HopAggregate,
    out: DataFrame,
    values: Sequence[exp.Expression],
    *,
    mixes: bool,
) -> Translated:
    """The rows of `out` as those of a node; `mixes` says that groups may come out in another micro-batch than others
    that are over at the same time."""
    names, index = names_of(node), node.rowtime_index
    columns = [plain(spark_column(value), name) for value, name in zip(values, names, strict=True)]
    rowtime = None if index is None else names[index]
    return Translated(out.select(*columns), names, rowtime, in_order=not mixes, disorder_known=not mixes)
