"""Elements of arrays, and expressions over them."""

from __future__ import annotations

from sqlglot import exp

from rowtime.plan.rex import Element, Lambda
from rowtime.translate.rex.registry import Scope, to_expression, translates_rex


@translates_rex(Lambda)
def lambda_(rex: Lambda, scope: Scope) -> exp.Expression:
    return exp.Lambda(this=to_expression(rex.args[0], scope), expressions=[_variable(rex.element)])


@translates_rex(Element)
def element(rex: Element, scope: Scope) -> exp.Expression:
    return exp.Column(this=_variable(rex.name))


def _variable(name: str) -> exp.Identifier:
    return exp.to_identifier(f"rowtime_{name}")
