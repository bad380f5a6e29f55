"""The forms in which plans are shown. A new form needs a module in this package and a line here."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Literal

from rowtime.errors import Diagnostic
from rowtime.explain import html, json, mermaid, rel, text
from rowtime.explain.analysis import ScriptAnalysis, StatementAnalysis
from rowtime.explain.settings import settings
from rowtime.jvm.positions import Exchange
from rowtime.splitter import Statement

Form = Literal["text", "json", "mermaid", "html", "rel", "rel-json", "substrait"]

FORMS: dict[str, Callable[[ScriptAnalysis, str], str]] = {
    "text": lambda analysis, name: text.render(analysis, name, settings),
    "json": lambda analysis, name: json.render(analysis),
    "mermaid": lambda analysis, name: mermaid.render(analysis),
    "html": html.render,
    "rel": rel.render,
    "rel-json": lambda analysis, name: rel.render_json(analysis),
    "substrait": lambda analysis, name: rel.render_substrait(analysis),
}
"""The function that renders a script, by the name of the form."""

EXCHANGE: dict[str, tuple[Exchange, ...]] = {
    "rel": ("calcite",),
    "rel-json": ("calcite",),
    "substrait": ("substrait",),
}
"""The further forms of plans that a form needs from the analysis."""


def of_one(sql: str, planned: dict[str, Any], diagnostics: list[Diagnostic]) -> ScriptAnalysis:
    """Returns a script with a single statement, from the planner's object for it."""
    return ScriptAnalysis([StatementAnalysis(1, Statement(sql, 1, 1), diagnostics, planned)], diagnostics)
