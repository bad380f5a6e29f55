"""Streams and tables change while pumps run: by this session, and by another one."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from queries import eventually

from rowtime import notices
from rowtime.errors import RowtimeError
from rowtime.opening import connect
from rowtime.session import Session

from .conftest import at, rows, settle, status


def test_a_pump_follows_what_another_session_does_to_its_streams(streams: Session, spark: Any) -> None:
    """No row that is written after the change lacks the DEFAULT, though the pump runs by another plan for a moment, and
    its error when it meets a wider value is none of the pump."""
    rt = streams
    failed: list[Any] = []
    rt.runtime.listeners.on_fault = lambda pump, fault: failed.append(fault)
    rt.sql("CREATE PUMP p STARTED AS INSERT INTO b (rowtime, n) SELECT STREAM rowtime, n FROM a")
    rt.producer("A").insert([(at(10), 1)])
    settle(rt)
    with connect(spark, rt.store.warehouse, pumps=False) as other:
        # The thread that looks for changes is late.
        with rt.runtime.pumps._guard:
            other.sql("ALTER STREAM b ADD COLUMN e INTEGER DEFAULT 7")
            other.sql("INSERT INTO a VALUES (TIMESTAMP '2006-09-11 11:00:00', 2)")
            (pump,) = rt.runtime.pumps.running()
            query = pump._running
            assert query is not None
            eventually(lambda: not query.isActive, seconds=60)
        eventually(lambda: rows(rt, "SELECT n, e FROM b") == [(1, None), (2, 7)])
        other.sql("ALTER STREAM b ALTER COLUMN n TYPE BIGINT")
        other.sql("ALTER STREAM a ALTER COLUMN n TYPE BIGINT")
        other.sql("INSERT INTO a VALUES (TIMESTAMP '2006-09-11 12:00:00', 3000000000)")
        eventually(lambda: rows(rt, "SELECT n, e FROM b") == [(1, None), (2, 7), (3_000_000_000, 7)])
    assert (failed, status(rt, "P").state) == ([], "STARTED")
    # The counts go on.
    settle(rt)
    assert (status(rt, "P").rows_in, status(rt, "P").rows_out) == (3, 3)


class Stopped:
    """Spark's query, which fails as it is stopped: it was just about to call this process."""

    def __init__(self, query: Any, stop: Callable[[], object]) -> None:
        self._query, self._stop = query, stop

    def __getattr__(self, name: str) -> Any:
        return getattr(self._query, name)

    def processAllAvailable(self) -> None:
        self._stop()
        raise RuntimeError("Error while sending a command.")


def test_a_pump_that_starts_again_while_one_waits_for_it_has_not_failed(streams: Session) -> None:
    rt = streams
    failed: list[Any] = []
    rt.runtime.listeners.on_fault = lambda pump, fault: failed.append(fault)
    rt.sql("CREATE PUMP p STARTED AS INSERT INTO b (rowtime, n) SELECT STREAM rowtime, n FROM a")
    (pump,) = rt.runtime.pumps.running()
    before = pump.job
    assert before is not None
    before.running = Stopped(before.running, lambda: rt.sql("ALTER STREAM b ADD COLUMN e INTEGER DEFAULT 7"))  # type: ignore[assignment]
    pump.process_all_available()
    assert (failed, pump.is_running, pump.job is before) == ([], True, False)
    rt.producer("A").insert([(at(10), 1)])
    settle(rt)
    assert rows(rt, "SELECT n, e FROM b") == [(1, 7)]


def test_a_query_whose_column_gets_a_wider_type_says_so(streams: Session) -> None:
    rt = streams
    query = rt.submit("SELECT STREAM n FROM a")
    rt.sql("ALTER STREAM a ALTER COLUMN n TYPE BIGINT")
    rt.producer("A").insert([(at(10), 3_000_000_000)])
    with pytest.raises(RowtimeError) as failed:
        query.process_all_available()
    assert str(failed.value).splitlines() == [
        "error RT0510: The query failed: the type of column N has changed since it began",
        "  hint: Start it again, to read the column by its new type",
    ]


