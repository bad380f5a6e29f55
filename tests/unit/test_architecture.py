"""The modules of the package lie in layers: no import leads up, and none in a circle."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping
from functools import cache
from pathlib import Path

from layers import Graph, assert_no_cycle, assert_none_leads_up

ROOT = Path(__file__).parents[2]
SOURCES = {"rowtime": ROOT / "python", "rowtime_cli": ROOT / "cli"}

LAYERS: tuple[tuple[str, ...], ...] = (
    ("version", "limits", "numerals", "lexical", "terminal", "decoding", "processes", "connectors", "dbapi"),
    ("httpserver", "privatefolder", "formats"),
    ("secrets",),
    ("errors",),
    ("locks", "notices", "splitter", "spans"),
    ("storage",),
    ("formatting",),
    ("plan",),
    ("functions",),
    ("jvm",),
    ("catalog",),
    ("types", "delta"),
    ("errorlog",),
    ("findings",),
    ("planner",),
    ("faults", "streams"),
    ("processing",),
    ("sparksql",),
    ("operators",),
    ("tables", "foreign", "adapters"),
    ("sources",),
    ("translate",),
    ("explain",),
    ("display", "query_plan"),
    ("runtime.checkpoint",),
    ("runtime.faults", "runtime.logs", "runtime.sinks"),
    ("runtime.lookup", "runtime.cluster"),
    ("runtime.launch",),
    ("runtime.target",),
    ("runtime.job",),
    ("runtime.pump",),
    ("runtime.query", "runtime.ddl", "runtime.dml", "runtime.statements"),
    ("runtime.runtime",),
    ("runtime.relation", "runtime.pump_diff"),
    ("runtime",),
    ("datasource", "metrics", "serve", "session_functions"),
    ("session",),
    ("opening",),
    ("rowtime", "script"),
    ("editing",),
    ("notebook", "shell", "lsp", "training"),
    ("rowtime_cli",),
)
"""Modules and packages below `rowtime` (itself: `rowtime`), lowest first, and those below `rowtime.runtime`, which is
the largest. A layer imports itself and what is below."""


def test_no_module_imports_itself_through_others() -> None:
    assert_no_cycle(_imports())


def test_no_import_leads_up() -> None:
    assert_none_leads_up(_imports(), LAYERS, _unit)


def test_every_package_has_a_layer() -> None:
    known = {name for layer in LAYERS for name in layer}
    assert {_unit(module) for module in _modules()} == known


def _unit(module: str) -> str:
    parts = module.split(".")
    if parts[:2] == ["rowtime", "runtime"] and len(parts) > 2:
        return ".".join(parts[1:3])
    return parts[1] if parts[0] == "rowtime" and len(parts) > 1 else parts[0]


def _modules() -> dict[str, Path]:
    found = {}
    for package, root in SOURCES.items():
        for path in (root / package).rglob("*.py"):
            parts = path.relative_to(root).with_suffix("").parts
            found[".".join(parts[:-1] if parts[-1] == "__init__" else parts)] = path
    return found


@cache
def _imports() -> Graph:
    """Returns the modules that each module imports anywhere: at the top, in a function, or for type checkers only."""
    modules = _modules()
    return {name: set(_imported(path, modules)) - {name} for name, path in modules.items()}


def _imported(path: Path, modules: Mapping[str, Path]) -> Iterator[str]:
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            yield from (name.name for name in node.names if name.name in modules)
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{path}:{node.lineno}: a relative import"
            for name in node.names:
                full = f"{node.module}.{name.name}"
                if full in modules:
                    yield full
                elif node.module in modules:
                    yield str(node.module)
