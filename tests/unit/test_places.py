"""The places to touch for something new: ARCHITECTURE.md lists them, they are few, and none can be forgotten unnoticed.

A forgotten translator, sample, schema or connector fails tests of its own: `translate/test_registry.py`,
`plan/test_codec.py`, `plan/test_schema.py`, `operators/test_specs.py`, `plan/test_functions.py`.
"""

from __future__ import annotations

import importlib
import re
import typing
from pathlib import Path

import pytest

from rowtime.connectors import CONNECTORS
from rowtime.explain import operators
from rowtime.plan.nodes import Node
from rowtime.secrets import harmless

ROOT = Path(__file__).parents[2]
PLAN = ROOT / "java" / "planner" / "src" / "io" / "rowtime" / "plan"

MOST = {"A streaming operator": 8, "An aggregate function": 3, "A connector": 3}

LIKE_CALCITES = {"SnapshotScan", "ChangeScan", "LookupJoin"}
"""Nodes whose order is that of the node of Calcite's that they extend."""

STATELESS_NODES = {"SnapshotScan", "Unnest"}
"""Nodes that process each row on its own."""

UNWRITTEN_NODES = {"WindowedInput"}
"""Nodes that the planner replaces or refuses, so that no plan has them."""

OPERATORS = sorted(node.__struct_config__.tag for node in typing.get_args(Node))


@pytest.mark.parametrize("thing", MOST)
def test_the_places_are_few_and_there(thing: str) -> None:
    places = _places(thing)
    assert 0 < len(places) <= MOST[thing]
    for place in places:
        assert any(next(ROOT.glob(f"{top}/{place}*"), None) for top in TOPS), f"{place} is not there"


@pytest.mark.parametrize(
    "node", [f.stem for f in (PLAN / "rel").glob("*.java") if f" class {f.stem} extends " in f.read_text()]
)
def test_a_node_is_provided_for(node: str) -> None:
    """The planner defines its order and its state, and has a rule for it."""
    named = re.compile(rf"\b{node}\b")
    # Such nodes have no order, and say what they keep, or do not compile.
    changes = " ChangingRows {" in (PLAN / "rel" / f"{node}.java").read_text()
    orders = (PLAN / "monotone" / "OrderAnalysis.java").read_text()
    assert changes or node in LIKE_CALCITES or named.search(orders), "OrderAnalysis"
    bounds = (PLAN / "progress" / f"{name}.java" for name in ("StateBounds", "JoinBounds", "Retention"))
    assert changes or node in STATELESS_NODES or any(named.search(f.read_text()) for f in bounds), "StateBounds"
    assert node in UNWRITTEN_NODES or any(named.search(f.read_text()) for f in (PLAN / "build").glob("*.java")), (
        "NodeBuilder"
    )


@pytest.mark.parametrize("op", OPERATORS)
def test_an_operator_is_explained(op: str) -> None:
    assert op in operators._LINES


def test_the_planner_has_the_operators_of_the_plan() -> None:
    """It decides for each of them what it needs, reads and keeps, or does not compile."""
    listed = re.search(r"enum PlanOperator \{(.*?);", (PLAN / "node" / "PlanOperator.java").read_text(), re.DOTALL)
    assert listed
    names = re.findall(r"^  ([A-Z_]+)\(", listed[1], re.MULTILINE)
    assert {name.lower() for name in names} == {*OPERATORS, "unsupported"}


def test_what_an_operator_is_decides_without_a_default() -> None:
    """Each column of PlanOperator's table is read by switches that do not compile if a value of it is forgotten."""
    table = re.search(r"  PlanOperator\((.*)\) \{", (PLAN / "node" / "PlanOperator.java").read_text())
    assert table
    columns = [parameter.split()[1] for parameter in table[1].split(", ")]
    switches = re.compile(rf"switch \([\w.()]*\.({'|'.join(columns)})\(\)\) \{{(.*?)\n *\}}", re.DOTALL)
    found = [match for file in PLAN.rglob("*.java") for match in switches.finditer(file.read_text())]
    assert len(found) >= 8
    for match in found:
        assert "default ->" not in match[2], match[0]


@pytest.mark.parametrize("name", CONNECTORS)
def test_a_connector_is_provided_for(name: str) -> None:
    """It is read, and written if the table says so; it is documented; what is secret in its options is known."""
    connector = CONNECTORS[name]
    assert callable(importlib.import_module(connector.reader).read)
    assert connector.writer is None or callable(importlib.import_module(connector.writer).write)
    text = (ROOT / "docs" / "foreign.md").read_text(encoding="utf-8")
    assert f"`{name}`" in text or f"connector '{name}'" in text
    assert connector.settings is None or connector.settings in harmless._OF_CLIENTS


def test_a_module_of_a_connector_is_listed() -> None:
    package = ROOT / "python" / "rowtime"
    said = [re.match(r'"""Connector \'(\w+)\':', file.read_text(encoding="utf-8")) for file in package.rglob("*.py")]
    assert {found[1] for found in said if found} == CONNECTORS.keys()


TOPS = (*(f"java/{room}/src/io/rowtime" for room in ("common", "planner", "engine")), "python/rowtime", ".")
"""Where the paths of ARCHITECTURE.md begin."""


def _places(thing: str) -> list[str]:
    """The first path in each item of the list under `thing`."""
    text = (ROOT / "ARCHITECTURE.md").read_text(encoding="utf-8")
    listed = re.search(rf"^- \*{thing}:?\*.*?\n((?:  +.*\n)+)", text, re.MULTILINE)
    assert listed, f"ARCHITECTURE.md does not say where to add {thing.lower()}"
    return re.findall(r"^  \d\. `([^`]+)`", listed[1], re.MULTILINE)
