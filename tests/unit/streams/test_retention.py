"""Clean-up: what is kept, and that space is freed."""

from __future__ import annotations

import os
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import pyarrow.parquet as pq
import pytest
from deltalake import DeltaTable
from tests.unit.streams.conftest import opened

from rowtime.catalog.store import Store
from rowtime.catalog.system import ALL_TRACE
from rowtime.streams import reader, retention
from rowtime.streams.log import StreamLog, WriteRequest
from rowtime.types import times

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

Make = Callable[..., StreamLog]


def append(log: StreamLog, *seconds: int) -> None:
    for second in seconds:
        log.submit(WriteRequest(rows=log.table([[second * 1_000_000, second]])))


def held(log: StreamLog) -> list[int]:
    found = [pq.read_table(f.removeprefix("file://")).to_pylist() for f in DeltaTable(str(log.folder)).file_uris()]
    return sorted(row["n"] for rows in found for row in rows if not row["_control"])


def size(log: StreamLog) -> tuple[int, int]:
    files = [os.path.getsize(os.path.join(d, f)) for d, _, names in os.walk(log.folder) for f in names]
    return len(files), sum(files)


def test_space_stays_flat(make: Make, monkeypatch: pytest.MonkeyPatch, thorough: bool) -> None:
    monkeypatch.setattr(retention, "UNNEEDED_FILES", 50)
    log = make()
    count = 10_000 if thorough else 500
    sizes = []
    for second in range(1, count + 1):
        append(log, second)
        if second % 20 == 0:
            retention.clean(log)
            sizes.append(size(log))
    third = len(sizes) // 3
    for before, after in zip(zip(*sizes[:third], strict=True), zip(*sizes[-third:], strict=True), strict=True):
        assert max(after) <= 1.1 * max(before)
    assert max(files for files, _ in sizes) < 500
    assert log.state().entered == second
    # Nothing but what the log knows.
    assert log.state().files == len(DeltaTable(str(log.folder)).file_uris())


