"""LIKE and SIMILAR TO, which match in linear time, and searches with regular expressions, whose steps are limited."""

from __future__ import annotations

from collections.abc import Mapping

from sqlglot import exp

from rowtime.jvm.functions import ILIKE, LIKE, SEARCHED, SIMILAR
from rowtime.plan.types import parse_type
from rowtime.sparksql.expressions import cast, fn, paren, text
from rowtime.translate.rex.computed import computed
from rowtime.translate.rex.registry import Operands, translates_call


@translates_call("LIKE")
def like(operands: Operands) -> exp.Expression:
    pattern = operands.constant(1)
    escape = operands.constant(2) if len(operands) == 3 else ""
    if isinstance(pattern, str) and isinstance(escape, str) and len(escape) <= 1 and _has_few_ways(pattern):
        return _like_of_spark(operands[0], pattern, escape)
    return fn(LIKE, *_with_escape(operands))


@translates_call("ILIKE")
def ilike(operands: Operands) -> exp.Expression:
    return fn(ILIKE, *_with_escape(operands))


def _has_few_ways(pattern: str) -> bool:
    """Returns whether Spark's LIKE takes time in proportion to the text. It becomes a comparison, which selects files
    too, or a regular expression, which tries all ways to divide the text between the `%`, except for a last one."""
    return pattern.count("%") - pattern.endswith("%") <= 1


def _like_of_spark(value: exp.Expression, pattern: str, escape: str) -> exp.Expression:
    """Without ESCAPE, no character escapes; Spark's default is the backslash, so those in the pattern are doubled."""
    if escape:
        match = exp.Like(this=paren(value), expression=paren(text(pattern)))
        return exp.Escape(this=match, expression=text(escape))
    return exp.Like(this=paren(value), expression=paren(text(pattern.replace("\\", "\\\\"))))


@translates_call("SIMILAR TO")
def similar(operands: Operands) -> exp.Expression:
    return fn(SIMILAR, *_with_escape(operands))


def _with_escape(operands: Operands) -> list[exp.Expression]:
    return [operands[0], operands[1], operands[2] if len(operands) == 3 else text("")]


_FLAGS = {"REGEXP_LIKE": 2, "REGEXP_REPLACE_4": 3, "REGEXP_REPLACE_5": 4, "REGEXP_REPLACE_6": 5}
_POSITION = {
    "REGEXP_EXTRACT": 2,
    "REGEXP_INSTR": 2,
    "REGEXP_REPLACE_4": 3,
    "REGEXP_REPLACE_5": 3,
    "REGEXP_REPLACE_6": 3,
}
"""The places of these arguments, if they are there and have the type."""


@translates_call(
    "RLIKE",
    "REGEXP",
    "REGEXP_LIKE",
    "REGEXP_CONTAINS",
    "REGEXP_EXTRACT",
    "REGEXP_EXTRACT_ALL",
    "REGEXP_INSTR",
    "REGEXP_REPLACE_3",
    "REGEXP_REPLACE_4",
    "REGEXP_REPLACE_5",
    "REGEXP_REPLACE_6",
)
def search(operands: Operands) -> exp.Expression:
    return computed(operands.call, operands.scope, {0: lambda value: _searched(operands, value)})


@translates_call("REGEXP_COUNT")
def count(operands: Operands) -> exp.Expression:
    return cast(fn("regexp_count", _searched(operands, operands[0]), operands[1]), operands.result)


def _searched(operands: Operands, value: exp.Expression) -> exp.Expression:
    """Returns the text to be searched, whose search is known to end."""
    flags, position = _optional(operands, _FLAGS, "CHAR"), _optional(operands, _POSITION, "INT")
    name = operands.call.op.rstrip("_3456")
    begin = exp.Literal.number(1) if position is None else cast(position, parse_type("INTEGER"))
    return fn(SEARCHED, value, operands[1], flags or text(""), begin, text(name))


def _optional(operands: Operands, places: Mapping[str, int], family: str) -> exp.Expression | None:
    place = places.get(operands.call.op)
    if place is None or place >= len(operands) or family not in str(getattr(operands.call.args[place], "type", "")):
        return None
    return operands[place]
