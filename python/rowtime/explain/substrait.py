"""`rowtime explain --format substrait`: relational plans for other engines that read Substrait."""

from __future__ import annotations

import msgspec

from rowtime.explain.analysis import ScriptAnalysis


def render(analysis: ScriptAnalysis) -> str:
    """An array with an object for each plan: `statement` (its number), `line`, `substrait`, which is the JSON form of a
    Substrait plan, and `reason`: why there is no such plan (null if there is one)."""
    plans = []
    for analyzed in analysis.statements:
        made = (analyzed.planned or {}).get("substrait")
        if made is not None:
            place = {"statement": analyzed.number, "line": analyzed.statement.line}
            plans.append({**place, "substrait": made["plan"], "reason": made["reason"]})
    return msgspec.json.format(msgspec.json.encode(plans), indent=2).decode()
