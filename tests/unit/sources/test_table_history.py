"""How far back the history of a table goes."""

from __future__ import annotations

import time

import pytest

from rowtime.delta import head
from rowtime.errors import RowtimeError
from rowtime.session import Session
from rowtime.storage.local import LocalStorage
from rowtime.tables import tables


def moment() -> tuple[int, str]:
    time.sleep(0.003)
    found = time.time_ns() // 1_000_000
    time.sleep(0.003)
    whole = time.strftime("%Y-%m-%d %H:%M:%S", time.gmtime(found // 1000))
    return found, f"TIMESTAMP '{whole}.{found % 1000:03}'"


@pytest.mark.parametrize(
    ("options", "kept"), [("", False), (" OPTIONS (history '1 HOUR')", True), (" OPTIONS (history 'all')", True)]
)
def test_old_versions_last_as_long_as_the_option_says(
    rt: Session, monkeypatch: pytest.MonkeyPatch, options: str, kept: bool
) -> None:
    monkeypatch.setattr(tables, "KEPT_HOURS", 0)
    rt.sql(f"CREATE TABLE t (n INTEGER){options}")
    rt.sql("INSERT INTO t VALUES (1), (2)")
    _, before = moment()
    rt.sql("UPDATE t SET n = n + 10")
    _, after = moment()
    rt.sql("INSERT INTO t VALUES (3)")
    rt.runtime.sweep_tables()
    assert sorted(rt.sql(f"SELECT n FROM SNAPSHOT(t, {after})").tuples()) == [(11,), (12,)]
    assert sorted(rt.sql("SELECT n FROM SNAPSHOT(t)").tuples()) == [(3,), (11,), (12,)]
    if kept:
        assert sorted(rt.sql(f"SELECT n FROM SNAPSHOT(t, {before})").tuples()) == [(1,), (2,)]
    else:
        with pytest.raises(RowtimeError, match=r"RT0520: .* needs table 'T' as of .*, and its history begins at"):
            rt.sql(f"SELECT n FROM SNAPSHOT(t, {before})").tuples()


def test_a_time_before_the_table_was_created(rt: Session) -> None:
    _, early = moment()
    rt.sql("CREATE TABLE t (n INTEGER)")
    _, empty = moment()
    rt.sql("INSERT INTO t VALUES (1)")
    assert rt.sql(f"SELECT n FROM SNAPSHOT(t, {empty})").tuples() == []
    with pytest.raises(RowtimeError, match=r"RT0520: The query needs table 'T' as of .*, and it was created at"):
        rt.sql(f"SELECT n FROM SNAPSHOT(t, {early})").tuples()


def test_a_writer_was_killed_right_after_its_commit(rt: Session, monkeypatch: pytest.MonkeyPatch) -> None:
    """It did not write the version into the head file; files that are not needed are deleted all the same."""
    monkeypatch.setattr(tables, "KEPT_HOURS", 0)
    rt.sql("CREATE TABLE t (n INTEGER)")
    rt.sql("INSERT INTO t VALUES (1), (2)")
    rt.sql("UPDATE t SET n = n + 10")
    entry = rt.store.get("T")
    assert entry is not None
    folder = tables.folder(rt.store, entry)
    version = head.read(LocalStorage(folder))
    head.write(LocalStorage(folder), version - 1)
    rt.runtime.sweep_tables()
    assert len(list(folder.glob("*.parquet"))) == 1
    assert head.read(LocalStorage(folder)) == version
    assert sorted(rt.sql("SELECT n FROM t").tuples()) == [(11,), (12,)]
