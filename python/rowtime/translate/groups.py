"""The input and output of rowtime's operators for GROUP BY on streams."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from sqlglot import exp

from rowtime.operators import specs
from rowtime.plan.nodes import GroupAggregate, HopAggregate, SessionAggregate
from rowtime.plan.types import SqlType, parse_type
from rowtime.sparksql.expressions import add, cast, column, number, spark_column
from rowtime.sparksql.result import Translated
from rowtime.translate.calls import CallColumns
from rowtime.translate.columns import internal, names_of, plain
from rowtime.translate.grouping import GroupedRows

if TYPE_CHECKING:
    from pyspark.sql import Column, DataFrame


def normalized_key(value: exp.Expression, type: SqlType) -> exp.Expression:
    """Returns a key such that equal values have the same bytes: approximate numbers have two zeros."""
    return cast(add(value, number(0)), type) if type.is_approximate else value


class GroupInput:
    """The input of the operator: columns computed from those of `rows`, and calls over them."""

    def __init__(self, node: GroupAggregate | SessionAggregate, groups: GroupedRows) -> None:
        self.node = node
        self.rows = groups.rows
        self.calls: list[specs.Call] = []
        self.combine: list[specs.Call] = []
        self._groups = groups
        self._added: dict[str, Column] = {}
        self._made: CallColumns | None = None

    def include(self, value: exp.Expression, what: str) -> str:
        """Adds a column; returns its name."""
        name = internal(self.node, what)
        self._added[name] = plain(spark_column(value), name)
        return name

    def key(self, i: int) -> str:
        """Adds the key number `i` of the node."""
        type_ = parse_type(self.node.inputs[0].fields[self.node.keys[i]].type)
        return self.include(normalized_key(column(self._groups.keys[i]), type_), f"group{i}")

    def set_number(self) -> list[str]:
        """Adds the number of the GROUPING SET, if there are any."""
        if self._groups.number is None:
            return []
        self._keep(self._groups.number)
        return [self._groups.number]

    def call(self) -> None:
        """Adds the calls of the node."""
        calls = CallColumns(
            self.node.operator,
            self.rows.columns,
            lambda suffix: internal(self.node, suffix),
            lambda value: self.include(value, f"argument{len(self._added)}"),
        )
        for name in {name for call in calls.calls for name in (*call.args, call.filter) if name}:
            if name not in self._added:
                self._keep(name)
        self.calls, self.combine, self._made = calls.calls, calls.combine, calls

    def _keep(self, name: str) -> None:
        self._added[name] = plain(spark_column(column(name)), name)

    def input_rows(self) -> DataFrame:
        """Returns the operator's input."""
        return self.rows.df.select(*self._added.values())

    def results(self) -> list[exp.Expression]:
        """Returns the values of the node's calls, computed from the operator's output."""
        assert self._made is not None, "the calls have been added"
        values = []
        for call, result in zip(self.node.calls, self.node.operator.results, strict=True):
            type = parse_type(call.type)
            grouping = result.kind == "GROUPING"
            values.append(cast(self._groups.grouping(call), type) if grouping else self._made.value(result, type))
        return values


def as_translated(
    node: GroupAggregate | SessionAggregate | HopAggregate,
    out: DataFrame,
    values: Sequence[exp.Expression],
) -> Translated:
    """Returns the rows of `out` as those of a node."""
    names, index = names_of(node), node.rowtime_index
    columns = [plain(spark_column(value), name) for value, name in zip(values, names, strict=True)]
    rowtime = None if index is None else names[index]
    return Translated(out.select(*columns), names, rowtime)
