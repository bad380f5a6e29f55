"""Processes that run a pump are killed while it is told to step over rows: each such row is set aside once, and no
other is lost or repeated."""

from __future__ import annotations

import datetime as dt
import random
import time
from pathlib import Path
from typing import Any

import pytest
from killing import kill, rows, run_pumps
from ledger import discrepancies
from queries import eventually

from rowtime.opening import connect
from rowtime.runtime.pump.status import PumpStatus
from rowtime.session import Session

START = dt.datetime(2006, 9, 11, 10)


def failed(rt: Session, stepped: set[str], seconds: float = 120) -> PumpStatus:
    """Waits until the pump has failed at another row than those over which it has `stepped`."""
    deadline = time.monotonic() + seconds
    while True:
        (status,) = rt.pumps
        if status.failed_row is not None and status.failed_row.position not in stepped:
            return status
        assert time.monotonic() < deadline, status
        time.sleep(0.05)


def test_rows_are_stepped_over_once(spark: Any, tmp_path: Path, thorough: bool, pytestconfig: pytest.Config) -> None:
    kills = pytestconfig.getoption("--kills") or (20 if thorough else 2)
    seed = random.randrange(1 << 30)
    print(f"seed {seed}")
    chance = random.Random(seed)
    stepped: set[str] = set()
    with connect(spark, tmp_path / "w", pumps=False) as rt:
        rt.sql("CREATE STREAM a (n INTEGER, k INTEGER) OPTIONS (history 'all')")
        rt.sql("CREATE STREAM b (n INTEGER, q INTEGER) OPTIONS (history 'all')")
        rt.sql("CREATE PUMP p STARTED AS INSERT INTO b SELECT STREAM rowtime, n, 12 / k FROM a")
        producer, good = rt.producer("A", timeout=None), []
        for i in range(kills):
            # Two of each micro-batch fail, and are equal in all columns.
            sent = [(i, 3), (i, 0), (i, 4), (i, 0), (i, 6)]
            producer.insert([(START + dt.timedelta(minutes=i), *row) for row in sent])
            good += [(n, 12 // k) for n, k in sent if k]
            process = run_pumps(tmp_path / "w", 1)
            try:
                for _ in range(2):
                    status = failed(rt, stepped)
                    assert status.failed_row is not None
                    stepped.add(status.failed_row.position)
                    rt.sql("ALTER PUMP p RESUME SKIP")
                time.sleep(chance.random() * 3)
            finally:
                kill(process, chance)
        producer.close()
        assert len(stepped) == 2 * kills
    with connect(spark, tmp_path / "w") as rt:
        rt.producer("A").insert([(START + dt.timedelta(hours=1), kills, 2)])
        good.append((kills, 6))
        # The JVM of the killed process may hold the pump for another moment.
        eventually(lambda: bool(rt.runtime.pumps.running()) and rt.pumps[0].error is None)
        rt.runtime.settle([])
        (status,) = rt.pumps
        assert sorted(rows(rt, "SELECT n, q FROM b")) == sorted(good)
        assert (status.rows_out, status.failed_rows) == (3 * kills + 1, 2 * kills)
        assert discrepancies(rt) == []
