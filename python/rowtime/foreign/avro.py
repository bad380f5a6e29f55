"""The Avro schema of a stream's records: from its options, or derived from its columns."""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from rowtime.errors import RowtimeError
from rowtime.foreign.options import Options
from rowtime.foreign.records import RecordField
from rowtime.foreign.registry import Registry
from rowtime.jvm.py4j import java_class, java_list, java_message
from rowtime.numerals import natural
from rowtime.plan.types import SqlType

if TYPE_CHECKING:
    from pyspark.sql import DataFrame, SparkSession

SCHEMAS_CLASS = "io.rowtime.avro.AvroSchemas"
_NAME = re.compile(r"[A-Za-z_][A-Za-z0-9_]*\Z")
_SIMPLE = {
    "BOOLEAN": "boolean",
    "TINYINT": "int",
    "SMALLINT": "int",
    "INTEGER": "int",
    "BIGINT": "long",
    "REAL": "float",
    "FLOAT": "double",
    "DOUBLE": "double",
    "CHAR": "string",
    "VARCHAR": "string",
    "BINARY": "bytes",
    "VARBINARY": "bytes",
}


@dataclass(frozen=True, slots=True)
class AvroSchema:
    """A schema as JSON, and the prefix of each record: none, or Confluent's five bytes with the schema's id. With a
    registry, records that are read may have other schemas of the registry."""

    text: str
    framing: str
    id: int | None
    registry: Registry | None = None

    @classmethod
    def of(cls, spark: SparkSession, options: Options, fields: Sequence[RecordField], *, writes: bool) -> AvroSchema:
        """Options: avro_schema, as JSON, or avro_schema_file, its path; without them, the schema is the registry's
        latest, if there is a registry, or derived from the columns; avro_framing, none or confluent; avro_schema_id;
        those of `Registry`. Raises RowtimeError RT0515 if the schema is invalid, or lacks one of `fields`, and
        RT0522."""
        registry = Registry.of(options)
        framing = options.choice("avro_framing", "none" if registry is None else "confluent")
        if registry is not None and (framing == "none" or options.optional("avro_schema_id") is not None):
            raise options.fault(
                "has an avro_registry, which requires the framing confluent and no avro_schema_id", "RT0522"
            )
        id = _id(options, needed=writes and framing == "confluent" and registry is None)
        text = _schema_text(options)
        if registry is not None and text is None:
            id, text = registry.latest(spark) or (None, None)
        text = text if text is not None else json.dumps(derive_schema(options, fields))
        java = java_class(spark, SCHEMAS_CLASS)
        try:
            known = {str(name).upper() for name in java.fields(text)}
        except Exception as fault:
            raise options.fault(f"has an Avro schema that cannot be used: {java_message(fault)}", "RT0515") from fault
        for field in fields:
            if field.name.upper() not in known and not field.optional:
                raise options.fault(
                    f"has an Avro schema without a field '{field.name}', which column {field.column.name} needs",
                    "RT0515",
                    "Its fields must have the names of the columns",
                )
        unfilled = list(java.unfilledFields(text, java_list(spark, [field.name for field in fields]))) if writes else []
        if unfilled:
            raise options.fault(
                f"has an Avro schema with a field '{unfilled[0]}' that no written column fills",
                "RT0515",
                "Make it a union with null, give it a default, or write a column of that name",
            )
        if registry is not None and writes and id is None:
            id = registry.register(spark, text)
        return cls(text, framing, id, registry)

    def layout(self) -> dict[str, str]:
        """Returns the schema in the form for `typed_records`."""
        fields = {"avro_schema": self.text, "avro_framing": self.framing}
        if self.registry is not None:
            return {**fields, **self.registry.layout()}
        return fields if self.id is None else {**fields, "avro_schema_id": str(self.id)}

    def encode(self, spark: SparkSession, rows: DataFrame) -> DataFrame:
        """Encodes the first column of the rows, a struct, as a record of the schema."""
        from pyspark.sql import DataFrame

        frame = f"00{self.id or 0:08x}" if self.framing == "confluent" else ""
        return DataFrame(java_class(spark, SCHEMAS_CLASS).encode(rows._jdf, self.text, frame), spark)


