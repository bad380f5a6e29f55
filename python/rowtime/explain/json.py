"""`rowtime explain --format json`: an array with one object per statement."""

from __future__ import annotations

from typing import Any

import msgspec

from rowtime.explain.analysis import ScriptAnalysis


def explanations(analysis: ScriptAnalysis) -> list[dict[str, Any]]:
    """Returns an object for each statement without errors: `statement` (its number), `line`, `kind`, `streaming`,
    `fields`, `plan` (as in the plan contract; null if a statement has none), and `notSupported`, a list of the
    constructs that `run` would refuse, if there are any."""
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
    """Returns the array as indented JSON text."""
    return msgspec.json.format(msgspec.json.encode(explanations(analysis)), indent=2).decode()
