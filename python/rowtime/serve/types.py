"""Describes the types of the language for JDBC."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from rowtime.plan.types import SqlType, parse_type

_TEXT = 65_536
"""The size that is reported for text and bytes without a length."""


@dataclass(frozen=True, slots=True)
class JdbcType:
    """`number` is that of java.sql.Types; `digits` is the precision if the type has no length of its own; `size` is the
    largest number of characters of a value (0: its precision). `prefix` and `suffix` enclose literals; `parameters`
    names the arguments of the type."""

    number: int
    digits: int
    size: int
    prefix: str | None = None
    suffix: str | None = None
    radix: int | None = None
    parameters: str | None = None


TYPES: dict[str, JdbcType] = {
    "BOOLEAN": JdbcType(16, 1, 5),
    "TINYINT": JdbcType(-6, 3, 4, radix=10),
    "SMALLINT": JdbcType(5, 5, 6, radix=10),
    "INTEGER": JdbcType(4, 10, 11, radix=10),
    "BIGINT": JdbcType(-5, 19, 20, radix=10),
    "DECIMAL": JdbcType(3, 38, 40, radix=10, parameters="PRECISION,SCALE"),
    "REAL": JdbcType(7, 7, 24, radix=10),
    "DOUBLE": JdbcType(8, 15, 24, radix=10),
    "CHAR": JdbcType(1, _TEXT, 0, "'", "'", parameters="LENGTH"),
    "VARCHAR": JdbcType(12, _TEXT, 0, "'", "'", parameters="LENGTH"),
    "BINARY": JdbcType(-2, _TEXT, 0, "X'", "'", parameters="LENGTH"),
    "VARBINARY": JdbcType(-3, _TEXT, 0, "X'", "'", parameters="LENGTH"),
    "DATE": JdbcType(91, 10, 10, "DATE '", "'"),
    "TIME": JdbcType(92, 3, 12, "TIME '", "'", parameters="PRECISION"),
    "TIMESTAMP": JdbcType(93, 3, 23, "TIMESTAMP '", "'", parameters="PRECISION"),
    "ARRAY": JdbcType(2003, 0, 40),
}


def describe_type(text: str) -> dict[str, Any]:
    """Returns a type in the form for the server: `name`, which determines the encoding of values, the number of JDBC's
    type, and `text`, its SQL name."""
    return _describe(parse_type(text), text)


def jdbc_name(sql: SqlType) -> str:
    """Returns the name of JDBC's type for a type: VARCHAR for intervals, MAP and ROW, which JDBC lacks."""
    if sql.name in ("ARRAY", "MULTISET"):
        element = sql.arguments[0]
        return "VARCHAR" if element.arguments or jdbc_name(element) != _synonym(element.name) else "ARRAY"
    name = _synonym(sql.name)
    return name if name in TYPES else "VARCHAR"


def _describe(sql: SqlType, text: str) -> dict[str, Any]:
    name = jdbc_name(sql)
    jdbc = TYPES[name]
    digits = jdbc.digits
    if sql.precision is not None and sql.name in TYPES and jdbc.parameters is not None:
        digits = min(sql.precision, 3) if name in ("TIME", "TIMESTAMP") else sql.precision
    made: dict[str, Any] = {
        "name": name,
        "jdbc": jdbc.number,
        "digits": digits,
        "scale": sql.scale or 0,
        "size": jdbc.size or digits,
        "text": text,
    }
    if name == "ARRAY":
        made["element"] = _describe(sql.arguments[0], sql.arguments[0].name)
    return made


def _synonym(name: str) -> str:
    return "DOUBLE" if name == "FLOAT" else name
