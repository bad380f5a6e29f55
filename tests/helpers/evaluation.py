"""Calcite's own values of expressions, the reference for the translator (`io.rowtime.evaluation` in tests/java)."""

from __future__ import annotations

from functools import cache
from typing import Any

from javac import ROOT, compile_jar

from rowtime.jvm.jars import planner_class_path

_SOURCES = ROOT / "tests" / "java" / "io" / "rowtime" / "evaluation"


def evaluate(expression: str) -> str:
    """Returns the value of a constant SQL expression: JSON, `{"type", "value"}` or `{"error"}`."""
    return str(_evaluation().evaluate(expression))


def evaluate_rows(catalog: str, request: str) -> str:
    """Returns the values of an expression over rows, as JSON; see `Evaluation.evaluateRows`."""
    return str(_evaluation().evaluateRows(catalog, request))


@cache
def _evaluation() -> Any:
    import jpype

    from rowtime.jvm.jpype import planner

    planner()
    files = {path.name: path.read_text(encoding="utf-8") for path in sorted(_SOURCES.glob("*.java"))}
    path = planner_class_path()
    versions = [f"{jar.name} {jar.stat().st_mtime_ns}" for jar in path if jar.name.startswith("rowtime")]
    jpype.addClassPath(str(compile_jar("evaluation", files, path, versions)))
    return jpype.JClass("io.rowtime.evaluation.Evaluation")
