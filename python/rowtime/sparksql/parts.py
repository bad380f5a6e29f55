"""Arrays, maps and rows that are built anew from their parts."""

from __future__ import annotations

from collections.abc import Callable

from sqlglot import exp

from rowtime.plan.types import SqlType
from rowtime.sparksql.expressions import case, cast, fn, is_null, null, once, text

Part = Callable[[exp.Expression, int], exp.Expression]
"""Returns the new part for a part of a value: for the element of an array (0), the key (0) or the value (1) of a map,
or a field of a row, by its index. If it returns the same object, the part stays as it is."""

_KEY = exp.to_identifier("rowtime_key")
# A lambda hides variables of the same name around it, and a part depends on its own value only.
_PART = exp.to_identifier("rowtime_part")


def by_parts(value: exp.Expression, source: SqlType, target: SqlType, part: Part) -> exp.Expression:
    """Returns a value of the type `source` with other parts, as one of the type `target`, which has as many; `value`
    itself if all parts stay as they are. NULL stays NULL."""
    if source.name == "ROW":
        return _row(value, source, target, part)
    if source.name == "MAP":
        keys = _each(value, "transform_keys", [_KEY, _PART], 0, part)
        return _each(keys, "transform_values", [_KEY, _PART], 1, part)
    return _each(value, "transform", [_PART], 0, part) if source.arguments else value


def _each(
    value: exp.Expression, function: str, variables: list[exp.Identifier], index: int, part: Part
) -> exp.Expression:
    old = exp.Column(this=variables[index].copy())
    new = part(old, index)
    if new is old:
        return value
    return fn(function, value, exp.Lambda(this=new, expressions=[variable.copy() for variable in variables]))


def _row(value: exp.Expression, source: SqlType, target: SqlType, part: Part) -> exp.Expression:
    def made(row: exp.Expression) -> exp.Expression:
        old = [exp.Dot(this=row.copy(), expression=exp.to_identifier(name, quoted=True)) for name in source.names]
        new = [part(field, index) for index, field in enumerate(old)]
        if all(one is other for one, other in zip(old, new, strict=True)):
            return row
        named = [each for name, field in zip(target.names, new, strict=True) for each in (text(name), field)]
        return case((is_null(row), null(target)), default=cast(fn("named_struct", *named), target))

    return once(value, made)
