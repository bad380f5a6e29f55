"""Streaming DataFrames of the user's as streams: what the catalog says about them, and their rows."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from rowtime.errors import error
from rowtime.streams.log import ROWTIME

if TYPE_CHECKING:
    from pyspark.sql import DataFrame
    from pyspark.sql.types import DataType

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
    """The catalog object of a streaming DataFrame. Column names become SQL names as they would be written without
    quotes. Raises RowtimeError RT0416."""
    if not df.isStreaming:
        raise error("RT0416", f"The DataFrame for '{name}' is not a streaming one")
    columns = []
    for field in df.schema.fields:
        leading = rowtime is not None and field.name.upper() == rowtime.upper()
        made = _column(ROWTIME if leading else field.name.upper(), field.dataType, field.nullable and not leading)
        if leading and not made["type"].startswith("TIMESTAMP"):
            raise error("RT0416", f"Column '{field.name}' is {field.dataType.simpleString()}; ROWTIME is a TIMESTAMP")
        columns.insert(0, made) if leading else columns.append(made)
    if not any(column["name"] == ROWTIME for column in columns):
        raise error(
            "RT0416",
            f"The DataFrame for '{name}' has no column for ROWTIME"
            + (f": there is no '{rowtime}'" if rowtime is not None else ""),
            hint="Name its TIMESTAMP column: register_stream(name, df, rowtime='…')",
        )
    listed = ", ".join(
        '"' + c["name"].replace('"', '""') + '" ' + c["type"] + ("" if c["nullable"] else " NOT NULL") for c in columns
    )
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
