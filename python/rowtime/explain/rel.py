"""`rowtime explain --format rel`, `rel-json` and `substrait`: plans for other programs, as Calcite converted them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

import msgspec

from rowtime.explain.analysis import ScriptAnalysis, StatementAnalysis
from rowtime.explain.facts import heading
from rowtime.jvm.positions import Exchange


def render(analysis: ScriptAnalysis, file: str) -> str:
    """Returns Calcite's dump of each plan, one line per operator, below a comment that names the statement."""
    return "\n\n".join(
        f"-- {analyzed.number} {heading(analyzed)}, {file}:{analyzed.statement.line}\n{calcite['rel']}"
        for analyzed, calcite in _plans(analysis, "calcite")
    )


def render_json(analysis: ScriptAnalysis) -> str:
    """Returns an array with an object for each plan: `statement` (its number), `line`, and `rel`, which Calcite's
    RelJsonReader reads; null if the plan has an operator that Calcite's JSON cannot express."""
    return _as_json((analyzed, {"rel": calcite["relJson"]}) for analyzed, calcite in _plans(analysis, "calcite"))


def render_substrait(analysis: ScriptAnalysis) -> str:
    """Returns an array with an object for each plan: `statement` (its number), `line`, `substrait`, which is the JSON
    form of a Substrait plan, and `reason`: why there is no such plan (null if there is one)."""
    return _as_json(
        (analyzed, {"substrait": made["plan"], "reason": made["reason"]})
        for analyzed, made in _plans(analysis, "substrait")
    )


def _plans(analysis: ScriptAnalysis, form: Exchange) -> Iterator[tuple[StatementAnalysis, dict[str, Any]]]:
    for analyzed in analysis.statements:
        made = (analyzed.planned or {}).get(form)
        if made is not None:
            yield analyzed, made


def _as_json(plans: Iterable[tuple[StatementAnalysis, dict[str, Any]]]) -> str:
    entries = [{"statement": analyzed.number, "line": analyzed.statement.line, **plan} for analyzed, plan in plans]
    return msgspec.json.format(msgspec.json.encode(entries), indent=2).decode()
