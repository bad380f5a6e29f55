"""Python files beside tests that are run as programs of their own, and whose functions tests use too."""

from __future__ import annotations

import importlib.util
from pathlib import Path
from types import ModuleType


def loaded(file: Path, name: str) -> ModuleType:
    """The module in that file, under a name of its own: those of tests are not on the import path."""
    spec = importlib.util.spec_from_file_location(name, file)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module
