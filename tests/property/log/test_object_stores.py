"""Logs in object stores: what the model says, with several writers that take no turns, on stores that answer badly."""

from __future__ import annotations

import os
import tempfile
import threading
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
import s3_server
from hypothesis import HealthCheck, given, seed, settings
from hypothesis import strategies as st
from object_double import ObjectDouble, SameThread
from tests.property.log import test_against_model
from tests.property.log.test_against_model import kinds, moves
from tests.property.log.test_processes import STREAM

from rowtime.catalog.store import Store
from rowtime.errors import RowtimeError
from rowtime.storage.client import Unanswered
from rowtime.storage.interface import Storage
from rowtime.storage.locations import open_storage
from rowtime.storage.objects import ObjectStorage
from rowtime.streams import retention
from rowtime.streams.log import CONTROL, SEQ, StreamLog, WriteRequest
from rowtime.streams.tail import Tail
from rowtime.types import times


def created(folder: Path, options: dict[str, str] | None = None) -> Store:
    store = Store(folder)
    store.commit(
        [{"action": "create", "object": {**STREAM, "options": {"history": "all"} if options is None else options}}]
    )
    return store


def opened(store: Store, storage: Storage) -> StreamLog:
    entry = store.get("S")
    assert entry is not None
    return StreamLog(store, entry, storage=storage)


def step(log: StreamLog, *names: str) -> WriteRequest:
    return WriteRequest(rows=log.table([[1_704_067_200_000_000 + index, name] for index, name in enumerate(names)]))


def content(log: StreamLog) -> list[str]:
    found = []
    for version in range(1, log.version() + 1):
        for file in log.delta.commit_of(version).added:
            found += pq.read_table(pa.BufferReader(log.storage.get_buffer(file.name))).to_pylist()
    assert [row[SEQ] for row in found] == sorted({row[SEQ] for row in found})
    return [row["n"] for row in found if not row[CONTROL]]


def write_together(logs: list[StreamLog], count: int) -> list[str]:
    """Writes rows from several threads, each with its own log. Returns them."""
    faults: list[BaseException] = []

    def write(number: int) -> None:
        try:
            for index in range(count):
                logs[number].submit(step(logs[number], f"{number}-{index}"))
        except BaseException as fault:
            faults.append(fault)

    threads = [threading.Thread(target=write, args=(number,)) for number in range(len(logs))]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not faults, faults
    return sorted(f"{number}-{index}" for number in range(len(logs)) for index in range(count))


@pytest.mark.usefixtures("no_pauses")
def test_the_log_is_what_the_model_says(pytestconfig: pytest.Config, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(times, "now", lambda: test_against_model.NOW)
    cases = int(os.environ.get("ROWTIME_CASES", "2000" if pytestconfig.getoption("--thorough") else "60"))

    @seed(int(os.environ.get("ROWTIME_SEED", "20200101")))
    @settings(max_examples=cases, deadline=None, database=None, suppress_health_check=list(HealthCheck))
    @given(kinds, st.lists(moves, min_size=3, max_size=12), st.integers(0, 1 << 30), st.sampled_from([0.0, 0.1, 0.25]))
    def check(kind: dict[str, Any], script: list[Any], number: int, badness: float) -> None:
        storage = ObjectStorage(ObjectDouble(number, badness), "streams/s/", SameThread())
        with tempfile.TemporaryDirectory() as folder:
            test_against_model.run(kind, script, folder, storage)

    check()


@pytest.mark.usefixtures("no_pauses")
@pytest.mark.parametrize("number", range(6))
def test_writers_without_turns_on_a_bad_store(number: int, tmp_path: Path) -> None:
    client = ObjectDouble(number, 0.2)
    with created(tmp_path) as store:
        logs = [opened(store, ObjectStorage(client, "s/")) for _ in range(3)]
        written = write_together(logs, 8)
        # Lists are rare, so not every run has a stale one.
        assert {"conflict", "resent", "lost request", "late", "lost reply"} <= set(client.faults)
        for log in (*logs, opened(store, ObjectStorage(client, "s/"))):
            assert sorted(content(log)) == written


def test_writers_without_turns_on_a_server(s3: dict[str, Any], tmp_path: Path) -> None:
    with created(tmp_path) as store:
        logs = [opened(store, open_storage(f"s3://{s3_server.BUCKET}/{tmp_path.name}", **s3)) for _ in range(3)]
        written = write_together(logs, 6)
        for log in (*logs, opened(store, logs[0].storage)):
            assert sorted(content(log)) == written
        assert not list(tmp_path.rglob("*.parquet"))


def test_a_log_on_a_server_is_read_and_cleaned_up(s3: dict[str, Any], tmp_path: Path) -> None:
    location = f"s3://{s3_server.BUCKET}/{tmp_path.name}"
    with created(tmp_path, {}) as store:
        log, other = opened(store, open_storage(location, **s3)), opened(store, open_storage(location, **s3))
        for number in range(6):
            log.submit(step(log, f"{number}"))
        tail = Tail(other)
        assert [row[1] for row in tail.last(2)] == ["4", "5"]
        other.lease("reader", 5, None)
        assert retention.clean(log, eager=True).files == 4
        assert [row[1] for rows in Tail(other).since(None) for row in rows] == ["4", "5"]
        fresh = opened(store, open_storage(location, **s3))
        fresh.submit(step(fresh, "6"))
        assert [row[1] for row in tail.last(1)] == ["6"]
        assert log.delta.last_checkpoint() > 0
        assert not log.folder.exists()


def test_clean_up_leaves_the_files_of_other_writers(tmp_path: Path) -> None:
    with created(tmp_path) as store:
        log = opened(store, ObjectStorage(ObjectDouble(), "s/"))
        log.submit(step(log, "a"))
        # Another writer is about to commit it.
        file, written = log.delta.write(2, log.table([]).append_column(SEQ, pa.array([], pa.int64())))
        written.result()
        retention.tidy(log)
        assert log.storage.exists(file.name)


def test_the_requests_of_a_commit(tmp_path: Path) -> None:
    client = ObjectDouble()
    with created(tmp_path) as store:
        log = opened(store, ObjectStorage(client, "s/", SameThread()))
        for name in ("a", "b"):
            # The first creates the log, and the second opens it.
            log.submit(step(log, name))
        client.requests.clear()
        log.submit(step(log, "c"))
        kinds = [request.split()[0] for request in client.requests]
        assert kinds.count("PUT") == 3, client.requests
        assert "LIST" not in kinds
        assert "DELETE" not in kinds


@pytest.mark.usefixtures("no_pauses")
def test_a_commit_of_unknown_outcome(tmp_path: Path) -> None:
    class Silent(ObjectDouble):
        """Carries out conditional requests, and answers neither them nor questions about them."""

        silent = False

        def create(self, key: str, content: Any, identity: str) -> None:
            super().create(key, content, identity)
            if self.silent:
                raise Unanswered("timed out")

        def get(self, key: str) -> Any:
            if self.silent and key.endswith(f"{2:020d}.json"):
                raise Unanswered("timed out")
            return super().get(key)

    client = Silent()
    with created(tmp_path) as store:
        log = opened(store, ObjectStorage(client, "s/", SameThread()))
        log.submit(step(log, "a"))
        client.silent = True
        with pytest.raises(RowtimeError) as caught:
            log.submit(step(log, "b"))
        assert caught.value.code == "RT0652"
        client.silent = False
        log.submit(step(log, "c"))
        assert content(log) == ["a", "b", "c"]
