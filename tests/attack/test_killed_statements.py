"""`kill -9` during UPDATE, DELETE, MERGE, CREATE TABLE AS, and `rowtime run`: each statement is applied completely or
not at all.

A process for each kind (`changing.py`) runs one statement after another. It is killed at chosen times: while the rows
are computed, when the new files of rows exist but the commit does not, and after the commit, before the process reports
it. Statements that it reported as done are complete afterwards; a statement that had only begun is complete or absent,
and no files are left over.
"""

from __future__ import annotations

import os
import random
import signal
import subprocess
import sys
import threading
import time
from collections import Counter
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import msgspec
import pytest
from deltalake import DeltaTable
from modules import load_module

from rowtime.catalog.store import Store
from rowtime.opening import connect
from rowtime.session import Session
from rowtime.streams.log import StreamLog
from rowtime.tables import tables

HERE = Path(__file__).parent
DELETED = 2000
KINDS = ("update", "delete", "merge", "create", "script")
PHASES = ("before", "during", "after")
"""A kill while a statement's rows are computed; while its files of rows exist but its commit does not; after its
commit, and before it is reported."""

_AIMING = threading.Lock()

changing = load_module(HERE / "changing.py", "changing")


class Told:
    """The output of a process: the last statement that it has begun, and the last one done."""

    def __init__(self, file: Path, kind: str, first: int) -> None:
        self.begun = self.done = first - 1
        text = file.read_text() if file.exists() else ""
        whole = text[: text.rfind("\n") + 1].splitlines()
        self.failed = [line for line in whole if line.startswith(("failed", "error"))]
        if kind == "script":
            # `rowtime run` reports completed statements. It may have executed any part of the next one.
            self.done += sum(line.endswith("updated") for line in whole)
            self.begun = self.done + 1
        for line in whole if kind != "script" else ():
            word, number = line.split(" ", 2)[:2]
            if word == "begin":
                self.begun = int(number)
            elif word == "done":
                self.done = int(number)


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


def reached(store: Store, kind: str) -> int:
    """Returns the last statement of its kind that the table contains; fails if one is applied in part."""
    name = {"update": "updated", "delete": "deleted", "merge": "merged", "create": "created", "script": "scripted"}
    rows = content(store, name[kind])
    ids = [id for id, _ in rows]
    if kind == "delete":
        assert ids == list(range(ids[0], DELETED))
        return ids[0]
    (number,) = {n for _, n in rows} or {0}
    count = {"merge": changing.ROWS + number, "create": changing.ROWS if number else 0}.get(kind, 100)
    assert ids == list(range(count))
    return number


def entered(store: Store) -> int:
    """Returns the number of scripts that have inserted their rows; fails if a row, or a count, is missing."""
    entry = store.get("EVENTS")
    assert entry is not None
    state = StreamLog(store, entry).state()
    # Each script inserts one row in time and one late row.
    assert state.received in (None, state.accounted)
    assert (state.entered, state.late, state.held) == (state.entered, state.entered, 0)
    return state.entered


def files_of(warehouse: Path) -> tuple[set[str], set[str]]:
    """Returns the files of rows in the folders of all tables, and their commits."""
    rows, commits = set(), set()
    for folder in os.scandir(warehouse / "tables"):
        for path in os.scandir(folder.path):
            if path.name.endswith(".parquet"):
                rows.add(path.path)
        try:
            made = [path for path in os.scandir(f"{folder.path}/_delta_log") if path.name.endswith(".json")]
        except FileNotFoundError:
            continue
        # The first commit of a table contains only its description.
        commits |= {path.path for path in made if int(path.name[:20]) > 0}
    return rows, commits


def never_committed(warehouse: Path) -> set[str]:
    """Returns the files of rows that no commit names, or whose table the catalog does not know."""
    rows, commits = files_of(warehouse)
    with Store(warehouse) as store:
        known = {entry.id for entry in store.entries()} | set(store.dropped())
    added = set()
    for path in map(Path, commits):
        for action in map(msgspec.json.decode, path.read_bytes().splitlines()):
            if "add" in action and path.parent.parent.name in known:
                added.add(str(path.parent.parent / action["add"]["path"]))
    return rows - added


def left_over(store: Store) -> list[str]:
    """Returns files and folders that nothing refers to."""
    entries = {entry.id: entry for entry in store.entries()}
    found = []
    for purpose in ("tables", "streams"):
        folders = store.warehouse / purpose
        for folder in folders.iterdir() if folders.is_dir() else ():
            entry = entries.get(folder.name)
            if entry is None and folder.name not in store.dropped():
                found.append(str(folder))
            elif entry is not None and entry.kind == "TABLE":
                known = {Path(uri).name for uri in DeltaTable(str(folder)).file_uris()}
                found += [str(file) for file in folder.glob("*.parquet") if file.name not in known]
    return found


