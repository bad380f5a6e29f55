"""References to the input's fields."""

from __future__ import annotations

from sqlglot import exp

from rowtime.plan.rex import Ref
from rowtime.sparksql.expressions import column
from rowtime.translate.rex.registry import Scope, translates_rex


@translates_rex(Ref)
def ref(rex: Ref, scope: Scope) -> exp.Expression:
    return column(scope.columns[rex.index])
