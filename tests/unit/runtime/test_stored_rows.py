"""Rows of statements that write what a query returns: through files, in order, in Spark's types."""

from __future__ import annotations

import datetime as dt
from decimal import Decimal

import pytest

from rowtime.errors import RowtimeError
from rowtime.privatefolder import private_folder
from rowtime.runtime.relation import Relation
from rowtime.runtime.target.spool import arrow_rows
from rowtime.session import Session


def test_rows_are_those_of_spark(rt: Session) -> None:
    frame = rt.spark.sql(
        "SELECT id AS n, CAST(id AS STRING) AS word, CAST(id AS DECIMAL(10, 2)) AS d, ARRAY(id, NULL) AS a, "
        "STRUCT(id AS x) AS r, MAP('k', id) AS m, TIMESTAMP_MILLIS(id) AS at, CAST('b' AS BINARY) AS b "
        "FROM RANGE(0, 25000, 1, 3)"
    )
    found = arrow_rows(frame, rt.store.warehouse)
    assert found.equals(frame.toArrow())
    assert found.column("n").to_pylist() == list(range(25_000))
    assert found.slice(24_999).to_pylist()[0]["at"] == dt.datetime(1970, 1, 1, 0, 0, 24, 999_000, tzinfo=dt.UTC)
    assert found.slice(7, 1).to_pylist()[0]["d"] == Decimal("7.00")
    assert arrow_rows(frame.where("n < 0"), rt.store.warehouse).equals(frame.where("n < 0").toArrow())


def test_a_statement_with_too_many_rows_changes_nothing(rt: Session, monkeypatch: pytest.MonkeyPatch) -> None:
    large = "SELECT n, REPEAT('x', 1000) AS s FROM UNNEST(ARRAY_REPEAT(1, 30000)) WITH ORDINALITY AS u(x, n)"
    rt.sql(f"CREATE TABLE t AS {large}")
    monkeypatch.setenv("ROWTIME_RESULT_MB", "1")
    for statement in (f"CREATE TABLE u AS {large}", "UPDATE t SET s = s || 'y'", f"INSERT INTO t {large}"):
        with pytest.raises(RowtimeError, match="RT0639: The query failed: The result has more than 1 MB"):
            rt.sql(statement)
    found = rt.sql("SELECT COUNT(*), SUM(n), MAX(CHAR_LENGTH(s)) FROM t")
    assert isinstance(found, Relation)
    assert found.tuples() == [(30_000, 450_015_000, 1000)]
    assert rt.store.get("U") is None
    assert not list(private_folder().glob("result-*"))
