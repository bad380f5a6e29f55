"""Connector 'dataframe': streaming DataFrames of the user as streams; their definitions for the catalog, and their
rows."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from rowtime.errors import error
from rowtime.foreign.connectors import ForeignRead, ForeignRows
from rowtime.jvm.py4j import java_class
from rowtime.lexical.identifiers import quoted
from rowtime.plan.types import quote_name
from rowtime.streams.log import ROWTIME

if TYPE_CHECKING:
    from pyspark.sql import Column as SparkColumn
    from pyspark.sql import DataFrame
    from pyspark.sql.types import DataType

WATERMARKS_CLASS = "io.rowtime.lateness.Watermarks"
_DELAY = "spark.watermarkDelayMs"

_SIMPLE = {
    "boolean": "BOOLEAN",
    "tinyint": "TINYINT",
    "smallint": "SMALLINT",
    "int": "INTEGER",
    "bigint": "BIGINT",
    "float": "REAL",
    "double": "DOUBLE",
    "string": "VARCHAR",
    "binary": "VARBINARY",
    "date": "DATE",
    "timestamp": "TIMESTAMP(3)",
    "timestamp_ntz": "TIMESTAMP(3)",
}


def definition(name: str, df: DataFrame, rowtime: str | None) -> dict[str, Any]:
    """Returns the catalog object of a streaming DataFrame. Column names become SQL names without quotes. Raises
    RowtimeError RT0416."""
    if not df.isStreaming:
        raise error("RT0416", f"The DataFrame for '{name}' is not a streaming DataFrame")
    columns: list[dict[str, Any]] = []
    for field in df.schema.fields:
        leading = rowtime is not None and field.name.upper() == rowtime.upper()
        made = _column(ROWTIME if leading else field.name.upper(), field.dataType, field.nullable and not leading)
        if leading and not made["type"].startswith("TIMESTAMP"):
            raise error(
                "RT0416", f"Column '{field.name}' is {field.dataType.simpleString()}, but ROWTIME must be a TIMESTAMP"
            )
        columns.insert(0, made) if leading else columns.append(made)
    if not any(column["name"] == ROWTIME for column in columns):
        raise error(
            "RT0416",
            f"The DataFrame for '{name}' has no column for ROWTIME"
            + (f": there is no '{rowtime}'" if rowtime is not None else ""),
            hint="Name its TIMESTAMP column: register_stream(name, df, rowtime='…')",
        )
    listed = ", ".join(quoted(c["name"]) + " " + c["type"] + ("" if c["nullable"] else " NOT NULL") for c in columns)
    return {
        "name": name,
        "kind": "FOREIGN STREAM",
        "columns": columns,
        "primaryKey": [],
        "options": {"connector": "dataframe", **({"rowtime": rowtime} if rowtime else {})},
        "query": None,
        "started": False,
        "uses": [],
        "sql": f"CREATE FOREIGN STREAM \"{name}\" ({listed}) OPTIONS (connector 'dataframe')",
    }


def read(of: ForeignRead) -> ForeignRows:
    """Returns the rows of a registered DataFrame under the stored names of its columns. They may be out of order by the
    delay of its own watermark, which is removed, because a query has one clock.

    Raises RowtimeError RT0525 if this session has not registered it.
    """
    name = of.options.name
    df = of.dataframes.get(name)
    if df is None:
        raise error(
            "RT0525",
            f"The DataFrame behind '{name}' is not registered in this session",
            hint="Call register_stream again, or drop the stream",
        )
    source = of.options.text("rowtime", ROWTIME).upper()
    by_name = {field.name.upper(): field for field in df.schema.fields}
    delay = int(by_name[source].metadata.get(_DELAY, 0))
    if any(_DELAY in field.metadata for field in df.schema.fields):
        spark = df.sparkSession
        df = type(df)(java_class(spark, WATERMARKS_CLASS).remove(df._jdf), spark)
    fields = [by_name[source if column.name == ROWTIME else column.name].name for column in of.columns]
    rows = df.select(*[_plain(f, c.stored) for f, c in zip(fields, of.columns, strict=True)])
    return ForeignRows(rows, delay)


def _plain(field: str, name: str) -> SparkColumn:
    from pyspark.sql import functions

    return functions.col(quote_name(field)).alias(name, metadata={})


def _column(name: str, type: DataType, nullable: bool) -> dict[str, Any]:
    return {
        "name": name,
        "type": _sql_type(type),
        "nullable": nullable,
        "lateness": None,
        "watermark": None,
        "monotonic": None,
        "default": None,
    }


def _sql_type(type: DataType) -> str:
    from pyspark.sql.types import ArrayType, DecimalType, MapType, StructType

    if isinstance(type, DecimalType):
        return f"DECIMAL({type.precision}, {type.scale})"
    if isinstance(type, ArrayType):
        return f"{_sql_type(type.elementType)} ARRAY"
    if isinstance(type, MapType):
        return f"MAP<{_sql_type(type.keyType)}, {_sql_type(type.valueType)}>"
    if isinstance(type, StructType):
        return "ROW(" + ", ".join(f"{f.name.upper()} {_sql_type(f.dataType)}" for f in type.fields) + ")"
    found = _SIMPLE.get(type.simpleString())
    if found is None:
        raise error("RT0416", f"A stream cannot have a column of Spark's type {type.simpleString()}")
    return found
