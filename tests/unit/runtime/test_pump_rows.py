"""What pumps carry on a real Spark session: rows and bounds, through chains, groups and merges, into every target."""

from __future__ import annotations

import datetime as dt
from pathlib import Path

from rowtime.runtime.query.query import Query
from rowtime.session import Session

from .conftest import ALL, at, rows, settle


def test_a_chain_of_three_and_their_bounds(streams: Session) -> None:
    """Rows and bounds pass filters and shifts step by step, and pumps may be started in any order."""
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
    """The slow pump delays the rows of the fast one, in whichever order they start; no row is late."""
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


def test_what_has_no_rowtime_has_no_bound(streams: Session) -> None:
    """Rows of a table get the current time; a number by which the query makes progress is not their bound."""
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


def test_from_files_and_into_files(streams: Session, tmp_path: Path) -> None:
    """Rows that a filter drops still advance the bound. A restart repeats no row and loses no bound."""
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
