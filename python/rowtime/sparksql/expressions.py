"""Spark SQL expressions as sqlglot trees: the dialect that writes them, and short names for building them."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import lru_cache
from typing import TYPE_CHECKING, Any, ClassVar

from sqlglot import TokenType, exp
from sqlglot.dialects.spark import Spark
from sqlglot.generators.spark import SparkGenerator

from rowtime.jvm.py4j import java_class
from rowtime.plan.types import SqlType, parse_type

if TYPE_CHECKING:
    from pyspark.sql import Column

_FUNCTIONS = "org.apache.spark.sql.functions"

INT = parse_type("INTEGER")
BIGINT = parse_type("BIGINT")
DOUBLE = parse_type("DOUBLE")
STRING = parse_type("VARCHAR")
TIMESTAMP = parse_type("TIMESTAMP(3)")
DATE = parse_type("DATE")


class RowtimeSpark(Spark):
    """The SQL dialect of Spark 4.2."""

    class Tokenizer(Spark.Tokenizer):
        # sqlglot does not know the type of NULL, which may stand within a type
        KEYWORDS: ClassVar = {**Spark.Tokenizer.KEYWORDS, "VOID": TokenType.NULL}

    class Generator(SparkGenerator):
        # sqlglot writes TIME as TIMESTAMP, because Spark had no TIME before 4.1
        TYPE_MAPPING: ClassVar = {
            **SparkGenerator.TYPE_MAPPING,
            exp.DataType.Type.TIME: "TIME",
            exp.DataType.Type.NULL: "VOID",
        }
        # a CAST stays unchanged: sqlglot would rewrite some of them for older versions of Spark
        TRANSFORMS: ClassVar = {**SparkGenerator.TRANSFORMS, exp.TryCast: lambda self, e: self.trycast_sql(e)}

        def datatype_sql(self, expression: exp.DataType) -> str:
            # sqlglot omits the precision, because times in Hive have none
            if expression.this == exp.DataType.Type.TIME and expression.expressions:
                return f"TIME({self.expressions(expression, flat=True)})"
            return super().datatype_sql(expression)


def sql(expression: exp.Expression) -> str:
    """Returns the expression as Spark SQL text."""
    return expression.sql(dialect=RowtimeSpark)


def spark_column(expression: exp.Expression) -> Column:
    """Returns the expression as a Spark column."""
    return text_column(sql(expression))


def text_column(text: str) -> Column:
    """Returns the expression that is written in Spark SQL. The JVM is called once: PySpark's `expr` would call it eight
    times, to record which line of Python has called."""
    from pyspark.sql.classic.column import Column as ClassicColumn
    from pyspark.sql.utils import get_active_spark_context

    made: Column = ClassicColumn(java_class(get_active_spark_context(), _FUNCTIONS).expr(text))
    return made


@lru_cache(maxsize=1024)
def data_type(type_: SqlType) -> exp.DataType:
    return exp.DataType.from_str(type_.spark(), dialect=RowtimeSpark)


# ---------------------------------------------------------------- leaves


def column(name: str) -> exp.Expression:
    """Returns a column by its (internal) name."""
    return exp.column(exp.to_identifier(name, quoted=True))


def number(value: int) -> exp.Expression:
    """Returns an integer literal: INT if it fits, otherwise BIGINT."""
    digits: exp.Expression = exp.Literal.number(str(abs(value)))
    if value < 0:
        digits = exp.Neg(this=digits)
    return digits if -(2**31) < value < 2**31 else cast(exp.Literal.string(str(value)), BIGINT)


def long(value: int) -> exp.Expression:
    """Returns a BIGINT literal."""
    return cast(number(value), BIGINT)


def text(value: str) -> exp.Expression:
    return exp.Literal.string(value)


def null(type_: SqlType | None = None) -> exp.Expression:
    return exp.Null() if type_ is None or type_.name == "NULL" else cast(exp.Null(), type_)


# ---------------------------------------------------------------- building


def cast(value: exp.Expression, type_: SqlType) -> exp.Expression:
    """Returns a CAST, or `value` itself if it is the same CAST already."""
    to = data_type(type_)
    if isinstance(value, exp.Cast) and not isinstance(value, exp.TryCast) and value.to == to:
        return value
    return exp.Cast(this=value.copy(), to=to.copy())


def try_cast(value: exp.Expression, type_: SqlType) -> exp.Expression:
    return exp.TryCast(this=value.copy(), to=data_type(type_).copy())


def fn(name: str, *args: exp.Expression) -> exp.Expression:
    """Returns a call of Spark's function `name`, under exactly this name."""
    return exp.Anonymous(this=name, expressions=[a.copy() for a in args])


