"""The format of records in topics and sockets: JSON, CSV, Avro, or raw, the value of one column."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from rowtime.errors import RowtimeError
from rowtime.foreign.avro import AvroSchema
from rowtime.foreign.options import Options
from rowtime.foreign.records import RecordField, portable
from rowtime.plan.types import SqlType, quote_name, quote_text
from rowtime.streams.log import ROWTIME
from rowtime.types.columns import Column

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

RECORD_TIME = "timestamp"
"""The value of the option `rowtime` if ROWTIME is the record's own time: Kafka's, or that of its arrival."""
DEBEZIUM = "debezium-json"
ROW = "row-json"
"""JSON whose whole object is the column PAYLOAD of a changelog. A record without a value has none of its fields."""
_PLAIN_DELIMITERS = ",;|\t"


@dataclass(frozen=True, slots=True)
class RecordFormat:
    """A format with its settings; `avro` is set if it is Avro, and `case` if fields of JSON are written in another case
    than the names of their columns."""

    name: str
    delimiter: str = ","
    case: str | None = None
    avro: AvroSchema | None = None

    @classmethod
    def of(
        cls, spark: SparkSession, options: Options, name: str, fields: Sequence[RecordField], *, writes: bool = False
    ) -> RecordFormat:
        """Returns the format `name` with the options' settings, for records that contain `fields`. Raises RowtimeError
        RT0515, RT0521, RT0522 and RT0529."""
        if name == "raw":
            raw_column(options, fields)
        if name == "csv":
            delimiter = options.text("delimiter", ",").replace("\\t", "\t")
            if len(delimiter) != 1:
                raise options.fault(f"has delimiter '{delimiter}', which is not one character", "RT0522")
            return cls(name, delimiter)
        if name == "avro":
            return cls(name, avro=AvroSchema.of(spark, options, fields, writes=writes))
        return cls(name, case=field_case(options))

    @property
    def is_binary(self) -> bool:
        return self.name == "avro"

    def layout(self) -> dict[str, str]:
        """Returns the format as the parameter of `typed_records`."""
        fields = {"format": self.name, "lines": "false", "delimiter": self.delimiter}
        return fields if self.avro is None else {**fields, **self.avro.layout()}

    def value(self, fields: Sequence[RecordField]) -> str:
        """Returns Spark SQL for the record that contains `fields`: a BINARY; for Avro a struct of them."""
        if self.name == "raw":
            return f"CAST({quote_name(fields[0].column.name)} AS BINARY)"
        if self.name == "csv":
            parts = ", ".join(_csv(field.column, self.delimiter) for field in fields)
            return f"CAST(concat_ws({quote_text(self.delimiter)}, {parts}) AS BINARY)"
        if self.name == "avro":
            return f"named_struct({', '.join(f'{quote_text(f.name)}, {_plain(f.column)}' for f in fields)})"
        names = [in_case(f.name, self.case) if f.name == f.column.name else f.name for f in fields]
        values = [portable(f.column.name, f.column.type, nested=True) for f in fields]
        parts = ", ".join(f"{quote_text(name)}, {value}" for name, value in zip(names, values, strict=True))
        return f"CAST(to_json(named_struct({parts}), map('ignoreNullFields', 'false')) AS BINARY)"


def field_case(options: Options) -> str | None:
    """Returns the case in which names of fields are written, `lower` or `upper`; None: as those of their columns."""
    return None if options.optional("field_case") is None else options.choice("field_case")


def in_case(name: str, case: str | None) -> str:
    """Returns the name of a field for a column of that name."""
    return name if case is None else name.lower() if case == "lower" else name.upper()


def raw_column(options: Options, fields: Sequence[RecordField]) -> Column:
    """Returns the one column that a raw record fills. Raises RowtimeError RT0529 if there is no such column. The
    planner has refused that already, unless an environment variable or a file contains an option."""
    found = [field.column for field in fields]
    if len(found) == 1 and (found[0].type.is_character or found[0].type.is_binary):
        return found[0]
    shown = ", ".join(f"{column.name} {column.text}" for column in found) or "none"
    raise options.fault(f"has format 'raw', which needs one column of type VARCHAR or VARBINARY, not {shown}", "RT0529")


def rowtime_field(options: Options, format: str) -> str | None:
    """Returns the field that fills ROWTIME; None if that is the record's own time, as it always is for raw records."""
    named = options.text("rowtime", default_rowtime(format))
    if named == RECORD_TIME:
        return None
    if format == "raw":
        raise options.fault(f"has format 'raw', so it has no field '{named}' to fill ROWTIME", "RT0522")
    return named


def default_rowtime(format: str | None) -> str:
    """Returns what fills ROWTIME if the option `rowtime` is not given."""
    return {"raw": RECORD_TIME, ROW: RECORD_TIME, DEBEZIUM: "ts_ms"}.get(format or "", ROWTIME)


def column_of(options: Options, option: str, columns: Sequence[Column]) -> Column | None:
    """Returns the column that an option names; None if the option is not set. Raises RowtimeError RT0522."""
    name = options.optional(option)
    if name is None:
        return None
    for wanted in (name, name.upper()):
        for column in columns:
            if column.name == wanted:
                return column
    raise no_column(options, option, name)


def no_column(options: Options, option: str, name: str) -> RowtimeError:
    return options.fault(f"has {option} '{name}', which is not one of its columns", "RT0522")


def _csv(column: Column, delimiter: str) -> str:
    """Returns a field of CSV: nothing for NULL; text in quotes, because it may contain anything."""
    text = f"CAST({portable(column.name, column.type, nested=False)} AS STRING)"
    if _is_plain(column.type) and delimiter in _PLAIN_DELIMITERS:
        return f"coalesce({text}, '')"
    return f"coalesce(concat('\"', replace({text}, '\"', '\"\"'), '\"'), '')"


def _is_plain(sql: SqlType) -> bool:
    return sql.is_numeric or sql.is_datetime or sql.is_binary or sql.name == "BOOLEAN"


def _plain(column: Column) -> str:
    """Returns the column in a type that Avro supports."""
    name = quote_name(column.name)
    return f"CAST({name} AS STRING)" if column.type.is_interval else name
