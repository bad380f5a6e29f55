"""Applies rows of a source to rows of a table with the same key, one by one, as Spark SQL: a fold over the rows of each
key. Each row sees the row of the table as the rows before it have left it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from sqlglot import exp

from rowtime.plan.rex import Rex
from rowtime.plan.types import quote_name
from rowtime.planner import MergeClause
from rowtime.runtime.target.rows_by_key import rows_by_key
from rowtime.types.columns import Column, stored_expression, value_expression

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

IS_ROW, BEFORE, FAULT = "$is_row", "$before", "$fault"
"""Columns of a result: whether there is a row of the key now; its place in the rows before, NULL if there was none; and
the name of a column NOT NULL that has been NULL, which is NULL if there is none."""

_OLD, _NEW = "old", "new"
"""The variables of the fold: the row of the table so far, and the row of the source."""


class Merging:
    """The clauses of a statement, for a table with the `columns`, of which `key` is the primary key, and a source with
    the columns `source`."""

    def __init__(
        self,
        columns: Sequence[Column],
        source: Sequence[Column],
        key: Sequence[Column],
        clauses: Sequence[MergeClause],
    ) -> None:
        self._columns = columns
        self._source = source
        self._key = key
        self._is_key = {column.name for column in key}
        self._fold = self._folded(clauses)

    def apply(self, spark: SparkSession, rows: pa.Table, before: pa.Table) -> pa.Table:
        """Returns the rows of the table that the rows of the source change: stored values with the columns above, in
        any order. `rows` are stored values of the source, in order, followed by its keys (`k0` …); `before` are all
        rows of the table that have one of these keys. `spark` has the settings of a relational query."""
        keys, own_keys = [f"k{i}" for i in range(len(self._key))], [c.stored for c in self._key]
        groups = rows_by_key(rows, keys, before, own_keys)
        # One row for each key, with all that is known of it: Spark need not move any.
        columns = [_listed(groups.column("places"), rows.select([c.stored for c in self._source])), groups["place"]]
        columns += [_taken(before.column(c.stored), groups.column("place")) for c in self._columns]
        names = ["entries", "place", *[f"t{i}" for i in range(len(self._columns))]]
        frame = spark.createDataFrame(pa.Table.from_arrays(columns, names=names))
        began = frame.selectExpr("place", f"{self._start()} AS first", f"transform(entries, e -> {self._entry()}) AS e")
        last = f"aggregate(e, first, ({_OLD}, {_NEW}) -> {self._fold}) AS last"
        changed = began.selectExpr("place", "first", last).filter(self._is_changed())
        result = changed.selectExpr(
            *[
                f"{stored_expression(f'last.c{i}', c.type)} AS {quote_name(c.stored)}"
                for i, c in enumerate(self._columns)
            ],
            f"last.present AS `{IS_ROW}`",
            f"place AS `{BEFORE}`",
            f"last.fault AS `{FAULT}`",
        )
        return result.toArrow()

    def _start(self) -> str:
        columns = [f"'c{i}', {_value(f't{i}', each)}" for i, each in enumerate(self._columns)]
        return f"named_struct('present', place IS NOT NULL, 'fault', CAST(NULL AS STRING), {', '.join(columns)})"

    def _entry(self) -> str:
        columns = [f"'{each.stored}', {_value(f'e.{each.stored}', each)}" for each in self._source]
        return f"named_struct({', '.join(columns)})"

    def _is_changed(self) -> str:
        """Returns whether a row has come, gone or changed."""
        same = []
        for i, column in enumerate(self._columns):
            # Spark cannot compare maps.
            comparable = "MAP" not in column.text and "VARIANT" not in column.text
            same.append(f"last.c{i} <=> first.c{i}" if comparable else "FALSE")
        alike = f"(NOT last.present OR ({' AND '.join(same)}))"
        return f"last.fault IS NOT NULL OR NOT (last.present = first.present AND {alike})"

    def _folded(self, clauses: Sequence[MergeClause]) -> str:
        matched = self._cases([each for each in clauses if each.action != "insert"])
        unmatched = self._cases([each for each in clauses if each.action == "insert"])
        return f"CASE WHEN {_OLD}.present THEN {matched} ELSE {unmatched} END"

    def _cases(self, clauses: Sequence[MergeClause]) -> str:
        cases = [f"WHEN {self._sql(each.condition)} THEN {self._row(each)}" for each in clauses]
        return f"CASE {' '.join(cases)} ELSE {_OLD} END" if cases else _OLD

    def _row(self, clause: MergeClause) -> str:
        from rowtime.sparksql.expressions import cast
        from rowtime.sparksql.expressions import sql as text

        if clause.action == "delete":
            columns = [f"'c{i}', {_OLD}.c{i}" for i in range(len(self._columns))]
            return f"named_struct('present', FALSE, 'fault', {_OLD}.fault, {', '.join(columns)})"
        faults, columns = [], []
        for i, (column, rex) in enumerate(zip(self._columns, clause.values, strict=True)):
            value = text(cast(self._expression(rex), column.type))
            columns.append(f"'c{i}', {value}")
            if not column.nullable or column.name in self._is_key:
                faults.append(f"WHEN {value} IS NULL THEN '{column.name.replace(chr(39), chr(39) * 2)}'")
        fault = f"coalesce({_OLD}.fault, CASE {' '.join(faults)} END)" if faults else f"{_OLD}.fault"
        return f"named_struct('present', TRUE, 'fault', {fault}, {', '.join(columns)})"

    def _sql(self, rex: Rex) -> str:
        from rowtime.sparksql.expressions import sql

        return sql(self._expression(rex))

    def _expression(self, rex: Rex) -> exp.Expression:
        from rowtime.translate.rex import Scope, to_expression

        table = [f"$c{i}" for i in range(len(self._columns))]
        source = [f"$s{i}" for i in range(len(self._source))]
        tree = to_expression(rex, Scope([*table, *source]))

        def qualified(node: exp.Expression) -> exp.Expression:
            if isinstance(node, exp.Column) and node.name.startswith("$"):
                return exp.column(node.name[1:], table=_OLD if node.name[1] == "c" else _NEW)
            return node

        return tree.transform(qualified)


def _value(stored: str, column: Column) -> str:
    """Returns the value of a column. Those of TIME and of intervals have its precision, as if a clause made them."""
    return f"CAST({value_expression(stored, column.type)} AS {column.type.spark()})"


def _listed(places: pa.ChunkedArray, rows: pa.Table) -> pa.Array:
    """Returns lists of rows."""
    lists = places.combine_chunks()
    lengths = pc.list_value_length(lists).to_numpy(zero_copy_only=False)
    offsets = np.concatenate(([0], np.cumsum(lengths))).astype(np.int32)
    taken = rows.take(lists.flatten())
    values = [column.combine_chunks() for column in taken.columns]
    return pa.ListArray.from_arrays(offsets, pa.StructArray.from_arrays(values, names=rows.column_names))


def _taken(values: pa.ChunkedArray, places: pa.ChunkedArray) -> pa.ChunkedArray | pa.Array:
    return values.take(places) if len(values) else pa.nulls(len(places), values.type)
