"""The intended differences from DuckDB; docs/differences.md explains each under its name."""

from __future__ import annotations

from collections.abc import Callable

from .cases import Case

DIFFERENCES: dict[str, Callable[[Case], bool]] = {
    "Correlated sub-queries": lambda c: c.differs.startswith("RT0900") and "a correlated input" in c.differs,
}


def difference_name(case: Case) -> str:
    """Returns the name of the case's difference; '' if it has none, or does not differ."""
    if not (case.differs or case.streamed):
        return ""
    return next((name for name, meant in DIFFERENCES.items() if meant(case)), "")
