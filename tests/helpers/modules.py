"""Loads Python files of tests that are programs of their own, and whose functions tests use too."""

from __future__ import annotations

import importlib.util
from pathlib import Path
from types import ModuleType


def load_module(file: Path, name: str) -> ModuleType:
    """Returns the module in that file, under a unique name: modules of tests are not on the import path."""
    spec = importlib.util.spec_from_file_location(name, file)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module
