"""The JSON Schema of a plan. `python -m rowtime.plan.schema > docs/plan.schema.json` writes it."""

from __future__ import annotations

import json

import msgspec

from rowtime.plan.codec import VERSION
from rowtime.plan.nodes import Node


def schema_text() -> str:
    """Returns the schema as JSON text, the same for the same structs."""
    schema = {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": f"rowtime plan, version {VERSION}",
        **msgspec.json.schema(Node),
    }
    return json.dumps(schema, indent=2) + "\n"


if __name__ == "__main__":
    print(schema_text(), end="")
