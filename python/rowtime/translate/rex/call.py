"""Calls of operators and functions: translated by the operator's name, see `calls`; otherwise computed by Calcite."""

from __future__ import annotations

from sqlglot import exp

from rowtime.plan.rex import Call
from rowtime.plan.types import parse_type
from rowtime.translate.rex.computed import computed
from rowtime.translate.rex.registry import Operands, Scope, call_translator, known_operators, translates_rex


@translates_rex(Call)
def call(rex: Call, scope: Scope) -> exp.Expression:
    if rex.op not in known_operators():
        return computed(rex, scope)
    return call_translator(rex.op)(Operands(rex, scope, parse_type(rex.type)))
