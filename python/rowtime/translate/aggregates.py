"""Aggregate functions as Spark expressions, for GROUP BY and for OVER."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Any

from sqlglot import exp

from rowtime.plan.types import MAX_SPARK_PRECISION, SqlType, parse_type
from rowtime.sparksql.expressions import (
    all_of,
    binary,
    case,
    cast,
    equal,
    fail,
    fn,
    greater,
    is_null,
    number,
    subtract,
    text,
)
from rowtime.translate.averages import average

_INTEGER_DIGITS = {"TINYINT": 3, "SMALLINT": 5, "INTEGER": 10, "BIGINT": 19}


@dataclass(frozen=True)
class AggregateUse:
    """A use of an aggregate function.

    `condition` is the boolean condition of FILTER, `order` the one of WITHIN GROUP. `wrap` adds the context around
    every plain aggregate (OVER). If `sets` is true, DISTINCT must be computed from sets, because Spark's streams and
    windows do not support it.
    """

    function: str
    args: Sequence[exp.Expression]
    types: Sequence[SqlType]
    result: SqlType
    distinct: bool = False
    condition: exp.Expression | None = None
    order: Sequence[exp.Ordered] = ()
    ignore_nulls: bool = False
    sets: bool = False
    wrap: Callable[[exp.Expression], exp.Expression] = lambda plain: plain

    def plain(
        self,
        name: str,
        *args: exp.Expression,
        within: Sequence[exp.Ordered] = (),
        known: exp.Expression | None = None,
    ) -> exp.Expression:
        """Returns Spark's aggregate `name` over rows that satisfy the condition, in the order `within`; only over those
        for which `known` is not NULL."""
        given = [a.copy() for a in args]
        if self.distinct and not self.sets:
            given = [exp.Distinct(expressions=given)]
        call: exp.Expression = exp.Anonymous(this=name, expressions=given)
        if self.ignore_nulls:
            call = exp.IgnoreNulls(this=call)
        if within:
            call = exp.WithinGroup(this=call, expression=exp.Order(expressions=[key.copy() for key in within]))
        conditions = [] if self.condition is None else [self.condition.copy()]
        if known is not None:
            conditions.append(exp.Not(this=is_null(known.copy())))
        if conditions:
            call = exp.Filter(this=call, expression=exp.Where(this=all_of(*conditions)))
        return self.wrap(call)


Writer = Callable[[AggregateUse], exp.Expression]
_writers: dict[str, Writer] = {}


def _writes(*functions: str) -> Callable[[Writer], Writer]:
    def register(writer: Writer) -> Writer:
        for function in functions:
            _writers[function] = writer
        return writer

    return register


def aggregate_expression(use: AggregateUse) -> exp.Expression:
    """Returns a Spark expression of the result's type."""
    return cast(_writers[use.function](use), use.result)


def known_with(args: Sequence[exp.Expression]) -> exp.Expression:
    """Returns the first argument if none of the others is NULL: REGR_SXX becomes a SUM of such values."""
    value, *others = args
    return case((all_of(*(exp.Not(this=is_null(other)) for other in others)), value))


# Calcite's name: Spark's, if they mean the same.
_SAME = {
    "MIN": "min",
    "MAX": "max",
    "STDDEV_POP": "stddev_pop",
    "STDDEV_SAMP": "stddev_samp",
    "STDDEV": "stddev_samp",
    "VAR_POP": "var_pop",
    "VAR_SAMP": "var_samp",
    "VARIANCE": "var_samp",
    "COVAR_POP": "covar_pop",
    "COVAR_SAMP": "covar_samp",
    "CORR": "corr",
    "REGR_SLOPE": "regr_slope",
    "REGR_INTERCEPT": "regr_intercept",
    "REGR_R2": "regr_r2",
    "REGR_AVGX": "regr_avgx",
    "REGR_AVGY": "regr_avgy",
    "REGR_SXX": "regr_sxx",
    "REGR_SYY": "regr_syy",
    "REGR_SXY": "regr_sxy",
    "ANY_VALUE": "any_value",
    "EVERY": "every",
    "BOOL_AND": "every",
    "LOGICAL_AND": "every",
    "SOME": "some",
    "BOOL_OR": "some",
    "LOGICAL_OR": "some",
    "BIT_AND": "bit_and",
    "BIT_OR": "bit_or",
    "BIT_XOR": "bit_xor",
    "FIRST_VALUE": "first_value",
    "LAST_VALUE": "last_value",
    "MODE": "mode",
    "MAX_BY": "max_by",
    "ARG_MAX": "max_by",
    "MIN_BY": "min_by",
    "ARG_MIN": "min_by",
}


