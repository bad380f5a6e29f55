"""Pumps on a real Spark session: their states, bounds, cascades, failures and restarts."""

from __future__ import annotations

import datetime as dt
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from rowtime.errors import RowtimeError
from rowtime.runtime.query import Query
from rowtime.runtime.relation import Relation
from rowtime.session import Session, connect

DAY = dt.datetime(2006, 9, 11)
ALL = "OPTIONS (history 'all')"


def at(hour: int, minute: int = 0, second: int = 0) -> dt.datetime:
    return DAY.replace(hour=hour, minute=minute, second=second)


def rows(rt: Session, sql: str) -> list[tuple[Any, ...]]:
    found = rt.sql(sql)
    assert isinstance(found, Relation)
    return found.tuples()


def settle(rt: Session, *queries: Query) -> None:
    rt.runtime.settle(queries)


def eventually(what: Callable[[], bool], seconds: float = 30.0) -> None:
    deadline = time.monotonic() + seconds
    while not what():
        assert time.monotonic() < deadline
        time.sleep(0.1)


def status(rt: Session, name: str) -> Any:
    return next(s for s in rt.pumps if s.name == name)


@pytest.fixture
def streams(rt: Session) -> Session:
    for name in ("A", "B", "C", "D"):
        rt.sql(f"CREATE STREAM {name} (n INTEGER) {ALL}")
    return rt


def test_a_pump_from_creation_to_drop(streams: Session) -> None:
    """Stopped at first; what comes before the first start is not its; what comes while it is stopped is."""
    rt = streams
    rt.sql("CREATE PUMP p AS INSERT INTO b SELECT STREAM * FROM a")
    source = rt.producer("A")
    source.insert([(at(9), 9)])
    settle(rt)
    assert (status(rt, "P").state, rows(rt, "SELECT n FROM b")) == ("STOPPED", [])
    rt.sql("ALTER PUMP p START")
    source.insert([(at(10), 10)])
    settle(rt)
    assert rows(rt, "SELECT rowtime, n FROM b") == [(at(10), 10)]
    assert status(rt, "P").state == "STARTED"
    assert list(rt.log("B").state().producers) == [f"pump:{rt.store.get('P').id}"]
    rt.sql("ALTER PUMP p STOP")
    assert rt.log("B").state().producers == {}
    source.insert([(at(11), 11)])
    # While the pump is away the target goes on without it; what it missed is late where the target has gone past it.
    with rt.producer("B") as other:
        other.insert([(at(11, 30), 0)])
    source.insert([(at(12), 12)])
    settle(rt)
    assert rows(rt, "SELECT n FROM b") == [(10,), (0,)]
    rt.sql("ALTER PUMP p START")
    settle(rt)
    assert status(rt, "P").late_rows == 1
    assert rt.log("B").state().rejected == {"late": 1}
    rt.sql("DROP PUMP p")
    assert (rt.pumps, rt.log("B").state().producers) == ([], {})
    assert rows(rt, "SELECT n FROM b") == [(10,), (0,), (12,)]
    assert not list((rt.store.warehouse / "pumps").iterdir())


def test_pause_keeps_place_and_attachment(streams: Session) -> None:
    rt = streams
    rt.sql("CREATE PUMP p STARTED AS INSERT INTO b SELECT STREAM * FROM a")
    source, other = rt.producer("A"), rt.producer("B")
    source.insert([(at(10), 10)])
    settle(rt)
    rt.sql("ALTER PUMP p PAUSE")
    assert status(rt, "P").state == "PAUSED"
    source.insert([(at(11), 11)])
    other.insert([(at(12), 12)])
    settle(rt)
    # Everything waits for the pump that is only paused.
    assert rows(rt, "SELECT n FROM b") == [(10,)]
    rt.sql("ALTER PUMP p RESUME")
    settle(rt)
    assert rows(rt, "SELECT n FROM b") == [(10,), (11,)]
    assert rt.log("B").state().late == 0
    other.close()


