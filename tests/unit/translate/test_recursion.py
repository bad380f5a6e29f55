"""WITH RECURSIVE where there are many rows, and where it has no end; the rest is tests/sql/relational/recursive.sql."""

from __future__ import annotations

import pytest

from rowtime.errors import RowtimeError
from rowtime.plan.codec import decode_plan
from rowtime.translate import Translated, translate
from rowtime.translate.rel.recurse import LIMIT_SETTING

ROWS = 25_000
"""More rows than are kept as constants."""


class Numbers:
    """A translation context with one table: 0, 1, 2 … as INTEGER and as DOUBLE, in two tasks."""

    ordered = False
    checks_claims = False

    def skipped(self, stream: str) -> tuple[str, ...]:
        return ()

    def __init__(self, spark):
        self.spark = spark

    def scan(self, node):
        names = (f"s{node.id}_0", f"s{node.id}_1")
        numbers = self.spark.range(0, ROWS, 1, 2)
        return Translated(
            numbers.selectExpr(f"CAST(id AS INT) AS {names[0]}", f"CAST(id AS DOUBLE) AS {names[1]}"), names
        )


@pytest.fixture
def rows(session, catalog):
    catalog.ddl("CREATE TABLE numbers (i INTEGER, d DOUBLE)")

    def run(sql):
        statement = catalog.plan(sql)
        translated = translate(decode_plan(statement["plan"]), Numbers(session))
        return [tuple(row) for row in translated.visible([f"C{i}" for i in range(len(statement["fields"]))]).collect()]

    return run


@pytest.mark.parametrize("column", ["i", "d"])
def test_many_rows_come_once_where_they_came_before(column, rows):
    # each round shifts all numbers by 10,000; the last two have few rows that are new
    sql = f"""WITH RECURSIVE r (n) AS (SELECT {column} FROM numbers UNION SELECT n + 10000 FROM r WHERE n < 30000)
        SELECT COUNT(*), COUNT(DISTINCT n), MIN(n), MAX(n) FROM r"""
    assert rows(sql) == [(40_000, 40_000, 0, 39_999)]


@pytest.mark.parametrize("column", ["i", "d"])
def test_few_rows_may_become_many(column, rows):
    sql = f"""WITH RECURSIVE r (n) AS (
          SELECT {column} FROM numbers WHERE i < 3
          UNION SELECT numbers.{column} FROM r JOIN numbers ON numbers.i / 10 = r.n)
        SELECT COUNT(*), COUNT(DISTINCT n), MAX(n) FROM r"""
    # 0, 1, 2; from them 1 to 29, of which 3 to 29 are new, and so on: all of them
    assert rows(sql) == [(ROWS, ROWS, ROWS - 1)]


def test_many_rows_come_again_by_all(rows):
    sql = """WITH RECURSIVE r (n) AS (SELECT i FROM numbers UNION ALL SELECT n + 10000 FROM r WHERE n < 30000)
        SELECT COUNT(*), COUNT(DISTINCT n), MAX(n) FROM r"""
    # 0 to 24,999; 10,000 to 34,999; 20,000 to 39,999; 30,000 to 39,999
    assert rows(sql) == [(25_000 + 25_000 + 20_000 + 10_000, 40_000, 39_999)]


@pytest.mark.parametrize("limit", ["20", None])
def test_a_recursion_without_end_is_stopped(limit, rows, session):
    sql = "WITH RECURSIVE r (n) AS (SELECT 1 UNION ALL SELECT 3 - n FROM r) SELECT * FROM r LIMIT 1"
    if limit is not None:
        session.conf.set(LIMIT_SETTING, limit)
    try:
        with pytest.raises(RowtimeError) as fault:
            rows(sql)
    finally:
        session.conf.unset(LIMIT_SETTING)
    assert fault.value.code == "RT0327"
    assert f"evaluated {limit or '1000'} times" in str(fault.value)