@_writes(*_SAME)
def _same(use: AggregateUse) -> exp.Expression:
    return use.plain(_SAME[use.function], *use.args)


@_writes("LISTAGG", "STRING_AGG")
def _listagg(use: AggregateUse) -> exp.Expression:
    return use.plain("listagg", *use.args, *([text(",")] if len(use.args) == 1 else []), within=use.order)


@_writes("COLLECT", "ARRAY_AGG")
def _collect(use: AggregateUse) -> exp.Expression:
    """Returns an array, without NULLs."""
    (value,) = use.args
    if not use.order:
        return use.plain("collect_list", value)
    keys: list[Any] = [exp.alias_(key.this.copy(), f"k{i}") for i, key in enumerate(use.order)]
    keys.append(exp.alias_(value.copy(), "v"))
    rows = use.plain("collect_list", fn("struct", *keys), known=value)
    compared = exp.Lambda(this=_comparison(use.order), expressions=[exp.to_identifier("a"), exp.to_identifier("b")])
    picked = exp.Lambda(this=exp.column("v", table="r"), expressions=[exp.to_identifier("r")])
    return fn("transform", fn("array_sort", rows, compared), picked)


def _comparison(order: Sequence[exp.Ordered]) -> exp.Expression:
    """Returns a comparison: below 0 if the struct `a` comes before `b`, above it if it comes after."""
    branches = []
    for i, key in enumerate(order):
        a, b = exp.column(f"k{i}", table="a"), exp.column(f"k{i}", table="b")
        null = number(-1 if key.args["nulls_first"] else 1)
        less = number(1 if key.args.get("desc") else -1)
        branches += [
            (all_of(is_null(a), exp.Not(this=is_null(b))), null),
            (all_of(exp.Not(this=is_null(a)), is_null(b)), exp.Neg(this=exp.paren(null.copy()))),
            (exp.LT(this=a, expression=b), less),
            (exp.GT(this=a, expression=b), exp.Neg(this=exp.paren(less.copy()))),
        ]
    return case(*branches, default=number(0))


@_writes("MEDIAN")
def _median(use: AggregateUse) -> exp.Expression:
    return use.plain("percentile", use.args[0], exp.Literal.number("0.5"))


@_writes("PERCENTILE_CONT")
def _percentile_cont(use: AggregateUse) -> exp.Expression:
    value, fraction, falling = _percentile_arguments(use)
    return use.plain("percentile", value, subtract(number(1), fraction) if falling else fraction)


@_writes("PERCENTILE_DISC")
def _percentile_disc(use: AggregateUse) -> exp.Expression:
    """Returns the first value such that the given fraction of all values does not come after it. Spark's function of
    that name works on whole partitions only."""
    value, fraction, falling = _percentile_arguments(use)
    rank = fn("ceil", binary(exp.Mul, use.plain("count", value), cast(fraction, parse_type("DOUBLE"))))
    place = cast(fn("greatest", rank, number(1)), parse_type("INTEGER"))
    values = fn("sort_array", use.plain("collect_list", value), exp.Boolean(this=not falling))
    return fn("try_element_at", values, place)


