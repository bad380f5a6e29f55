"""Parses numbers in untrusted text: checks their length and exponent before it computes anything with them.

Python's own `int` and `Decimal` accept digits of every script, underscores between them, and exponents such as that of
`1e999999999`, which as an integer would take all memory.
"""

from __future__ import annotations

import re
from decimal import Decimal, InvalidOperation

from rowtime.limits import NUMBER_LENGTH

_WHOLE = re.compile(r"[+-]?[0-9]+\Z")
_NUMBER = re.compile(r"[+-]?(?:[0-9]+\.?[0-9]*|\.[0-9]+)(?:[eE][+-]?[0-9]+)?\Z")
_NAMED = re.compile(r"[+-]?(?:nan|inf|infinity)\Z", re.IGNORECASE)
_LONG = 18
_DIGITS = 400
"""More digits than any type has, before or after the point."""


def natural(text: str) -> int | None:
    """Returns the number that a text of at most 18 ASCII digits represents, with blanks around it; None for any other
    text."""
    stripped = text.strip()
    return int(stripped) if stripped.isascii() and stripped.isdigit() and len(stripped) <= _LONG else None


def whole(value: str | float | Decimal) -> int:
    """Returns the integer that a text or a number represents. Raises ValueError if it is not an integer, OverflowError
    if it has too many digits."""
    if isinstance(value, str):
        stripped = value.strip()
        if not _WHOLE.match(stripped):
            raise ValueError
        if len(stripped) > NUMBER_LENGTH:
            raise OverflowError
        return int(stripped)
    if isinstance(value, Decimal):
        if value.is_finite() and value and value.adjusted() < 0:
            raise ValueError
        value = flush_to_zero(value)
    number = int(value)
    if number != value:
        raise ValueError
    return number


def decimal_of(value: str | int | float | Decimal) -> Decimal:
    """Returns the number that a text or a number represents; zero if it is smaller than the last digit of any type.
    Raises ValueError if it is not a number, OverflowError if it has too many digits."""
    if isinstance(value, str):
        stripped = value.strip()
        if len(stripped) > NUMBER_LENGTH:
            raise OverflowError
        if not _NUMBER.match(stripped):
            raise ValueError
        value = stripped
    try:
        return flush_to_zero(Decimal(repr(value) if isinstance(value, float) else value))
    except InvalidOperation:
        raise ValueError from None


def flush_to_zero(number: Decimal) -> Decimal:
    """The number itself, or zero where it is so near to it that no type tells. Raises ValueError if it is not
    finite, OverflowError where it has too many digits."""
    if not number.is_finite():
        raise ValueError
    if number and number.adjusted() > _DIGITS:
        raise OverflowError
    if not number or number.adjusted() < -_DIGITS:
        return Decimal(0)
    return number


def approximate(value: str | float) -> float:
    """The DOUBLE that a text or a number is, NaN and Infinity among them. Raises ValueError if it is not one."""
    if isinstance(value, str):
        stripped = value.strip()
        if len(stripped) > NUMBER_LENGTH or not (_NUMBER.match(stripped) or _NAMED.match(stripped)):
            raise ValueError
        value = stripped
    return float(value)
