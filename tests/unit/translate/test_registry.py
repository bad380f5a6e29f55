"""What a new operator must not lack."""

from __future__ import annotations

import re
import subprocess
import sys
import typing
from pathlib import Path

import pytest

from rowtime.errors import RowtimeError
from rowtime.plan.nodes import Node
from rowtime.plan.rex import Rex
from rowtime.translate import registry as nodes
from rowtime.translate.registry import translates
from rowtime.translate.rex import registry
from rowtime.translate.rex.registry import call_translator, known_operators

ROOT = Path(__file__).parents[3]
EXPRESSION_BUILDER = ROOT / "java/planner/src/io/rowtime/plan/build/ExpressionBuilder.java"


def test_every_node_has_a_translator():
    """Those that rowtime's own operators compute need none: `translate.execution` is for all of them."""
    nodes._load()
    found, every = set(nodes._translators), set(typing.get_args(Node))
    assert found <= every
    assert {node for node in every if "execution" not in node.__struct_fields__} <= found


def test_every_kind_of_expression_has_a_translator():
    known_operators()  # loads them
    assert set(registry._kinds) == set(typing.get_args(Rex))


def test_every_operator_that_the_planner_lets_pass_has_a_translator():
    listed = re.search(r"ALLOWED = Set\.of\((.*?)\);", EXPRESSION_BUILDER.read_text(), re.DOTALL)
    assert listed, "ExpressionBuilder.java has no list of allowed operators any more"
    allowed = set(re.findall(r'"([^"]+)"', listed.group(1)))
    assert len(allowed) > 50
    assert allowed - known_operators() == set()


def test_a_file_is_one_operator():
    folder = ROOT / "python" / "rowtime" / "translate" / "rel"
    nodes._load()
    translated = {node.__struct_config__.tag for node in nodes._translators}
    assert {f.stem for f in folder.glob("*.py")} - {"__init__"} == translated


def test_nothing_is_translated_in_two_ways():
    nodes._load()
    node = next(iter(nodes._translators))
    with pytest.raises(ValueError, match="already"):
        translates(node)(lambda node, inputs, context: inputs[0])
    with pytest.raises(ValueError, match="already"):
        registry.translates_call("+")(lambda operands: operands[0])


_SECOND_THREAD = """
import threading
from rowtime.translate.rex import registry

first = threading.Thread(target=registry.known_operators)
first.start()
while not registry._kinds:
    pass
found = len(registry.known_operators())
first.join()
print(found == len(registry.known_operators()))
"""


def test_a_thread_waits_until_another_has_loaded_them_all():
    """In a process of its own, because here they are loaded."""
    done = subprocess.run(
        [sys.executable, "-c", _SECOND_THREAD], capture_output=True, text=True, timeout=120, check=False
    )
    assert done.stdout == "True\n", done.stderr


def test_an_unknown_operator_is_named():
    with pytest.raises(RowtimeError, match="SOUNDEX") as refused:
        call_translator("SOUNDEX")
    assert refused.value.code == "RT0999"
