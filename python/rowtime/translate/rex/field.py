"""Fields of row values."""

from __future__ import annotations

from sqlglot import exp

from rowtime.plan.rex import FieldAccess
from rowtime.sparksql.expressions import paren
from rowtime.translate.rex.registry import Scope, to_expression, translates_rex


@translates_rex(FieldAccess)
def field(rex: FieldAccess, scope: Scope) -> exp.Expression:
    row = to_expression(rex.args[0], scope)
    return exp.Dot(this=paren(row), expression=exp.to_identifier(rex.name, quoted=True))