def test_a_pump_that_comes_back_brings_its_bound(streams: Session) -> None:
    """Though nothing more has come for it to read."""
    rt = streams
    rt.sql("CREATE PUMP p STARTED AS INSERT INTO b SELECT STREAM * FROM a")
    source, other = rt.producer("A"), rt.producer("B")
    source.insert([(at(10), 1)])
    source.set_rowtime_bound("2006-09-11 11:00:00")
    other.insert([(at(10), 2)])
    settle(rt)
    rt.sql("ALTER PUMP p STOP")
    rt.sql("ALTER PUMP p START")
    assert [row[:3] for row in rows(rt, "SHOW PUMPS")] == [("P", "PUMP", "STARTED")]
    other.insert([(at(10, 30), 3)])
    assert rt.rowtime_bound("B") == at(10, 30)
    # By arrival, where ROWTIME is the same.
    assert rows(rt, "SELECT n FROM b") == [(2,), (1,), (3,)]


def test_other_sources_need_a_reset(streams: Session) -> None:
    """And another target is another attachment."""
    rt = streams
    rt.sql("CREATE PUMP p STARTED AS INSERT INTO b SELECT STREAM * FROM a")
    rt.producer("A").insert([(at(10), 1)])
    settle(rt)
    rt.sql("CREATE OR REPLACE PUMP p STARTED AS INSERT INTO d SELECT STREAM * FROM a")
    rt.producer("A").insert([(at(11), 2)])
    settle(rt)
    assert (rows(rt, "SELECT n FROM b"), rows(rt, "SELECT n FROM d")) == ([(1,)], [(2,)])
    assert (len(rt.log("B").state().producers), len(rt.log("D").state().producers)) == (0, 1)
    rt.sql("ALTER PUMP p STOP")
    rt.sql("CREATE OR REPLACE PUMP p AS INSERT INTO d SELECT STREAM * FROM c")
    with pytest.raises(RowtimeError, match="it reads other sources") as refused:
        rt.sql("ALTER PUMP p START")
    assert refused.value.code == "RT0516"
    rt.sql("ALTER PUMP p START RESET")
    assert (len(rt.log("A").leases.all()), len(rt.log("C").leases.all())) == (0, 1)
    rt.producer("C").insert([(at(12), 3)])
    settle(rt)
    assert rows(rt, "SELECT n FROM d") == [(2,), (3,)]


def test_a_chain_of_three_and_their_bounds(streams: Session) -> None:
    """Rows and bounds go through filters and shifts, step by step, and pumps may be started in any order."""
    rt = streams
    rt.sql("CREATE PUMP p3 STARTED AS INSERT INTO d SELECT STREAM rowtime + INTERVAL '1' MINUTE AS rowtime, n FROM c")
    rt.sql("CREATE PUMP p2 STARTED AS INSERT INTO c SELECT STREAM * FROM b WHERE n > 5")
    rt.sql("CREATE PUMP p1 STARTED AS INSERT INTO b SELECT STREAM * FROM a")
    query = rt.sql("SELECT STREAM n FROM d WHERE n > 100")
    assert isinstance(query, Query)
    source = rt.producer("A")
    source.insert([(at(10), 6), (at(10, 5), 1)])
    settle(rt, query)
    assert rows(rt, "SELECT rowtime, n FROM d") == [(at(10, 1), 6)]
    assert [rt.rowtime_bound(name) for name in "ABCD"] == [at(10, 5), at(10, 5), at(10, 5), at(10, 6)]
    assert query.rowtime_bound == rt.rowtime_bound(query) == at(10, 6)
    source.set_rowtime_bound("2006-09-11 11:00:00")
    settle(rt, query)
    assert [rt.rowtime_bound(name) for name in "ABCD"] == [at(11), at(11), at(11), at(11, 1)]
    assert query.rowtime_bound == at(11, 1)
    versions = [rt.log(name).version() for name in "ABCD"]
    settle(rt, query)
    # Nothing to do is nothing done.
    assert [rt.log(name).version() for name in "ABCD"] == versions


