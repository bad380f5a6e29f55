"""What the compiler does not check of the Java code. The source sets of `build.gradle` keep rooms apart; within a room,
packages lie in layers: no import leads up, and none in a circle."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator, Mapping
from functools import cache
from pathlib import Path

from layers import Graph, assert_no_cycle, assert_none_leads_up

JAVA = Path(__file__).parents[2] / "java"

PLANNER: tuple[tuple[str, ...], ...] = (
    ("diagnostic", "parse", "sql"),
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
)
"""The packages of the planner below `io.rowtime`, lowest first. A layer imports itself and what is below."""

ENGINE: tuple[tuple[str, ...], ...] = (
    ("exchange", "lookup", "microbatch", "state.values"),
    ("state",),
    ("claims", "lateness", "operator.calls"),
    ("marks", "operator", "rowfault"),
    (
        "operator.changelog",
        "operator.filter",
        "operator.group",
        "operator.hold",
        "operator.join",
        "operator.over",
        "operator.process",
        "operator.rank",
        "operator.recursion",
    ),
    ("execution",),
)
"""Those of the engine."""

LAYERS: Mapping[str, tuple[tuple[str, ...], ...]] = {"planner": PLANNER, "engine": ENGINE}


def test_a_package_is_in_one_room() -> None:
    divided = {name: rooms for name, files in _packages().items() if len(rooms := {_room(file) for file in files}) > 1}
    assert not divided, divided


def test_no_package_imports_itself_through_others() -> None:
    assert_no_cycle(_imports())


def test_no_import_within_a_room_leads_up() -> None:
    for room, layers in LAYERS.items():
        inside = _inside(room)
        assert inside == {name for layer in layers for name in layer}
        assert_none_leads_up({name: _imports()[name] & inside for name in inside}, layers)


def test_every_package_says_what_it_is() -> None:
    silent = [name for name, files in _packages().items() if "package-info" not in {file.stem for file in files}]
    assert not silent, silent


def _room(file: Path) -> str:
    return file.relative_to(JAVA).parts[0]


def _inside(room: str) -> set[str]:
    return {name for name, files in _packages().items() if room in map(_room, files)}


@cache
def _packages() -> Mapping[str, list[Path]]:
    found = defaultdict(list)
    for sources in JAVA.glob("*/src"):
        for path in sources.rglob("*.java"):
            found[".".join(path.relative_to(sources).parts[2:-1])].append(path)
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