def test_a_lease_keeps_what_its_reader_needs(make: Make, store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    log = make()
    append(log, *range(1, 11))
    assert log.earliest() == 0
    assert log.lease("query: 1", 4, None) == 4
    log.lease("slow/2", 7, 3600)
    assert log.clean().files == 3
    assert held(log) == [4, 5, 6, 7, 8, 9, 10]
    assert log.earliest() == 4
    # What it held was seen already by whoever renews.
    log.lease("query: 1", 9, None)
    log.clean()
    assert held(log) == [7, 8, 9, 10]
    now = times.now()
    monkeypatch.setattr(times, "now", lambda: now + 3_700_000)
    log.clean()
    assert held(log) == [9, 10]
    assert log.lease("new", None, 60) == log.earliest() == 9
    log.release("query: 1")
    log.clean()
    assert held(log) == [9, 10]
    log.release("new")
    append(log, 11)
    log.clean()
    assert held(log) == [11]
    assert log.bound == 11_000
    # A state that is no longer there is told by the oldest that is.
    assert log.state_at(1).version <= log.earliest()
    again = opened(store)
    append(again, 12)
    assert again.state().entered == 12


def test_history(make: Make) -> None:
    kept, limited = make(options={"history": "all"}), make(name="T", options={"history": "5 SECONDS"})
    for log in (kept, limited):
        append(log, *range(1, 21))
        log.clean()
    assert held(kept) == list(range(1, 21))
    assert held(limited) == list(range(15, 21))
    # A relational query may be reading the others.
    assert len(list(limited.folder.glob("*.parquet"))) == 20
    retention.clean(limited, eager=True, grace=0)
    append(limited, 21)
    retention.clean(limited, eager=True, grace=0)
    assert len(list(limited.folder.glob("*.parquet"))) == len(held(limited)) == 6
    limited.lease("r", limited.version() - 1, None)
    append(limited, 100)
    limited.clean()
    assert held(limited) == [21, 100]


def test_the_trace_keeps_its_latest_thousand(store: Store) -> None:
    log = opened(store, ALL_TRACE)
    row: list[Any] = [None, "WARNING", "laterow", "S", None, 1, "x"]
    for count in (300, 300, 500, 400, 1):
        log.submit(WriteRequest(rows=log.table([row] * count)))
    retention.clean(log, eager=True, grace=0)
    # Without the first commit they are 1,201, without the first two 901.
    assert log.state().files == 4
    assert log.state().entered == 1501


def test_what_a_killed_commit_left_goes(make: Make) -> None:
    log = make()
    append(log, 1, 2, 3)
    (log.folder / f"part-{9:020d}-0.parquet").touch()
    (log.folder / "_held").mkdir()
    (log.folder / "_held" / "left.arrow").touch()
    log.clean()
    assert len(list(log.folder.glob("*.parquet"))) == 1
    assert not list((log.folder / "_held").iterdir())


def test_readers_of_spark_go_on(make: Make, spark: SparkSession, tmp_path_factory: pytest.TempPathFactory) -> None:
    log = make()
    append(log, 1, 2, 3)
    found: list[int] = []

    def start(version: int, checkpoint: str) -> Any:
        rows = reader.arriving(reader.commits(spark, log, version), log, clock="ROWTIME")
        writer = rows.writeStream.foreachBatch(lambda batch, _: found.extend(r.n for r in batch.collect()))
        return writer.option("checkpointLocation", checkpoint).start()

    def seen(query: Any) -> list[int]:
        query.processAllAvailable()
        out = sorted(found)
        found.clear()
        return out

    folder = str(tmp_path_factory.mktemp("checkpoint"))
    query = start(log.earliest(), folder)
    assert seen(query) == [1, 2, 3]
    for first in (10, 20, 30):
        append(log, *range(first, first + 5))
        assert seen(query) == list(range(first, first + 5))
        log.lease("query", log.version(), None)
        assert log.clean().files > 0
    # Entries of the first commits are gone from the disk, not only from the table.
    assert not log.delta.path(2).exists()
    append(log, 40)
    assert seen(query) == [40]
    query.stop()
    append(log, 41)
    log.clean()
    query = start(0, folder)
    append(log, 42)
    assert seen(query) == [41, 42]
    query.stop()
    late = start(log.earliest(), folder + "-2")
    assert seen(late) == held(log)
    late.stop()
    assert sorted(r.n for r in reader.history(spark, log).collect()) == held(log)


def test_spark_reads_rows_of_any_year(make: Make, spark: SparkSession) -> None:
    log = make()
    times_of_rows = [-62_135_596_800, -12_345_678_901, -1, 0, 253_402_300_799]
    for n, second in enumerate(times_of_rows):
        log.submit(WriteRequest(rows=log.table([[second * 1_000_000, n]])))
    rows = reader.history(spark, log).selectExpr("unix_millis(ROWTIME) DIV 1000 AS at", "n").orderBy("n").collect()
    assert [row.at for row in rows] == times_of_rows


def test_checkpoints_come_with_many_commits(make: Make, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(retention, "CHECKPOINT_EVERY", 5)
    log = make(options={"history": "all"})
    append(log, 1, 2, 3, 4)
    assert not retention.checkpoint(log)
    append(log, 5)
    assert retention.checkpoint(log)
    assert (log.delta.last_checkpoint(), [number for number, _ in log.delta.checkpoints()]) == (5, [5])
    append(log, 6)
    assert not retention.checkpoint(log)
    assert held(log) == [1, 2, 3, 4, 5, 6]


def test_a_mark_with_a_lease(make: Make) -> None:
    log = make()
    append(log, 1, 2)
    assert log.mark("query", 60) == 3
    append(log, 3)
    log.clean()
    assert log.earliest() == 3
    assert held(log) == [3]


def test_two_clean_at_once(make: Make, store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    log, other = make(), opened(store)
    append(log, 1, 2, 3, 4)
    log.lease("r", 3, None)
    original = other.delta.commit_of

    def slow(version: int) -> Any:
        # Between looking and doing, somebody else cleans up.
        log.clean()
        return original(version)

    monkeypatch.setattr(other.delta, "commit_of", slow)
    assert other.clean().files == 0
    assert other.state().files == len(DeltaTable(str(log.folder)).file_uris()) == 2