def test_bounds_through_aggregation_and_union(streams: Session) -> None:
    rt = streams
    rt.sql(
        "CREATE PUMP hours STARTED AS INSERT INTO c SELECT STREAM FLOOR(rowtime TO HOUR) AS rowtime, "
        "CAST(COUNT(*) AS INTEGER) AS n FROM a GROUP BY FLOOR(rowtime TO HOUR)"
    )
    rt.sql("CREATE PUMP merged STARTED AS INSERT INTO d SELECT STREAM * FROM a UNION ALL SELECT STREAM * FROM b")
    a, b = rt.producer("A"), rt.producer("B")
    a.insert([(at(3, 1), 1), (at(3, 15), 2), (at(4), 3), (at(4, 45), 4)])
    settle(rt)
    assert (rows(rt, "SELECT rowtime, n FROM c"), rt.rowtime_bound("C")) == ([(at(3), 2)], at(4))
    assert (rows(rt, "SELECT n FROM d"), rt.rowtime_bound("D")) == ([], None)
    a.set_rowtime_bound("2006-09-11 05:00:00")
    b.insert([(at(3, 5), 9)])
    settle(rt)
    assert (rows(rt, "SELECT rowtime, n FROM c"), rt.rowtime_bound("C")) == ([(at(3), 2), (at(4), 2)], at(5))
    assert (rows(rt, "SELECT n FROM d"), rt.rowtime_bound("D")) == ([(1,), (9,)], at(3, 5))
    b.set_rowtime_bound("2006-09-11 04:30:00")
    settle(rt)
    assert (rows(rt, "SELECT n FROM d"), rt.rowtime_bound("D")) == ([(1,), (9,), (2,), (3,)], at(4, 30))
    rt.runtime.kill_pumps()
    rt.runtime.restart_pumps()
    b.set_rowtime_bound("2006-09-11 06:00:00")
    settle(rt)
    assert (rows(rt, "SELECT n FROM d"), rt.rowtime_bound("D")) == ([(1,), (9,), (2,), (3,), (4,)], at(5))


def test_several_pumps_into_one_stream(streams: Session) -> None:
    """The slow one holds the fast one's rows, whoever was started first; nothing is late."""
    rt = streams
    rt.sql("CREATE PUMP p STARTED AS INSERT INTO c SELECT STREAM * FROM a")
    rt.sql("CREATE PUMP q STARTED AS INSERT INTO c SELECT STREAM * FROM b")
    a, b = rt.producer("A"), rt.producer("B")
    a.insert([(at(1), 100), (at(1, 6), 106)])
    settle(rt)
    assert (rows(rt, "SELECT n FROM c"), rt.log("C").state().held) == ([], 2)
    b.insert([(at(1, 2), 102), (at(1, 4), 104)])
    settle(rt)
    assert rows(rt, "SELECT n FROM c") == [(100,), (102,), (104,)]
    assert (rt.rowtime_bound("C"), rt.log("C").state().late) == (at(1, 4), 0)
    b.set_rowtime_bound("2006-09-11 01:10:00")
    settle(rt)
    assert rows(rt, "SELECT n FROM c")[3:] == [(106,)]


def test_every_kind_of_target(streams: Session, tmp_path: Path) -> None:
    rt = streams
    rt.sql("CREATE TABLE plain (n INTEGER, text VARCHAR(10) DEFAULT 'none', t TIME)")
    rt.sql("CREATE TABLE kept (ts TIMESTAMP(3) LATENESS INTERVAL '1' HOUR, n INTEGER)")
    rt.sql("CREATE PUMP p STARTED AS INSERT INTO plain (t, n) SELECT STREAM TIME '10:11:12', n FROM a")
    rt.sql("CREATE PUMP q STARTED AS INSERT INTO kept SELECT STREAM rowtime, n FROM a")
    source = rt.producer("A")
    for hour in (10, 11):
        source.insert([(at(hour), hour)])
        settle(rt)
    rt.runtime.kill_pumps()
    rt.runtime.restart_pumps()
    source.insert([(at(12), 12)])
    settle(rt)
    expected = [(n, "none", dt.time(10, 11, 12)) for n in (10, 11, 12)]
    assert sorted(rows(rt, "SELECT n, text, t FROM plain")) == expected
    assert rows(rt, "SELECT ts, n FROM kept") == [(at(n), n) for n in (10, 11, 12)]
    assert [s.error for s in rt.pumps] == [None, None]


