"""Unnest: each row once for every element of its collections."""

from __future__ import annotations

from dataclasses import replace

from sqlglot import exp

from rowtime.plan.nodes import Unnest
from rowtime.plan.types import SqlType, parse_type
from rowtime.sparksql.expressions import add, cast, column, fn, number, spark_column
from rowtime.sparksql.result import Translated
from rowtime.translate.columns import internal, keep, names_of, plain
from rowtime.translate.context import TranslationContext
from rowtime.translate.registry import translates
from rowtime.translate.rex import Scope, to_expression


@translates(Unnest)
def translate_unnest(node: Unnest, inputs: list[Translated], context: TranslationContext) -> Translated:
    (rows,) = inputs
    names = names_of(node)
    width = len(rows.columns)
    types = [parse_type(getattr(rex, "type", "")) for rex in node.exprs]
    # As columns first, so that the fields of the zipped arrays have names.
    given = [internal(node, f"given{i}") for i in range(len(types))]
    scope, zipped = Scope(rows.columns), len(given) > 1
    values = [_array(to_expression(r, scope), t, zipped=zipped) for r, t in zip(node.exprs, types, strict=True)]
    df = rows.df.select(
        *map(keep, rows.df.columns), *(spark_column(v).alias(n) for v, n in zip(values, given, strict=True))
    )
    place, element = internal(node, "place"), internal(node, "element")
    exploded = fn("posexplode_outer" if node.outer else "posexplode", _zip_arrays(given))
    df = df.select(*map(keep, rows.df.columns), spark_column(exploded).alias(place, element))
    found = list(_fields(column(element), given, types))
    if node.ordinality:
        found.append(add(column(place), number(1)))
    columns = [plain(keep(c), n) for c, n in zip(rows.columns, names[:width], strict=True)]
    for value, name, field in zip(found, names[width:], node.fields[width:], strict=True):
        columns.append(plain(spark_column(cast(value, parse_type(field.type))), name))
    hidden = (rows.rowtime, rows.seq, *(key.column for key in rows.order))
    df = df.select(*columns, *(keep(c) for c in dict.fromkeys(hidden) if c is not None and c not in names))
    index = node.rowtime_index
    return replace(rows, df=df, columns=names, rowtime=rows.rowtime if index is None else names[index])


def _array(value: exp.Expression, type_: SqlType, *, zipped: bool) -> exp.Expression:
    array = fn("map_entries", value) if type_.name == "MAP" else value
    # An array that is NULL has no elements, and must not remove those of others.
    return fn("coalesce", array, fn("array")) if zipped else array


def _zip_arrays(given: list[str]) -> exp.Expression:
    return column(given[0]) if len(given) == 1 else fn("arrays_zip", *map(column, given))


def _fields(element: exp.Expression, given: list[str], types: list[SqlType]) -> list[exp.Expression]:
    """Returns the columns of an element: for one collection the element itself, for several a field of it for each."""
    found: list[exp.Expression] = []
    for name, type_ in zip(given, types, strict=True):
        one = element if len(given) == 1 else _field(element, name)
        if type_.name == "MAP":
            found += [_field(one, "key"), _field(one, "value")]
        elif type_.arguments[0].name == "ROW":
            found += [_field(one, field) for field in type_.arguments[0].names]
        else:
            found.append(one)
    return found


def _field(value: exp.Expression, name: str) -> exp.Expression:
    return exp.Dot(this=value.copy(), expression=exp.to_identifier(name, quoted=True))
