"""`rowtime explain --format rel` and `rel-json`: plans in Calcite's own forms, as Calcite converted them."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import msgspec

from rowtime.explain.analysis import ScriptAnalysis, StatementAnalysis
from rowtime.explain.facts import heading


def render(analysis: ScriptAnalysis, file: str) -> str:
    """Calcite's dump of each plan, a line for each operator, below a comment that names the statement."""
    return "\n\n".join(
        f"-- {analyzed.number} {heading(analyzed)}, {file}:{analyzed.statement.line}\n{calcite['rel']}"
        for analyzed, calcite in _plans(analysis)
    )


def render_json(analysis: ScriptAnalysis) -> str:
    """An array with an object for each plan: `statement` (its number), `line`, and `rel`, which Calcite's RelJsonReader
    reads; null if the plan has an operator that Calcite's JSON cannot express."""
    plans = [
        {"statement": analyzed.number, "line": analyzed.statement.line, "rel": calcite["relJson"]}
        for analyzed, calcite in _plans(analysis)
    ]
    return msgspec.json.format(msgspec.json.encode(plans), indent=2).decode()


def _plans(analysis: ScriptAnalysis) -> Iterator[tuple[StatementAnalysis, dict[str, Any]]]:
    for analyzed in analysis.statements:
        calcite = (analyzed.planned or {}).get("calcite")
        if calcite is not None:
            yield analyzed, calcite
