"""Maps columns to the fields of a source that has names and types of its own, such as a foreign stream or table."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from rowtime.errors import RowtimeError
from rowtime.foreign.options import Options
from rowtime.plan.types import SqlType, quote_name, quote_text
from rowtime.streams.log import ROWTIME
from rowtime.types.columns import Column

if TYPE_CHECKING:
    from pyspark.sql import DataFrame
    from pyspark.sql.types import DataType

NOT_FITTING = "RT0542"


def fields_of(options: Options, columns: Sequence[Column], there: Sequence[str], rowtime: str) -> Mapping[str, str]:
    """Returns the field that fills each column, by the column's name: the field of the same name, ignoring case, or for
    ROWTIME the one named `rowtime`. `there` contains the fields of the source. Raises RowtimeError RT0542 if one is
    missing."""
    folded: dict[str, list[str]] = {}
    for name in there:
        folded.setdefault(name.upper(), []).append(name)
    found = {}
    for column in columns:
        wanted = rowtime if column.name == ROWTIME else column.name
        candidates = folded.get(wanted.upper(), [])
        if not candidates:
            raise options.fault(f"has no field for column {wanted}", NOT_FITTING, f"The fields are {', '.join(there)}")
        if len(candidates) > 1 and wanted not in candidates:
            raise options.fault(f"has several fields for column {wanted}: {', '.join(candidates)}", NOT_FITTING)
        found[column.name] = wanted if wanted in candidates else candidates[0]
    return found


def typed_fields(options: Options, rows: DataFrame, columns: Sequence[Column], rowtime: str) -> DataFrame:
    """Returns the fields of `rows` that fill `columns`, in their types, under their stored names. A value that does not
    fit is an error of the query. Raises RowtimeError RT0542 for a field that is missing or of a type that cannot
    fit."""
    from pyspark.errors import AnalysisException

    source = fields_of(options, columns, rows.columns, rowtime)
    there = {field.name: field.dataType for field in rows.schema.fields} if any(map(_has_rows, columns)) else {}
    casts = []
    for column in columns:
        field = source[column.name]
        try:
            value = _by_name(quote_name(field), there[field], column.type) if field in there else quote_name(field)
        except KeyError:
            raise misfit_error(options, column, there[field].simpleString()) from None
        casts.append(f"CAST({value} AS {column.type.spark()}) AS `{column.stored}`")
    try:
        return rows.selectExpr(*casts)
    except AnalysisException:
        types = dict(rows.dtypes)
        for column, cast in zip(columns, casts, strict=True):
            try:
                rows.selectExpr(cast)
            except AnalysisException:
                raise misfit_error(options, column, types[source[column.name]]) from None
        raise


def misfit_error(options: Options, column: Column, type: str) -> RowtimeError:
    """Returns the error for a column whose field has another type, as the source names it."""
    return options.fault(
        f"has column {column.name} {column.text}, whose field is {type}",
        NOT_FITTING,
        "Declare the column in a type to which the field can be cast",
    )


def _has_rows(column: Column) -> bool:
    return "ROW(" in column.text


def _by_name(value: str, there: DataType, sql: SqlType, depth: int = 0) -> str:
    """Returns Spark SQL for a value whose rows have their fields in the order of the type; Spark's CAST goes by their
    places. The case of names does not matter. Raises KeyError if a row lacks a field."""
    from pyspark.sql.types import ArrayType, MapType, StructType

    if sql.name == "ROW" and isinstance(there, StructType):
        folded = {field.name.upper(): field for field in reversed(there.fields)}
        exact = {field.name: field for field in there.fields}
        fields = [exact.get(name) or folded[name.upper()] for name in sql.names]
        old = [f"{value}.{quote_name(field.name)}" for field in fields]
        new = [
            _by_name(source, field.dataType, part, depth)
            for source, field, part in zip(old, fields, sql.arguments, strict=True)
        ]
        if old == new and fields == there.fields:
            return value
        named = ", ".join(f"{quote_text(name)}, {part}" for name, part in zip(sql.names, new, strict=True))
        return f"if({value} IS NULL, NULL, named_struct({named}))"
    # A lambda hides variables of the same name around it.
    part = f"part_{depth}"
    if sql.name in ("ARRAY", "MULTISET") and isinstance(there, ArrayType):
        element = _by_name(part, there.elementType, sql.arguments[0], depth + 1)
        return value if element == part else f"transform({value}, {part} -> {element})"
    if sql.name == "MAP" and isinstance(there, MapType):
        for function, of, given, which in (
            ("transform_keys", there.keyType, sql.arguments[0], f"{part}k"),
            ("transform_values", there.valueType, sql.arguments[1], f"{part}v"),
        ):
            made = _by_name(which, of, given, depth + 1)
            value = value if made == which else f"{function}({value}, ({part}k, {part}v) -> {made})"
    return value
