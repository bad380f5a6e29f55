"""The lives of pumps on a real Spark session: states, failures, restarts, and other sessions."""

from __future__ import annotations

import json
import shutil
from pathlib import Path
from typing import Any

import pytest
from queries import eventually

from rowtime.errors import RowtimeError
from rowtime.metrics.collector import RuntimeCollector
from rowtime.opening import connect
from rowtime.session import Session

from .conftest import at, rows, settle, status


def test_a_pump_from_creation_to_drop(streams: Session) -> None:
    """A pump is stopped at first. It does not read rows from before its first start; it does read those that arrive
    while it is stopped."""
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
    """Even if there are no new rows for it to read."""
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


def test_state_of_another_layout_needs_a_reset(streams: Session) -> None:
    """With signatures of earlier builds: without the number of the layout, and without what the state means."""
    rt = streams
    both = "SELECT STREAM * FROM a UNION ALL SELECT STREAM * FROM c"
    rt.sql(f"CREATE PUMP p STARTED AS INSERT INTO b SELECT STREAM * FROM ({both})")
    settle(rt)
    rt.sql("ALTER PUMP p STOP")
    (file,) = (rt.store.warehouse / "pumps").glob("**/signature.json")
    signed = json.loads(file.read_text())
    (union,) = signed["state"]
    before = {name: part for name, part in json.loads(union).items() if name != "layout"}
    unnumbered = {**signed, "state": [json.dumps(before)]}
    columns = ["TIMESTAMP(3)", "INTEGER"]
    earlier = {
        "state": [json.dumps({"op": "union", "layout": 3, "columns": columns})],
        "sources": [source["id"] for source in signed["sources"]],
    }
    for recorded in (unnumbered, earlier):
        file.write_text(json.dumps(recorded))
        with pytest.raises(RowtimeError, match="it was written by another version of rowtime") as refused:
            rt.sql("ALTER PUMP p START")
        assert refused.value.code == "RT0516"
    with pytest.raises(RowtimeError, match=r"RT0517: RESET of pump 'P' would lose its state"):
        rt.sql("ALTER PUMP p START RESET")
    rt.sql("ALTER PUMP p START RESET DROP STATE")
    settle(rt)
    assert status(rt, "P").state == "STARTED"


def test_other_sources_need_a_reset(streams: Session) -> None:
    """Another target is another attachment."""
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
    with pytest.raises(RowtimeError, match="it reads other sources") as refused:
        rt.sql("CREATE OR REPLACE PUMP p AS INSERT INTO d SELECT STREAM * FROM c")
    assert refused.value.code == "RT0516"
    rt.sql("CREATE OR REPLACE PUMP p STOPPED RESET AS INSERT INTO d SELECT STREAM * FROM c")
    rt.sql("ALTER PUMP p START")
    assert (len(rt.log("A").leases.all()), len(rt.log("C").leases.all())) == (0, 1)
    rt.producer("C").insert([(at(12), 3)])
    settle(rt)
    assert rows(rt, "SELECT n FROM d") == [(2,), (3,)]


def test_a_foreign_stream_that_reads_another_path_needs_a_reset(streams: Session, tmp_path: Path) -> None:
    rt = streams
    for name in ("one", "two"):
        (tmp_path / name).mkdir()
    foreign = "CREATE OR REPLACE FOREIGN STREAM f (rowtime TIMESTAMP NOT NULL, n INTEGER) OPTIONS ({})"
    files = "connector 'files', format 'csv', path '{}'"
    rt.sql(foreign.format(files.format(tmp_path / "one")))
    rt.sql("CREATE PUMP p STARTED AS INSERT INTO b SELECT STREAM * FROM f")
    settle(rt)
    rt.sql("ALTER PUMP p STOP")
    rt.sql(foreign.format(files.format(tmp_path / "one") + ", idle_timeout '1 HOUR'"))
    rt.sql("ALTER PUMP p START")
    rt.sql("ALTER PUMP p STOP")
    rt.sql(foreign.format(files.format(tmp_path / "two")))
    with pytest.raises(
        RowtimeError, match=r"its source is F \(files, path '\S+/two'\), and was F \(files, path '\S+/one'\)"
    ):
        rt.sql("ALTER PUMP p START")


