from __future__ import annotations

import json
from pathlib import Path

from rowtime.plan.schema import schema_text

SCHEMA = Path(__file__).parents[3] / "docs" / "plan.schema.json"


def test_the_schema_in_the_repository_is_that_of_the_structs():
    assert SCHEMA.read_text() == schema_text(), "run: python -m rowtime.plan.schema > docs/plan.schema.json"


def test_the_schema_names_every_operator():
    mapping = json.loads(schema_text())["discriminator"]["mapping"]
    assert {"scan", "aggregate", "union", "window"} <= set(mapping)