def test_a_foreign_stream_changes_below_a_pump(streams: Session, tmp_path: Path) -> None:
    rt, folder = streams, tmp_path / "in"
    folder.mkdir()
    rt.sql(
        "CREATE FOREIGN STREAM f (rowtime TIMESTAMP NOT NULL, n INTEGER, gone VARCHAR) "
        f"OPTIONS (connector 'files', format 'json', path '{folder}')"
    )
    rt.sql("CREATE STREAM copy (n INTEGER, m INTEGER) OPTIONS (history 'all')")
    rt.sql("CREATE PUMP p STARTED AS INSERT INTO copy (rowtime, n) SELECT STREAM rowtime, n FROM f")
    settle(rt)
    _write(folder / "1.json", 10, 1)
    settle(rt)
    rt.sql("ALTER FOREIGN STREAM f ADD COLUMN m INTEGER")
    rt.sql("ALTER FOREIGN STREAM f DROP COLUMN gone")
    rt.sql("ALTER FOREIGN STREAM f SET OPTIONS (max_files_per_batch '1')")
    _write(folder / "2.json", 11, 2)
    settle(rt)
    rt.sql("CREATE OR REPLACE PUMP p STARTED AS INSERT INTO copy (rowtime, n, m) SELECT STREAM rowtime, n, m FROM f")
    _write(folder / "3.json", 12, 3)
    settle(rt)
    assert rows(rt, "SELECT n, m FROM copy") == [(1, None), (2, None), (3, 30)]
    with pytest.raises(RowtimeError, match=r"PUMP 'P' \(it continues in this source, and would be in another one\)"):
        rt.sql(f"ALTER FOREIGN STREAM f SET OPTIONS (path '{tmp_path}')")


def test_rows_that_wait_get_the_columns_of_the_stream(streams: Session, tmp_path: Path) -> None:
    """Rows wait for the watermark while a column is added, and while the pump is replaced by one that reads others."""
    rt, folder = streams, tmp_path / "in"
    folder.mkdir()
    rt.sql(
        "CREATE FOREIGN STREAM f (rowtime TIMESTAMP NOT NULL WATERMARK INTERVAL '3' HOUR, n INTEGER, gone VARCHAR) "
        f"OPTIONS (connector 'files', format 'json', path '{folder}')"
    )
    rt.sql("CREATE STREAM copy (n INTEGER, gone VARCHAR, m INTEGER) OPTIONS (history 'all')")
    rt.sql("CREATE PUMP p STARTED AS INSERT INTO copy (rowtime, n) SELECT STREAM rowtime, n FROM f")
    for hour in (10, 11):
        _write(folder / f"{hour}.json", hour, hour)
        settle(rt)
    rt.sql("ALTER FOREIGN STREAM f ADD COLUMN m INTEGER")
    _write(folder / "12.json", 12, 12)
    settle(rt)
    rt.sql(
        "CREATE OR REPLACE PUMP p STARTED AS INSERT INTO copy (rowtime, n, gone, m) "
        "SELECT STREAM rowtime, n, gone, m FROM f"
    )
    for hour in (13, 20):
        _write(folder / f"{hour}.json", hour, hour)
        settle(rt)
    expected = [(10, "x", None), (11, "x", None), (12, "x", 120), (13, "x", 130)]
    assert rows(rt, "SELECT n, gone, m FROM copy") == expected


def _write(file: Path, hour: int, n: int) -> None:
    file.write_text(f'{{"rowtime": "2006-09-11 {hour}:00:00", "n": {n}, "m": {n}0, "gone": "x"}}\n')


def test_a_query_says_that_it_does_not_follow(streams: Session, spark: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    said: list[str] = []
    monkeypatch.setattr(notices, "on_notice", said.append)
    query = streams.sql("SELECT STREAM n FROM a")
    other_query = streams.sql("SELECT STREAM n FROM b")
    with connect(spark, streams.store.warehouse, pumps=False) as other:
        other.sql("CREATE STREAM unrelated (m INTEGER)")
        streams.runtime.renew_queries()
        assert said == []
        other.sql("ALTER STREAM a ADD COLUMN e INTEGER")
    streams.runtime.renew_queries()
    streams.runtime.renew_queries()
    (text,) = said
    assert "RT0519: A query goes on with stream 'A' as it was before it was altered" in text
    streams.producer("A").insert([(at(10), 1, 2)])
    query.process_all_available()
    assert [row.N for row in query.rows()] == [1]
    query.stop()
    other_query.stop()
