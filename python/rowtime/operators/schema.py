"""The JSON Schema of the parameters of operators.

`python -m rowtime.operators.schema > docs/operators.schema.json` writes it.
"""

from __future__ import annotations

import json
from typing import Any

from rowtime.operators.specs import Spec
from rowtime.plan.schema import schema_of


def schema_text() -> str:
    """The schema as JSON text, the same for the same structs."""
    schema = schema_of(Spec, "The parameters of the operators of rowtime")
    for definition in schema["$defs"].values():
        _require_all(definition)
    return json.dumps(schema, indent=2) + "\n"


def _require_all(definition: dict[str, Any]) -> None:
    """Requires every field, including those with a default here: Python writes every field, and Java expects it."""
    definition["required"] = list(definition["properties"])
    for described in definition["properties"].values():
        described.pop("default", None)


if __name__ == "__main__":
    print(schema_text(), end="")
