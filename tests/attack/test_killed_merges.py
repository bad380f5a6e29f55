"""Processes with a pump that merges, and that are killed, also while files of its table become one: each row of the
source is applied once, in order, and the table always has whole steps."""

from __future__ import annotations

import random
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from killing import Feeder, kill, rows, run_pumps, wait_until_ready

from rowtime.opening import connect
from rowtime.session import Session
from rowtime.tables import tables

SETUP = (
    "CREATE STREAM a (n INTEGER, k INTEGER, v INTEGER) OPTIONS (history 'all')",
    "CREATE TABLE t (k INTEGER PRIMARY KEY, total INTEGER, latest INTEGER, changes INTEGER NOT NULL)",
    "INSERT INTO t VALUES (0, 0, NULL, 0), (1, 1, NULL, 0), (100, 5, NULL, 0)",
    "CREATE PUMP p STARTED AS MERGE INTO t USING (SELECT STREAM n, k, v FROM a) AS s ON t.k = s.k "
    "WHEN MATCHED AND t.total + s.v > 60 THEN DELETE "
    "WHEN MATCHED AND s.v < 3 THEN UPDATE SET latest = s.n "
    "WHEN MATCHED THEN UPDATE SET total = t.total + s.v, latest = s.n, changes = t.changes + 1 "
    "WHEN NOT MATCHED AND s.v <> 5 THEN INSERT VALUES (s.k, s.v, s.n, 0)",
)
Table = dict[int, tuple[int, int | None, int]]
KEYS = 30
_PRELUDE = """
import sys, time
from pathlib import Path
from rowtime.tables import compaction
compaction._LEVEL, compaction._SMALLEST = 2, 8
mark, replace = Path(sys.argv[1]).with_name("compacting"), compaction._replace
def slow(*arguments):
    mark.touch()
    time.sleep(0.3)
    made = replace(*arguments)
    time.sleep(0.3)
    mark.unlink()
    return made
compaction._replace = slow
"""


def applied(table: Table, row: tuple[int, int, int]) -> Table:
    """Returns the table after a row of the source, as the statement says."""
    n, k, v = row
    rest, before = {key: values for key, values in table.items() if key != k}, table.get(k)
    if before is None:
        return table if v == 5 else rest | {k: (v, n, 0)}
    total, _, changes = before
    if total + v > 60:
        return rest
    return rest | {k: (total, n, changes) if v < 3 else (total + v, n, changes + 1)}


def found(rt: Session) -> Table:
    return {k: (total, latest, changes) for k, total, latest, changes in rows(rt, "SELECT * FROM t")}


def wait_until(what: Callable[[], bool]) -> None:
    """Waits no longer than 400 seconds."""
    end = time.monotonic() + 400
    while not what() and time.monotonic() < end:
        time.sleep(0.02)


def test_kill_9(
    spark: Any, tmp_path: Path, thorough: bool, figures: Callable[..., None], pytestconfig: pytest.Config
) -> None:
    kills = pytestconfig.getoption("--kills") or (50 if thorough else 2)
    seed = random.randrange(1 << 30)
    print(f"seed {seed}")
    chance = random.Random(seed)
    seen: list[Table] = []
    compacting = running = 0
    mark = tmp_path / "compacting"
    with connect(spark, tmp_path / "w", pumps=False) as rt:
        for statement in SETUP:
            rt.sql(statement)
        seen.append(found(rt))
        entry = rt.store.get("T")
        assert entry is not None
        log = tables.delta_log(rt.store, entry)
        feeder = Feeder(rt, chance, lambda n: {"N": n, "K": chance.randrange(KEYS), "V": chance.randrange(10)})
        feeder.start()
        for number in range(kills):
            process = run_pumps(tmp_path / "w", 1, chance.choice((1, 2, 3)), prelude=_PRELUDE)
            if wait_until_ready(process, 300 if number < 2 or chance.random() < 0.9 else chance.random() * 10):
                running += 1
                if number % 2:
                    wait_until(mark.exists)
                else:
                    first, more = max(log.versions()), chance.randint(1, 9)
                    wait_until(lambda first=first, more=more: max(log.versions()) >= first + more)  # type: ignore[misc]
            time.sleep(chance.random() / (4 if number % 2 else 2))
            kill(process, chance)
            compacting += mark.exists()
            mark.unlink(missing_ok=True)
            seen.append(found(rt))
        feeder.end()
    with connect(spark, tmp_path / "w") as rt:
        deadline = time.monotonic() + 400
        while not rt.runtime.pumps.running():
            assert time.monotonic() < deadline, rt.pumps
            time.sleep(0.2)
        rt.runtime.settle([])
        assert [status.error for status in rt.pumps] == [None]
        came = rows(rt, "SELECT n, k, v FROM a")
        assert came == [(row["N"], row["K"], row["V"]) for row in feeder.sent]
        # What a process has left is what the first rows make, and more of them each time.
        expected, left = seen[0], seen[1:]
        for row in came:
            while left and left[0] == expected:
                left.pop(0)
            expected = applied(expected, row)
        while left and left[0] == expected:
            left.pop(0)
        assert not left
        assert found(rt) == expected
        operations = [log.commit_of(version).info["operation"] for version in log.versions()]
        assert compacting
        figures(
            kills=kills,
            of_a_running_pump=running,
            while_files_became_one=compacting,
            rows=len(came),
            steps=operations.count("MERGE"),
            lost_or_twice=0,
        )
