"""A planned query in the Python API: its columns, and how it would run."""

from __future__ import annotations

from collections.abc import Callable, Collection
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import msgspec

from rowtime.errors import Diagnostic, error
from rowtime.jvm.positions import Exchange
from rowtime.plan.nodes import Node
from rowtime.plan.parts import Field
from rowtime.planner import PlannedStatement

if TYPE_CHECKING:
    from rowtime.explain.analysis import ScriptAnalysis
    from rowtime.explain.forms import Form


@dataclass(frozen=True, slots=True)
class Plan:
    """A planned query: its columns with their monotonicity, and its operators."""

    sql: str
    statement: PlannedStatement
    warnings: list[Diagnostic]
    exchanged: Callable[[Collection[Exchange]], PlannedStatement] = field(repr=False, compare=False)
    """Plans the same query again, over the same catalog, and includes these forms of its plan."""

    @property
    def fields(self) -> list[Field]:
        """The columns: name, type, nullable, monotonicity, and disorder if a LATENESS allows it."""
        return list(self.statement.fields or [])

    @property
    def streaming(self) -> bool:
        return self.statement.streaming

    @property
    def root(self) -> Node:
        """The topmost node of the plan."""
        found = self.statement.plan
        if found is None:
            raise error("RT0411", f"A {self.statement.kind} statement has no plan")
        return found

    def explain(self, format: Form = "text") -> str:
        """Returns the plan as text: operators, columns, monotonicity, and the state of each node. `format` is text
        (only the tree), json (as from `rowtime explain --format json`), mermaid (a flowchart), html (a page), rel
        (Calcite's dump), rel-json (Calcite's RelJson) or substrait (the JSON form of a Substrait plan)."""
        from rowtime.explain.forms import EXCHANGE, FORMS
        from rowtime.explain.text import render_plan

        if format == "text":
            raw = self.statement.raw_plan
            return render_plan(raw) if raw else f"{self.statement.kind}: no plan"
        if format not in FORMS:
            raise error("RT0418", f"A plan cannot be shown as '{format}'", hint=f"The formats are {', '.join(FORMS)}")
        forms = EXCHANGE.get(format)
        return FORMS[format](self._analysis(self.exchanged(forms) if forms else self.statement), "<sql>")

    def _repr_html_(self) -> str:
        from rowtime.explain.html import fragment

        return fragment(self._analysis(self.statement))

    def _repr_pretty_(self, printer: Any, cycle: bool) -> None:
        printer.text(self.explain())

    def _analysis(self, statement: PlannedStatement) -> ScriptAnalysis:
        from rowtime.explain.forms import of_one

        return of_one(self.sql, msgspec.to_builtins(statement), self.warnings)