def test_changed_code_of_a_function_below_state_needs_a_reset(
    streams: Session, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    rt, module = streams, tmp_path / "rates_of_a_pump.py"
    monkeypatch.syspath_prepend(str(tmp_path))
    module.write_text("def rate(n):\n    return n * 2\n")
    rt.sql("CREATE FUNCTION rate(n INTEGER) RETURNS INTEGER LANGUAGE PYTHON AS 'rates_of_a_pump:rate'")
    rt.sql(
        "CREATE PUMP p STARTED AS INSERT INTO b SELECT STREAM FLOOR(rowtime TO HOUR) AS rowtime, "
        "CAST(SUM(rate(n)) AS INTEGER) FROM a GROUP BY FLOOR(rowtime TO HOUR)"
    )
    settle(rt)
    rt.sql("ALTER PUMP p STOP")
    module.write_text("# Twice.\ndef rate(n):\n    return n * 2\n")
    rt.sql("ALTER PUMP p START")
    rt.sql("ALTER PUMP p STOP")
    module.write_text("def rate(n):\n    return n * 3\n")
    with pytest.raises(RowtimeError, match="the code of function rates_of_a_pump:rate has changed"):
        rt.sql("ALTER PUMP p START")


def test_changed_code_of_a_function_of_changes_needs_a_reset(
    streams: Session, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A change takes back a row with the values that the function had when it was inserted, also above all state."""
    rt, module = streams, tmp_path / "rates_of_changes.py"
    monkeypatch.syspath_prepend(str(tmp_path))
    module.write_text("def rate(n):\n    return n * 2\n")
    rt.sql("CREATE FUNCTION rate(n BIGINT) RETURNS BIGINT LANGUAGE PYTHON AS 'rates_of_changes:rate'")
    rt.sql("CREATE TABLE changes (op TINYINT, n BIGINT)")
    rt.sql(
        "CREATE PUMP p STARTED AS INSERT INTO changes SELECT STREAM op, payload.r "
        "FROM TO_CHANGELOG((SELECT n, rate(COUNT(*)) AS r FROM a GROUP BY n))"
    )
    settle(rt)
    rt.sql("ALTER PUMP p STOP")
    module.write_text("def rate(n):\n    return n * 3\n")
    with pytest.raises(RowtimeError, match="the code of function rates_of_changes:rate has changed"):
        rt.sql("ALTER PUMP p START")


def test_a_merge_names_the_column_that_is_null_and_why_it_must_not_be(streams: Session) -> None:
    rt = streams
    rt.sql("CREATE TABLE t (k INTEGER PRIMARY KEY, v INTEGER NOT NULL)")
    for name, key, value, why in (
        ("P", "NULLIF(n, 1)", "n", "K: NULL in the PRIMARY KEY"),
        ("Q", "n", "NULLIF(n, 1)", "V: NULL in a column that is NOT NULL"),
    ):
        rt.sql(
            f"CREATE PUMP {name} STARTED AS MERGE INTO t USING (SELECT STREAM {key} AS k, {value} AS v FROM a) AS s"
            " ON t.k = s.k WHEN NOT MATCHED THEN INSERT VALUES (s.k, s.v)"
        )
        rt.producer("A").insert([(at(10), 1)])
        settle(rt)
        assert status(rt, name).error == f"error RT0502: A row does not fit table 'T': {why}"
        rt.sql(f"DROP PUMP {name}")


def test_a_pump_that_fails_tries_again_and_leaves_the_others_alone(streams: Session) -> None:
    rt = streams
    faults: list[tuple[str, str]] = []
    rt.runtime.listeners.on_fault = lambda pump, fault: faults.append((pump, fault.code))
    recovered: list[str] = []
    rt.runtime.listeners.on_recovered = recovered.append
    rt.sql("CREATE TABLE divisors (d INTEGER)")
    rt.sql("INSERT INTO divisors VALUES (0)")
    rt.sql("CREATE PUMP bad STARTED AS INSERT INTO c SELECT STREAM rowtime, 100 / n AS n FROM a")
    rt.sql("CREATE PUMP good STARTED AS INSERT INTO d SELECT STREAM * FROM a")
    source = rt.producer("A")
    source.insert([(at(10), 0)])
    settle(rt)
    found = status(rt, "BAD")
    assert found.state == "FAILED" and "Division by zero" in found.error and found.failed_since is not None
    # The written status, which other processes see, follows within a second.
    eventually(lambda: [row[2] for row in rows(rt, "SHOW PUMPS")] == ["FAILED", "STARTED"])
    ((*_, since, why), (*_, never, nothing)) = rows(rt, "SHOW PUMPS")
    assert since.replace(" ", "T") == found.failed_since and "Division by zero" in why
    assert (never, nothing) == (None, None)
    exported = [sample for family in RuntimeCollector(rt.runtime).collect() for sample in family.samples]
    assert [s.labels for s in exported if s.name == "rowtime_pump_failed_since_timestamp_seconds"] == [{"query": "BAD"}]
    assert rows(rt, "SELECT n FROM d") == [(0,)]
    assert rows(rt, "SELECT n FROM c") == []
    eventually(lambda: len(faults) >= 2)
    assert status(rt, "BAD").failed_since == found.failed_since
    assert set(faults) == {("BAD", "RT0510")}
    rt.sql("CREATE OR REPLACE PUMP bad STARTED AS INSERT INTO c SELECT STREAM rowtime, 100 / (n + 1) AS n FROM a")
    eventually(lambda: status(rt, "BAD").error is None)
    assert (status(rt, "BAD").state, status(rt, "BAD").failed_since) == ("STARTED", None)
    eventually(lambda: recovered == ["BAD"])
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
    with pytest.raises(RowtimeError, match=r"aggregate functions SUM\(A.N\)\S* \S+ instead of COUNT\(\)") as refused:
        rt.sql("CREATE OR REPLACE PUMP p STARTED AS INSERT INTO b " + hours.format("SUM(n)"))
    assert refused.value.code == "RT0516"
    assert "CREATE OR REPLACE PUMP P STARTED RESET KEEP POSITION" in refused.value.diagnostics[0].hint
    assert status(rt, "P").state == "STOPPED"
    rt.sql("CREATE OR REPLACE PUMP p STARTED RESET DROP STATE AS INSERT INTO b " + hours.format("SUM(n)"))
    source.insert([(at(11), 5), (at(11, 30), 8), (at(12), 1)])
    settle(rt)
    assert rows(rt, "SELECT rowtime, n FROM b") == [(at(11), 13)]


def test_attachments_of_pumps_that_are_no_more_end(streams: Session, spark: Any) -> None:
    """The process that dropped the pump died before it could clean up."""
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


HOURS = (
    "SELECT STREAM FLOOR(rowtime TO HOUR) AS rowtime, CAST({0} AS INTEGER) AS n FROM a GROUP BY FLOOR(rowtime TO HOUR)"
)


def test_explain_says_what_becomes_of_a_replaced_pump(streams: Session, caplog: pytest.LogCaptureFixture) -> None:
    """It changes nothing. The statement itself says the same."""
    rt = streams

    def said(start: str, query: str) -> str:
        before = rt.store.snapshot().version
        found = rows(rt, f"EXPLAIN CREATE OR REPLACE PUMP p {start} AS INSERT INTO b {query}")
        assert rt.store.snapshot().version == before
        return str(found[0][0])

    counts, sums = HOURS.format("COUNT(*)"), HOURS.format("SUM(n)")
    assert said("STARTED", counts).startswith("project")
    rt.sql(f"CREATE PUMP p AS INSERT INTO b {counts}")
    assert said("STARTED", sums) == "Pump 'P' has not run yet: it has no state that would have to fit"
    rt.sql("ALTER PUMP p START")
    assert said("STARTED", counts) == "Pump 'P' continues from its position and state"
    assert said("STARTED", sums).startswith("RT0516: The saved state of pump 'P' no longer fits its query: aggregate")
    assert said("STARTED RESET KEEP POSITION", sums).endswith(", and continues from its position")
    with caplog.at_level("INFO", logger="rowtime"):
        rt.sql(f"CREATE OR REPLACE PUMP p STARTED AS INSERT INTO b {counts}")
    assert "info RT0519: Pump 'P' continues from its position and state" in caplog.text


def test_a_pump_of_another_session_is_replaced_without_a_gap(streams: Session, spark: Any) -> None:
    """It notices its new query by itself. A refused one disturbs nothing, and no row is lost or written twice."""
    rt = streams
    rt.sql("CREATE PUMP p STARTED AS INSERT INTO b SELECT STREAM rowtime, n FROM a")
    source = rt.producer("A")
    with connect(spark, rt.store.warehouse, pumps=False) as second:
        for n in range(10):
            source.insert([(at(10, n), n)])
        second.sql("CREATE OR REPLACE PUMP p STARTED AS INSERT INTO b SELECT STREAM rowtime, n + 100 AS n FROM a")
        for n in range(10, 20):
            source.insert([(at(10, n), n)])
        # It notices within a second: whether these rows are those of the earlier query is chance.
        eventually(lambda: any("100" in pump.entry.definition["query"] for pump in rt.runtime.pumps.running()))
        source.insert([(at(10, 20), 20)])
        eventually(lambda: 120 in [row[0] for row in rows(rt, "SELECT n FROM b")])
        written = [row[0] for row in rows(rt, "SELECT n FROM b")]
        assert [n % 100 for n in written] == list(range(21))
        assert sorted(written) == written
        with pytest.raises(RowtimeError, match="RT0516"):
            second.sql("CREATE OR REPLACE PUMP p STARTED AS INSERT INTO b " + HOURS.format("SUM(n)"))
        source.insert([(at(10, 21), 21)])
        eventually(lambda: rows(rt, "SELECT n FROM b")[-1] == (121,))
        assert status(rt, "P").error is None
        second.sql("CREATE OR REPLACE PUMP p STARTED RESET KEEP POSITION AS INSERT INTO b " + HOURS.format("SUM(n)"))
        # Until it notices, within a second, the rows that arrive are still those of its earlier query.
        rt.runtime.pumps.adopt()
        source.insert([(at(10, 30), 1), (at(11, 0), 7), (at(12, 0), 1)])
        # The rows that were written as they were are not in the sum, those since then all are.
        eventually(lambda: status(rt, "P").late_rows == 1 and rows(rt, "SELECT n FROM b")[-1] == (7,))


def test_keep_position_loses_no_row_that_was_not_read(streams: Session) -> None:
    """A source that it has not read before begins with the rows that arrive from then on."""
    rt = streams
    rt.sql("CREATE PUMP p STARTED AS INSERT INTO b SELECT STREAM rowtime, n FROM a")
    source, other = rt.producer("A"), rt.producer("C")
    source.insert([(at(10), 1)])
    other.insert([(at(9), 9)])
    settle(rt)
    rt.sql("ALTER PUMP p STOP")
    source.insert([(at(10, 1), 2)])
    both = "SELECT STREAM rowtime, n FROM a UNION ALL SELECT STREAM rowtime, n FROM c"
    rt.sql(f"CREATE OR REPLACE PUMP p STOPPED RESET KEEP POSITION AS INSERT INTO b SELECT STREAM * FROM ({both})")
    source.insert([(at(10, 2), 3)])
    rt.sql("ALTER PUMP p START")
    other.insert([(at(10, 3), 4)])
    source.insert([(at(10, 4), 5)])
    settle(rt)
    assert rows(rt, "SELECT n FROM b") == [(1,), (2,), (3,), (4,)]
    # Twice in a row is as once.
    for _ in range(2):
        rt.sql("ALTER PUMP p START RESET KEEP POSITION")
    source.insert([(at(10, 6), 6)])
    other.insert([(at(10, 7), 7)])
    settle(rt)
    assert rows(rt, "SELECT n FROM b")[4:] == [(6,)]


def test_a_warehouse_that_was_moved_goes_on_from_its_state(spark: Any, tmp_path: Path) -> None:
    """Spark's records of state have absolute paths, of which the first ones are gone. The first one is no plain URI."""
    folders = [tmp_path / name for name in ("first é (1)", "second", "third")]
    for number, folder in enumerate(folders):
        if number:
            shutil.move(folders[number - 1], folder)
        with connect(spark, folder) as rt:
            if not number:
                rt.sql("CREATE STREAM a (n INTEGER) OPTIONS (history 'all')")
                rt.sql("CREATE STREAM sums (n BIGINT) OPTIONS (history 'all')")
                rt.sql("CREATE TABLE totals (k INTEGER PRIMARY KEY, n BIGINT)")
                rt.sql(
                    "CREATE PUMP p STARTED AS INSERT INTO sums "
                    "SELECT STREAM FLOOR(rowtime TO DAY) AS rowtime, SUM(n) FROM a GROUP BY FLOOR(rowtime TO DAY)"
                )
                rt.sql(
                    "CREATE PUMP q STARTED AS INSERT INTO totals "
                    "SELECT STREAM MOD(n, 2), SUM(n) FROM a GROUP BY MOD(n, 2)"
                )
            rt.sql(f"INSERT INTO a VALUES (TIMESTAMP '2006-09-11 1{number}:00:00', {number + 1})")
            settle(rt)
            assert [pump.error for pump in rt.pumps] == [None, None]
            if number == 2:
                rt.sql("INSERT INTO a VALUES (TIMESTAMP '2006-09-12 10:00:00', 0)")
                settle(rt)
                assert rows(rt, "SELECT n FROM sums") == [(6,)]
                assert rows(rt, "SELECT k, n FROM totals ORDER BY k") == [(0, 2), (1, 4)]
