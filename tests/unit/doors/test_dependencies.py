"""What the code imports is what the package asks for: an installation without the extras of the tests works."""

from __future__ import annotations

import ast
import re
import sys
from importlib.metadata import packages_distributions
from pathlib import Path

import pytest

tomllib = pytest.importorskip("tomllib", reason="Python 3.10 cannot read pyproject.toml")

ROOT = Path(__file__).parents[3]
OWN = {"rowtime", "rowtime_cli"}
BY_EXTRA = {
    "IPython": "notebook",
    "obstore": "s3",
    "opentelemetry": "metrics",
    "pandas": "pandas",
    "prometheus_client": "metrics",
    "psycopg": "postgres",
    "pygls": "lsp",
}
COMES_WITH = {"lsprotocol": "pygls", "py4j": "pyspark"}
"""Packages that come with another one and are part of its interface."""


def imported(folder: Path) -> dict[str, Path]:
    """Returns the top-level names of all packages imported below a folder, each with a file that imports it."""
    found: dict[str, Path] = {}
    for file in sorted(folder.rglob("*.py")):
        for node in ast.walk(ast.parse(file.read_text())):
            names = []
            if isinstance(node, ast.Import):
                names = [alias.name for alias in node.names]
            elif isinstance(node, ast.ImportFrom) and node.level == 0:
                names = [node.module or ""]
            found.update({name.split(".")[0]: file for name in names})
    return {name: file for name, file in found.items() if name not in sys.stdlib_module_names | OWN}


def distributions(requirements: list[str]) -> set[str]:
    return {normal(re.split(r"[^\w.-]", requirement, maxsplit=1)[0]) for requirement in requirements}


def normal(name: str) -> str:
    return re.sub(r"[-_.]+", "-", name).lower()


@pytest.mark.parametrize("folder", ["python", "cli"])
def test_every_import_is_declared(folder: str) -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    always = distributions(project["dependencies"])
    extras = {name: distributions(needed) for name, needed in project["optional-dependencies"].items()}
    homes = packages_distributions()
    for package, file in imported(ROOT / folder).items():
        name = COMES_WITH.get(package, package)
        allowed = always | extras.get(BY_EXTRA.get(name, ""), set())
        wanted = {normal(home) for home in homes.get(name, [name])}
        assert wanted & allowed, f"{file.relative_to(ROOT)} imports {package}, which pyproject.toml does not ask for"
