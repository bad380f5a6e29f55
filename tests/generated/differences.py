"""The differences from DuckDB that are meant; each is explained in docs/differences.md under its name."""

from __future__ import annotations

from collections.abc import Callable

from .cases import Case

DIFFERENCES: dict[str, Callable[[Case], bool]] = {
    "Correlated sub-queries": lambda c: c.differs.startswith("RT0900") and "a correlated input" in c.differs,
}


def named(case: Case) -> str:
    """The name of the case's difference; '' if it has none, or does not differ."""
    if not (case.differs or case.streamed):
        return ""
    return next((name for name, meant in DIFFERENCES.items() if meant(case)), "")
