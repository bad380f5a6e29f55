"""A chain of pumps that is killed, and goes on on another number of cores: each target has exactly the rows of the
model."""

from __future__ import annotations

import random
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import killed_chain as chain
import pytest
from jdbc_drivers import jdbc_drivers
from killing import kill, rows, run_pumps, wait_until_ready
from ledger import discrepancies

from rowtime.opening import connect

MOST_CORES = 6


def test_killed_chain(
    spark: Any, tmp_path: Path, thorough: bool, figures: Callable[..., None], pytestconfig: pytest.Config
) -> None:
    kills = pytestconfig.getoption("--kills") or (100 if thorough else 1)
    seed = random.randrange(1 << 30)
    print(f"seed {seed}")
    chance = random.Random(seed)
    warehouse, folder = tmp_path / "w", tmp_path / "targets"
    ready = 0
    with connect(spark, warehouse, pumps=False) as rt:
        chain.set_up(rt, folder, jdbc_drivers()["sqlite"])
        producers = chain.Producers(rt, random.Random(seed + 1))
        producers.start()
        for _ in range(kills):
            process = run_pumps(warehouse, chain.PUMPS, chance.randint(1, MOST_CORES))
            # Some die while they start.
            ready += wait_until_ready(process, 300 if chance.random() < 0.7 else chance.random() * 20)
            time.sleep(chance.random() * 4)
            kill(process, chance)
        producers.ended.set()
        producers.join()
    with connect(spark, warehouse) as rt:
        deadline = time.monotonic() + 400
        while len(rt.runtime.pumps.running()) < chain.PUMPS:
            assert time.monotonic() < deadline, rt.pumps
            time.sleep(0.2)
        rt.runtime.settle([])
        assert [status.error for status in rt.pumps] == [None] * chain.PUMPS
        assert chain.differences(rt, folder, producers.sent) == []
        pairs = len(chain.Model(rows(rt, "SELECT rowtime, k, n FROM a")).pairs())
        assert pairs
        assert discrepancies(rt, {}) == []
        figures(kills=kills, of_running_pumps=ready, rows=len(producers.sent), pairs=pairs, lost_or_twice=0)
