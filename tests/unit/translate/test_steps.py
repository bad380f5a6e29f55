"""Operations that are applied in one call give the plans that Spark's DataFrames give one by one."""

from __future__ import annotations

from typing import Any

import pytest

from rowtime.jvm.steps import ALL, Selected, Step, applied, kept, only, select, watermark

TABLE = """SELECT TIMESTAMP '2024-05-01 10:00:00' AS t, CAST(id AS INT) AS n, id AS b, id > 1 AS c, 'x' AS `a b`
    FROM range(3)"""

SIMPLE = [
    "`n`",
    "n",
    "`a b`",
    "NOT c",
    "NOT c OR spark_partition_id() < 0",
    "`t` IS NOT NULL AND n IS NULL",
    "CASE WHEN c THEN timestamp_millis(unix_millis(`t`) + 62135596800000L) END",
    "CAST(`t` AS TIMESTAMP_NTZ)",
    "`t` >= timestamp_millis(5)",
]
"""What needs no analysis."""

OTHERS = ["n + b", "CAST(n AS BIGINT)", "upper(`a b`)", "n < b", "CASE WHEN c THEN n ELSE b END", "b + 1", "N"]


@pytest.fixture(scope="module")
def table(spark: Any) -> Any:
    return spark.sql(TABLE)


def _plans(rows: Any) -> tuple[Any, Any]:
    execution = rows._jdf.queryExecution()
    return execution.logical(), execution.analyzed()


@pytest.mark.parametrize("sql", [*SIMPLE, *OTHERS])
def test_an_expression_is_resolved_as_by_spark(table: Any, sql: str) -> None:
    made = applied(table, select(Selected(sql, "x")))
    logical, analyzed = _plans(made)
    assert analyzed.sameResult(_plans(table.selectExpr(f"{sql} AS x"))[1])
    assert made.schema == table.selectExpr(f"{sql} AS x").schema
    assert (logical is analyzed or logical.equals(analyzed)) == (sql in SIMPLE)


@pytest.mark.parametrize(
    ("steps", "others"),
    [
        (
            [select(ALL, Selected("NOT c", "d")), only("`d`"), select(kept("n"))],
            lambda rows: rows.selectExpr("*", "NOT c AS d").filter("d").select("n"),
        ),
        (
            [select(Selected("n + b", "s"), kept("c")), only("c"), select(Selected("s", "r"))],
            lambda rows: rows.selectExpr("n + b AS s", "c").filter("c").selectExpr("s AS r"),
        ),
        (
            [select(Selected("n + b", "s")), select(ALL)],
            lambda rows: rows.selectExpr("n + b AS s").select("*"),
        ),
    ],
)
def test_steps_follow_one_another(table: Any, steps: list[Step], others: Any) -> None:
    made, expected = applied(table, *steps), others(table)
    assert _plans(made)[1].sameResult(_plans(expected)[1])
    assert made.collect() == expected.collect()


def test_only_plain_columns_lose_the_tag_of_event_time(spark: Any) -> None:
    rows = spark.readStream.format("rate").load()
    marked = applied(rows, select(ALL, Selected("`timestamp`", "at")), watermark("at"))
    tagged = marked.withWatermark("at", "0 seconds")
    assert marked._jdf.schema().json() == tagged._jdf.schema().json()
    renamed = applied(marked, select(Selected("`at`", "x"), Selected("`at`", "y", plain=True)))
    assert ["spark.watermarkDelayMs" in field.metadata for field in renamed.schema.fields] == [True, False]


@pytest.mark.parametrize("sql", ["missing", "`missing`", "raise("])
def test_what_spark_refuses_is_refused(table: Any, sql: str) -> None:
    from pyspark.errors import AnalysisException, ParseException

    with pytest.raises((AnalysisException, ParseException)):
        applied(table, select(Selected(sql, "x")))
