"""The counts of pumps are the same wherever one looks: those of the rows that were sent."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from queries import eventually

from rowtime.delta.batches import WrittenBatches
from rowtime.metrics.collector import RuntimeCollector
from rowtime.opening import connect
from rowtime.runtime.pump import status as pump_status
from rowtime.session import Session
from rowtime_cli import main

from .conftest import at, rows, settle, status

LINES = (
    "2006-09-11 10:00:00,2",
    "2006-09-11 10:05:00,0",  # skipped by on_error
    "2006-09-11 10:06:00,many",  # invalid
    "2006-09-11 10:07:00,4",
    "2006-09-11 10:20:00,7",
    "2006-09-11 09:00:00,3",  # late, in a step of its own
)
COUNTS = ("rows_in", "rows_out", "late_rows", "bad_rows", "failed_rows")
PAIRS = "SELECT STREAM x.n FROM {0} OVER last AS x JOIN {1} OVER last AS y ON x.n = y.n {2}"
LAST = "WINDOW last AS (RANGE INTERVAL '1' HOUR PRECEDING)"


def _shown(rt: Session, capsys: pytest.CaptureFixture[str]) -> list[dict[str, tuple[int, ...]]]:
    """Returns the counts by pump, as each door has them."""
    capsys.readouterr()
    assert main.main(["pump", "list", "--format", "json", "--warehouse", str(rt.store.warehouse)]) == 0
    listed = {each["name"]: tuple(each[name] for name in COUNTS) for each in json.loads(capsys.readouterr().out)}
    session = {each.name: tuple(getattr(each, name) for name in COUNTS) for each in rt.pumps}
    progress = {
        pump.name: (found.rows_in, found.rows_out, report.late_rows, found.bad_rows, found.failed_rows)
        for pump, report, found in rt.runtime.pumps.progress()
    }
    samples = {
        (sample.name, sample.labels.get("query")): int(sample.value)
        for family in RuntimeCollector(rt.runtime).collect()
        for sample in family.samples
    }
    metrics = {name: tuple(samples[f"rowtime_query_{count}_total", name] for count in COUNTS) for name in session}
    # SHOW PUMPS has no column for the last one.
    shown = {row[0]: (*row[4:8], session[row[0]][4]) for row in rows(rt, "SHOW PUMPS")}
    return [listed, shown, metrics, progress, session]


def test_all_doors_agree_with_what_was_sent(
    streams: Session, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    rt, folder = streams, tmp_path / "lines"
    folder.mkdir()
    # Neither the header nor a blank line is a row.
    (folder / "a.csv").write_text("\n".join(("rowtime,n", "", *LINES[:-1], " ")) + "\n")
    rt.sql(
        "CREATE FOREIGN STREAM f (rowtime TIMESTAMP(3) NOT NULL LATENESS INTERVAL '10' MINUTE, n INTEGER) "
        f"OPTIONS (connector 'files', path '{folder}', format 'csv')"
    )
    rt.sql(
        "CREATE PUMP through STARTED OPTIONS (on_error 'skip') AS "
        "INSERT INTO b SELECT STREAM rowtime, 60 / n AS n FROM f"
    )
    for name, left, right in (("same", "a", "a"), ("mixed", "a", "f")):
        target = "c" if name == "same" else "d"
        rt.sql(f"CREATE PUMP {name} STARTED AS INSERT INTO {target} {PAIRS.format(left, right, LAST)}")
    source = rt.producer("A")
    source.insert([(at(10), 2), (at(10, 1), 9)])
    source.insert([(at(10, 2), 4), (at(10, 20), 8)])
    settle(rt)
    (tmp_path / "b.csv").write_text(f"rowtime,n\n{LINES[-1]}\n")
    (tmp_path / "b.csv").rename(folder / "b.csv")
    settle(rt)
    expected = {"THROUGH": (6, 3, 1, 2, 1), "SAME": (4, 4, 0, 0, 0), "MIXED": (10, 2, 1, 1, 0)}
    assert rt.log("B").state().entered == 3
    last = rt.log("A").version()
    # What other processes see follows within a second.
    eventually(lambda: _shown(rt, capsys)[:2] == [expected] * 2)
    assert _shown(rt, capsys) == [expected] * 5
    assert status(rt, "SAME").sources["A"].position == {"version": last + 1}
    assert {name: found.rows for name, found in status(rt, "MIXED").sources.items()} == {"A": 4, "F": 6}
    # Counts continue over a restart.
    rt.sql("ALTER PUMP same STOP")
    source.insert([(at(10, 30), 5)])
    rt.sql("ALTER PUMP same START")
    settle(rt)
    assert (status(rt, "SAME").rows_in, status(rt, "SAME").rows_out) == (5, 5)


@pytest.mark.parametrize("reported", [False, True])
def test_files_that_a_process_had_read_when_it_was_killed(
    spark: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, reported: bool
) -> None:
    """Its last batches are in the target and in its checkpoint, and in no report; or all that it has done. An odd name
    is no pattern."""
    folder = tmp_path / "lines"
    folder.mkdir()

    def send(name: str, *lines: str) -> None:
        (tmp_path / "half").write_text("\n".join(("rowtime,n", *lines)) + "\n")
        (tmp_path / "half").rename(folder / name)

    with monkeypatch.context() as patched, connect(spark, tmp_path / "w") as rt:
        rt.sql(f"CREATE FOREIGN STREAM f (n INTEGER) OPTIONS (connector 'files', path '{folder}', format 'csv')")
        rt.sql("CREATE STREAM b (n INTEGER) OPTIONS (history 'all')")
        if not reported:
            patched.setattr(pump_status, "write_report", lambda *_: None)
        send("a.csv", LINES[0], LINES[2])
        rt.sql("CREATE PUMP p STARTED AS INSERT INTO b SELECT STREAM rowtime, n FROM f")
        settle(rt)
        if reported:
            entry = rt.store.get("P")
            assert entry is not None
            eventually(lambda: pump_status.read_report(rt.store, entry).rows_in == 2)
            patched.setattr(pump_status, "write_report", lambda *_: None)
        send("b [1] é%20.csv", LINES[3], LINES[4])
        settle(rt)
        rt.runtime.pumps.kill()
    with connect(spark, tmp_path / "w") as rt:
        send("c.csv", "2006-09-11 10:30:00,9")
        settle(rt)
        found = status(rt, "P")
        assert (found.rows_in, found.rows_out, found.bad_rows) == (5, 4, 1)


def test_a_process_that_was_killed_before_its_first_report(
    spark: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with monkeypatch.context() as patched:
        patched.setattr(pump_status, "write_report", lambda *_: None)
        with connect(spark, tmp_path / "w") as rt:
            rt.sql("CREATE STREAM a (n INTEGER) OPTIONS (history 'all')")
            rt.sql("CREATE STREAM b (n INTEGER) OPTIONS (history 'all')")
            rt.producer("A").insert([(at(1), 1)])
            rt.sql("CREATE PUMP p STARTED AS INSERT INTO b SELECT STREAM rowtime, n FROM a")
            rt.producer("A").insert([(at(2), 2), (at(3), 3)])
            settle(rt)
            rt.runtime.pumps.kill()
    with connect(spark, tmp_path / "w") as rt:
        rt.producer("A").insert([(at(4), 4)])
        settle(rt)
        # The row of 1:00 was there before the pump.
        assert rows(rt, "SELECT n FROM b") == [(2,), (3,), (4,)]
        assert (status(rt, "P").rows_in, status(rt, "P").rows_out) == (3, 3)


def _tables(folder: Path) -> dict[str, tuple[str, str, tuple[int, int]]]:
    """Returns a target of each kind, the pump that feeds it from A, and the rows that it takes and rejects."""
    return {
        "stream": ("CREATE STREAM t (n INTEGER)", "INSERT INTO t SELECT STREAM rowtime, n FROM a", (3, 0)),
        "log": (
            "CREATE TABLE t (due TIMESTAMP(3) NOT NULL MONOTONIC, n INTEGER)",
            "INSERT INTO t SELECT STREAM rowtime + INTERVAL '1' HOUR * MOD(n, 3) AS due, n FROM a",
            (2, 1),
        ),
        "table": ("CREATE TABLE t (n INTEGER)", "INSERT INTO t SELECT STREAM n FROM a", (3, 0)),
        "results": (
            "CREATE TABLE t (k INTEGER PRIMARY KEY, c BIGINT)",
            "INSERT INTO t SELECT STREAM MOD(n, 2) AS k, COUNT(*) AS c FROM a GROUP BY MOD(n, 2)",
            (2, 0),
        ),
        "merge": (
            "CREATE TABLE t (k INTEGER PRIMARY KEY, c INTEGER)",
            "MERGE INTO t USING (SELECT STREAM n FROM a) AS s ON t.k = MOD(s.n, 2) "
            "WHEN MATCHED THEN UPDATE SET c = t.c + s.n WHEN NOT MATCHED THEN INSERT VALUES (MOD(s.n, 2), s.n)",
            (2, 0),
        ),
        "files": (
            f"CREATE FOREIGN STREAM t (n INTEGER) OPTIONS (connector 'files', path '{folder}', format 'json')",
            "INSERT INTO t SELECT STREAM rowtime, n FROM a",
            (3, 0),
        ),
        "delta": (
            f"CREATE FOREIGN TABLE t (n INTEGER) OPTIONS (connector 'delta', path '{folder}')",
            "INSERT INTO t SELECT STREAM n FROM a",
            (3, 0),
        ),
    }


@pytest.mark.parametrize("kind", _tables(Path()))
def test_a_batch_that_a_process_had_written_and_not_counted_when_it_was_killed(
    spark: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, kind: str
) -> None:
    target, pump, (taken, rejected) = _tables(tmp_path / "t")[kind]

    def killed(*_: Any) -> None:
        raise InterruptedError("killed")

    with monkeypatch.context() as patched, connect(spark, tmp_path / "w") as rt:
        rt.sql("CREATE STREAM a (n INTEGER) OPTIONS (history 'all')")
        rt.sql(target)
        rt.sql(f"CREATE PUMP p STARTED AS {pump}")
        patched.setattr(WrittenBatches, "add", killed)
        rt.producer("A").insert([(at(1), 1), (at(2), 2), (at(3), 3)])
        eventually(lambda: rt.pumps[0].error is not None)
        rt.runtime.pumps.kill()
    for _ in range(2):
        with connect(spark, tmp_path / "w") as rt:
            settle(rt)
            found = status(rt, "P")
            assert (found.rows_in, found.rows_out, found.late_rows) == (3, taken, rejected)