def test_a_pump_that_fails_tries_again_and_leaves_the_others_alone(streams: Session) -> None:
    rt = streams
    faults: list[tuple[str, str]] = []
    rt.runtime.on_fault = lambda pump, fault: faults.append((pump, fault.code))
    rt.sql("CREATE TABLE divisors (d INTEGER)")
    rt.sql("INSERT INTO divisors VALUES (0)")
    rt.sql("CREATE PUMP bad STARTED AS INSERT INTO c SELECT STREAM rowtime, 100 / n AS n FROM a")
    rt.sql("CREATE PUMP good STARTED AS INSERT INTO d SELECT STREAM * FROM a")
    source = rt.producer("A")
    source.insert([(at(10), 0)])
    settle(rt)
    found = status(rt, "BAD")
    assert "Division by zero" in found.error
    assert rows(rt, "SELECT n FROM d") == [(0,)]
    assert rows(rt, "SELECT n FROM c") == []
    eventually(lambda: len(faults) >= 2)
    assert set(faults) == {("BAD", "RT0510")}
    rt.sql("CREATE OR REPLACE PUMP bad STARTED AS INSERT INTO c SELECT STREAM rowtime, 100 / (n + 1) AS n FROM a")
    eventually(lambda: status(rt, "BAD").error is None)
    source.insert([(at(11), 1)])
    settle(rt)
    # Nothing of what it could not do before is lost.
    assert rows(rt, "SELECT n FROM c") == [(100,), (50,)]
    assert rows(rt, "SELECT n FROM d") == [(0,), (1,)]


def test_another_session_goes_on_where_one_has_ended(streams: Session, spark: Any) -> None:
    rt = streams
    rt.sql("CREATE PUMP p STARTED AS INSERT INTO b SELECT STREAM * FROM a")
    source = rt.producer("A", timeout=None)
    source.insert([(at(10), 10)])
    settle(rt)
    with connect(spark, rt.store.warehouse) as second:
        second.runtime.settle([])
        # One session at a time; the other sees how it is getting on.
        assert (rt.runtime.pumps_running(), second.runtime.pumps_running()) == (True, False)
        seen = status(second, "P")
        assert (seen.state, seen.error) == ("STARTED", None)
        rt.runtime.pumps.close()
        source.insert([(at(11), 11)])
        eventually(second.runtime.pumps_running)
        second.runtime.settle([])
        assert rows(second, "SELECT n FROM b") == [(10,), (11,)]
        # What the first session says now reaches the second within a second.
        rt.sql("ALTER PUMP p STOP")
        eventually(lambda: not second.runtime.pumps_running())
        assert status(second, "P").state == "STOPPED"
        eventually(lambda: rt.log("B").state().producers == {})


def test_what_a_pump_remembers_must_fit_its_query(streams: Session) -> None:
    rt = streams
    hours = (
        "SELECT STREAM FLOOR(rowtime TO HOUR) AS rowtime, CAST({0} AS INTEGER) AS n "
        "FROM a GROUP BY FLOOR(rowtime TO HOUR)"
    )
    rt.sql("CREATE PUMP p STARTED AS INSERT INTO b " + hours.format("COUNT(*)"))
    source = rt.producer("A")
    source.insert([(at(10), 5), (at(10, 30), 7)])
    settle(rt)
    rt.sql("ALTER PUMP p STOP")
    rt.sql("CREATE OR REPLACE PUMP p AS INSERT INTO b " + hours.format("SUM(n)"))
    with pytest.raises(RowtimeError) as refused:
        rt.sql("ALTER PUMP p START")
    assert refused.value.code == "RT0516"
    assert refused.value.diagnostics[0].hint.startswith("ALTER PUMP P START RESET")
    assert status(rt, "P").state == "STOPPED"
    rt.sql("ALTER PUMP p START RESET")
    source.insert([(at(11), 5), (at(11, 30), 8), (at(12), 1)])
    settle(rt)
    assert rows(rt, "SELECT rowtime, n FROM b") == [(at(11), 13)]


def test_attachments_of_pumps_that_are_no_more_end(streams: Session, spark: Any) -> None:
    """Whoever dropped the pump died before it could see to that."""
    rt = streams
    rt.sql("CREATE PUMP p AS INSERT INTO b SELECT STREAM * FROM a")
    kept = f"pump:{rt.store.get('P').id}"
    for name in ("pump:0123", kept):
        rt.log("B").attach(name, None)
    with connect(spark, rt.store.warehouse):
        eventually(lambda: list(rt.log("B").state().producers) == [kept])


