"""AND, OR, NOT, CASE, COALESCE."""

from __future__ import annotations

from sqlglot import exp

from rowtime.plan.rex import Literal
from rowtime.sparksql.expressions import all_of, any_of, case, cast, fn, paren
from rowtime.translate.rex.registry import Operands, translates_call


@translates_call("AND")
def conjunction(operands: Operands) -> exp.Expression:
    return all_of(*operands.all())


@translates_call("OR")
def disjunction(operands: Operands) -> exp.Expression:
    return any_of(*operands.all())


@translates_call("NOT")
def negation(operands: Operands) -> exp.Expression:
    return exp.Not(this=paren(operands[0]))


@translates_call("CASE")
def choice(operands: Operands) -> exp.Expression:
    """Arguments: condition, value, condition, value …, value of ELSE."""
    count = len(operands)
    pairs = [(operands[i], _branch(operands, i + 1)) for i in range(0, count - 1, 2)]
    return case(*pairs, default=_branch(operands, count - 1))


@translates_call("COALESCE")
def coalesce(operands: Operands) -> exp.Expression:
    return fn("coalesce", *(_branch(operands, i) for i in range(len(operands))))


@translates_call("NULLIF")
def null_if(operands: Operands) -> exp.Expression:
    return cast(fn("nullif", operands[0], operands[1]), operands.result)


def _branch(operands: Operands, index: int) -> exp.Expression:
    """Returns a branch in the type of the whole; Spark's own choice of a common type differs from Calcite's."""
    arg = operands.call.args[index]
    if isinstance(arg, Literal) and arg.value is None:
        return exp.Null()
    if operands.type(index).spark() == operands.result.spark():
        return operands[index]
    return cast(operands[index], operands.result)
