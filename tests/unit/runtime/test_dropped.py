"""The data of dropped objects is deleted while a session runs, but not what somebody reads."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from rowtime.opening import connect
from rowtime.runtime.query.query import Query
from rowtime.session import Session

pytestmark = pytest.mark.spark


def folders(rt: Session) -> set[str]:
    """The kinds of objects that have data."""
    return {path.parent.name for path in rt.store.warehouse.glob("*/" + "[0-9a-f]" * 32)}


def make(rt: Session) -> None:
    rt.sql("CREATE STREAM s (rowtime TIMESTAMP, n INTEGER)")
    rt.sql("CREATE TABLE t (n INTEGER)")
    rt.sql("CREATE PUMP p STARTED AS INSERT INTO t SELECT STREAM n FROM s")
    rt.sql("INSERT INTO s VALUES (TIMESTAMP '2024-05-01 10:00:00', 1)")
    rt.runtime.settle([])
    assert folders(rt) >= {"streams", "tables", "pumps"}


def test_dropped_objects_have_no_data_after_the_second_sweep(rt: Session) -> None:
    """A SELECT that began before the DROP can go on for a while."""
    make(rt)
    for statement in ("DROP PUMP p", "DROP TABLE t", "DROP STREAM s"):
        rt.sql(statement)
    rt.runtime.sweep()
    assert folders(rt) >= {"streams", "tables"}
    assert rt.runtime.launcher.log.open_logs() == []
    rt.runtime.sweep()
    assert not folders(rt) & {"streams", "tables", "pumps"}
    assert rt.store.dropped() == []


def test_what_others_have_stays(rt: Session) -> None:
    make(rt)
    for _ in range(3):
        rt.runtime.sweep()
    rt.sql("INSERT INTO s VALUES (TIMESTAMP '2024-05-01 10:00:01', 2)")
    rt.runtime.settle([])
    assert sorted(tuple(row) for row in rt.sql("SELECT n FROM t").rows()) == [(1,), (2,)]


def test_a_stream_that_another_session_reads_stays_until_it_has_ended(rt: Session, spark: Any, tmp_path: Path) -> None:
    rt.sql("CREATE STREAM s (rowtime TIMESTAMP, n INTEGER) OPTIONS (history 'all')")
    rt.sql("INSERT INTO s VALUES (TIMESTAMP '2024-05-01 10:00:00', 1)")
    with connect(spark, tmp_path / "warehouse", pumps=False) as other:
        query = other.sql("SELECT STREAM /*+ FROM_EARLIEST */ n FROM s")
        assert isinstance(query, Query)
        rt.sql("DROP STREAM s")
        for _ in range(3):
            rt.runtime.sweep()
        query.process_all_available()
        assert [tuple(row) for row in query.rows()] == [(1,)]
        query.stop()
        rt.runtime.sweep()
        assert "streams" not in folders(rt)