def test_from_earliest(streams: Session) -> None:
    rt = streams
    rt.producer("A").insert([(at(9), 9)])
    rt.sql("CREATE PUMP p STARTED AS INSERT INTO b SELECT STREAM /*+ FROM_EARLIEST */ * FROM a")
    settle(rt)
    assert rows(rt, "SELECT n FROM b") == [(9,)]


def test_insert_of_a_stream_outside_a_pump(streams: Session) -> None:
    rt = streams
    query = rt.sql("INSERT INTO b SELECT STREAM * FROM a WHERE n > 5")
    assert isinstance(query, Query)
    source = rt.producer("A")
    source.insert([(at(10), 10), (at(11), 1)])
    settle(rt, query)
    assert (rows(rt, "SELECT n FROM b"), rt.rowtime_bound("B")) == ([(10,)], at(11))
    (attached,) = rt.log("B").state().producers.values()
    assert attached.timeout == 60_000
    query.kill()
    source.insert([(at(12), 12)])
    query.restart()
    settle(rt, query)
    assert (rows(rt, "SELECT n FROM b"), query.progress.rows_out) == ([(10,), (12,)], 2)
    assert query.progress.late == {"A": 0}
    query.stop()
    assert rt.log("B").state().producers == {}


def test_rowtime_left_out_given_and_renamed(streams: Session) -> None:
    rt = streams
    rt.sql("CREATE PUMP p STARTED AS INSERT INTO b (n) SELECT STREAM n FROM a")
    rt.sql("CREATE PUMP q STARTED AS INSERT INTO c SELECT STREAM rowtime + INTERVAL '1' HOUR AS rowtime, n FROM a")
    rt.sql(f"CREATE STREAM e (was TIMESTAMP(3), n INTEGER) {ALL}")
    rt.sql("CREATE PUMP r STARTED AS INSERT INTO e (was, n) SELECT STREAM rowtime AS was, n FROM a")
    rt.producer("A").insert([(at(10), 1)])
    settle(rt)
    assert rows(rt, "SELECT rowtime, n FROM b") == [(at(10), 1)]
    assert rows(rt, "SELECT rowtime, n FROM c") == [(at(11), 1)]
    assert rows(rt, "SELECT rowtime, was, n FROM e") == [(at(10), at(10), 1)]
    assert [rt.rowtime_bound(name) for name in "BCE"] == [at(10), at(11), at(10)]


def test_defaults(rt: Session) -> None:
    rt.sql("CREATE TABLE t (a INTEGER, b INTEGER DEFAULT 1 + 1, c VARCHAR(3) DEFAULT 'x', d DATE DEFAULT CURRENT_DATE)")
    rt.sql(f"CREATE STREAM s (n INTEGER, kind VARCHAR(10) DEFAULT 'new') {ALL}")
    rt.sql("INSERT INTO t (a) VALUES (1)")
    rt.sql("INSERT INTO t (a, d) VALUES (2, NULL)")
    rt.sql("INSERT INTO s (n) VALUES (1), (2)")
    rt.sql("INSERT INTO s (n) SELECT a + 10 FROM t")
    today = dt.datetime.now(dt.timezone.utc).date()
    assert rows(rt, "SELECT * FROM t ORDER BY a") == [(1, 2, "x", today), (2, 2, "x", None)]
    assert rows(rt, "SELECT n, kind FROM s ORDER BY n") == [(n, "new") for n in (1, 2, 11, 12)]


def test_what_has_no_rowtime_has_no_bound(streams: Session) -> None:
    """Rows of a table get the clock; a number that is the query's clock is no bound of theirs."""
    rt = streams
    rt.sql("CREATE TABLE numbers (n INTEGER NOT NULL MONOTONIC)")
    rt.sql("CREATE PUMP p STARTED AS INSERT INTO b SELECT STREAM n FROM numbers")
    query = rt.sql("SELECT STREAM n FROM numbers")
    assert isinstance(query, Query)
    before = dt.datetime.now(dt.timezone.utc).replace(tzinfo=None) - dt.timedelta(seconds=1)
    inserted = rt.sql("INSERT INTO numbers VALUES (1), (3), (2)")
    assert (inserted.entered, [r.reason for r in inserted.rejected]) == (2, ["not monotonic"])
    settle(rt, query)
    assert [tuple(row) for row in query.rows()] == [(1,), (3,)]
    assert rows(rt, "SELECT n FROM b") == [(1,), (3,)]
    assert query.rowtime_bound is None
    assert before < rt.rowtime_bound("B") < before + dt.timedelta(minutes=1)


