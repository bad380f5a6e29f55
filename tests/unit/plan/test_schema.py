from __future__ import annotations

import json
import subprocess
import sys
import typing

import pytest
from json_schema import violations
from plan_samples import SAMPLES

from rowtime.plan.nodes import Node
from rowtime.plan.schema import schema_text

SCHEMA = json.loads(schema_text())


def of(sample: dict[str, typing.Any]) -> list[str]:
    """Returns what is wrong with a plan by the schema of its node; the schema of all nodes only says that none fits."""
    return list(violations(sample, {"$ref": SCHEMA["discriminator"]["mapping"][sample["op"]]}, SCHEMA))


def test_the_command_of_the_documentation_prints_the_schema():
    printed = subprocess.run([sys.executable, "-m", "rowtime.plan.schema"], capture_output=True, text=True, check=True)
    assert json.loads(printed.stdout) == SCHEMA


def test_the_schema_has_every_operator():
    assert set(SCHEMA["discriminator"]["mapping"]) == {c.__struct_config__.tag for c in typing.get_args(Node)}


@pytest.mark.parametrize("op", SAMPLES)
def test_plans_are_as_the_schema_says(op):
    assert of(SAMPLES[op]) == []
    assert list(violations(SAMPLES[op], SCHEMA, SCHEMA)) == []


@pytest.mark.parametrize("op", SAMPLES)
def test_the_schema_refuses_fields_that_are_missing_or_wrong(op):
    optional = {"clock"}
    for name in SAMPLES[op].keys() - optional - {"op"}:
        assert f"plan lacks {name}" in of({k: v for k, v in SAMPLES[op].items() if k != name})
    assert of({**SAMPLES[op], "id": "seven"}) == ["plan.id is no integer"]
    assert any(violations({**SAMPLES[op], "op": "surprise"}, SCHEMA, SCHEMA))
