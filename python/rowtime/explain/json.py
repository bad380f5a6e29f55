"""`rowtime explain --format json`: one array with an object a statement."""

from __future__ import annotations

from typing import Any

import msgspec

from rowtime.explain.analysis import ScriptAnalysis


def explanations(analysis: ScriptAnalysis) -> list[dict[str, Any]]:
    """An object for each statement without errors: `statement` (its number), `line`, `kind`, `streaming`, `fields`,
    `plan` (as in the plan contract; null if a statement has none), and `notSupported`, a list of what `run` would
    refuse, where there is any."""
    result = []
    for analyzed in analysis.statements:
        planned = analyzed.planned
        if planned is None or any(diagnostic.is_error for diagnostic in analyzed.diagnostics):
            continue
        one = {
            "statement": analyzed.number,
            "line": analyzed.statement.line,
            "kind": planned["kind"],
            "streaming": bool(planned.get("streaming")),
            "fields": planned.get("fields"),
            "plan": planned.get("plan"),
        }
        if planned.get("notSupported"):
            one["notSupported"] = planned["notSupported"]
        result.append(one)
    return result


def render(analysis: ScriptAnalysis) -> str:
    """The array as indented JSON text."""
    return msgspec.json.format(msgspec.json.encode(explanations(analysis)), indent=2).decode()
