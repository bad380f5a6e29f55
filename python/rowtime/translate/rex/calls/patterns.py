"""LIKE and SIMILAR TO, which match in linear time, and searches with regular expressions, whose steps are limited."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TypeGuard

from sqlglot import exp

from rowtime.jvm.functions import ILIKE, LIKE, SEARCHED, SIMILAR
from rowtime.plan.types import parse_type
from rowtime.sparksql.expressions import cast, fn, paren, text
from rowtime.translate.rex.computed import computed
from rowtime.translate.rex.registry import Operands, translates_call

_MOST_CHARACTERS = 100


@translates_call("LIKE")
def like(operands: Operands) -> exp.Expression:
    pattern = operands.constant(1)
    escape = operands.constant(2) if len(operands) == 3 else ""
    if isinstance(pattern, str) and _is_for_spark(escape) and _has_few_ways(pattern):
        return _like_of_spark(operands[0], pattern, escape)
    return fn(LIKE, *_with_escape(operands))


@translates_call("ILIKE")
def ilike(operands: Operands) -> exp.Expression:
    return fn(ILIKE, *_with_escape(operands))


def _has_few_ways(pattern: str) -> bool:
    """Returns whether Spark's LIKE takes time in proportion to the text. It becomes a comparison, which selects files
    too, or a regular expression, which tries all ways to divide the text between the `%`, except for a last one, and
    needs a level of the stack for each `_`."""
    return pattern.count("%") - pattern.endswith("%") <= 1 and pattern.count("_") <= _MOST_CHARACTERS


def _is_for_spark(escape: object) -> TypeGuard[str]:
    """Returns whether there is no ESCAPE, or one that Spark accepts: not a character beyond the BMP."""
    return isinstance(escape, str) and len(escape) <= 1 and escape <= "\uffff"


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


@translates_call("PARSE_URL")
def url_part(operands: Operands) -> exp.Expression:
    """The key of a parameter is a regular expression within one that begins with a group."""
    if len(operands) < 3:
        return computed(operands.call, operands.scope)
    regex = fn("concat", text("(&?)"), operands[2], text("=([^&]*)"))
    return computed(operands.call, operands.scope, {0: lambda value: _bounded(value, regex, "PARSE_URL")})


@translates_call("STR_TO_MAP")
def map_of_text(operands: Operands) -> exp.Expression:
    """The delimiters are regular expressions."""

    def searched(value: exp.Expression) -> exp.Expression:
        for place in range(1, len(operands)):
            value = _bounded(value, operands[place], "STR_TO_MAP")
        return value

    return computed(operands.call, operands.scope, {0: searched})


def _searched(operands: Operands, value: exp.Expression) -> exp.Expression:
    """Returns the text to be searched, whose search is known to end."""
    flags, position = _optional(operands, _FLAGS, "CHAR"), _optional(operands, _POSITION, "INT")
    name = operands.call.op.rstrip("_3456")
    return _bounded(value, operands[1], name, flags, position)


def _bounded(
    value: exp.Expression,
    regex: exp.Expression,
    function: str,
    flags: exp.Expression | None = None,
    position: exp.Expression | None = None,
) -> exp.Expression:
    begin = exp.Literal.number(1) if position is None else cast(position, parse_type("INTEGER"))
    return fn(SEARCHED, value, regex, flags or text(""), begin, text(function))


def _optional(operands: Operands, places: Mapping[str, int], family: str) -> exp.Expression | None:
    place = places.get(operands.call.op)
    if place is None or place >= len(operands) or family not in str(getattr(operands.call.args[place], "type", "")):
        return None
    return operands[place]
