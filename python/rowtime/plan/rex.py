"""Scalar expressions of a plan (Calcite calls them rex). The tag field is `kind`.

`type` is a type text, see `rowtime.plan.types`. Operators (`Call.op`) are the names that Calcite gives them, from the
planner's allow-list.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Literal as OneOf

import msgspec

from rowtime.plan.clock import ClockStep


class _Rex(msgspec.Struct, tag_field="kind", forbid_unknown_fields=True, frozen=True):
    pass


class Ref(_Rex, tag="ref", frozen=True):
    """The input's field number `index`, counted from 0; in a join the left input's fields come first."""

    index: int
    type: str
    nullable: bool


class Literal(_Rex, tag="literal", frozen=True):
    """A constant. `value` is NULL, or depends on the type: DECIMAL and large integers as text, date, time and timestamp
    as ISO text, day-time intervals in milliseconds, year-month intervals in months, binary as hexadecimal text."""

    type: str
    nullable: bool
    value: bool | int | float | str | None = None


class Call(_Rex, tag="call", frozen=True):
    """An operator or a function applied to `args`; the result is of `type`, whatever Spark would infer."""

    op: str
    type: str
    nullable: bool
    args: list[Rex]


class Cast(_Rex, tag="cast", frozen=True):
    """CAST, or SAFE_CAST (`safe`: NULL instead of an error). `args` has one element."""

    type: str
    nullable: bool
    safe: bool
    args: list[Rex]


class Symbol(_Rex, tag="symbol", frozen=True, omit_defaults=True):
    """A keyword argument, such as HOUR in EXTRACT or LEADING in TRIM; `set` names the set of keywords if several
    contain the same word (NULL of JSON_VALUE, NULL of JSON_QUERY)."""

    value: str
    set: str | None = None


class FieldAccess(_Rex, tag="field", frozen=True):
    """The field `name` of a row value. `args` has one element."""

    name: str
    args: list[Rex]
    type: str
    nullable: bool


class FunctionCall(_Rex, tag="function", frozen=True):
    """A user-defined function. `body` names its code: `module:function`, `package.Class`, `package.Class:method`."""

    name: str
    language: OneOf["PYTHON", "JAVA"]
    body: str
    deterministic: bool
    args: list[Rex]
    type: str
    nullable: bool


class Lambda(_Rex, tag="lambda", frozen=True):
    """An expression over the elements of an array: the argument of an operator that computes it for each. `element` is
    the name of its `Element`, `type` that of the expression. `args` has one element."""

    element: str
    args: list[Rex]
    type: str
    nullable: bool


class Element(_Rex, tag="element", frozen=True):
    """The current element, within the Lambda that has it under this name."""

    name: str
    type: str
    nullable: bool


class InList(_Rex, tag="in", frozen=True):
    """Whether `values`, rows of constants, contain the row of `args`. A row of one argument is its value. The constants
    are of the types of the arguments, in the form of Literal.value, none of them NULL, and come row by row."""

    type: str
    nullable: bool
    args: list[Rex]
    values: list[bool | int | float | str]


class Carried(_Rex, tag="carried", frozen=True):
    """A column that rows carry though it is not among their fields: ROWTIME, the number of the row in order of ARRIVAL,
    the number of a COPY, or how often the row is added or retracted, its CHANGE (see `Execution`)."""

    what: OneOf["ROWTIME", "ARRIVAL", "COPY", "CHANGE"]
    type: str
    nullable: bool


class Conversion(_Rex, tag="conversion", frozen=True):
    """The value in another type of the same kind, by Spark's own conversion. `args` has one element."""

    type: str
    nullable: bool
    args: list[Rex]


class Key(_Rex, tag="key", frozen=True):
    """The value such that equal ones have the same bytes. `args` has one element."""

    type: str
    nullable: bool
    args: list[Rex]


class Average(_Rex, tag="average", frozen=True):
    """The average that follows from a sum and a count, the two `args`; exact for exact numbers."""

    type: str
    nullable: bool
    args: list[Rex]


class CountedTime(_Rex, tag="counted_time", frozen=True):
    """The TIMESTAMP that is as many microseconds after 1970 as the number, the only element of `args`, counts; `unit`
    are the microseconds of 1."""

    type: str
    nullable: bool
    unit: int
    args: list[Rex]


class Reached(_Rex, tag="reached", frozen=True):
    """The least watermark at which a bound reaches a time, the only element of `args`; `clock` leads from the bound of
    the sources to that bound."""

    type: str
    nullable: bool
    clock: list[ClockStep]
    args: list[Rex]


Rex = (
    InList
    | Ref
    | Literal
    | Call
    | Cast
    | Symbol
    | FieldAccess
    | FunctionCall
    | Lambda
    | Element
    | Carried
    | Conversion
    | Key
    | Average
    | CountedTime
    | Reached
)


def walk(rex: Rex) -> Iterator[Rex]:
    """Yields the expression and all its parts, outermost first."""
    yield rex
    for arg in getattr(rex, "args", ()):
        yield from walk(arg)


def references(rex: Rex) -> set[int]:
    """Returns the indexes of the input fields that the expression reads."""
    return {r.index for r in walk(rex) if isinstance(r, Ref)}
