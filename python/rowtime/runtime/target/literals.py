"""Evaluates expressions that are literals: rows of an INSERT that need no Spark."""

from __future__ import annotations

from typing import Any

from rowtime.plan.nodes import Node
from rowtime.plan.rex import Cast, Literal, Ref, Rex
from rowtime.types.values import BadValue, convert


def literal_rows(plan: Node) -> list[list[Any]] | None:
    """Returns the rows of a plan that consists of literals only, without Spark; None for any other plan."""
    try:
        return plan.constant_rows(_value)
    except (NotLiteral, ValueError, TypeError, ArithmeticError, BadValue):
        # Spark computes it, or reports the error.
        return None


class NotLiteral(Exception):
    """An expression that only Spark can compute."""


def literal(rex: Rex) -> Any:
    """Returns the value of an expression without input. Raises NotLiteral."""
    try:
        return _value(rex, None)
    except (ValueError, TypeError, ArithmeticError, BadValue) as fault:
        # Spark reports the error.
        raise NotLiteral from fault


def _value(rex: Rex, given: list[Any] | None) -> Any:
    if isinstance(rex, Literal):
        return rex.value
    if isinstance(rex, Ref) and given is not None:
        return given[rex.index]
    if isinstance(rex, Cast) and not rex.safe:
        return _cast(rex, _value(rex.args[0], given))
    raise NotLiteral


def _cast(rex: Cast, value: Any) -> Any:
    """Casts a value, if the cast is unambiguous: between texts, from integers to wider numbers, from text to time."""
    from rowtime.plan.types import parse_type

    if value is None:
        return None
    source, target = parse_type(rex.args[0].type), parse_type(rex.type)  # type: ignore[union-attr]
    if source.is_character and (target.is_character or target.is_datetime):
        if target.name == "CHAR" or (target.is_character and len(value) > (target.precision or len(value))):
            raise NotLiteral
        return convert(value, target) if target.is_character else _check_cast(value, target)
    if source.is_integer and (target.is_numeric):
        convert(value, target)
        return value
    if source == target or (source.is_decimal and target.is_approximate):
        return value
    if source.name == target.name == "TIMESTAMP":
        return value
    raise NotLiteral


def _check_cast(value: str, target: Any) -> str:
    convert(value, target)
    return value
