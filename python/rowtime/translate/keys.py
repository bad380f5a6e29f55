"""Keys: values in a form in which equal ones have the same bytes, by which rowtime's operators compare them."""

from __future__ import annotations

from sqlglot import exp

from rowtime.jvm.functions import NUMBER_KEY, ORDERED_MAP
from rowtime.plan.types import SqlType
from rowtime.sparksql.expressions import case, cast, fn, is_null, null, text


def key_of(value: exp.Expression, type_: SqlType) -> exp.Expression:
    """Returns the value as a key. An approximate number has two zeros and many NaN, and the entries of a MAP have no
    order."""
    return cast(_key(value, type_, 0), type_) if _has_many_forms(type_) else value


def _has_many_forms(type_: SqlType) -> bool:
    return type_.is_approximate or type_.name == "MAP" or any(_has_many_forms(part) for part in type_.arguments)


def _key(value: exp.Expression, type_: SqlType, depth: int) -> exp.Expression:
    if not _has_many_forms(type_):
        return value
    if type_.is_approximate:
        return fn(NUMBER_KEY, value)
    if type_.name == "ROW":
        fields: list[exp.Expression] = []
        for name, part in zip(type_.names, type_.arguments, strict=True):
            field = exp.Dot(this=value.copy(), expression=exp.to_identifier(name, quoted=True))
            fields += [text(name), _key(field, part, depth)]
        return case((is_null(value), null(type_)), default=cast(fn("named_struct", *fields), type_))
    if type_.name == "MAP":
        keys = _elements(fn("map_keys", value), type_.arguments[0], depth)
        values = _elements(fn("map_values", value), type_.arguments[1], depth)
        return fn(ORDERED_MAP, fn("map_from_arrays", keys, values))
    return _elements(value, type_.arguments[0], depth)


def _elements(array: exp.Expression, type_: SqlType, depth: int) -> exp.Expression:
    if not _has_many_forms(type_):
        return array
    element = exp.to_identifier(f"rowtime_key_{depth}")
    each = _key(exp.Column(this=element.copy()), type_, depth + 1)
    return fn("transform", array, exp.Lambda(this=each, expressions=[element]))
