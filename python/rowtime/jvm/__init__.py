"""Java from Python: finding a JVM and the jars, and the planner in this process (`jpype`) or in Spark's JVM (`py4j`).

Both doors lead to the same class, `io.rowtime.bridge.PlannerService`, with the same method.
"""

from __future__ import annotations

from typing import Protocol

from rowtime.jvm.catalogs import Catalog

PLANNER_CLASS = "io.rowtime.bridge.PlannerService"


class Planner(Protocol):
    """Exchanges JSON with the planner, which keeps nothing but a cache. It never raises for an error of the user."""

    def plan(self, catalog: Catalog | str, request: str) -> str:
        """Plans one statement. Takes the catalog snapshot, or its JSON, and the request (`sql`, `line`, `column`), a
        JSON object; returns the reply (`version`, `diagnostics`, `statement`), a JSON object."""
        ...
