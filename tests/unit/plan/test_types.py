from __future__ import annotations

import pytest

from rowtime.errors import RowtimeError
from rowtime.plan.types import SqlType, parse_type


@pytest.mark.parametrize(
    ("text", "spark"),
    [
        ("BOOLEAN", "BOOLEAN"),
        ("TINYINT", "TINYINT"),
        ("INTEGER", "INT"),
        ("BIGINT", "BIGINT"),
        ("REAL", "FLOAT"),
        ("FLOAT", "DOUBLE"),
        ("DOUBLE", "DOUBLE"),
        ("DOUBLE PRECISION", "DOUBLE"),
        ("DECIMAL(10, 2)", "DECIMAL(10, 2)"),
        ("DECIMAL(60, 2)", "DECIMAL(38, 2)"),
        ("CHAR(3)", "STRING"),
        ("VARCHAR", "STRING"),
        ("VARCHAR(20)", "STRING"),
        ("BINARY(2)", "BINARY"),
        ("DATE", "DATE"),
        ("TIME(3)", "TIME(3)"),
        ("TIMESTAMP(3)", "TIMESTAMP"),
        ("INTERVAL HOUR", "INTERVAL DAY TO SECOND"),
        ("INTERVAL DAY TO SECOND", "INTERVAL DAY TO SECOND"),
        ("INTERVAL DAY(2) TO SECOND(6)", "INTERVAL DAY TO SECOND"),
        ("INTERVAL YEAR TO MONTH", "INTERVAL YEAR TO MONTH"),
        ("INTERVAL MONTH", "INTERVAL YEAR TO MONTH"),
        ("NULL", "VOID"),
        ("INTEGER ARRAY", "ARRAY<INT>"),
        ("INTEGER NOT NULL ARRAY", "ARRAY<INT>"),
        ("VARCHAR(5) MULTISET ARRAY", "ARRAY<ARRAY<STRING>>"),
        ("MAP<VARCHAR, DECIMAL(5, 1)>", "MAP<STRING, DECIMAL(5, 1)>"),
        ("ROW(A INTEGER, B VARCHAR ARRAY)", "STRUCT<`A`: INT, `B`: ARRAY<STRING>>"),
        ('ROW("a b" ROW(C DATE))', "STRUCT<`a b`: STRUCT<`C`: DATE>>"),
    ],
)
def test_type_texts_become_spark_types(text, spark):
    assert parse_type(text).spark() == spark


@pytest.mark.parametrize(
    "text",
    [
        "",
        "WIDGET",
        "DECIMAL(",
        "DECIMAL(1, 2, 3)",
        "VARCHAR(x)",
        "INTERVAL FORTNIGHT",
        "ROW()",
        "MAP<VARCHAR>",
        "INTEGER INTEGER",
        "VARCHAR(3",
    ],
)
def test_what_is_no_type_is_refused(text):
    with pytest.raises(RowtimeError, match="The planner should have refused: the type"):
        parse_type(text)


def test_families():
    assert parse_type("INTERVAL MINUTE TO SECOND").is_day_time
    assert parse_type("INTERVAL YEAR").is_year_month
    assert not parse_type("INTERVAL YEAR").is_day_time
    assert parse_type("DECIMAL(3, 1)").is_exact
    assert not parse_type("REAL").is_exact
    assert parse_type("CHAR(1)").is_character
    assert parse_type("DECIMAL(5, 2)") == SqlType("DECIMAL", 5, 2)
