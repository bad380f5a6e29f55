"""The columns of a topic's stream that come from its records' key, headers and position, and those that come from their
value."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from rowtime.foreign.formats import column_of, rowtime_field
from rowtime.foreign.options import Options
from rowtime.foreign.records import RecordField, portable
from rowtime.plan.types import SqlType, quote_name
from rowtime.streams.log import ROWTIME
from rowtime.types.columns import Column

_READ_ONLY = ("partition", "offset", "timestamp")
_NAMES = "array_distinct(transform(headers, h -> h.key))"


@dataclass(frozen=True, slots=True)
class TopicColumns:
    """The columns of a stream over a topic. `rowtime` is the field that fills ROWTIME, None if that is the record's
    time; `roles` contains the columns that key, headers, partition, offset and timestamp fill."""

    columns: Sequence[Column]
    rowtime: str | None
    roles: dict[str, Column]
    key_in_value: bool

    @classmethod
    def of(cls, options: Options, columns: Sequence[Column], format: str) -> TopicColumns:
        """Options: key, headers, partition, offset, timestamp, which name columns; key_in_value, true; rowtime. Raises
        RowtimeError RT0522."""
        rowtime = rowtime_field(options, format)
        roles: dict[str, Column] = {}
        for role, (fits, wanted) in _TYPES.items():
            column = column_of(options, role, columns)
            if column is None:
                continue
            if column in roles.values():
                raise options.fault(
                    f"uses column {column.name} for two of key, headers, {', '.join(_READ_ONLY)}", "RT0522"
                )
            if not fits(column.type):
                raise options.fault(
                    f"has {role} '{column.name}', a column of type {column.text}; it must be {wanted}", "RT0522"
                )
            if role == "timestamp" and column.name == ROWTIME:
                rowtime = None
            else:
                roles[role] = column
        return cls(columns, rowtime, roles, options.flag("key_in_value", True) and format != "raw")

    def fields(self, columns: Sequence[Column] | None = None) -> list[RecordField]:
        """Returns the columns that come from the value, in their order; only those among `columns`, if given."""
        key = self.roles.get("key")
        found = []
        for column in self.columns if columns is None else columns:
            if column == key:
                if self.key_in_value:
                    name = self.rowtime or ROWTIME if column.name == ROWTIME else column.name
                    found.append(RecordField(name, column, optional=True))
            elif column.name == ROWTIME:
                if self.rowtime is not None:
                    found.append(RecordField(self.rowtime, column))
            elif column not in self.roles.values():
                found.append(RecordField(column.name, column))
        return found

    # --- reading -----------------------------------------------------------------------------------------------------

    def source_expressions(self) -> dict[str, str]:
        """Returns Spark SQL over the columns of Spark's Kafka source, by the stored names of the columns that it
        fills."""
        found = {}
        for role, column in self.roles.items():
            if role == "key" and not column.type.is_binary:
                found[column.stored] = "CAST(key AS STRING)"
            elif role == "headers":
                found[column.stored] = _headers(column.type)
            elif role in ("partition", "offset"):
                found[column.stored] = f"CAST({role} AS {column.type.spark()})"
            else:
                found[column.stored] = role
        if self.rowtime is None:
            rowtime = next((column for column in self.columns if column.name == ROWTIME), None)
            if rowtime is not None:
                found[rowtime.stored] = "timestamp"
        return found

    @property
    def reads_headers(self) -> bool:
        return "headers" in self.roles

    # --- writing -----------------------------------------------------------------------------------------------------

    def record(self, options: Options, written: Sequence[Column]) -> list[str]:
        """Returns Spark SQL for a record's key, the names and values of its headers, and its time in milliseconds.
        Raises RowtimeError RT0529 for columns that only Kafka fills."""
        for role in _READ_ONLY:
            if self.roles.get(role) in written:
                raise options.fault(
                    f"cannot be given a value for {self.roles[role].name}: Kafka fills the {role} of a record",
                    "RT0529",
                    "Name the other columns in the INSERT, and leave this one out",
                )
        key, headers = self.roles.get("key"), self.roles.get("headers")
        made = ["CAST(NULL AS BINARY) AS key", "CAST(NULL AS ARRAY<STRING>) AS headers"]
        made += ["CAST(NULL AS ARRAY<BINARY>) AS header_values", "CAST(NULL AS BIGINT) AS timestamp"]
        if key in written and key is not None:
            text = (
                quote_name(key.name)
                if key.type.is_binary
                else f"CAST({portable(key.name, key.type, nested=False)} AS STRING)"
            )
            made[0] = f"CAST({text} AS BINARY) AS key"
        if headers in written and headers is not None:
            name = quote_name(headers.name)
            made[1] = f"map_keys({name}) AS headers"
            made[2] = f"transform(map_values({name}), v -> CAST(v AS BINARY)) AS header_values"
        if self.rowtime is None and any(column.name == ROWTIME for column in written):
            made[3] = f"unix_millis({quote_name(ROWTIME)}) AS timestamp"
        return made


def _headers(type: SqlType) -> str:
    """Returns Spark SQL for the headers. If several have one name, the last counts, as for Kafka's own lastHeader."""
    last = "element_at(filter(headers, h -> h.key = k), -1).value"
    value = last if type.arguments[1].is_binary else f"CAST({last} AS STRING)"
    made = f"map_from_arrays({_NAMES}, transform({_NAMES}, k -> {value}))"
    return f"coalesce({made}, CAST(map() AS {type.spark()}))"


def _is_headers(type: SqlType) -> bool:
    return (
        type.name == "MAP"
        and type.arguments[0].is_character
        and (type.arguments[1].is_character or type.arguments[1].is_binary)
    )


_TYPES: dict[str, tuple[Callable[[SqlType], bool], str]] = {
    "key": (lambda type: not type.arguments, "a simple one"),
    "headers": (_is_headers, "MAP<VARCHAR, VARCHAR> or MAP<VARCHAR, VARBINARY>"),
    "partition": (lambda type: type.name in ("INTEGER", "BIGINT"), "INTEGER"),
    "offset": (lambda type: type.name == "BIGINT", "BIGINT"),
    "timestamp": (lambda type: type.name == "TIMESTAMP", "TIMESTAMP"),
}
