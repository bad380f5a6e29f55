"""Columns that rows carry though they are not among their fields."""

from __future__ import annotations

from sqlglot import exp

from rowtime.plan.rex import Carried
from rowtime.translate.rex.registry import Scope, translates_rex


@translates_rex(Carried)
def carried(rex: Carried, scope: Scope) -> exp.Expression:
    return scope.carried[rex.what]