class Attack:
    """Kills of one kind of statement, in a warehouse of its own."""

    def __init__(self, kind: str, folder: Path, address: list[str], chance: random.Random) -> None:
        self.kind = kind
        self.warehouse = folder / "w"
        self.told = folder / "told"
        self.address = address
        self.chance = chance
        self.first = 1
        self.statements = 0
        self.phases: Counter[str] = Counter()

    def run(self, kills: int) -> None:
        for _ in range(kills):
            self._kill(min(PHASES, key=self.phases.__getitem__))

    def _kill(self, phase: str) -> None:
        self.told.unlink(missing_ok=True)
        orphans = never_committed(self.warehouse)
        process = self._started()
        try:
            self._wait(process, lambda: self._said().done >= self.first, 0.02)
            self._aim(process, phase)
        finally:
            os.killpg(process.pid, signal.SIGKILL)
            process.wait()
        told = self._said()
        assert told.failed == []
        self.statements += told.done - self.first + 1
        with Store(self.warehouse) as store:
            number = reached(store, self.kind)
            assert told.done <= number <= told.begun, (self.kind, number, told.done, told.begun)
            if number > told.done:
                self.phases["after"] += 1
            elif never_committed(self.warehouse) - orphans:
                self.phases["during"] += 1
            else:
                self.phases["before" if told.begun > told.done else "between statements"] += 1
            self.first = number + 1
            if self.kind == "script":
                rows = entered(store)
                assert number - 1 <= rows <= number
                scripts = [entry.name for entry in store.entries() if entry.name.startswith("SCRIPT_")]
                assert scripts in ([], [f"SCRIPT_{number}"])
                store.commit([{"action": "drop", "names": scripts}])
                # It continues where it was: completed work is done once.
                self.first = rows + 1

    def _started(self) -> subprocess.Popen[bytes]:
        environment = {**os.environ, "ROWTIME_SPARK_CONF": "spark.driver.memory=1g,spark.master=local[2]"}
        arguments = [str(self.warehouse), str(self.told), self.kind, str(self.first), *self.address]
        with self.told.with_suffix(".stderr").open("w") as errors:
            return subprocess.Popen(
                [sys.executable, str(HERE / "changing.py"), *arguments],
                stdout=subprocess.DEVNULL, stderr=errors, env=environment, start_new_session=True,
            )  # fmt: skip

    def _said(self) -> Told:
        return Told(self.told, self.kind, self.first)

    def _wait(self, process: subprocess.Popen[bytes], reached: Callable[[], bool], pause: float = 0.0) -> None:
        deadline = time.monotonic() + 400
        while not reached():
            if pause:
                time.sleep(pause)
            if process.poll() is not None or time.monotonic() > deadline:
                errors = self.told.with_suffix(".stderr").read_text()
                raise AssertionError(
                    f"the process does not go on: {process.returncode}, {self._said().failed}, {errors}"
                )

    def _aim(self, process: subprocess.Popen[bytes], phase: str) -> None:
        """Waits for the time of the kill, which lasts a few milliseconds, so only one thread aims at a time."""
        if phase == "before":
            time.sleep(self.chance.random() / 2)
            return
        with _AIMING:
            folder, version = self._next_commit(process)
            rows = set(os.listdir(folder))
            commit = f"{folder}/_delta_log/{version:020d}.json"
            if phase == "after":
                self._wait(process, lambda: os.path.exists(commit))
            else:
                self._wait(process, lambda: any(name.endswith(".parquet") for name in {*os.listdir(folder)} - rows))
            os.killpg(process.pid, signal.SIGKILL)

    def _next_commit(self, process: subprocess.Popen[bytes]) -> tuple[str, int]:
        """Returns the folder of the table to which the next commit of rows is made, and its version."""
        folders = self.warehouse / "tables"
        if self.kind == "create":
            old = set(os.listdir(folders))
            self._wait(process, lambda: set(os.listdir(folders)) > old, 0.001)
            return str(folders / (set(os.listdir(folders)) - old).pop()), 1
        newest = max(files_of(self.warehouse)[1], key=lambda path: os.stat(path).st_mtime_ns)
        return os.path.dirname(os.path.dirname(newest)), int(os.path.basename(newest)[:20]) + 1


def test_killed(
    spark: Any, tmp_path: Path, thorough: bool, figures: Callable[..., None], monkeypatch: pytest.MonkeyPatch
) -> None:
    kills = 100 if thorough else 4
    seed = random.randrange(1 << 30)
    print(f"seed {seed}")
    parameters = spark._sc._gateway.gateway_parameters
    attacks = []
    for kind in KINDS:
        # Processes share the JVM of the test, to start faster; in the long form `rowtime run` has a JVM of its own,
        # which is killed with it.
        address = [] if thorough and kind == "script" else [f"{parameters.port} {parameters.auth_token}"]
        attacks.append(Attack(kind, tmp_path / kind, address, random.Random(f"{seed}/{kind}")))
        with connect(spark, attacks[-1].warehouse, pumps=False) as rt:
            setup(rt)
    with ThreadPoolExecutor(3) as pool:
        for done in [pool.submit(attack.run, kills) for attack in attacks]:
            done.result()
    monkeypatch.setattr(tables, "KEPT_HOURS", 0)
    for attack in attacks:
        with connect(spark, attack.warehouse, pumps=False) as rt:
            rt.runtime.sweep_tables()
            assert left_over(rt.store) == []
            assert list((attack.warehouse / "queries").glob("*")) == []
            if attack.kind == "script":
                rows = entered(rt.store)
                relation = rt.sql("SELECT COUNT(*), MIN(n), MAX(n) FROM events")
                assert list(relation.rows()) == [(rows, 1, rows)]  # type: ignore[union-attr]
    phases = sum((attack.phases for attack in attacks), Counter())
    figures(kills=phases.total(), statements=sum(attack.statements for attack in attacks), lost=0, **phases)
    print({attack.kind: dict(attack.phases) for attack in attacks})
    # Each phase must have its share, or the kills are badly timed. On a busy machine many come too late.
    assert not thorough or all(phases[phase] >= phases.total() / 20 for phase in PHASES), phases
