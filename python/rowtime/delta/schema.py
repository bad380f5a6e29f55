"""The columns of a Delta table, as its metadata describe them, and how they evolve."""

from __future__ import annotations

from typing import Any

import msgspec
import pyarrow as pa

_WIDTHS = {
    name: (family, width)
    for family in (("byte", "short", "integer", "long"), ("float", "double"))
    for width, name in enumerate(family)
}


def spark_schema(schema: pa.Schema) -> str:
    """Returns a schema in the form of Delta's metadata: Spark's JSON of a struct."""
    from deltalake import Schema

    return str(Schema.from_arrow(schema).to_json())


def evolved(metadata: dict[str, Any], schema: pa.Schema) -> dict[str, Any]:
    """Returns metadata with the columns of a schema that they lack, and with those types that are wider in it; the same
    object if there are none. Columns that were dropped stay: files have them."""
    stored = msgspec.json.decode(metadata["schemaString"])["fields"]
    present = {field["name"]: field for field in msgspec.json.decode(spark_schema(schema))["fields"]}
    names = {field["name"] for field in stored}
    fields = [
        {**field, "type": present[field["name"]]["type"]}
        if field["name"] in present and _is_wider(field["type"], present[field["name"]]["type"])
        else field
        for field in stored
    ]
    fields += [field for name, field in present.items() if name not in names]
    if fields == stored:
        return metadata
    return {**metadata, "schemaString": msgspec.json.encode({"type": "struct", "fields": fields}).decode()}


def _is_wider(before: Any, after: Any) -> bool:
    """Returns whether a type of Delta is wider than another one: a process that does not know of a change yet must not
    undo it. Types with elements or fields do not become wider."""
    if not isinstance(before, str) or not isinstance(after, str):
        return False
    if before in _WIDTHS and after in _WIDTHS:
        (family, width), (other, wider) = _WIDTHS[before], _WIDTHS[after]
        return family == other and wider > width
    return before.startswith("decimal(") and after.startswith("decimal(") and _digits(after) > _digits(before)


def _digits(decimal: str) -> tuple[int, ...]:
    return tuple(int(part) for part in decimal.removeprefix("decimal(").removesuffix(")").split(","))
