"""Calls of aggregate functions over the names in a scope."""

from __future__ import annotations

from .expressions import Expressions
from .text import KINDS, NUMBERS, Expr, Kind, Sql, both, differing

_SUMS: dict[Kind, Kind] = {"INTEGER": "BIGINT", "BIGINT": "BIGINT", "DECIMAL": "DECIMAL", "DOUBLE": "DOUBLE"}
_ORDERED: tuple[Kind, ...] = ("INTEGER", "BIGINT", "DECIMAL", "DOUBLE", "VARCHAR", "DATE", "TIMESTAMP")


def aggregate(over: Expressions, *, windows: bool = False) -> Expr:
    """Returns a call, sometimes with DISTINCT, FILTER or an order; `windows`: one that is allowed before OVER."""
    chance = over.chance
    forms = [_count, _count, _sum, _sum, _average, _extreme, _extreme, _spread, _truth]
    made = chance.choice(forms if windows else [*forms, _distinct, _percentile, _listed, _bits, _at_extreme])(over)
    if windows or chance.random() < 0.75:
        return made
    return Expr(both("{} FILTER (WHERE {})", made.sql, over.condition(1)), made.kind, made.exact)


def _argument(over: Expressions, *kinds: Kind) -> tuple[Sql, Kind]:
    known = sorted({e.kind for e in over.names(*kinds)})
    kind = over.chance.choice(known or kinds)
    return over.value(kind, 1).sql, kind


def _count(over: Expressions) -> Expr:
    if over.chance.random() < 0.5:
        return Expr(Sql("COUNT(*)", "COUNT(*)"), "BIGINT")
    return Expr(both("COUNT({})", over.any(1).sql), "BIGINT")


def _sum(over: Expressions) -> Expr:
    value, kind = _argument(over, *NUMBERS)
    return Expr(both("SUM({})", value), _SUMS[kind])


def _average(over: Expressions) -> Expr:
    return Expr(both("AVG({})", _argument(over, "INTEGER", "DECIMAL", "DOUBLE")[0]), "DOUBLE", exact=False)


def _spread(over: Expressions) -> Expr:
    function = over.chance.choice(("STDDEV_POP", "STDDEV_SAMP", "VAR_POP", "VAR_SAMP"))
    return Expr(both(f"{function}({{}})", over.name("INTEGER", "DOUBLE", "DECIMAL").sql), "DOUBLE", exact=False)


def _extreme(over: Expressions) -> Expr:
    value, kind = _argument(over, *_ORDERED)
    return Expr(both(f"{over.chance.choice(('MIN', 'MAX'))}({{}})", value), kind)


def _truth(over: Expressions) -> Expr:
    ours, duck = over.chance.choice((("EVERY", "bool_and"), ("SOME", "bool_or")))
    return Expr(differing(f"{ours}({{}})", f"{duck}({{}})", over.condition(1)), "BOOLEAN")


def _distinct(over: Expressions) -> Expr:
    function = over.chance.choice(("COUNT", "SUM", "AVG"))
    value, kind = _argument(over, *(KINDS if function == "COUNT" else NUMBERS))
    made: Kind = "BIGINT" if function == "COUNT" else _SUMS[kind]
    return Expr(both(f"{function}(DISTINCT {{}})", value), made, exact=function != "AVG")


def _percentile(over: Expressions) -> Expr:
    value, fraction = (
        over.name("INTEGER", "DOUBLE", "DECIMAL").sql,
        over.chance.choice(("0", "0.25", "0.5", "0.9", "1")),
    )
    function, duck = over.chance.choice((("CONT", "quantile_cont"), ("DISC", "quantile_disc")))
    ours = f"PERCENTILE_{function}({fraction}) WITHIN GROUP (ORDER BY {{}})"
    # DuckDB's PERCENTILE_CONT of DECIMALs is rounded to their digits; that of rowtime is a DOUBLE.
    asked = "CAST({} AS DOUBLE)" if function == "CONT" else "{}"
    return Expr(differing(ours, f"{duck}({asked}, {fraction})", value), "DOUBLE", exact=False)


def _listed(over: Expressions) -> Expr:
    """Orders by the value, so that ties are equal text."""
    named = over.names("VARCHAR")
    value = over.value("VARCHAR", 1).sql if named else both("CAST({} AS VARCHAR)", over.name("INTEGER", "DATE").sql)
    if value.duck.startswith(("'", "CAST('")) or not any(e.sql.ours in value.ours for e in over.scope):
        return _extreme(over)
    way = over.chance.choice(("", " DESC"))
    ours, duck = (
        f"LISTAGG({{0}}, '-') WITHIN GROUP (ORDER BY {{0}}{way})",
        f"string_agg({{0}}, '-' ORDER BY {{0}}{way})",
    )
    return Expr(differing(ours, duck, value), "VARCHAR")


def _bits(over: Expressions) -> Expr:
    function = over.chance.choice(("BIT_AND", "BIT_OR", "BIT_XOR"))
    return Expr(both(f"{function}({{}})", over.name("INTEGER").sql), "INTEGER")


def _at_extreme(over: Expressions) -> Expr:
    """Uses values that are equal where the extreme is."""
    value = over.name("INTEGER", "DATE")
    function = over.chance.choice(("ARG_MAX", "ARG_MIN"))
    return Expr(both(f"{function}(COALESCE({{0}}, {{0}}), {{0}})", value.sql), value.kind)
