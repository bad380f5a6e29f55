"""The packages of the planner and the operators lie in layers: no import leads up, and none in a circle."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator, Mapping
from functools import cache
from pathlib import Path

from layers import Graph, assert_no_cycle, assert_none_leads_up

SOURCES = Path(__file__).parents[2] / "java" / "src" / "main" / "java" / "io" / "rowtime"

LAYERS: tuple[tuple[str, ...], ...] = (
    # The planner, which runs without Spark.
    ("api", "limits", "table", "time", "diagnostic", "aggregate", "operator.spec"),
    ("parse", "sql"),
    ("catalog",),
    ("validate.function",),
    ("validate",),
    ("validate.desugar",),
    ("validate.rules",),
    ("plan.clock",),
    ("plan.rel",),
    ("plan.constant", "plan.origin"),
    ("plan.convert", "plan.monotone"),
    ("plan.node",),
    ("plan.rewrite", "plan.progress"),
    ("plan.exchange",),
    ("plan.meaning",),
    ("plan.execution",),
    ("plan.physical",),
    ("plan.build",),
    ("plan.json",),
    ("plan",),
    ("statement",),
    ("bridge",),
    # What runs in Spark.
    ("callbacks", "files", "microbatch", "spark"),
    ("avro", "functions", "jdbc", "kafka", "log", "lookup", "socket", "state.values"),
    # For programs with Calcite, without Spark; of log it needs only the checksums.
    ("schema",),
    ("adapter", "records", "state"),
    ("claims", "lateness", "operator.calls"),
    ("marks", "operator", "rowfault"),
    (
        "operator.changelog",
        "operator.group",
        "operator.hold",
        "operator.join",
        "operator.over",
        "operator.process",
        "operator.rank",
        "operator.recursion",
        "operator.search",
    ),
    ("execution", "serve"),
)
"""Packages below `io.rowtime`, lowest first. A layer imports itself and what is below."""


def test_no_package_imports_itself_through_others() -> None:
    assert_no_cycle(_imports())


def test_no_import_leads_up() -> None:
    assert_none_leads_up(_imports(), LAYERS)


def test_every_package_has_a_layer() -> None:
    assert set(_packages()) == {name for layer in LAYERS for name in layer}


def test_every_package_says_what_it_is() -> None:
    silent = [name for name, files in _packages().items() if "package-info" not in {file.stem for file in files}]
    assert not silent, silent


@cache
def _packages() -> Mapping[str, list[Path]]:
    found = defaultdict(list)
    for path in SOURCES.rglob("*.java"):
        found[".".join(path.relative_to(SOURCES).parent.parts)].append(path)
    return found


@cache
def _imports() -> Graph:
    """Returns the packages that each package names, in imports and in code; the generated parser is a part of its
    package."""
    names = set(_packages())
    return {
        name: {other for file in files for other in _named(file, names)} - {name} for name, files in _packages().items()
    }


def _named(path: Path, packages: set[str]) -> Iterator[str]:
    code = re.sub(r"/\*.*?\*/|//[^\n]*", "", path.read_text(encoding="utf-8"), flags=re.DOTALL)
    for name in re.findall(r"\bio\.rowtime\.([a-z][a-z.]*[a-z])\.[A-Z*]", code):
        if name != "parse.generated":
            assert name in packages, f"{path.name} names the package {name}, which is not there"
            yield name
