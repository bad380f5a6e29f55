"""Expressions of a plan, and the Spark SQL that they become."""

from __future__ import annotations

import msgspec
import pytest
from plan_samples import call, literal, ref, symbol

from rowtime.errors import RowtimeError
from rowtime.plan.rex import Rex, references
from rowtime.sparksql.expressions import sql
from rowtime.translate.rex import Scope, to_expression

T = "TIMESTAMP(3)"


def written(rex: dict) -> str:
    return sql(to_expression(msgspec.convert(rex, Rex), Scope(("a", "b", "it`s"))))


def cast(type_: str, arg: dict, *, safe: bool = False) -> dict:
    return {"kind": "cast", "type": type_, "nullable": True, "safe": safe, "args": [arg]}


@pytest.mark.parametrize(
    ("rex", "text"),
    [
        (ref(2), "`it``s`"),
        (literal(5), "5"),
        (literal(-5), "-5"),
        (literal(-(2**31)), "CAST('-2147483648' AS INT)"),
        (literal("9223372036854775807", "BIGINT"), "CAST('9223372036854775807' AS BIGINT)"),
        (literal("1.50", "DECIMAL(3, 2)"), "CAST('1.50' AS DECIMAL(3, 2))"),
        (literal(1.5, "DOUBLE"), "CAST('1.5' AS DOUBLE)"),
        (literal("it's \\ \n", "CHAR(7)"), "'it\\'s \\\\ \\n'"),
        (literal(None, "DATE"), "CAST(NULL AS DATE)"),
        (literal(None, "NULL"), "NULL"),
        (literal(True, "BOOLEAN"), "TRUE"),
        (literal("2015-02-15T10:24:45.000", T), "CAST('2015-02-15 10:24:45.000' AS TIMESTAMP)"),
        (literal("10:24:45", "TIME(0)"), "CAST('10:24:45' AS TIME(0))"),
        (literal(-93_784_005, "INTERVAL DAY TO SECOND"), "INTERVAL '-1 02:03:04.005' DAY TO SECOND"),
        (literal(-14, "INTERVAL YEAR TO MONTH"), "INTERVAL '-1-2' YEAR TO MONTH"),
        (literal("41ab", "BINARY(2)"), "X'41ab'"),
        (call("+", "INTEGER", ref(0), ref(1)), "`a` + `b`"),
        (call("-", "INTEGER", ref(0), call("-", "INTEGER", ref(1), ref(0))), "`a` - (`b` - `a`)"),
        (call("-", "INTEGER", ref(0), literal(-5)), "`a` - (-5)"),
        (call("*", "BIGINT", ref(0), ref(1, "BIGINT")), "`a` * `b`"),
        (call("/", "INTEGER", ref(0), ref(1)), "CAST(`a` DIV `b` AS INT)"),
        (
            call("*", "DECIMAL(5, 2)", ref(0, "DECIMAL(5, 2)"), ref(1)),
            "CAST(`a` * `b` AS DECIMAL(5, 2))",
        ),
        (call("=", "BOOLEAN", ref(0), ref(1)), "`a` = `b`"),
        (call("IS DISTINCT FROM", "BOOLEAN", ref(0), ref(1)), "`a` IS DISTINCT FROM `b`"),
        (call("NOT", "BOOLEAN", call("IS NULL", "BOOLEAN", ref(0))), "NOT (`a` IS NULL)"),
        (
            call("AND", "BOOLEAN", ref(0), call("OR", "BOOLEAN", ref(1), ref(0)), ref(1)),
            "(`a` AND (`b` OR `a`)) AND `b`",
        ),
        (
            call("CASE", "VARCHAR", ref(0, "BOOLEAN"), ref(1, "CHAR(1)"), literal(None, "NULL")),
            "CASE WHEN `a` THEN `b` ELSE NULL END",
        ),
        (
            call("||", "VARCHAR", call("||", "VARCHAR", ref(0, "VARCHAR"), literal("x", "CHAR(1)")), ref(1, "VARCHAR")),
            "CONCAT(`a`, 'x', `b`)",
        ),
        (call("LIKE", "BOOLEAN", ref(0, "VARCHAR"), literal("a\\%", "CHAR(3)")), "`a` LIKE 'a\\\\\\\\%'"),
        (
            call("LIKE", "BOOLEAN", ref(0, "VARCHAR"), literal("a!%", "CHAR(3)"), literal("!", "CHAR(1)")),
            "`a` LIKE 'a!%' ESCAPE '!'",
        ),
        (
            call("SUBSTRING", "VARCHAR", ref(0, "VARCHAR"), literal(2), literal(3)),
            "SUBSTRING(`a`, CAST(2 AS INT), CAST(3 AS INT))",
        ),
        (
            call("FLOOR", T, ref(0, T), symbol("HOUR")),
            "TIMESTAMP_MICROS(UNIX_MICROS(`a`) - PMOD(UNIX_MICROS(`a`), CAST('3600000000' AS BIGINT)))",
        ),
        (call("FLOOR", T, ref(0, T), symbol("MONTH")), "DATE_TRUNC('MONTH', `a`)"),
        (
            call("DATETIME_PLUS", T, ref(0, T), literal(1500, "INTERVAL SECOND")),
            "TIMESTAMP_MICROS(UNIX_MICROS(`a`) + CAST(1500000 AS BIGINT))",
        ),
        (
            call("DATETIME_MINUS", T, ref(0, T), literal(1, "INTERVAL MONTH")),
            "`a` - INTERVAL '0-1' YEAR TO MONTH",
        ),
        (call("EXTRACT", "BIGINT", symbol("YEAR"), ref(0, T)), "CAST(YEAR(`a`) AS BIGINT)"),
        (cast("VARCHAR(3)", ref(0, "VARCHAR(9)")), "LEFT(`a`, 3)"),
        (cast("VARCHAR(9)", ref(0, "VARCHAR(3)")), "`a`"),
        (cast("CHAR(3)", ref(0, "VARCHAR(3)")), "RPAD(`a`, 3, ' ')"),
        (cast("VARCHAR", ref(0, "BOOLEAN")), "UPPER(CAST(`a` AS STRING))"),
        (cast("VARCHAR", ref(0, T)), "DATE_FORMAT(`a`, 'yyyy-MM-dd HH:mm:ss.SSS')"),
        (cast("INTEGER", ref(0, "VARCHAR")), "CAST(`a` AS INT)"),
        (cast("INTEGER", ref(0, "VARCHAR"), safe=True), "TRY_CAST(`a` AS INT)"),
        (cast("INTEGER", ref(0, "DECIMAL(5, 2)")), "CAST(ROUND(`a`) AS INT)"),
        (cast("DATE", literal(None, "NULL")), "CAST(NULL AS DATE)"),
        (cast("VARCHAR(9) ARRAY", ref(0, "VARCHAR(3) ARRAY")), "`a`"),
        (cast("CHAR(3) ARRAY", ref(0, "CHAR(2) ARRAY")), "TRANSFORM(`a`, rowtime_part -> RPAD(rowtime_part, 3, ' '))"),
        (
            cast("MAP<CHAR(3), INTEGER>", ref(0, "MAP<CHAR(2), INTEGER>")),
            "TRANSFORM_KEYS(`a`, (rowtime_key, rowtime_part) -> RPAD(rowtime_key, 3, ' '))",
        ),
        (
            cast("ROW(A CHAR(2), B INTEGER)", ref(0, "ROW(X VARCHAR, Y INTEGER)")),
            "CASE WHEN `a` IS NULL THEN CAST(NULL AS STRUCT<`A`: STRING, `B`: INT>) "
            "ELSE CAST(NAMED_STRUCT('A', RPAD(`a`.`X`, 2, ' '), 'B', `a`.`Y`) AS STRUCT<`A`: STRING, `B`: INT>) END",
        ),
        (
            cast("ROW(A INTEGER, B INTEGER)", ref(0, "ROW(X INTEGER, Y INTEGER)")),
            "CAST(`a` AS STRUCT<`A`: INT, `B`: INT>)",
        ),
        (
            {"kind": "field", "name": "x y", "args": [ref(0)], "type": "INTEGER", "nullable": True},
            "`a`.`x y`",
        ),
    ],
)
def test_expressions_become_spark_sql(rex, text):
    assert written(rex) == text


def test_windows_of_a_length_are_computed_on_microseconds_in_one_go():
    """Shifting a floor does not convert back and forth between timestamps and numbers."""
    hour = call("FLOOR", T, ref(0, T), symbol("SECOND"))
    end = call("DATETIME_PLUS", T, hour, literal(1000, "INTERVAL SECOND"))
    assert written(end).count("TIMESTAMP_MICROS") == 1


def test_a_literal_of_the_wrong_kind_is_our_fault():
    with pytest.raises(RowtimeError) as refused:
        written(literal("x", "INTEGER ARRAY"))
    assert refused.value.code == "RT0999"


def test_what_an_expression_reads():
    rex = msgspec.convert(call("+", "INTEGER", ref(0), call("+", "INTEGER", ref(2), literal(1))), Rex)
    assert references(rex) == {0, 2}
