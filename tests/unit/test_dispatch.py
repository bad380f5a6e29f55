"""What a plan node is to become is decided by the planner: only the registry of translators goes by a node's class."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path
from typing import get_args

import pytest

from rowtime.plan import nodes

ROOT = Path(__file__).parents[2]
CLASSES = frozenset(each.__name__ for each in get_args(nodes.Node))
ALLOWED = {
    # The scans are the leaves of a plan, which the runtime gives rows.
    "rowtime/plan/operators.py": {"Scan"},
}
"""Code, besides the contract, that may distinguish nodes by their classes, and which classes."""
ALLOWED_WORDS = {
    # Sources have a symbol of their own in a diagram.
    "rowtime/explain/mermaid.py": {"scan"},
    # Columns of a source are described where its name stands in the text.
    "rowtime/lsp/hover.py": {"scan"},
}
"""The same for the operator names of nodes in JSON."""


def test_only_the_registry_goes_by_the_class_of_a_node() -> None:
    found = {name: used for name, tree in _modules() if (used := set(_uses(tree)))}
    assert found == ALLOWED


def test_nothing_goes_by_the_word_of_a_node() -> None:
    found = {name: words for name, tree in _modules() if (words := set(_compared(tree)))}
    assert found == ALLOWED_WORDS


@pytest.mark.parametrize(
    "line",
    [
        "isinstance(plan, Sort)",
        "isinstance(plan, nodes.Sort | Filter)",
        "type(plan) is Sort",
        "{Sort: 1}[type(plan)]",
        "match plan:\n    case Sort(): pass",
    ],
)
def test_a_way_to_go_by_the_class_is_found(line: str) -> None:
    text = (
        "from rowtime.plan.nodes import Sort, Filter\nfrom rowtime.plan import nodes\ndef f(a: Sort) -> Filter: ...\n"
    )
    assert not set(_uses(ast.parse(f"{text}@translates(Sort)\ndef g(): ...")))
    assert "Sort" in set(_uses(ast.parse(text + line)))
    assert set(_compared(ast.parse("node['op'] == 'sort' or op(node) in ('filter',)"))) == {"sort", "filter"}


def _modules() -> Iterator[tuple[str, ast.Module]]:
    for root in (ROOT / "python", ROOT / "cli"):
        for path in sorted(root.rglob("*.py")):
            name = path.relative_to(root).as_posix()
            if name != "rowtime/plan/nodes.py":
                yield name, ast.parse(path.read_text(encoding="utf-8"))


def _uses(tree: ast.Module) -> Iterator[str]:
    """Returns the node classes that code names, except in annotations and to register a translator."""
    imported, modules = set(), set()
    for each in ast.walk(tree):
        if isinstance(each, ast.ImportFrom) and each.module == nodes.__name__:
            assert all(name.asname is None for name in each.names), "a node class has one name"
            imported |= {name.name for name in each.names} & CLASSES
        elif isinstance(each, ast.ImportFrom) and each.module == "rowtime.plan":
            modules |= {name.asname or name.name for name in each.names if name.name == "nodes"}
    for each in _code(tree):
        if isinstance(each, ast.Name) and each.id in imported:
            yield each.id
        elif isinstance(each, ast.Attribute) and isinstance(each.value, ast.Name) and each.value.id in modules:
            yield from {each.attr} & CLASSES


def _code(node: ast.AST) -> Iterator[ast.AST]:
    """Yields a syntax node and all nodes below it, without annotations, imports and `@translates(…)`."""
    yield node
    for name, value in ast.iter_fields(node):
        if name in ("annotation", "returns"):
            continue
        for child in value if isinstance(value, list) else [value]:
            if isinstance(child, ast.AST) and not (name == "decorator_list" and _registers(child)):
                yield from _code(child)


def _registers(decorator: ast.AST) -> bool:
    return isinstance(decorator, ast.Call) and getattr(decorator.func, "id", "") == "translates"


def _compared(tree: ast.AST) -> Iterator[str]:
    """Returns the operator names of nodes that code compares with."""
    words = {each.__struct_config__.tag for each in get_args(nodes.Node)}
    for each in ast.walk(tree):
        if isinstance(each, ast.Compare) and _is_word(each.left):
            for side in each.comparators:
                yield from (
                    part.value for part in ast.walk(side) if isinstance(part, ast.Constant) and part.value in words
                )


def _is_word(side: ast.expr) -> bool:
    """`node["op"]` or `op(node)`."""
    if isinstance(side, ast.Subscript):
        return isinstance(side.slice, ast.Constant) and side.slice.value == "op"
    return isinstance(side, ast.Call) and getattr(side.func, "id", "") == "op"
