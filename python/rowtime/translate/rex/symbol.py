"""Keyword arguments; the calls that have one read it themselves."""

from __future__ import annotations

from sqlglot import exp

from rowtime.plan.rex import Symbol
from rowtime.sparksql.expressions import text
from rowtime.translate.rex.registry import Scope, translates_rex


@translates_rex(Symbol)
def symbol(rex: Symbol, scope: Scope) -> exp.Expression:
    return text(rex.value)
