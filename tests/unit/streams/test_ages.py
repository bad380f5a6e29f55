"""A clock that is set, back or forward: what is in use is not deleted, and nothing waits for the clock to come back."""

from __future__ import annotations

import math
import os
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from rowtime.adapters.spool import RequestsDeleted, Spool
from rowtime.catalog.store import Store
from rowtime.streams import retention
from rowtime.streams.ages import Ages
from rowtime.streams.log import StreamLog, WriteRequest
from rowtime.streams.maintenance import LogMaintenance, beat
from rowtime.streams.producer import Producer

HOUR = 3600.0
Make = Callable[..., StreamLog]


class Clock:
    """The system clock, and how long the machine runs."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.now, self.running = time.time(), time.monotonic()
        monkeypatch.setattr(time, "time", lambda: self.now)
        monkeypatch.setattr(time, "time_ns", lambda: int(self.now * 1e9))
        monkeypatch.setattr(time, "monotonic", lambda: self.running)

    def passes(self, seconds: float) -> None:
        self.now += seconds
        self.running += seconds

    def is_set(self, seconds: float) -> None:
        self.now += seconds


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> Clock:
    return Clock(monkeypatch)


def append(log: StreamLog, *seconds: int) -> None:
    for second in seconds:
        log.submit(WriteRequest(rows=log.table([[second * 1_000_000, second]])))


@pytest.mark.parametrize("seconds", [HOUR, -HOUR])
def test_an_age_is_no_longer_than_since_the_clock_was_set(tmp_path: Path, clock: Clock, seconds: float) -> None:
    ages = Ages(tmp_path / "owners")
    stamp = clock.now
    assert ages.believed() == math.inf
    clock.passes(100)
    assert ages.age(stamp) == pytest.approx(100)
    # It is adjusted slowly all the time.
    clock.is_set(4)
    assert ages.believed() == math.inf
    clock.is_set(seconds)
    assert ages.age(stamp) <= 0
    clock.passes(50)
    # Another process knows it as well.
    assert Ages(tmp_path / "owners").believed() == pytest.approx(50)
    clock.passes(10 * HOUR)
    assert ages.age(clock.now - 5 * HOUR) == pytest.approx(5 * HOUR)


def test_after_a_restart_of_the_machine_all_ages_count(
    tmp_path: Path, clock: Clock, monkeypatch: pytest.MonkeyPatch
) -> None:
    ages = Ages(tmp_path)
    ages.watch()
    clock.is_set(HOUR)
    assert ages.believed() == 0
    clock.running = 1.0
    monkeypatch.setattr("rowtime.streams.ages._boot", lambda: "another")
    assert ages.believed() == math.inf


@pytest.mark.parametrize("folder", ["missing/owners", "file/owners"])
def test_nothing_is_old_where_it_cannot_be_recorded(tmp_path: Path, folder: str) -> None:
    (tmp_path / "file").touch()
    assert Ages(tmp_path / folder).believed() == 0


@pytest.mark.parametrize("seconds", [(HOUR,), (-HOUR, HOUR)])
def test_rows_stay_for_a_reader(make: Make, clock: Clock, seconds: tuple[float, ...]) -> None:
    log = make()
    beat(log.store.warehouse)
    append(log, 1, 2, 3)
    for each in seconds:
        clock.is_set(each)
        beat(log.store.warehouse)
        if each < 0:
            log.lease("query", 2, 60)
    if len(seconds) == 1:
        clock.is_set(-HOUR)
        log.lease("query", 2, 60)
        clock.is_set(HOUR)
    retention.clean(log, eager=True)
    assert log.state().cleaned == 1
    # Its reader did not renew it.
    clock.passes(61)
    retention.clean(log, eager=True)
    assert log.state().cleaned == 3


def test_files_stay_for_a_relational_query(make: Make, clock: Clock) -> None:
    log = make(options={"history": "5 SECONDS"})
    beat(log.store.warehouse)
    append(log, *range(1, 21))
    retention.clean(log, eager=True)
    clock.is_set(HOUR)
    append(log, 21)
    retention.clean(log, eager=True)
    assert len(list(log.folder.glob("*.parquet"))) == 21
    clock.passes(61)
    append(log, 22)
    retention.clean(log, eager=True)
    assert len(list(log.folder.glob("*.parquet"))) < 21


def test_a_producer_ends_by_its_time_out_whatever_the_clock_says(
    make: Make, store: Store, clock: Clock, monkeypatch: pytest.MonkeyPatch
) -> None:
    log = make()
    producer = Producer(log, "P", timeout=30_000)
    producer.insert([("2026-01-01 00:00:00", 1)])
    life = store.warehouse / "owners" / _owner(log)
    beat(store.warehouse)
    os.utime(life, (clock.now, clock.now))
    monkeypatch.setattr("rowtime.streams.maintenance.process_name", lambda: "watcher")
    keeper = LogMaintenance(store, lambda: [log])
    keeper.tick()
    # It has given its last sign of life in an hour from now.
    clock.is_set(-HOUR)
    clock.passes(29)
    keeper.tick()
    assert "P" in log.state().producers
    clock.passes(2)
    keeper.tick()
    assert "P" not in log.state().producers
    assert keeper.fault is None


def _owner(log: StreamLog) -> str:
    owner = log.state().producers["P"].owner
    assert owner is not None
    return owner


def test_requests_stay_for_their_readers(tmp_path: Path, clock: Clock) -> None:
    spool, week = Spool(tmp_path), 7 * 24 * HOUR
    keep = int(week * 1e6)
    spool.begin("slow", earliest=True)
    for reader in ("fast", "slow"):
        spool.begin(reader, earliest=True)
    spool.add_rows("[]", "key")
    spool.commit("fast", 1, keep)
    # Without a battery, a clock begins in 1970.
    clock.is_set(2 * week)
    spool.commit("fast", 1, keep)
    assert (spool.latest("slow", 0), spool.add_rows("[]", "key")) == (1, False)
    clock.passes(week + 1)
    spool.commit("fast", 1, keep)
    with pytest.raises(RequestsDeleted):
        spool.latest("slow", 0)
