"""Records of text as typed rows: what files and topics have in common."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from rowtime.jvm.py4j import java_class, java_list
from rowtime.plan.types import SqlType, quoted
from rowtime.streams.columns import Column

if TYPE_CHECKING:
    from pyspark.sql import DataFrame, SparkSession

RECORDS_CLASS = "io.rowtime.records.Records"
_AS_TEXT = frozenset(("ARRAY", "MULTISET", "MAP", "ROW"))


def typed_records(
    spark: SparkSession,
    lines: DataFrame,
    columns: Sequence[Column],
    sources: Sequence[str],
    bad_rows: Path,
    *,
    format: str = "json",
    header: bool = False,
    delimiter: str = ",",
    given: int | None = None,
) -> DataFrame:
    """The rows that `lines` hold, one each, under the stored names of `columns`.

    `lines` has the columns: the line (STRING), its file (STRING), where its piece of the file begins (BIGINT), and, for
    the column `given`, which does not come from the line, a TIMESTAMP. `sources` name the fields that fill the columns.
    What is no row is set aside in `bad_rows`.
    """
    from pyspark.sql import DataFrame

    schema = ", ".join(f"`{c.stored}` {'STRING' if _is_text(c.type) else c.type.spark()}" for c in columns)
    read = java_class(spark, RECORDS_CLASS).read(
        lines._jdf,
        java_list(spark, [c.name for c in columns]),
        java_list(spark, list(sources)),
        java_list(spark, [c.text for c in columns]),
        java_list(spark, [_length(c.type) for c in columns]),
        java_list(spark, [c.nullable for c in columns]),
        schema,
        format,
        header,
        delimiter,
        -1 if given is None else given,
        bad_rows.absolute().as_uri(),
    )
    return DataFrame(read, spark).selectExpr(*[_typed(column) for column in columns])


def portable(name: str, sql: SqlType, *, nested: bool) -> str:
    """Spark SQL for a column as its text in a record, which `typed_records` reads back; `nested`: whether arrays, maps
    and rows stay what they are, rather than to become JSON text."""
    column = quoted(name)
    if sql.name == "TIMESTAMP":
        digits = 3 if sql.precision is None else min(sql.precision, 6)
        fraction = "." + "S" * digits if digits else ""
        return f"date_format({column}, \"yyyy-MM-dd'T'HH:mm:ss{fraction}\")"
    if sql.is_binary:
        return f"hex({column})"
    if sql.name == "TIME" or sql.is_interval:
        return f"CAST({column} AS STRING)"
    return f"to_json({column})" if sql.name in _AS_TEXT and not nested else column


def _typed(column: Column) -> str:
    """The column in its SQL type; what the reader leaves as text (nested values, intervals) is NULL where it is not."""
    name, sql = f"`{column.stored}`", column.type
    if not _is_text(sql):
        return name
    if sql.name in _AS_TEXT:
        return f"from_json({name}, '{sql.spark()}') AS {name}"
    return f"try_cast({name} AS {sql.spark()}) AS {name}"


def _is_text(sql: SqlType) -> bool:
    return sql.name in _AS_TEXT or sql.is_interval


def _length(sql: SqlType) -> int:
    return sql.precision if sql.precision is not None and sql.name in ("CHAR", "VARCHAR", "TIMESTAMP") else -1
