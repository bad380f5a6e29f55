"""The grouping of rows: by the keys of a node, or by each of its GROUPING SETS in turn."""

from __future__ import annotations

from dataclasses import dataclass, replace

from sqlglot import exp

from rowtime.plan.calls import AggregateCall
from rowtime.plan.nodes import Aggregate
from rowtime.plan.types import parse_type
from rowtime.sparksql.expressions import any_of, case, cast, column, equal, fn, number, spark_column
from rowtime.sparksql.result import Translated
from rowtime.translate.columns import internal, keep, plain

ARRAY_OF_INT = parse_type("INTEGER ARRAY")


@dataclass(frozen=True)
class GroupedRows:
    """`rows`, and the columns `keys` by which they are grouped, in the order of the node's keys. With GROUPING SETS
    also the column with the `number` of the set, which is a key too, or the `place` of the only set."""

    node: Aggregate
    rows: Translated
    keys: tuple[str, ...]
    number: str | None = None
    place: int | None = None

    def grouping(self, call: AggregateCall) -> exp.Expression:
        """Returns the value of one of the `GROUPINGS`, which follows from the number of the set."""
        if self.number is None:
            return number(0 if self.place is None else self._grouping(call, self.place))
        values = enumerate(self._grouping(call, place) for place in range(len(self._sets)))
        set_number = column(self.number)
        return case(*((equal(set_number, number(place)), number(value)) for place, value in values))

    @property
    def _sets(self) -> list[list[int]]:
        return self.node.sets or []

    def _grouping(self, call: AggregateCall, place: int) -> int:
        sets = self._sets
        if call.function == "GROUP_ID":
            return sum(set(other) == set(sets[place]) for other in sets[:place])
        bits = ["0" if key in sets[place] else "1" for key in call.args]
        return int("".join(bits) or "0", 2)


def by_keys(node: Aggregate, rows: Translated) -> GroupedRows:
    """Returns the rows unchanged; with GROUPING SETS each row once for every set that has keys, with NULL in the keys
    that are not in it."""
    sets = node.sets
    if sets is None:
        return GroupedRows(node, rows, tuple(rows.columns[key] for key in node.keys))
    set_number = internal(node, "set")
    places = [number(place) for place, keys in enumerate(sets) if keys]
    numbers = spark_column(fn("explode", cast(fn("array", *places), ARRAY_OF_INT)))
    each = rows.df.select(*(keep(c) for c in rows.df.columns), numbers.alias(set_number))
    keys, made = [], []
    for i, key in enumerate(node.keys):
        within = [equal(column(set_number), number(place)) for place, one in enumerate(sets) if key in one]
        value: exp.Expression = column(rows.columns[key])
        if len(within) < len(places):
            value = case((any_of(*within), value))
        keys.append(internal(node, f"key{i}"))
        made.append(plain(spark_column(value), keys[-1]))
    df = each.select(*(keep(c) for c in each.columns), *made)
    return GroupedRows(node, replace(rows, df=df), tuple(keys), set_number)


def global_groups(node: Aggregate, rows: Translated) -> list[GroupedRows]:
    """Returns the sets without keys: all rows are one group, even if there are none."""
    return [GroupedRows(node, rows, (), place=place) for place, keys in enumerate(node.sets or ()) if not keys]
