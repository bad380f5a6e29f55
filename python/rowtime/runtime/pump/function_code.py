"""Identifies the code of user-defined functions that saved state depends on, so that a change of it is noticed."""

from __future__ import annotations

import ast
import hashlib
import importlib.util
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from rowtime.functions import REGISTERED
from rowtime.jvm.py4j import java_class

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

_CLASS_CODE = "io.rowtime.functions.ClassCode"

CodeHash = Callable[[str], str | None]
"""Returns a hash of the code of a function of a plan, `PYTHON module:function` or `JAVA package.Class:method`; None if
it cannot be known."""


def code_hash(spark: SparkSession | None) -> CodeHash:
    """Returns the function that hashes code: of Python, the definition with all that it uses from its module; of Java,
    the bytes of the class. The code of a function that a session has registered, or that is not found, is not known;
    without Spark, neither is that of Java."""

    def find(code: str) -> str | None:
        language, _, body = code.partition(" ")
        if language == "JAVA":
            if spark is None:
                return None
            found = java_class(spark, _CLASS_CODE).hash(body.partition(":")[0])
            return None if found is None else str(found)
        return python_hash(body)

    return find


def python_hash(body: str) -> str | None:
    """Returns a hash of the code of `module:function`. Comments, blank lines and other functions of the module do not
    change it; modules that it imports do not either."""
    module, _, attribute = body.partition(":")
    if module == REGISTERED:
        return None
    try:
        spec = importlib.util.find_spec(module)
        if spec is None or spec.origin is None or not spec.origin.endswith(".py"):
            return None
        tree = ast.parse(Path(spec.origin).read_bytes())
    except (ImportError, ValueError, OSError, SyntaxError):
        return None
    definitions = _definitions(tree.body)
    name = attribute.partition(".")[0]
    if name not in definitions:
        return None
    used = _used(name, definitions)
    texts = [f"{each} {[ast.dump(node) for node in definitions[each]]}" for each in sorted(used)]
    return hashlib.sha256("\n".join(texts).encode()).hexdigest()


def changed_code(recorded: Mapping[str, str | None], present: Mapping[str, str | None]) -> str | None:
    """Returns the first function whose code is not what was recorded; None if all are equal, as far as is known."""
    for code, found in present.items():
        before = recorded.get(code)
        if before is not None and found is not None and before != found:
            return code.partition(" ")[2]
    return None


def _definitions(body: Sequence[ast.stmt]) -> dict[str, list[ast.stmt]]:
    """Returns the statements of a module that define each of its names."""
    found: dict[str, list[ast.stmt]] = {}
    for statement in body:
        for name in _defined(statement):
            found.setdefault(name, []).append(statement)
    return found


def _defined(statement: ast.stmt) -> set[str]:
    if isinstance(statement, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)):
        return {statement.name}
    names = {node.id for node in ast.walk(statement) if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store)}
    for node in ast.walk(statement):
        if isinstance(node, (ast.Import, ast.ImportFrom)):
            names |= {(alias.asname or alias.name).partition(".")[0] for alias in node.names}
        elif isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)):
            names.add(node.name)
    return names


def _used(name: str, definitions: Mapping[str, Sequence[ast.stmt]]) -> set[str]:
    """Returns a name of a module and all others that its definition needs."""
    found, pending = {name}, [name]
    while pending:
        for statement in definitions[pending.pop()]:
            read = {node.id for node in ast.walk(statement) if isinstance(node, ast.Name)}
            new = (read & definitions.keys()) - found
            found |= new
            pending += new
    return found
