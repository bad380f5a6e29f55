"""Relational queries over the history of a stream that others write to."""

from __future__ import annotations

import pytest

from rowtime.delta.state import LogState
from rowtime.session import Session
from rowtime.streams import reader
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
