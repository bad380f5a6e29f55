"""Comparison. Three-valued logic is the same in Spark."""

from __future__ import annotations

from sqlglot import exp

from rowtime.sparksql.expressions import any_of, binary, case, fn, is_null, null, paren
from rowtime.translate.rex.registry import Operands, translates_call

_OPERATORS = {"=": exp.EQ, "<>": exp.NEQ, "<": exp.LT, "<=": exp.LTE, ">": exp.GT, ">=": exp.GTE}


@translates_call(*_OPERATORS)
def compare(operands: Operands) -> exp.Expression:
    return binary(_OPERATORS[operands.call.op], operands[0], operands[1])


@translates_call("IS DISTINCT FROM")
def is_distinct(operands: Operands) -> exp.Expression:
    return binary(exp.NullSafeNEQ, operands[0], operands[1])


@translates_call("IS NOT DISTINCT FROM")
def is_not_distinct(operands: Operands) -> exp.Expression:
    return binary(exp.NullSafeEQ, operands[0], operands[1])


@translates_call("IS NULL", "IS UNKNOWN")
def null_test(operands: Operands) -> exp.Expression:
    return is_null(operands[0])


@translates_call("IS NOT NULL", "IS NOT UNKNOWN")
def not_null_test(operands: Operands) -> exp.Expression:
    return exp.Not(this=is_null(operands[0]))


@translates_call("IS TRUE", "IS FALSE", "IS NOT TRUE", "IS NOT FALSE")
def truth_test(operands: Operands) -> exp.Expression:
    test = exp.Is(this=paren(operands[0]), expression=exp.Boolean(this=operands.call.op.endswith("TRUE")))
    return exp.Not(this=test) if "NOT" in operands.call.op else test


@translates_call("GREATEST", "LEAST")
def greatest_or_least(operands: Operands) -> exp.Expression:
    """GREATEST and LEAST: NULL if any operand is; Spark's own skip NULLs."""
    found = fn(operands.call.op.lower(), *operands.all())
    nulls = [is_null(o) for o, arg in zip(operands.all(), operands.call.args, strict=True) if _nullable(arg)]
    return case((any_of(*nulls), null(operands.result)), default=found) if nulls else found


def _nullable(rex: object) -> bool:
    return bool(getattr(rex, "nullable", True))
