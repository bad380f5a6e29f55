"""The JSON Schema of a plan, made from the structs of its nodes. `python -m rowtime.plan.schema` prints it."""

from __future__ import annotations

import inspect
import json
from typing import Any

import msgspec

from rowtime.plan.codec import VERSION
from rowtime.plan.nodes import Node


def schema_of(type: Any, title: str) -> dict[str, Any]:
    """Returns the JSON Schema of a type, with the structs in it under `$defs`."""
    schema = {"$schema": "https://json-schema.org/draft/2020-12/schema", "title": title, **msgspec.json.schema(type)}
    for definition in schema["$defs"].values():
        # Versions of msgspec differ in whether they remove the indentation of a docstring.
        if "description" in definition:
            definition["description"] = inspect.cleandoc(definition["description"])
    return schema


def schema_text() -> str:
    """Returns the schema as JSON text, the same for the same structs."""
    return json.dumps(schema_of(Node, f"rowtime plan, version {VERSION}"), indent=2) + "\n"


if __name__ == "__main__":
    print(schema_text(), end="")
