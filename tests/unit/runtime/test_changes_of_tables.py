"""Queries that read the changes of a table whose files are written again as a whole, or which is gone."""

from __future__ import annotations

import pytest
from queries import eventually

from rowtime.errors import RowtimeError
from rowtime.session import Session

from .conftest import rows, settle, status

COUNT = 1500


def test_rows_that_are_only_written_again_do_not_reach_the_operators(rt: Session) -> None:
    rt.sql("CREATE TABLE t (k INTEGER PRIMARY KEY, v INTEGER, name VARCHAR(10))")
    values = ", ".join(f"({k}, {k % 3}, 'x')" for k in range(COUNT))
    rt.sql(f"INSERT INTO t VALUES {values}")
    rt.sql("CREATE MATERIALIZED VIEW m AS SELECT v, COUNT(*) AS n FROM t GROUP BY v")
    settle(rt)
    assert status(rt, "M").rows_in == COUNT
    rt.sql("UPDATE t SET v = 7 WHERE k = 3")
    rt.sql("DELETE FROM t WHERE k = 4")
    settle(rt)
    assert sorted(rows(rt, "SELECT v, n FROM m")) == [(0, 499), (1, 499), (2, 500), (7, 1)]
    assert status(rt, "M").rows_in <= COUNT + 3


def test_a_query_notices_that_its_table_is_gone(rt: Session) -> None:
    rt.sql("CREATE TABLE t (k INTEGER PRIMARY KEY)")
    query = rt.submit("SELECT STREAM * FROM TO_CHANGELOG(t)")
    settle(rt, query)
    rt.sql("DROP TABLE t")
    rt.sql("CREATE TABLE t (k INTEGER PRIMARY KEY)")
    with pytest.raises(RowtimeError, match="Table 'T', whose changes the query reads, was dropped"):
        eventually(lambda: settle(rt, query))
