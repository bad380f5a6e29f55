"""The result of a relational query, computed on first use."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any

from rowtime.display.values import Row
from rowtime.errors import RowtimeError, error
from rowtime.plan.nodes import Node
from rowtime.plan.parts import Field

if TYPE_CHECKING:
    import pandas as pd
    import pyarrow as pa
    from pyspark.sql import DataFrame

    from rowtime.runtime.runtime import Runtime


class Relation:
    """The result of a relational query. `fields` are the columns."""

    def __init__(self, runtime: Runtime, plan: Node, fields: Sequence[Field]) -> None:
        self.fields = list(fields)
        self._runtime: Runtime | None = runtime
        self._plan: Node | None = plan
        self._rows: list[Row] | None = None
        self._table: pa.Table | None = None

    @classmethod
    def of_rows(cls, fields: Sequence[Field], rows: list[Row]) -> Relation:
        """Returns a relation with given rows, such as the result of SHOW."""
        made = cls.__new__(cls)
        made.fields, made._runtime, made._plan, made._rows = list(fields), None, None, rows
        made._table = None
        return made

    def tuples(self) -> list[Row]:
        """Returns the rows as tuples; the first call computes them. Timestamps are datetimes in UTC without a time
        zone."""
        if self._rows is None:
            assert self._runtime is not None and self._plan is not None
            self._rows = self._runtime.collect(self._plan, self.fields)
        return self._rows

    def head(self, most: int) -> tuple[list[Row], bool]:
        """Returns at `most` that many rows, and whether there are more. Further rows are not computed."""
        if self._rows is not None:
            return self._rows[:most], len(self._rows) > most
        assert self._runtime is not None and self._plan is not None
        rows = self._runtime.collect(self._plan, self.fields, most + 1)
        if len(rows) <= most:
            self._rows = rows
        return rows[:most], len(rows) > most

    def spool(self, most: int) -> Iterator[Row]:
        """Returns the rows one after another, without keeping them. They are computed immediately. Unless the query
        limits them to `most`, they are on disk until they are read, or until the iterator is closed, if it has a
        `close`. Raises RowtimeError RT0639 if they are too many for the disk."""
        if self._rows is not None or _is_limited(self._plan, most):
            return iter(self.tuples())
        assert self._runtime is not None and self._plan is not None
        return self._runtime.spool(self._plan, self.fields)

    def rows(self) -> list[Any]:
        """Returns the rows as PySpark `Row`s with the query's column names."""
        from pyspark.sql import Row as SparkRow

        make = SparkRow(*[field.name for field in self.fields])
        return [make(*row) for row in self.tuples()]

    def to_df(self) -> DataFrame:
        """Returns the rows as a Spark DataFrame."""
        if self._runtime is None or self._plan is None:
            raise error("RT0414", "Only a query can be converted to a DataFrame")
        from rowtime.streams.start import Start

        return self._runtime.frame(self._plan, self.fields, Start())

    def to_arrow(self) -> pa.Table:
        """Returns the rows as an Arrow table. Timestamps are in UTC without a time zone; intervals of days are
        durations, and intervals of months are a number of months."""
        from rowtime.runtime.query.arrow import arrow_table

        if self._table is None:
            self._table = arrow_table(self.fields, self._rows if self._rows is not None else self.spool(0))
        return self._table

    def to_pandas(self) -> pd.DataFrame:
        """Returns the rows as a pandas DataFrame. Raises RowtimeError RT0616 if pandas is not installed."""
        from rowtime.runtime.query.arrow import pandas_frame

        return pandas_frame(self.to_arrow())

    def __iter__(self) -> Any:
        return iter(self.rows())

    def _repr_html_(self) -> str:
        from rowtime.display.tables import SHOWN, problems, table

        try:
            rows, more = self.head(SHOWN)
        except RowtimeError as fault:
            return problems(fault.diagnostics)
        return table(self.fields, rows, f"the first {len(rows):,} rows" if more else "")

    def _repr_pretty_(self, printer: Any, cycle: bool) -> None:
        from rowtime.display.tables import SHOWN, plain

        try:
            rows, more = self.head(SHOWN)
        except RowtimeError as fault:
            printer.text(str(fault))
        else:
            printer.text(plain(self.fields, rows, f"the first {len(rows):,} rows" if more else ""))


def _is_limited(plan: Node | None, most: int) -> bool:
    """Returns whether the query itself limits its rows to this number (LIMIT, FETCH)."""
    return plan is not None and plan.max_rows is not None and plan.max_rows <= most
