"""A separate process that feeds the stream S of a warehouse, and records its actions: run by the tests.

python feeder.py WAREHOUSE NAME SECONDS SEED two producers in threads, random rows, bounds and detachments python
feeder.py WAREHOUSE NAME steps FIRST one step after another, from number FIRST on, until killed python feeder.py
WAREHOUSE NAME keeping SEED random rows during continuous clean-up, until killed
"""

from __future__ import annotations

import json
import random
import sys
import threading
import time
from pathlib import Path
from typing import Any

from rowtime.catalog.store import Store
from rowtime.errors import RowtimeError
from rowtime.streams import maintenance, retention
from rowtime.streams.log import StreamLog, WriteRequest


def step_of(log: StreamLog, told: dict[str, Any]) -> WriteRequest:
    values = [[ms * 1000, n] for ms, n in told["rows"]]
    return WriteRequest(
        rows=log.table(values) if values else None,
        producer=told["producer"],
        bound=told["bound"],
        detach=told["detach"],
    )


def feed(log: StreamLog, producer: str, until: float, chance: random.Random, note: Any) -> None:
    at, number = 0, 0
    while time.monotonic() < until:
        rows = []
        for _ in range(chance.choice([0, 1, 1, 1, 5, 50])):
            at += chance.choice([0, 1, 1, 7])
            # Some are late.
            rows.append((at - chance.choice([0, 0, 0, 0, 0, 20]), f"{producer}-{number}"))
            number += 1
        bound = at + 3 if chance.random() < 0.2 else None
        at = at if bound is None else bound
        told = {"rows": rows, "producer": producer, "bound": bound, "detach": chance.random() < 0.03}
        try:
            outcome = log.submit(step_of(log, told))
        except RowtimeError as fault:
            # It has detached, and others have continued: its next bound is behind the stream's.
            if fault.code != "RT0501":
                raise
            at = max(at, log.bound or 0)
            continue
        late = [[one.row["ROWTIME"] // 1000, one.row["n"], one.reason, one.producer] for one in outcome.rejected]
        note({**told, "version": outcome.state.version, "position": outcome.position, "rejected": late})
    told = {"rows": [], "producer": producer, "bound": None, "detach": True}
    outcome = log.submit(step_of(log, told))
    note({**told, "version": outcome.state.version, "position": outcome.position, "rejected": []})


def numbered(number: int) -> dict[str, Any]:
    """Returns step `number` of the second mode: two producers in turn, one of them behind, so that rows are held."""
    ms = number * 10
    producer = "A" if number % 3 else "B"
    return {
        "rows": [(ms, f"{number}-0"), (ms - 30, f"{number}-late"), (ms + 5, f"{number}-1")],
        "producer": producer,
        "bound": ms + 6 if number % 5 == 0 else None,
        "detach": number % 17 == 0,
    }


def keeping(log: StreamLog, name: str, chance: random.Random, note: Any) -> None:
    late = log.store.get("LATE")
    assert late is not None
    retention.UNNEEDED_FILES = 5
    maintenance.TICK = maintenance.CLEANING = 0.2
    kept = maintenance.LogMaintenance(log.store, lambda: [log, log.peer(late)])
    kept.start()
    while True:
        now = int(time.time() * 1000)
        rows = [(now - chance.choice([0, 0, 0, 5000]), name) for _ in range(chance.choice([1, 3, 10]))]
        step = WriteRequest(rows=log.table([[ms * 1000, n] for ms, n in rows]), producer=name, timeout=1000)
        log.submit(step)
        note({"rows": len(rows), "fault": repr(kept.fault)})


def main(warehouse: str, name: str, how: str, start: str) -> None:
    store = Store(warehouse)
    entry = store.get("S")
    assert entry is not None
    log = StreamLog(store, entry)
    path = Path(warehouse) / f"{name}.jsonl"
    guard = threading.Lock()
    with path.open("a") as file:

        def note(told: dict[str, Any]) -> None:
            with guard:
                file.write(json.dumps(told) + "\n")
                file.flush()

        if how == "steps":
            for number in range(int(start), 1 << 30):
                note({"begun": number})
                outcome = log.submit(step_of(log, numbered(number)))
                note({"done": number, "taken": outcome.taken, "version": outcome.state.version})
        if how == "keeping":
            keeping(log, name, random.Random(int(start)), note)
        until = time.monotonic() + float(how)
        chance = random.Random(int(start))
        threads = [
            threading.Thread(target=feed, args=(log, f"{name}{i}", until, random.Random(chance.random()), note))
            for i in range(2)
        ]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()


if __name__ == "__main__":
    main(*sys.argv[1:])
