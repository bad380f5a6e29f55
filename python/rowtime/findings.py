"""The planner's diagnostics. Those of internal errors also have a stack trace, which goes to the log."""

from __future__ import annotations

from collections.abc import Sequence

from rowtime.errorlog import note_trace
from rowtime.errors import Diagnostic


class PlannerDiagnostic(Diagnostic, frozen=True, kw_only=True):
    """A diagnostic of the planner, with the `details` of an internal error."""

    details: str | None = None


def to_diagnostics(findings: Sequence[PlannerDiagnostic]) -> list[Diagnostic]:
    """Returns the diagnostics for users. Writes their details to the log, and names it in the hint."""
    return [_to_diagnostic(finding) for finding in findings]


def _to_diagnostic(finding: PlannerDiagnostic) -> Diagnostic:
    fields = {name: getattr(finding, name) for name in Diagnostic.__struct_fields__}
    if finding.details is not None:
        log = note_trace(finding.details)
        if log is not None:
            fields["hint"] = f"{finding.hint}, together with '{log}'"
    return Diagnostic(**fields)
