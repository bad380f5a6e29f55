from __future__ import annotations

import json
import subprocess
import sys
import typing

import pytest
from jsonschema_rs import Draft202012Validator
from plan_samples import SAMPLES

from rowtime.plan.nodes import Node
from rowtime.plan.schema import schema_text

SCHEMA = json.loads(schema_text())


WHOLE = Draft202012Validator(SCHEMA)
NODES = {
    op: Draft202012Validator({"$ref": reference, "$defs": SCHEMA["$defs"]})
    for op, reference in SCHEMA["discriminator"]["mapping"].items()
}
"""By operator. The schema of all nodes only says that none fits."""


def violations(sample: dict[str, typing.Any], schema: Draft202012Validator = WHOLE) -> list[str]:
    """Returns what is wrong with a plan."""
    return [fault.message for fault in schema.iter_errors(sample)]


def test_the_command_of_the_documentation_prints_the_schema():
    printed = subprocess.run([sys.executable, "-m", "rowtime.plan.schema"], capture_output=True, text=True, check=True)
    assert json.loads(printed.stdout) == SCHEMA


def test_the_schema_has_every_operator():
    assert set(SCHEMA["discriminator"]["mapping"]) == {c.__struct_config__.tag for c in typing.get_args(Node)}


@pytest.mark.parametrize("op", SAMPLES)
def test_plans_are_as_the_schema_says(op):
    assert violations(SAMPLES[op], NODES[op]) == []
    assert violations(SAMPLES[op]) == []


@pytest.mark.parametrize("op", SAMPLES)
def test_the_schema_refuses_fields_that_are_missing_or_wrong(op):
    optional = {"clock"}
    for name in SAMPLES[op].keys() - optional - {"op"}:
        assert f'"{name}" is a required property' in violations(
            {k: v for k, v in SAMPLES[op].items() if k != name}, NODES[op]
        )
    assert violations({**SAMPLES[op], "id": "seven"}, NODES[op]) == ['"seven" is not of type "integer"']
    assert violations({**SAMPLES[op], "op": "surprise"})
