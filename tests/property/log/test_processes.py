"""Several processes on one stream: simultaneously, and killed at any moment."""

from __future__ import annotations

import json
import os
import random
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pyarrow.parquet as pq
import pytest
from deltalake import DeltaTable
from tests.property.log import feeder
from tests.property.log.model import Model, RequestRefused

from rowtime.catalog.store import Store
from rowtime.streams.log import CONTROL, SEQ, StreamLog, WriteRequest
from rowtime.streams.maintenance import LogMaintenance

STREAM = {
    "name": "S",
    "kind": "STREAM",
    "columns": [
        {"name": "ROWTIME", "type": "TIMESTAMP(3)", "nullable": False},
        {"name": "n", "type": "VARCHAR", "nullable": True},
    ],
    "options": {"history": "all"},
    "primaryKey": [],
}


def made(folder: Path) -> StreamLog:
    store = Store(folder)
    store.commit([{"action": "create", "object": STREAM}])
    return opened(folder)


def opened(folder: Path, name: str = "S") -> StreamLog:
    store = Store(folder)
    entry = store.get(name)
    assert entry is not None
    return StreamLog(store, entry)


def start(folder: Path, *args: object) -> subprocess.Popen[bytes]:
    return subprocess.Popen([sys.executable, feeder.__file__, str(folder), *map(str, args)])


def noted(folder: Path, name: str) -> list[dict[str, Any]]:
    path = folder / f"{name}.jsonl"
    lines = path.read_text().splitlines() if path.exists() else []
    return [json.loads(line) for line in lines if line.endswith("}")]


def content(log: StreamLog, version: int) -> list[tuple[int, str]]:
    """Returns the rows of one commit."""
    (added,) = (action["add"] for action in log.delta.actions(version) if "add" in action)
    found = pq.read_table(log.folder / added["path"]).to_pylist()
    assert found[-1][CONTROL] and [row[SEQ] for row in found] == sorted({row[SEQ] for row in found})
    return [(round(row["ROWTIME"].timestamp() * 1000), row["n"]) for row in found if not row[CONTROL]]


