"""What the planner says of a statement: diagnostics, and of a fault of its own also the stack trace, for the log."""

from __future__ import annotations

from collections.abc import Sequence

from rowtime.errorlog import note_trace
from rowtime.errors import Diagnostic


class Finding(Diagnostic, frozen=True, kw_only=True):
    """A diagnostic as the planner gives it."""

    details: str | None = None


def to_diagnostics(findings: Sequence[Finding]) -> list[Diagnostic]:
    """The diagnostics as users see them; details have gone to the log, which the hint names."""
    return [_told(finding) for finding in findings]


def _told(finding: Finding) -> Diagnostic:
    told = {name: getattr(finding, name) for name in Diagnostic.__struct_fields__}
    if finding.details is not None:
        log = note_trace(finding.details)
        if log is not None:
            told["hint"] = f"{finding.hint}, together with '{log}'"
    return Diagnostic(**told)