def _percentile_arguments(use: AggregateUse) -> tuple[exp.Expression, exp.Expression, bool]:
    """Returns the argument of a percentile, the fraction, and whether the order is descending: from WITHIN GROUP, or
    from two arguments."""
    if not use.order:
        value, fraction = use.args
        return value, fraction, False
    (fraction,), key = use.args, use.order[0]
    return key.this, fraction, bool(key.args.get("desc"))


@_writes("COUNT", "REGR_COUNT")
def _count(use: AggregateUse) -> exp.Expression:
    """Returns the number of rows in which no argument is NULL; the planner leaves out those that are NOT NULL."""
    if not use.args:
        return use.plain("count", exp.Star())
    if use.distinct and use.sets:
        return fn("size", _distinct_set(use))
    return use.plain("count", *use.args)


@_writes("SUM")
def _sum(use: AggregateUse) -> exp.Expression:
    if len(use.args) > 1:
        use = replace(use, args=[known_with(use.args)])
    if use.distinct and use.sets:
        return _sum_of_set(use)
    return use.plain("sum", *use.args)


@_writes("SUM0")
def _sum0(use: AggregateUse) -> exp.Expression:
    return fn("coalesce", _sum(use), cast(number(0), use.result))


@_writes("AVG")
def _avg(use: AggregateUse) -> exp.Expression:
    """For exact numbers the result is exact, rounded half up to its digits."""
    (value,), (type_,), result = use.args, use.types, use.result
    if use.distinct and use.sets:
        return average(_sum_of_set(use), fn("size", _distinct_set(use)), result)
    if not result.is_decimal:
        return use.plain("avg", value)
    if type_.name in ("TINYINT", "SMALLINT", "INTEGER"):
        # sums of these fit a BIGINT, which is summed faster than a DECIMAL
        return average(use.plain("sum", value), use.plain("count", value), result)
    digits, scale = _INTEGER_DIGITS.get(type_.name, type_.precision or MAX_SPARK_PRECISION), type_.scale or 0
    # Spark's average of DECIMAL(p, s) has s + 4 digits after the point: a wider argument gives enough of them
    wide = max((result.scale or 0) - 4, scale)
    precision = min(MAX_SPARK_PRECISION, digits - scale + wide)
    return use.plain("avg", cast(value, parse_type(f"DECIMAL({precision}, {wide})")))


@_writes("SINGLE_VALUE")
def _single_value(use: AggregateUse) -> exp.Expression:
    """Returns the value of the only row; several rows are an error (a scalar sub-query)."""
    several = greater(use.plain("count", exp.Star()), number(1))
    refused = cast(fail("A scalar sub-query returned more than one row"), use.result)
    return case((several, refused), default=use.plain("first", *use.args))


@_writes("LITERAL_AGG")
def _literal(use: AggregateUse) -> exp.Expression:
    """Returns the mark by which a rewritten NOT IN knows that there are rows; the planner uses only TRUE."""
    return use.plain("any_value", exp.Boolean(this=True))


def _distinct_set(use: AggregateUse) -> exp.Expression:
    """Returns the distinct values that are not NULL, as an array; for several arguments, rows without a NULL."""
    if len(use.args) == 1:
        return use.plain("collect_set", use.args[0])
    known = all_of(*(exp.Not(this=is_null(a)) for a in use.args))
    return use.plain("collect_set", case((known, fn("struct", *use.args))))


def _sum_of_set(use: AggregateUse) -> exp.Expression:
    values = _distinct_set(use)
    start = cast(number(0), use.result)
    both = cast(binary(exp.Add, exp.column("a"), exp.column("x")), use.result)
    step = exp.Lambda(this=both, expressions=[exp.to_identifier("a"), exp.to_identifier("x")])
    total = fn("aggregate", values, start, step)
    return case((equal(fn("size", values), number(0)), exp.Null()), default=total)