# Expressions that need no parentheses as operands.
_ATOMS = (
    exp.Column,
    exp.Literal,
    exp.Func,
    exp.Paren,
    exp.Cast,
    exp.Boolean,
    exp.Null,
    exp.Dot,
    exp.Bracket,
    exp.Interval,
)


def paren(value: exp.Expression) -> exp.Expression:
    """Returns the operand in parentheses, unless it is an atom: sqlglot adds none to a tree."""
    if isinstance(value, _ATOMS) and not isinstance(value, (exp.Connector, exp.RegexpLike)):
        return value.copy()
    return exp.Paren(this=value.copy())


def binary(operator: Callable[..., Any], left: exp.Expression, right: exp.Expression) -> exp.Expression:
    made: exp.Expression = operator(this=paren(left), expression=paren(right))
    return made


def add(left: exp.Expression, right: exp.Expression) -> exp.Expression:
    return binary(exp.Add, left, right)


def subtract(left: exp.Expression, right: exp.Expression) -> exp.Expression:
    return binary(exp.Sub, left, right)


def multiply(left: exp.Expression, right: exp.Expression) -> exp.Expression:
    return binary(exp.Mul, left, right)


def floor_divide(left: exp.Expression, right: exp.Expression) -> exp.Expression:
    """Returns Spark's DIV: a BIGINT, truncated towards zero."""
    return binary(exp.IntDiv, left, right)


def equal(left: exp.Expression, right: exp.Expression) -> exp.Expression:
    return binary(exp.EQ, left, right)


def less(left: exp.Expression, right: exp.Expression) -> exp.Expression:
    return binary(exp.LT, left, right)


def greater(left: exp.Expression, right: exp.Expression) -> exp.Expression:
    return binary(exp.GT, left, right)


def all_of(*conditions: exp.Expression) -> exp.Expression:
    return _balanced(exp.And, conditions)


def any_of(*conditions: exp.Expression) -> exp.Expression:
    return _balanced(exp.Or, conditions)


def _balanced(operator: Callable[..., Any], conditions: Sequence[exp.Expression]) -> exp.Expression:
    """Returns the conditions in their order, as a tree that is not deep: Spark's parser allows some hundred levels."""
    if len(conditions) == 1:
        return conditions[0]
    middle = (len(conditions) + 1) // 2
    return binary(operator, _balanced(operator, conditions[:middle]), _balanced(operator, conditions[middle:]))


def is_null(value: exp.Expression) -> exp.Expression:
    return exp.Is(this=paren(value), expression=exp.Null())


def case(*branches: tuple[exp.Expression, exp.Expression], default: exp.Expression | None = None) -> exp.Expression:
    """Returns CASE WHEN … THEN … [ELSE default] END."""
    ifs = [exp.If(this=when.copy(), true=then.copy()) for when, then in branches]
    return exp.Case(ifs=ifs, default=None if default is None else default.copy())


_VALUE = "rowtime_value"
"""A name that no column has."""


def once(value: exp.Expression, made: Callable[[exp.Expression], exp.Expression]) -> exp.Expression:
    """Returns an expression that uses a value several times but contains it once: nested calls would double with each
    level."""
    if _is_short(value):
        return made(value)
    variable = exp.column(_VALUE)
    result = made(variable)
    if result is variable:
        return value
    each = exp.Lambda(this=result, expressions=[exp.to_identifier(_VALUE)])
    return fn("element_at", fn("transform", fn("array", value), each), number(1))


