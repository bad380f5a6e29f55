"""`kill -9` in the middle of UPDATE, DELETE, MERGE, CREATE TABLE AS, and scripts: each is done, or nothing of it.

A process (`changing.py`) runs statements of all these kinds at once; each kill hits one of every kind. What it was told
to be done is there afterwards, exactly; of what it had only begun there is all or nothing, and nothing is left over.
"""

from __future__ import annotations

import os
import random
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from deltalake import DeltaTable
from modules import loaded

from rowtime.catalog.store import Store
from rowtime.session import Session, connect
from rowtime.sources import tables
from rowtime.streams.log import StreamLog

HERE = Path(__file__).parent
DELETED = 2000

changing = loaded(HERE / "changing.py", "changing")


class Told:
    """What the process has written down: of each kind the last statement that it had begun, and the last one done."""

    def __init__(self, file: Path, first: dict[str, int]) -> None:
        self.first = first
        self.begun = {kind: number - 1 for kind, number in first.items()}
        self.done = dict(self.begun)
        self.count = 0
        self.failed: list[str] = []
        for line in file.read_text().splitlines() if file.exists() else []:
            word, kind, rest = line.split(" ", 2)
            if word == "failed":
                self.failed.append(line)
            elif word == "begin":
                self.begun[kind] = int(rest)
            else:
                self.done[kind] = int(rest)
                self.count += 1

    @property
    def each(self) -> bool:
        """Whether a statement of each kind is done, or one has failed."""
        return bool(self.failed) or all(self.done[kind] >= number for kind, number in self.first.items())


def setup(rt: Session) -> None:
    for statement in changing.SETUP:
        rt.sql(statement)
    for name, count in (
        ("source", DELETED),
        ("updated", 100),
        ("deleted", DELETED),
        ("merged", 100),
        ("scripted", 100),
    ):
        rows = ", ".join(f"({id}, 0)" for id in range(count))
        rt.sql(f"INSERT INTO {name} VALUES {rows}")


def content(store: Store, name: str) -> list[tuple[int, int]]:
    entry = store.get(name.upper())
    assert entry is not None
    found = DeltaTable(str(tables.folder(store, entry))).to_pyarrow_table()
    return sorted(zip(found["ID"].to_pylist(), found["N"].to_pylist(), strict=True))


def reached(store: Store) -> dict[str, int]:
    """Up to which statement of each kind its table has come; fails where one is done in part."""
    found = {}
    updated = content(store, "updated")
    ((found["update"],), ids) = {n for _, n in updated}, [id for id, _ in updated]
    assert ids == list(range(100))
    deleted = [id for id, _ in content(store, "deleted")]
    found["delete"] = deleted[0]
    assert deleted == list(range(deleted[0], DELETED))
    merged = content(store, "merged")
    ((found["merge"],), ids) = {n for _, n in merged}, [id for id, _ in merged]
    assert ids == list(range(changing.ROWS + found["merge"]))
    created = content(store, "created")
    ((found["create"],), ids) = {n for _, n in created} or {0}, [id for id, _ in created]
    assert ids == (list(range(changing.ROWS)) if found["create"] else [])
    ((found["script"],),) = [{n for _, n in content(store, "scripted")}]
    return found


def entered(store: Store) -> int:
    """How many scripts have inserted their rows; fails where a row, or a count, is missing."""
    entry = store.get("EVENTS")
    assert entry is not None
    state = StreamLog(store, entry).state()
    # Each script inserts a row in time and one that is late.
    assert state.received in (None, state.accounted)
    assert (state.entered, state.late, state.held) == (state.entered, state.entered, 0)
    return state.entered


def left_over(store: Store) -> list[str]:
    """Files and folders that nobody knows."""
    entries = {entry.id: entry for entry in store.entries()}
    found = []
    for purpose in ("tables", "streams"):
        for folder in (store.warehouse / purpose).iterdir():
            entry = entries.get(folder.name)
            if entry is None and folder.name not in store.dropped():
                found.append(str(folder))
            elif entry is not None and entry.kind == "TABLE":
                known = {Path(uri).name for uri in DeltaTable(str(folder)).file_uris()}
                found += [str(file) for file in folder.glob("*.parquet") if file.name not in known]
    return found


def started(warehouse: Path, acknowledged: Path, first: dict[str, int], address: list[str]) -> subprocess.Popen[bytes]:
    environment = {**os.environ, "ROWTIME_SPARK_CONF": "spark.driver.memory=1g,spark.master=local[2]"}
    numbers = ",".join(str(first[kind]) for kind in changing.KINDS)
    command = [sys.executable, str(HERE / "changing.py"), str(warehouse), str(acknowledged), numbers, *address]
    with (acknowledged.parent / "stderr").open("w") as told:
        return subprocess.Popen(
            command, stdout=subprocess.DEVNULL, stderr=told, env=environment, start_new_session=True
        )


def test_killed(
    spark: Any, tmp_path: Path, thorough: bool, figures: Callable[..., None], monkeypatch: pytest.MonkeyPatch
) -> None:
    kills = 100 if thorough else 10
    seed = random.randrange(1 << 30)
    print(f"seed {seed}")
    chance = random.Random(seed)
    parameters = spark._sc._gateway.gateway_parameters
    # In the short form the process shares the JVM of the test, and dies without it.
    address = [] if thorough else [f"{parameters.port} {parameters.auth_token}"]
    warehouse, acknowledged = tmp_path / "w", tmp_path / "acknowledged"
    with connect(spark, warehouse, pumps=False) as rt:
        setup(rt)
    first = dict.fromkeys(changing.KINDS, 1)
    statements = unfinished = 0
    with Store(warehouse) as store:
        for _ in range(kills):
            acknowledged.unlink(missing_ok=True)
            process = started(warehouse, acknowledged, first, address)
            deadline = time.monotonic() + 120
            while not Told(acknowledged, first).each:
                assert process.poll() is None or Told(acknowledged, first).failed, (tmp_path / "stderr").read_text()
                assert time.monotonic() < deadline, "the process does not get going"
                time.sleep(0.02)
            time.sleep(chance.random() / 2)
            os.killpg(process.pid, signal.SIGKILL)
            process.wait()
            told = Told(acknowledged, first)
            assert told.failed == []
            statements += told.count
            state = reached(store)
            for kind, number in state.items():
                assert told.done[kind] <= number <= told.begun[kind], (kind, number, told.done, told.begun)
                unfinished += number == told.done[kind] < told.begun[kind]
            rows = entered(store)
            assert told.done["script"] <= rows <= state["script"]
            scripts = [entry.name for entry in store.entries() if entry.name.startswith("SCRIPT_")]
            assert scripts in ([], [f"SCRIPT_{told.begun['script']}"])
            store.commit([{"action": "drop", "names": scripts}])
            first = {kind: number + 1 for kind, number in state.items()}
            if rows < state["script"]:
                # It goes on where it was: what was done is done once.
                first["script"] = state["script"]
    monkeypatch.setattr(tables, "KEPT_HOURS", 0)
    with connect(spark, warehouse, pumps=False) as rt:
        rt.runtime.sweep_tables()
        assert left_over(rt.store) == []
        assert list((warehouse / "queries").glob("*")) == []
        relation = rt.sql("SELECT COUNT(*), MIN(n), MAX(n) FROM events")
        ((count, least, greatest),) = relation.rows()  # type: ignore[union-attr]
        assert (count, least, greatest) == (rows, 1, rows)
    figures(kills=kills * len(changing.KINDS), statements=statements, undone=unfinished, lost=0)
