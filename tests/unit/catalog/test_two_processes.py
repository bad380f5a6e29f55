"""The catalog under several writers: real processes, and threads of one process."""

from __future__ import annotations

import subprocess
import sys
import threading
from pathlib import Path

import pytest

from rowtime.catalog.store import Store
from rowtime.errors import RowtimeError

WRITER = """
import sys
from rowtime.catalog.store import Store
from rowtime.errors import RowtimeError

store, me, conflicts = Store(sys.argv[1]), sys.argv[2], 0

def taking(before):
    taken = before or []
    return [*taken, *range(len(taken) + 1, len(taken) + 6)]

for number in range(20):
    definition = {"name": f"{me}{number}", "kind": "STREAM", "columns": []}
    while True:
        try:
            version = store.snapshot().version
            store.commit([{"action": "create", "object": definition, "replace": False}], version)
            break
        except RowtimeError as fault:
            assert fault.code == "RT0390", fault
            conflicts += 1
    store.update_note("log", "taken", taking)
print(conflicts)
"""

HOLDER = """
import sys
from rowtime.catalog.store import Store
store = Store(sys.argv[1])
with store.transaction():
    store.set_note("log", "held", 10)
    print("held", flush=True)
    sys.stdin.read()
"""


def start(program: str, *arguments: str) -> subprocess.Popen[str]:
    command = [sys.executable, "-c", program, *arguments]
    return subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)


@pytest.mark.usefixtures("each_database")
def test_two_processes_make_one_warehouse_and_lose_nothing(tmp_path: Path) -> None:
    warehouse = tmp_path / "w"
    writers = [start(WRITER, str(warehouse), name) for name in ("A", "B")]
    for writer in writers:
        _, complaint = writer.communicate(timeout=120)
        assert writer.returncode == 0, complaint
    with Store(warehouse) as store:
        assert sorted(e.name for e in store.entries() if e.since) == sorted(f"{n}{i}" for n in "AB" for i in range(20))
        assert store.snapshot().version == 40
        # Serial, so every number once and in order; a lost update would leave a hole.
        assert store.note("log", "taken") == list(range(1, 201))


def test_readers_do_not_wait_for_a_writer_and_writers_say_that_they_cannot(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("ROWTIME_LOCK_TIMEOUT", "0.2")
    with Store(tmp_path) as store:
        holder = start(HOLDER, str(tmp_path))
        try:
            assert holder.stdout is not None
            assert holder.stdout.readline() == "held\n"
            assert store.snapshot().version == 0
            with pytest.raises(RowtimeError) as raised:
                store.set_note("log", "other", 1)
            assert raised.value.code == "RT0604"
        finally:
            holder.communicate(timeout=120)
        assert store.note("log", "held") == 10


@pytest.mark.usefixtures("each_database")
def test_a_killed_process_leaves_the_lock_and_no_half_of_its_work(tmp_path: Path) -> None:
    with Store(tmp_path) as store:
        holder = start(HOLDER, str(tmp_path))
        assert holder.stdout is not None
        assert holder.stdout.readline() == "held\n"
        holder.kill()
        holder.communicate(timeout=120)
        store.set_note("log", "other", 1)
        assert store.note("log", "held") is None


@pytest.mark.usefixtures("each_database")
def test_threads_take_turns(tmp_path: Path) -> None:
    store = Store(tmp_path)
    firsts: list[int] = []

    def take() -> None:
        for _ in range(10):
            firsts.append(store.update_note("log", "next", lambda last: (last or 0) + 2))

    threads = [threading.Thread(target=take) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(timeout=120)
    store.close()
    assert sorted(firsts) == list(range(2, 82, 2))