def _is_short(value: exp.Expression) -> bool:
    return isinstance(value, exp.Column | exp.Literal) or (isinstance(value, exp.Dot) and _is_short(value.this))


def fail(message: exp.Expression | str) -> exp.Expression:
    """Returns an expression that stops the query with `message`."""
    return fn("raise_error", text(message) if isinstance(message, str) else message)


# ---------------------------------------------------------------- time


def micros(timestamp: exp.Expression) -> exp.Expression:
    """Returns a timestamp as microseconds since the epoch, BIGINT."""
    if isinstance(timestamp, exp.Anonymous) and timestamp.this == "timestamp_micros":
        micros: exp.Expression = timestamp.expressions[0].copy()
        return micros
    return fn("unix_micros", timestamp)


def timestamp_of(value: exp.Expression) -> exp.Expression:
    """Returns the timestamp for a number of microseconds since the epoch."""
    return fn("timestamp_micros", value)


def time_of_day(value: exp.Expression, type_: SqlType) -> exp.Expression:
    """Returns the TIME for a number of microseconds; drops whole days, and digits that the type does not have."""
    digits = min(type_.precision or 0, 6)
    within = fn("pmod", value, long(86_400_000_000))
    if digits < 6:
        unit = number(10 ** (6 - digits))
        within = multiply(floor_divide(within, unit), unit)
    return cast(fn("time_from_micros", within), type_)


def shift(timestamp: exp.Expression, millis: int) -> exp.Expression:
    """Returns the timestamp shifted by `millis`.

    Computed in microseconds: Spark's own `timestamp + INTERVAL` applies the time zone's rules, at half the speed.
    """
    if millis == 0:
        return timestamp
    moved = add if millis > 0 else subtract
    return timestamp_of(moved(micros(timestamp), long(abs(millis) * 1000)))


def floor(timestamp: exp.Expression, millis: int, offset: int = 0) -> exp.Expression:
    """Returns the beginning of the window of `millis` that contains `timestamp`, also before 1970; a window begins at
    `offset`.

    It is as fast as Spark's `window`, which cannot be used in every expression and drops NULLs.
    """
    at = micros(timestamp)
    since = subtract(at, long(offset * 1000)) if offset else at
    return timestamp_of(subtract(at, fn("pmod", since, long(millis * 1000))))


def ceil(timestamp: exp.Expression, millis: int, offset: int = 0) -> exp.Expression:
    """Returns the first beginning of a window that is not before `timestamp`."""
    at = micros(timestamp)
    until = subtract(long(offset * 1000), at)
    return timestamp_of(add(at, fn("pmod", until, long(millis * 1000))))


def day_time_interval(millis: int) -> exp.Expression:
    """Returns an interval literal of type INTERVAL DAY TO SECOND."""
    sign = "-" if millis < 0 else ""
    seconds, rest = divmod(abs(millis), 1000)
    minutes, seconds = divmod(seconds, 60)
    hours, minutes = divmod(minutes, 60)
    days, hours = divmod(hours, 24)
    span = exp.IntervalSpan(this=exp.var("DAY"), expression=exp.var("SECOND"))
    value = f"{sign}{days} {hours:02}:{minutes:02}:{seconds:02}.{rest:03}"
    return exp.Interval(this=exp.Literal.string(value), unit=span)


def year_month_interval(months: int) -> exp.Expression:
    """Returns an interval literal of type INTERVAL YEAR TO MONTH."""
    sign = "-" if months < 0 else ""
    years, rest = divmod(abs(months), 12)
    span = exp.IntervalSpan(this=exp.var("YEAR"), expression=exp.var("MONTH"))
    return exp.Interval(this=exp.Literal.string(f"{sign}{years}-{rest}"), unit=span)
