"""Records as typed rows: what files, topics and sockets have in common."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from rowtime.jvm.py4j import java_class, java_list, java_map
from rowtime.plan.types import SqlType, quoted
from rowtime.streams.columns import Column

if TYPE_CHECKING:
    from pyspark.sql import DataFrame, SparkSession

RECORDS_CLASS = "io.rowtime.records.Records"
_AS_TEXT = frozenset(("ARRAY", "MULTISET", "MAP", "ROW"))


@dataclass(frozen=True, slots=True)
class Field:
    """A column that comes from the record, and the name of its field there; `optional`: a schema need not have it."""

    name: str
    column: Column
    optional: bool = False


def typed_records(
    spark: SparkSession,
    records: DataFrame,
    columns: Sequence[Column],
    sources: Sequence[str | None],
    bad_rows: Path,
    layout: Mapping[str, str],
    *,
    given: Sequence[int] | None = None,
) -> DataFrame:
    """The rows that `records` hold, one each, under the stored names of `columns`.

    `records` has the columns: the record (STRING; of Avro BINARY), its file or what else it is from (STRING), where its
    piece of the file begins, or its place there (BIGINT), NULL or why it cannot be read (STRING); then those that fill
    columns. `sources` name the fields
    that fill the columns, None if none does; `given` says which column of `records` fills each where it is not NULL,
    -1 for none: in its own type, or as text that is read as a field is. `layout` says how records are written (see
    io.rowtime.records.RecordFormat). What is no row is set aside in `bad_rows`.
    """
    from pyspark.sql import DataFrame

    filled = [-1] * len(columns) if given is None else list(given)
    read = java_class(spark, RECORDS_CLASS).read(
        records._jdf,
        java_list(spark, [c.name for c in columns]),
        java_list(spark, list(sources)),
        java_list(spark, filled),
        java_list(spark, [c.text for c in columns]),
        java_list(spark, [_length(c.type) for c in columns]),
        java_list(spark, [c.nullable for c in columns]),
        ", ".join(f"`{c.stored}` {c.type.spark()}" for c in columns),
        java_map(spark, layout),
        bad_rows.absolute().as_uri(),
    )
    return DataFrame(read, spark)


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


def _length(sql: SqlType) -> int:
    return sql.precision if sql.precision is not None and sql.name in ("CHAR", "VARCHAR", "TIMESTAMP") else -1
