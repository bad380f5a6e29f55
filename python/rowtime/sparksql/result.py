"""The result of translating a plan node: a DataFrame, and the meaning of its columns."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from rowtime.jvm.steps import Selected, applied, select
from rowtime.plan.types import quote_name
from rowtime.sparksql.expressions import column, spark_column

if TYPE_CHECKING:
    from pyspark.sql import Column, DataFrame


@dataclass(frozen=True)
class OrderKey:
    """One key of an order of rows; `column` is an internal name."""

    column: str
    ascending: bool = True
    nulls_first: bool = True

    def to_spark(self) -> Column:
        value = spark_column(column(self.column))
        if self.ascending:
            return value.asc_nulls_first() if self.nulls_first else value.asc_nulls_last()
        return value.desc_nulls_first() if self.nulls_first else value.desc_nulls_last()


@dataclass(frozen=True)
class Translated:
    """A translated node.

    `df` has unique internal column names; `columns` are those of the node's fields, in order. `rowtime` names the
    column that carries ROWTIME, which need not be in `columns`; `seq` the one that numbers rows in order of their
    arrival (BIGINT), or None if there is no such order; `change` the one that says how often a row is added (above 0)
    or retracted (below 0; BIGINT), or None if rows are only added; `place` the one with their positions in a foreign
    stream (STRING), or None if these are not known. `order` are the keys of a time sort. `in_order` is
    False if rows are in order of arrival and ROWTIME may go back, as the plan says.
    """

    df: DataFrame
    columns: tuple[str, ...]
    rowtime: str | None = None
    seq: str | None = None
    order: tuple[OrderKey, ...] = ()
    in_order: bool = True
    change: str | None = None
    place: str | None = None

    @property
    def position(self) -> str | None:
        """The column with the position of a row in its stream, if there is one."""
        return self.place if self.seq is None else self.seq

    def without_place(self) -> Translated:
        """Returns it without the positions of its rows."""
        return self if self.place is None else replace(self, df=self.df.drop(self.place), place=None)

    def arrival(self) -> list[OrderKey]:
        """Returns the keys by which ordered sinks sort the rows of a batch: those of a time sort, or else ROWTIME; then
        arrival.

        The list is empty if the rows have no order.
        """
        keys = list(self.order)
        if not keys and self.rowtime is not None and (self.in_order or self.seq is None):
            keys.append(OrderKey(self.rowtime))
        if self.seq is not None:
            keys.append(OrderKey(self.seq))
        return keys

    def visible(self, names: Sequence[str]) -> DataFrame:
        """Returns only the fields, under `names`."""
        columns = (Selected(quote_name(c), n) for c, n in zip(self.columns, names, strict=True))
        return applied(self.df, select(*columns))
