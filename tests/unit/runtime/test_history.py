"""Relational queries over the history of a stream that others write to."""

from __future__ import annotations

from typing import Any

import pytest

from rowtime.datasource.identifiers import Identifier
from rowtime.datasource.reading import Reader
from rowtime.delta.state import LogState
from rowtime.errors import RowtimeError
from rowtime.runtime.launch import launcher as launch
from rowtime.session import Session
from rowtime.streams import reader, retention
from rowtime.streams.log import StreamLog


def test_somebody_commits_while_a_query_looks(rt: Session, monkeypatch: pytest.MonkeyPatch) -> None:
    rt.sql("CREATE STREAM s (n INTEGER) OPTIONS (history 'all')")
    rt.sql("INSERT INTO s VALUES (TIMESTAMP '2015-02-15 10:00:00', 1)")
    snapshot = reader._snapshot

    class Overtaken:
        """A log to which another process appends as soon as a reader knows the latest version."""

        def __init__(self, log: StreamLog) -> None:
            self.log = log
            self.folder = log.folder
            self.delta = log.delta

        def state(self) -> LogState:
            found = self.log.state()
            rt.sql("INSERT INTO s VALUES (TIMESTAMP '2015-02-15 10:01:00', 2)")
            return found

    monkeypatch.setattr(reader, "_snapshot", lambda spark, log, *version: snapshot(spark, Overtaken(log), *version))
    assert [row.N for row in rt.table("SELECT n FROM s").collect()] == [1]


def rows(rt: Session, sql: str) -> list[Any]:
    return rt.sql(sql).tuples()  # type: ignore[union-attr]


def clean(rt: Session, minute: int = 3) -> None:
    """Inserts a row of that minute, and deletes what the history does not keep."""
    rt.sql(f"INSERT INTO s VALUES (TIMESTAMP '2015-02-15 10:0{minute}:00', {minute})")
    entry = rt.store.get("S")
    assert entry is not None
    assert retention.clean(StreamLog(rt.store, entry), eager=True, grace=0).files > 0


@pytest.mark.parametrize("history", ["", " OPTIONS (history '1 MINUTE')"])
def test_what_was_deleted_does_not_come_back_with_a_longer_history(rt: Session, history: str) -> None:
    rt.sql("CREATE STREAM s (n INTEGER)" + history)
    for n in range(3):
        rt.sql(f"INSERT INTO s VALUES (TIMESTAMP '2015-02-15 10:0{n}:00', {n})")
    clean(rt)
    first = 2 if history else 3
    rt.sql("CREATE OR REPLACE STREAM s (n INTEGER) OPTIONS (history 'all')")
    for where in ("", " WHERE rowtime >= TIMESTAMP '2015-02-15 10:01:00'"):
        with pytest.raises(RowtimeError, match="RT0520"):
            rows(rt, f"SELECT n FROM s{where}")
    assert rows(rt, f"SELECT n FROM s WHERE rowtime >= TIMESTAMP '2015-02-15 10:0{first - 1}:00.001' ORDER BY n") == [
        (n,) for n in range(first, 4)
    ]


def test_a_clean_up_between_the_plan_and_the_rows(rt: Session, monkeypatch: pytest.MonkeyPatch) -> None:
    rt.sql("CREATE STREAM s (n INTEGER) OPTIONS (history '1 MINUTE')")
    for n in range(2):
        rt.sql(f"INSERT INTO s VALUES (TIMESTAMP '2015-02-15 10:0{n}:00', {n})")
    real = launch.translate

    def translate(*arguments: Any) -> Any:
        clean(rt)
        return real(*arguments)

    assert rows(rt, "SELECT n FROM s ORDER BY n") == [(0,), (1,)]
    monkeypatch.setattr(launch, "translate", translate)
    with pytest.raises(RowtimeError, match="RT0520"):
        rows(rt, "SELECT n FROM s")


@pytest.mark.parametrize("history", ["", " OPTIONS (history '1 MINUTE')"])
def test_plain_pyspark_reads_a_stream_that_has_deleted_rows(rt: Session, history: str) -> None:
    """Also one that keeps no history: SQL does not read it as a relation at all."""
    rt.sql("CREATE STREAM s (n INTEGER)" + history)
    rt.sql("INSERT INTO s VALUES (TIMESTAMP '2015-02-15 10:00:00', 0)")
    identifier = Identifier.of("S", str(rt.store.warehouse))
    assert len(Reader(identifier).partitions()) == 1
    clean(rt)
    with pytest.raises(RowtimeError, match=r"RT0520: .*'S' begins at 2015-02-15 10:0"):
        Reader(identifier).partitions()
