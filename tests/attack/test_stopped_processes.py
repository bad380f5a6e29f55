"""A process that is suspended while it holds a lock: the others report for whom they wait, give up, end immediately on
Ctrl-C, and continue when it does."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from definitions import stream
from lock_holder import suspended_holder
from queries import eventually

from rowtime import locks
from rowtime.catalog.store import Store
from rowtime.errors import RowtimeError
from rowtime.processes import process_name
from rowtime.runtime.launch.folders import Lock
from rowtime.runtime.pump import status as pump_status
from rowtime.streams import maintenance as keeper
from rowtime.streams.ages import OWNERS
from rowtime.streams.log import StreamLog, WriteRequest

INSERTER = """
import sys
from rowtime.catalog.store import Store
from rowtime.streams.log import WriteRequest, StreamLog
store = Store(sys.argv[1])
log = StreamLog(store, store.get("S"))
print("ready", flush=True)
if sys.argv[2] == "log":
    log.submit(WriteRequest(rows=log.table([[1_000_000, 1]])))
else:
    store.set_note("x", "k", 1)
"""
BOTH = pytest.mark.parametrize("which", ["log", "catalog"])


@pytest.fixture
def log(tmp_path: Path) -> Iterator[StreamLog]:
    with Store(tmp_path) as store:
        store.commit([{"action": "create", "object": stream("INTEGER")}])
        entry = store.get("S")
        assert entry is not None
        log = StreamLog(store, entry)
        log.version()
        yield log


def write(log: StreamLog, which: str) -> Any:
    if which == "log":
        return log.submit(WriteRequest(rows=log.table([[1_000_000, 1]])))
    return log.store.set_note("x", "k", 1)


@pytest.fixture
def quick(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Reports after a moment for whom it waits: into the returned list."""
    said: list[str] = []
    monkeypatch.setattr(locks, "NOTICE_AFTER", 0.2)
    monkeypatch.setattr(locks, "on_wait", said.append)
    return said


@BOTH
def test_says_who_and_gives_up(log: StreamLog, which: str, quick: list[str], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(locks.SETTING, "0.6")
    with suspended_holder(log.store.warehouse, which) as pid:
        begin = time.monotonic()
        with pytest.raises(RowtimeError) as caught:
            write(log, which)
        assert 0.5 < time.monotonic() - begin < 5
    assert caught.value.code == "RT0604"
    (told,) = quick
    for text in (told, str(caught.value)):
        assert f"process {pid} on " in text
        assert " UTC" in text
    assert caught.value.diagnostics[0].hint is not None
    assert locks.SETTING in caught.value.diagnostics[0].hint
    # It has died, and its lock has ended.
    write(log, which)
    assert log.state().entered == (which == "log")


@BOTH
def test_goes_on_when_the_other_does(log: StreamLog, which: str, quick: list[str]) -> None:
    with suspended_holder(log.store.warehouse, which) as pid:
        threading.Timer(0.5, lambda: os.kill(pid, signal.SIGKILL)).start()
        write(log, which)
    assert len(quick) == 1
    assert log.state().entered == (which == "log")


def test_the_keeper_waits_unseen(log: StreamLog, quick: list[str], monkeypatch: pytest.MonkeyPatch) -> None:
    """Nobody waits for its work, and Ctrl-C would not end it."""
    monkeypatch.setenv(locks.SETTING, "0.6")
    monkeypatch.setattr(keeper, "HEARTBEAT", 0.01)
    monkeypatch.setattr(keeper, "TICK", 0.0)
    with suspended_holder(log.store.warehouse, "log"):
        made = keeper.LogMaintenance(log.store, lambda: [log])
        made.start()
        eventually(lambda: made.fault is not None, 30)
        made.stop()
    assert isinstance(made.fault, RowtimeError) and made.fault.code == "RT0604"
    assert quick == []


@BOTH
def test_ends_at_once_on_ctrl_c(log: StreamLog, which: str) -> None:
    with suspended_holder(log.store.warehouse, which):
        waiting = subprocess.Popen(
            [sys.executable, "-c", INSERTER, str(log.store.warehouse), which],
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )
        assert waiting.stdout is not None
        assert waiting.stdout.readline() == "ready\n"
        time.sleep(0.5)
        begin = time.monotonic()
        waiting.send_signal(signal.SIGINT)
        _, said = waiting.communicate(timeout=20)
        assert time.monotonic() - begin < 3
    assert "KeyboardInterrupt" in said
    assert log.state().entered == 0


@pytest.mark.parametrize("end", [locks.WaitControl.interrupt, locks.WaitControl.leave])
@BOTH
def test_other_threads_end_it(log: StreamLog, which: str, end: Callable[[locks.WaitControl], None]) -> None:
    """As in a shell when Ctrl-C comes while another thread runs the statement, and in a session that is closed."""
    with suspended_holder(log.store.warehouse, which):
        threading.Timer(0.3, lambda: end(log.store.wait_control)).start()
        begin = time.monotonic()
        with pytest.raises(RowtimeError, match="RT0604"):
            write(log, which)
        assert time.monotonic() - begin < 5


def test_reading_needs_no_lock(log: StreamLog) -> None:
    with suspended_holder(log.store.warehouse, "catalog"):
        assert log.store.get("S") is not None
    with suspended_holder(log.store.warehouse, "log"):
        assert log.state().entered == 0


@pytest.mark.parametrize("text", ["soon", "-1", "nan", "1e99"])
def test_a_setting_that_is_not_a_number_of_seconds(log: StreamLog, text: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(locks.SETTING, text)
    with suspended_holder(log.store.warehouse, "log"), pytest.raises(RowtimeError, match="RT0606"):
        write(log, "log")


def test_a_pump_whose_process_is_stopped(log: StreamLog) -> None:
    """No other process can run it, so its status names that process."""
    store = log.store
    definition = {"name": "P", "kind": "PUMP", "columns": [], "query": "", "options": {}, "started": True}
    store.commit([{"action": "create", "object": definition}])
    entry = store.get("P")
    assert entry is not None
    lock = Lock(store.folder(entry.id, "pumps") / "lock")
    assert lock.acquire()
    keeper.beat(store.warehouse)
    pump_status.write_report(store, entry, pump_status.Report(pid=os.getpid(), running=True, owner=process_name()))
    assert pump_status.read_status(store, entry).error is None
    os.utime(store.warehouse / OWNERS / process_name(), (0, 1157976000))
    assert f"process {os.getpid()} has been silent since 2006-09-11 12:00:00" in str(
        pump_status.read_status(store, entry).error
    )
    gone = subprocess.Popen([sys.executable, "-c", ""])
    gone.wait()
    owner = process_name().replace(f"-{os.getpid()}-", f"-{gone.pid}-")
    pump_status.write_report(store, entry, pump_status.Report(pid=gone.pid, running=True, owner=owner))
    (store.warehouse / OWNERS / owner).touch()
    os.utime(store.warehouse / OWNERS / owner, (0, 1157976000))
    found = pump_status.read_status(store, entry).error
    assert (
        found == f"process {gone.pid} has ended, but a process that it started still has the lock of the pump; end it"
    )
    lock.release()
    assert pump_status.read_status(store, entry).error is None


def test_a_lock_that_died_names_nobody(tmp_path: Path) -> None:
    path = tmp_path / "lock"
    gone = subprocess.Popen([sys.executable, "-c", ""])
    gone.wait()
    path.write_text(f'{{"pid":{gone.pid},"host":"{os.uname().nodename}","command":"x","since":0}}')
    assert locks.holder(path) is None
    path.write_text("{")
    assert locks.holder(path) is None
