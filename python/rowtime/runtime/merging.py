"""Applies rows of a source to rows of a table with the same key, one by one, as Spark SQL: a fold over the rows of each
key. Each row sees the row of the table as the rows before it have left it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import pyarrow as pa
from sqlglot import exp

from rowtime.plan.rex import Rex
from rowtime.plan.types import quote_name
from rowtime.planner import MergeClause
from rowtime.streams.columns import Column, spark_expression, stored_expression

if TYPE_CHECKING:
    from pyspark.sql import Column as SparkColumn
    from pyspark.sql import DataFrame, SparkSession

IS_ROW, BEFORE, FAULT = "$is_row", "$before", "$fault"
"""Columns of a result: whether there is a row of the key now and before, and the name of a column NOT NULL that has
been NULL, which is NULL if there is none."""

_OLD, _NEW = "old", "new"
"""The variables of the fold: the row of the table so far, and the row of the source."""


class Merging:
    """The clauses of a statement, for a table with the `columns`, of which `key` is the primary key, and a source with
    the columns `source`."""

    def __init__(
        self,
        spark: SparkSession,
        columns: Sequence[Column],
        source: Sequence[Column],
        key: Sequence[Column],
        clauses: Sequence[MergeClause],
    ) -> None:
        self._spark = spark
        self._columns = columns
        self._source = source
        self._key = key
        self._is_key = {column.name for column in key}
        self._fold = self._folded(clauses)

    def apply(self, rows: pa.Table, before: pa.Table) -> pa.Table:
        """Returns the rows of the table that the rows of the source change: stored values with the columns above, in
        any order. `rows` are stored values of the source, in order, followed by its keys (`k0` …); `before` are all
        rows of the table that have one of these keys."""
        numbered = rows.append_column("n", pa.array(range(rows.num_rows), pa.int64()))
        source = self._frame(numbered)
        source = source.selectExpr(
            "n",
            *[f"{spark_expression(c.stored, c.type)} AS {c.stored}" for c in self._source],
            *[c.stored for c in self._keys],
            # NULL is equal to nothing: such a row meets no other.
            f"CASE WHEN {' OR '.join(f'{c.stored} IS NULL' for c in self._keys)} THEN n END AS alone",
        )
        by = [*[c.stored for c in self._keys], "alone"]
        entries = ", ".join(["n", *[c.stored for c in self._source]])
        in_order = f"array_sort(collect_list(struct({entries})), (a, b) -> CAST(sign(a.n - b.n) AS INT))"
        groups = source.groupBy(*by).agg(_expr(in_order).alias("entries"))
        joined = groups.join(self._before(before), _expr(" AND ".join(f"{c} = of_{c}" for c in by[:-1])), "left")
        began = joined.selectExpr(f"present IS NOT NULL AS `{BEFORE}`", f"{self._start()} AS first", "entries")
        last = f"aggregate(entries, first, ({_OLD}, {_NEW}) -> {self._fold}) AS last"
        changed = began.selectExpr(f"`{BEFORE}`", "first", last).filter(self._is_changed())
        result = changed.selectExpr(
            *[
                f"{stored_expression(f'last.c{i}', c.type)} AS {quote_name(c.stored)}"
                for i, c in enumerate(self._columns)
            ],
            f"last.present AS `{IS_ROW}`",
            f"`{BEFORE}`",
            f"last.fault AS `{FAULT}`",
        )
        return result.toArrow()

    def _before(self, rows: pa.Table) -> DataFrame:
        """Returns rows of the table with their values (`c0` …) and their keys as stored (`of_k0` …)."""
        values = [f"{spark_expression(c.stored, c.type)} AS c{i}" for i, c in enumerate(self._columns)]
        keys = [f"{quote_name(c.stored)} AS of_k{i}" for i, c in enumerate(self._key)]
        frame = self._frame(rows.select([c.stored for c in self._columns]))
        return frame.selectExpr(*values, *keys, "TRUE AS present")

    @property
    def _keys(self) -> list[Column]:
        return [Column(f"k{i}", f"k{i}", c.type, c.text, True) for i, c in enumerate(self._key)]

    def _frame(self, rows: pa.Table) -> DataFrame:
        return self._spark.createDataFrame(rows)

    def _start(self) -> str:
        columns = [f"'c{i}', c{i}" for i in range(len(self._columns))]
        return f"named_struct('present', present IS NOT NULL, 'fault', CAST(NULL AS STRING), {', '.join(columns)})"

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


def _expr(text: str) -> SparkColumn:
    from pyspark.sql import functions

    return functions.expr(text)