def test_two_processes_make_what_one_would_have_made(tmp_path: Path, thorough: bool) -> None:
    log = made(tmp_path)
    seconds = 60 if thorough else 4
    both = [start(tmp_path, name, seconds, number) for number, name in enumerate("XY")]
    assert [process.wait() for process in both] == [0, 0]
    steps = sorted(noted(tmp_path, "X") + noted(tmp_path, "Y"), key=lambda s: (s["version"], s["position"]))
    by_version: dict[int, list[dict[str, Any]]] = {}
    for step in steps:
        by_version.setdefault(step["version"], []).append(step)
    # Both have worked at the same time.
    assert len({s["producer"] for s in steps[: len(steps) // 2]}) == 4
    model = Model()
    for version in range(1, log.version() + 1):
        entered = len(model.entered)
        for step in by_version[version]:
            rejected = len(model.rejected)
            rows = [{"ROWTIME": ms, "n": n} for ms, n in step["rows"]]
            model.step(rows, step["producer"], step["bound"], step["detach"], False, 0)
            late = [[row["ROWTIME"], row["n"], why, whose] for row, why, whose in model.rejected[rejected:]]
            assert step["rejected"] == late
        assert content(log, version) == [(row["ROWTIME"], row["n"]) for row in model.entered[entered:]]
        assert log.state_at(version).bound == model.bound
    assert not log.state().producers and not log.state().held
    assert len(model.entered) > 50 and len(model.rejected) > 0


def test_killed_at_any_moment(tmp_path: Path, thorough: bool) -> None:
    made(tmp_path)
    chance = random.Random(7)
    first = 1
    for _ in range(50 if thorough else 5):
        process = start(tmp_path, "K", "steps", first)
        seen = len(noted(tmp_path, "K"))
        deadline = time.monotonic() + 120
        while len(noted(tmp_path, "K")) < seen + 4:
            assert process.poll() is None and time.monotonic() < deadline
            time.sleep(0.01)
        time.sleep(chance.random() * 0.3)
        process.send_signal(signal.SIGKILL)
        process.wait()
        first = max(told["begun"] for told in noted(tmp_path, "K") if "begun" in told) + 1
    log = opened(tmp_path)
    for name in ("A", "B"):
        log.detach(name)
    told = noted(tmp_path, "K")
    done = {one["done"]: one["taken"] for one in told if "done" in one}
    found = [row for version in range(1, log.version() + 1) for row in content(log, version)]
    there = {int(n.split("-")[0]) for _, n in found}
    begun = [one["begun"] for one in told if "begun" in one]
    assert done.keys() <= there <= set(begun)
    # A step that was begun and not completed exists as a whole, or not at all.
    model = Model()
    for number in begun:
        if number in there:
            step = feeder.numbered(number)
            rows = [{"ROWTIME": ms, "n": n} for ms, n in step["rows"]]
            try:
                model.step(rows, step["producer"], step["bound"], step["detach"], False, 0)
            except RequestRefused:
                pytest.fail(f"step {number}")
    for name in ("A", "B"):
        model.step([], name, None, True, False, 0)
    assert found == [(row["ROWTIME"], row["n"]) for row in model.entered]
    state = log.state()
    assert (state.bound, state.late, state.held) == (model.bound, len(model.rejected), 0)
    assert len(DeltaTable(str(log.folder)).file_uris()) == state.files
    assert log.side.leftovers(state) == [] or len(log.side.leftovers(state)) <= 50


def test_killed_while_cleaning_up_and_telling_late_rows(tmp_path: Path, thorough: bool) -> None:
    with Store(tmp_path) as store:
        streams = [
            {**STREAM, "options": {"late_stream": "LATE"}},
            {**STREAM, "name": "LATE", "options": {"history": "all"}},
        ]
        store.commit([{"action": "create", "object": one} for one in streams])
    chance = random.Random(3)
    running: dict[int, subprocess.Popen[bytes]] = {}
    number = 0
    for _ in range(40 if thorough else 4):
        while len(running) < 3:
            number += 1
            running[number] = start(tmp_path, f"C{number}", "keeping", number)
        while len(noted(tmp_path, f"C{number}")) < 3:
            assert running[number].poll() is None
            time.sleep(0.02)
        time.sleep(chance.random())
        victim = chance.choice(list(running))
        running[victim].kill()
        running.pop(victim).wait()
    for process in running.values():
        process.kill()
        process.wait()
    told = [one for n in range(1, number + 1) for one in noted(tmp_path, f"C{n}")]
    assert {one["fault"] for one in told} == {"None"}
    log, late = opened(tmp_path), opened(tmp_path, "LATE")
    keeper = LogMaintenance(log.store, lambda: [log, late])
    keeper.start()
    deadline = time.monotonic() + 120
    while log.state().producers and time.monotonic() < deadline:
        time.sleep(0.1)
    keeper.stop()
    state = log.state()
    # A step that was not acknowledged may exist or not, one for each process.
    there, acknowledged = state.entered + state.late, sum(one["rows"] for one in told)
    assert acknowledged <= there <= acknowledged + 10 * number
    assert not state.producers and not state.held
    assert late.state().entered == state.late > 0
    assert state.cleaned > 0
    files = [Path(f.removeprefix("file://")) for f in DeltaTable(str(log.folder), version=state.version).file_uris()]
    assert (len(files), sum(f.stat().st_size for f in files)) == (state.files, state.bytes)


def test_an_attachment_outlives_its_process_for_its_time_out(tmp_path: Path) -> None:
    log = made(tmp_path)
    code = (
        "import sys, time; sys.path.insert(0, ''); from pathlib import Path;"
        "from tests.property.log.test_processes import opened;"
        "from rowtime.streams.maintenance import LogMaintenance; from rowtime.streams.producer import Producer;"
        f"log = opened(Path({str(tmp_path)!r})); LogMaintenance(log.store, lambda: [log]).start();"
        "p = Producer(log, 'gone', timeout=4000); p.insert([(5000, 'x')] and [('1970-01-01 00:00:05', 'x')]);"
        "print('ready', flush=True); time.sleep(60)"
    )
    process = subprocess.Popen([sys.executable, "-c", code], stdout=subprocess.PIPE, cwd=os.getcwd())
    assert process.stdout is not None and process.stdout.readline() == b"ready\n"
    keeper = LogMaintenance(log.store, lambda: [log])
    keeper.start()
    try:
        log.submit(WriteRequest(rows=log.table([[9_000_000, "y"]])))
        assert log.state().held == 1
        time.sleep(6)
        # It is alive, and has been silent in the stream for longer than its time-out.
        assert "gone" in log.state().producers
        process.kill()
        process.wait()
        killed = time.monotonic()
        while "gone" in log.state().producers:
            assert time.monotonic() - killed < 120
            time.sleep(0.02)
        # It was last seen within a heartbeat before it was killed.
        assert time.monotonic() - killed > 4 - 2
        assert (log.state().held, log.bound) == (0, 9000)
        assert keeper.fault is None
    finally:
        keeper.stop()
        process.kill()
