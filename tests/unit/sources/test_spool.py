"""Requests that wait on disk until all readers have committed them."""

from __future__ import annotations

import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from rowtime import locks
from rowtime.adapters.spool import BOUND, ROWS, RequestsDeleted, Spool
from rowtime.errors import RowtimeError

DAY = 86_400_000_000


def bodies(spool: Spool, start: int, end: int) -> list[tuple[str, str]]:
    return [(request.kind, request.body) for request in spool.between(start, end)]


def test_each_reader_reads_all_from_where_it_began(tmp_path: Path) -> None:
    spool = Spool(tmp_path / "new")
    assert spool.begin("early", earliest=False) == 0
    assert spool.add_rows("1", None) and spool.add_rows("2", "key")
    assert not spool.add_rows("2", "key")
    late = spool.begin("late", earliest=False)
    assert spool.add_bound(7) and spool.add_bound(7) and not spool.add_bound(6)
    end = spool.latest("early", 0)
    assert bodies(spool, 0, end) == [(ROWS, "1"), (ROWS, "2"), (BOUND, "7")]
    assert bodies(spool, late, end) == [(BOUND, "7")]
    # What one has committed, the other may still need; and one that comes back begins where it was.
    spool.commit("early", end, DAY)
    assert (spool.count(), spool.begin("early", earliest=True)) == (1, end)
    spool.commit("late", end, DAY)
    assert (spool.count(), spool.latest("late", end)) == (0, end)
    assert spool.add_rows("3", None)
    assert bodies(spool, end, spool.latest("late", end)) == [(ROWS, "3")]
    assert spool.begin("new", earliest=True) == end
    assert Spool(tmp_path / "new").identity() == spool.identity() != Spool(tmp_path / "other").identity()


def test_a_reader_that_was_away_for_too_long(tmp_path: Path) -> None:
    spool = Spool(tmp_path)
    done = spool.begin("lost", earliest=False)
    spool.add_rows("1", None)
    spool.begin("there", earliest=True)
    spool.commit("there", spool.latest("there", 0), keep=DAY)
    assert spool.count() == 1
    spool.commit("there", spool.latest("there", 0), keep=-1)
    assert spool.count() == 0
    with pytest.raises(RequestsDeleted, match="lost was absent"):
        spool.latest("lost", done)


def test_many_at_once(tmp_path: Path) -> None:
    """A reader at the same time skips no record that was accepted."""

    def post(name: str) -> None:
        for number in range(20):
            Spool(tmp_path).add_rows(f"{name}{number}", f"{name}{number // 2}")

    threads = [threading.Thread(target=post, args=(name,)) for name in "abcd"]
    for thread in threads:
        thread.start()
    spool, done, found = Spool(tmp_path), 0, []
    while any(thread.is_alive() for thread in threads) or done < spool.latest("r", done):
        end = spool.latest("r", done)
        found += [body for _, body in bodies(spool, done, end)]
        done = end
    assert sorted(found) == sorted(f"{name}{number}" for name in "abcd" for number in range(0, 20, 2))
    for name in "abcd":
        assert [body for body in found if body[0] == name] == [f"{name}{number}" for number in range(0, 20, 2)]


HOLDER = """
import sys, time
from pathlib import Path
from rowtime.adapters.spool import Spool
with Spool(Path(sys.argv[1]))._open():
    print("held", flush=True)
    time.sleep(60)
"""


@pytest.fixture
def held(tmp_path: Path) -> Iterator[subprocess.Popen[str]]:
    """Starts a process that is stopped while it writes requests."""
    Spool(tmp_path).add_rows("1", None)
    command = [sys.executable, "-c", HOLDER, str(tmp_path)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None and process.stdout.readline() == "held\n"
        yield process
        process.kill()


def test_who_waits_says_for_whom(held: subprocess.Popen[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    told: list[str] = []
    monkeypatch.setattr(locks, "on_wait", told.append)
    monkeypatch.setattr(locks, "NOTICE_AFTER", 0.3)
    monkeypatch.setenv("ROWTIME_LOCK_TIMEOUT", "1")
    with pytest.raises(RowtimeError, match=f"RT0604: What an adapter has received is locked by process {held.pid} "):
        Spool(tmp_path).add_rows("2", None)
    (line,) = told
    assert line.startswith(f"Waiting for what an adapter has received, held by process {held.pid} ")
    # Readers do not wait for writers.
    assert Spool(tmp_path).count() == 1


def test_waiting_ends_with_its_owner(held: subprocess.Popen[str], tmp_path: Path) -> None:
    spool = Spool(tmp_path)
    threading.Timer(0.5, spool.leave).start()
    begin = time.monotonic()
    with pytest.raises(RowtimeError, match="RT0604"):
        spool.add_rows("2", None)
    assert time.monotonic() - begin < 5
