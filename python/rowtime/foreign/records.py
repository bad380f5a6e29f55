"""Converts records to typed rows, for files, topics and sockets."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import msgspec

from rowtime.jvm.py4j import java_class, java_list, java_map
from rowtime.plan.types import SqlType, quote_name
from rowtime.types.columns import Column

if TYPE_CHECKING:
    from pyspark.sql import DataFrame, SparkSession

RECORDS_CLASS = "io.rowtime.records.Records"
_AS_TEXT = frozenset(("ARRAY", "MULTISET", "MAP", "ROW"))


@dataclass(frozen=True, slots=True)
class RecordField:
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
    """Returns one row for each of the `records`, under the stored names of `columns`.

    `records` has the columns: the record (STRING; for Avro BINARY), its file or other origin (STRING), the offset of
    its part of the file, or its own position there (BIGINT), NULL or the reason why it cannot be read (STRING); then
    those that fill columns. `sources` names the field that fills each column, None if none does; `given` is the index
    of the column of `records` that fills it if that is not NULL, -1 for none: in its own type, or as text that is
    parsed like a field. `layout` is the format of records (see io.rowtime.records.RecordFormat). Invalid records are
    set aside in `bad_rows`.
    """
    from pyspark.sql import DataFrame

    filled = [-1] * len(columns) if given is None else list(given)
    read = java_class(spark, RECORDS_CLASS).read(
        records._jdf,
        java_list(spark, [c.name for c in columns]),
        java_list(spark, list(sources)),
        java_list(spark, filled),
        java_list(spark, [c.text for c in columns]),
        java_list(spark, [msgspec.json.encode(value_form(c.type)).decode() for c in columns]),
        java_list(spark, [c.nullable for c in columns]),
        ", ".join(f"`{c.stored}` {c.type.spark()}" for c in columns),
        java_map(spark, layout),
        bad_rows.absolute().as_uri(),
    )
    return DataFrame(read, spark)


def portable(name: str, sql: SqlType, *, nested: bool) -> str:
    """Returns Spark SQL for a column as its text in a record, which `typed_records` parses again; `nested`: arrays,
    maps and rows stay unchanged instead of becoming JSON text."""
    column = quote_name(name)
    if sql.name == "TIMESTAMP":
        digits = 3 if sql.precision is None else min(sql.precision, 6)
        fraction = "." + "S" * digits if digits else ""
        return f"date_format({column}, \"yyyy-MM-dd'T'HH:mm:ss{fraction}\")"
    if sql.is_binary:
        return f"hex({column})"
    if sql.name == "TIME" or sql.is_interval:
        return f"CAST({column} AS STRING)"
    return f"to_json({column})" if sql.name in _AS_TEXT and not nested else column


def value_form(sql: SqlType) -> list[Any]:
    """Returns what a type says of its values, as io.rowtime.records.ValueForm reads it."""
    return [sql.name, -1 if sql.precision is None else sql.precision, [value_form(part) for part in sql.arguments]]
