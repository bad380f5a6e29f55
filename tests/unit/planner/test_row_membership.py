"""(a, b) IN (SELECT …) with columns that may be NULL."""

from __future__ import annotations

from typing import Any

import pytest
from planned import Planning

_COLUMNS = "a INTEGER, b INTEGER, c INTEGER, d INTEGER"
_FOUR = "(a, b, c, d) IN (SELECT a, b, c, d FROM t)"


@pytest.fixture(scope="module")
def tables(planner: Any) -> Planning:
    made = Planning(planner)
    made.plan(f"CREATE STREAM s ({_COLUMNS})")
    made.plan(f"CREATE TABLE t ({_COLUMNS})")
    made.plan(f"CREATE TABLE n ({_COLUMNS.replace('INTEGER', 'INTEGER NOT NULL')})")
    return made


@pytest.mark.parametrize(
    "sql",
    [
        f"SELECT {_FOUR} AS v FROM t",
        f"SELECT STREAM {_FOUR} AS v FROM s",
        f"SELECT STREAM a FROM s WHERE b = 1 OR NOT {_FOUR}",
        "SELECT a FROM n WHERE EXISTS (SELECT 1 FROM t WHERE n.a = t.a AND "
        "(t.a, b, c, d) NOT IN (SELECT a, b, c, d FROM t))",
    ],
)
def test_too_many_columns_that_may_be_null(tables: Planning, sql: str) -> None:
    (found,) = tables.reply(sql)["diagnostics"]
    assert found["code"] == "RT0900"
    assert "IS TRUE" in found["hint"]


@pytest.mark.parametrize(
    "sql",
    [
        f"SELECT STREAM ({_FOUR}) IS TRUE AS v FROM s",
        f"SELECT STREAM CASE WHEN {_FOUR} THEN 1 END AS v FROM s",
        f"SELECT STREAM a FROM s WHERE {_FOUR}",
        f"SELECT STREAM a FROM s WHERE NOT {_FOUR}",
        f"SELECT STREAM a FROM s WHERE b = 1 OR {_FOUR}",
        "SELECT (a, b, c, d) IN (SELECT a, b, c, d FROM n) AS v FROM n",
    ],
)
def test_where_null_counts_as_false_or_is_impossible(tables: Planning, sql: str) -> None:
    assert tables.reply(sql)["diagnostics"] == []
