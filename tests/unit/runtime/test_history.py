"""Which rows of a stream's history a relational query needs."""

from __future__ import annotations

from typing import Any

import pytest

from rowtime.plan.codec import decode_plan
from rowtime.session import Session
from rowtime.sources.history import scans
from rowtime.streams import reader
from rowtime.streams.log import StreamLog
from rowtime.streams.state import LogState
from rowtime.streams.times import parse_millis

TEN = "2015-02-15 10:00:00"
SETUP = (
    "CREATE STREAM s (n INTEGER) OPTIONS (history '24 HOURS')",
    "CREATE VIEW v (h, c) AS SELECT FLOOR(rowtime TO HOUR), COUNT(*) FROM s GROUP BY FLOOR(rowtime TO HOUR)",
)
NEEDED: list[tuple[str, str | None]] = [
    ("SELECT * FROM s", None),
    ("SELECT * FROM s WHERE n > 3", None),
    (f"SELECT * FROM s WHERE rowtime >= TIMESTAMP '{TEN}'", TEN),
    (f"SELECT * FROM s WHERE rowtime > TIMESTAMP '{TEN}' AND n = 1", TEN),
    (f"SELECT * FROM s WHERE TIMESTAMP '{TEN}' <= rowtime", TEN),
    (f"SELECT * FROM s WHERE rowtime = TIMESTAMP '{TEN}'", TEN),
    (f"SELECT * FROM s WHERE rowtime BETWEEN TIMESTAMP '{TEN}' AND TIMESTAMP '2015-02-15 11:00:00'", TEN),
    (f"SELECT * FROM s WHERE rowtime < TIMESTAMP '{TEN}'", None),
    (f"SELECT * FROM s WHERE rowtime >= TIMESTAMP '{TEN}' OR n = 1", None),
    ("SELECT * FROM s WHERE rowtime + INTERVAL '1' HOUR >= TIMESTAMP '2015-02-15 11:00:00'", TEN),
    ("SELECT * FROM s WHERE rowtime - INTERVAL '1' HOUR >= TIMESTAMP '2015-02-15 09:00:00'", TEN),
    (f"SELECT * FROM v WHERE h >= TIMESTAMP '{TEN}'", TEN),
    ("SELECT * FROM v WHERE c > 1", None),
    (f"SELECT h FROM (SELECT h FROM v ORDER BY h) WHERE h >= TIMESTAMP '{TEN}'", TEN),
    (f"SELECT COUNT(*) FROM s WHERE rowtime >= TIMESTAMP '{TEN}'", TEN),
]


@pytest.mark.parametrize(("sql", "needed"), NEEDED)
def test_needed(sql: str, needed: str | None, planner: Any) -> None:
    from rowtime.catalog.memory import MemoryCatalog
    from rowtime.planner import plan

    catalog = MemoryCatalog()
    for statement in SETUP:
        catalog.commit(plan(planner, catalog.snapshot(), statement).statement.changes)
    root = plan(planner, catalog.snapshot(), sql).statement.raw_plan
    assert root is not None
    ((scan, found),) = scans(decode_plan(root), {})
    assert scan.source == "S"
    assert found == (None if needed is None else parse_millis(needed))


def test_two_branches_need_two_ranges(planner: Any) -> None:
    from rowtime.catalog.memory import MemoryCatalog
    from rowtime.planner import plan

    catalog = MemoryCatalog()
    catalog.commit(plan(planner, catalog.snapshot(), SETUP[0]).statement.changes)
    sql = f"SELECT n FROM s WHERE rowtime >= TIMESTAMP '{TEN}' UNION ALL SELECT n FROM s"
    root = plan(planner, catalog.snapshot(), sql).statement.raw_plan
    assert root is not None
    assert [found for _, found in scans(decode_plan(root), {})] == [parse_millis(TEN), None]


def test_somebody_commits_while_a_query_looks(rt: Session, monkeypatch: pytest.MonkeyPatch) -> None:
    rt.sql("CREATE STREAM s (n INTEGER) OPTIONS (history 'all')")
    rt.sql("INSERT INTO s VALUES (TIMESTAMP '2015-02-15 10:00:00', 1)")
    snapshot = reader._snapshot

    class Overtaken:
        """The log, to which somebody appends as soon as a reader knows the latest version."""

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
