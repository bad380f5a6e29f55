"""What a query reads of a table whose files are written again as a whole."""

from __future__ import annotations

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
