"""LIKE and SIMILAR TO."""

from __future__ import annotations

from sqlglot import exp

from rowtime.jvm.functions import SIMILAR
from rowtime.sparksql.expressions import fn, paren, text
from rowtime.translate.rex.computed import computed
from rowtime.translate.rex.registry import Operands, translates_call


@translates_call("LIKE")
def like(operands: Operands) -> exp.Expression:
    """Without ESCAPE, no character escapes; Spark's default is the backslash, so those in the pattern are doubled."""
    pattern = operands[1]
    if len(operands) == 3:
        escape = operands.constant(2)
        if not isinstance(escape, str) or len(escape) != 1:
            return computed(operands.call, operands.scope)
        match = exp.Like(this=paren(operands[0]), expression=paren(pattern))
        return exp.Escape(this=match, expression=text(escape))
    constant = operands.constant(1)
    if isinstance(constant, str):
        pattern = text(constant.replace("\\", "\\\\"))
    else:
        pattern = fn("replace", pattern, text("\\"), text("\\\\"))
    return exp.Like(this=paren(operands[0]), expression=paren(pattern))


@translates_call("SIMILAR TO")
def similar(operands: Operands) -> exp.Expression:
    return fn(SIMILAR, operands[0], operands[1], operands[2] if len(operands) == 3 else text(""))
