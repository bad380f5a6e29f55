"""Keys: values in a form in which equal ones have the same bytes, by which rowtime's operators compare them."""

from __future__ import annotations

from sqlglot import exp

from rowtime.jvm.functions import NUMBER_KEY, ORDERED_MAP
from rowtime.plan.types import SqlType
from rowtime.sparksql.expressions import cast, fn
from rowtime.sparksql.parts import by_parts


def key_of(value: exp.Expression, type_: SqlType) -> exp.Expression:
    """Returns the value as a key. An approximate number has two zeros and many NaN, and the entries of a MAP have no
    order."""
    key = _key(value, type_)
    return value if key is value else cast(key, type_)


def _key(value: exp.Expression, type_: SqlType) -> exp.Expression:
    if type_.is_approximate:
        return fn(NUMBER_KEY, value)
    key = by_parts(value, type_, type_, lambda part, index: _key(part, type_.arguments[index]))
    return fn(ORDERED_MAP, key) if type_.name == "MAP" else key
