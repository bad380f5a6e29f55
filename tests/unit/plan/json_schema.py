"""Checks JSON by a JSON Schema, as far as schemas of plans go."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

TYPES = {"object": dict, "array": list, "string": str, "integer": int, "number": (int, float), "boolean": bool}
JUDGED = {"$ref", "anyOf", "type", "enum", "properties", "required", "additionalProperties", "items"}
NOTED = {"$schema", "$defs", "title", "description", "default", "discriminator"}


def violations(json: Any, schema: dict[str, Any], root: dict[str, Any], at: str = "plan") -> Iterator[str]:
    """Returns where the JSON is not as the schema says; `root` has the definitions that the schema refers to."""
    assert schema.keys() <= JUDGED | NOTED, schema.keys() - JUDGED - NOTED
    if "$ref" in schema:
        yield from violations(json, root["$defs"][schema["$ref"].removeprefix("#/$defs/")], root, at)
    if "anyOf" in schema and all(any(violations(json, choice, root, at)) for choice in schema["anyOf"]):
        yield f"{at} is none of the choices"
    if "enum" in schema and json not in schema["enum"]:
        yield f"{at} is {json!r}"
    if "type" in schema and not _has_type(json, schema["type"]):
        yield f"{at} is no {schema['type']}"
    elif isinstance(json, dict):
        yield from _members(json, schema, root, at)
    elif isinstance(json, list) and "items" in schema:
        for place, item in enumerate(json):
            yield from violations(item, schema["items"], root, f"{at}[{place}]")


def _has_type(json: Any, name: str) -> bool:
    if name == "null" or json is None:
        return name == "null" and json is None
    return isinstance(json, TYPES[name]) and (name == "boolean" or not isinstance(json, bool))


def _members(json: dict[str, Any], schema: dict[str, Any], root: dict[str, Any], at: str) -> Iterator[str]:
    known = schema.get("properties", {})
    for name in schema.get("required", []):
        if name not in json:
            yield f"{at} lacks {name}"
    for name, value in json.items():
        if name in known:
            yield from violations(value, known[name], root, f"{at}.{name}")
        elif isinstance(other := schema.get("additionalProperties", True), dict):
            yield from violations(value, other, root, f"{at}.{name}")
        elif not other:
            yield f"{at} has {name}, which is unknown"