def test_progress(streams: Session) -> None:
    """Late rows by source, and the source that everything waits for."""
    rt = streams
    query = rt.sql("SELECT STREAM * FROM a UNION ALL SELECT STREAM * FROM b")
    assert isinstance(query, Query)
    a, b = rt.producer("A"), rt.producer("B")
    a.insert([(at(10), 1), (at(9), 2), (at(8), 3)])
    settle(rt, query)
    assert (query.progress.late, query.progress.waits_for) == ({"A": 2, "B": 0}, "B")
    b.insert([(at(11), 4)])
    settle(rt, query)
    found = query.progress
    assert (found.waits_for, found.rows_out, found.rowtime) == ("A", 1, "2006-09-11T10:00:00.000")
    assert query.rowtime_bound == at(10)


def test_from_files_and_into_files(streams: Session, tmp_path: Path) -> None:
    """What a filter takes away moves the bound all the same; a restart repeats nothing, and loses no bound."""
    rt = streams
    inbox, out = tmp_path / "in", tmp_path / "out"
    inbox.mkdir()
    rt.sql(f"CREATE FOREIGN STREAM f (n INTEGER) OPTIONS (connector 'files', format 'json', path '{inbox}')")
    options = f"(connector 'files', format 'json', path '{out}')"
    rt.sql(f"CREATE FOREIGN TABLE o (seen TIMESTAMP(3), n INTEGER) OPTIONS {options}")
    rt.sql("CREATE PUMP p STARTED AS INSERT INTO b SELECT STREAM * FROM f WHERE n > 5")
    rt.sql("CREATE PUMP q STARTED AS INSERT INTO o SELECT STREAM rowtime, n FROM b")

    def came(name: str, *found: tuple[dt.datetime, int]) -> None:
        lines = [f'{{"ROWTIME": "{when.isoformat()}Z", "N": {n}}}' for when, n in found]
        (tmp_path / name).write_text("\n".join(lines) + "\n")
        (tmp_path / name).rename(inbox / name)

    came("1.json", (at(10), 10), (at(11), 1))
    settle(rt)
    assert (rows(rt, "SELECT rowtime, n FROM b"), rt.rowtime_bound("B")) == ([(at(10), 10)], at(11))
    rt.runtime.kill_pumps()
    came("2.json", (at(12), 12), (at(12, 30), 2))
    rt.runtime.restart_pumps()
    settle(rt)
    assert (rows(rt, "SELECT n FROM b"), rt.rowtime_bound("B")) == ([(10,), (12,)], at(12, 30))
    assert sorted(rows(rt, "SELECT seen, n FROM o")) == [(at(10), 10), (at(12), 12)]
    rt.sql("INSERT INTO o VALUES (TIMESTAMP '2006-09-11 13:00:00', 13)")
    assert len(rows(rt, "SELECT * FROM o")) == 3
    assert [s.error for s in rt.pumps] == [None, None]


def test_late_rows_of_a_view(streams: Session) -> None:
    rt = streams
    rt.sql("CREATE STREAM s (ts TIMESTAMP(3) NOT NULL, n INTEGER)")
    rt.sql("CREATE VIEW v AS SELECT STREAM ts, n FROM s")
    rt.sql("LATENESS v.ts INTERVAL '1' HOUR")
    query = rt.sql("SELECT STREAM n FROM v")
    assert isinstance(query, Query)
    for hour in (10, 12, 9, 11):
        rt.sql(f"INSERT INTO s (ts, n) VALUES (TIMESTAMP '2006-09-11 {hour:02}:00:00', {hour})")
        settle(rt, query)
    assert [tuple(row) for row in query.rows()] == [(10,), (12,), (11,)]
    (name,) = (key for key in query.progress.late if key.startswith("LATENESS"))
    assert (query.progress.late[name], query.progress.late_rows, query.progress.late["S"]) == (1, 1, 0)