def derive_schema(options: Options, fields: Sequence[RecordField]) -> dict[str, Any]:
    """Returns the schema of a record with these fields: a nullable one is a union with null."""
    name = options.name if _NAME.match(options.name) else "Record"
    made = []
    for field in fields:
        type = _type(options, field.column.type, f"{name}_{field.name}")
        made.append(_field(options, field.name, type, nullable=field.column.nullable))
    return {"type": "record", "name": name, "fields": made}


def _field(options: Options, name: str, type: Any, *, nullable: bool) -> dict[str, Any]:
    if not _NAME.match(name):
        raise options.fault(
            f"has a column '{name}', which is not a valid Avro field name", "RT0515", "Use letters, digits and _"
        )
    return {"name": name, "type": ["null", type], "default": None} if nullable else {"name": name, "type": type}


def _type(options: Options, sql: SqlType, name: str) -> Any:
    simple = _SIMPLE.get(sql.name)
    if simple is not None:
        return simple
    if sql.name == "DECIMAL":
        digits = min(sql.precision or 38, 38)
        return {"type": "bytes", "logicalType": "decimal", "precision": digits, "scale": min(sql.scale or 0, digits)}
    if sql.name == "DATE":
        return {"type": "int", "logicalType": "date"}
    if sql.name == "TIME":
        return {"type": "long", "logicalType": "time-micros"}
    if sql.name == "TIMESTAMP":
        millis = sql.precision is None or sql.precision <= 3
        return {"type": "long", "logicalType": "timestamp-millis" if millis else "timestamp-micros"}
    if sql.is_interval:
        return "string"
    if sql.name in ("ARRAY", "MULTISET"):
        return {"type": "array", "items": ["null", _type(options, sql.arguments[0], name)]}
    if sql.name == "MAP" and sql.arguments[0].is_character:
        return {"type": "map", "values": ["null", _type(options, sql.arguments[1], name)]}
    if sql.name == "ROW":
        parts = [
            _field(options, part, _type(options, type, f"{name}_{part}"), nullable=True)
            for part, type in zip(sql.names, sql.arguments, strict=True)
        ]
        return {"type": "record", "name": name, "fields": parts}
    raise options.fault(
        f"has a column of a type that Avro does not have: {sql.name}", "RT0515", "Keys of maps are VARCHAR"
    )


def _schema_text(options: Options) -> str | None:
    text, file = options.optional("avro_schema"), options.optional("avro_schema_file")
    if text is not None and file is not None:
        raise options.fault("has both avro_schema and avro_schema_file", "RT0522")
    if file is None:
        return text
    try:
        return Path(file).expanduser().read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as fault:
        raise options.fault(
            f"has avro_schema_file '{file}', which cannot be read: {_reason(fault)}", "RT0515"
        ) from fault


def _id(options: Options, *, needed: bool) -> int | None:
    text = options.text("avro_schema_id") if needed else options.optional("avro_schema_id")
    if text is None:
        return None
    id = natural(text)
    if id is None or id >= 1 << 31:
        raise options.fault(f"has avro_schema_id '{text}', which is not a schema id", "RT0522")
    return id


def _reason(fault: Exception) -> str:
    return (fault.strerror if isinstance(fault, OSError) else None) or str(fault)


def misfit_error(text: str) -> RowtimeError | None:
    """Returns the error for a value that does not fit its Avro field, from the message of a failed write; None for any
    other message."""
    from rowtime.errors import error

    found = re.search(r"(?:'[^\n]*' does not fit in|NULL in(?:side)?) the Avro field [^\n]*", text)
    return None if found is None else error("RT0515", f"A row cannot be written: {found[0].strip()}")
