"""A warehouse continues on another number of cores, and on machines with other settings: nothing is lost."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from java_functions import jar
from modules import load_module
from quick_jvm import QUICK

from rowtime.opening import connect

SCRIPT = Path(__file__).with_name("cores.py")
FUNCTIONS = Path(__file__).parents[1] / "functions"

# How each stage runs: threads, further settings of Spark, and --partitions.
INTERPRETED = "spark.sql.codegen.wholeStage=false,spark.sql.codegen.factoryMode=NO_CODEGEN"
MACHINES = (
    (2, INTERPRETED, ""),
    # Another machine, on which everything has other values.
    (1, f"{INTERPRETED},spark.sql.shuffle.partitions=7,spark.default.parallelism=5", "6"),
    # Keys are computed in compiled code as well.
    (3, "", ""),
    (4, f"{INTERPRETED},spark.default.parallelism=1", ""),
)
SHORT, ONE_IN = 2, 3
"""How many machines, and which part of the pumps, take part unless the long form is asked for."""

cores = load_module(SCRIPT, "attack_cores")


def run(folder: Path, stage: int, stages: int, every: int) -> dict[str, Any]:
    threads, more, partitions = MACHINES[stage]
    java = f"spark.driver.extraJavaOptions={QUICK}"
    given = ["spark.driver.memory=1g", java, f"spark.jars={jar()}", f"spark.master=local[{threads}]", more]
    conf = ",".join(filter(None, given))
    environment = {**os.environ, "ROWTIME_SPARK_CONF": conf, "PYTHONPATH": str(FUNCTIONS)}
    arguments = [str(folder / "warehouse"), str(folder / "files"), str(stage), str(stages), str(every), partitions]
    done = subprocess.run(
        [sys.executable, str(SCRIPT), *arguments],
        check=False, capture_output=True, text=True, timeout=600, env=environment,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    found: dict[str, Any] = json.loads(done.stdout)
    return found


@pytest.mark.usefixtures("interpreted")
def test_another_number_of_cores(spark: Any, tmp_path: Path, thorough: bool, figures: Callable[..., None]) -> None:
    stages, every = (len(MACHINES), 1) if thorough else (SHORT, ONE_IN)
    cores.keep_one_in(every)
    with connect(spark, tmp_path / "straight" / "warehouse") as rt:
        files = tmp_path / "straight" / "files"
        cores.set_up(rt, files)
        for stage in range(stages):
            cores.feed(rt, files, stage, stages)
        cores.end(rt, files)
        straight = json.loads(json.dumps(cores.found(rt)))
    assert all(straight.values())
    # The first row of each key is counted 1, the second 2: four hours of history include them all.
    counted: dict[str, list[int]] = {}
    for _, key, _, count in straight["over_range"]:
        counted.setdefault(key, []).append(count)
    assert all(counts == list(range(1, len(counts) + 1)) for counts in counted.values())

    warehouse = tmp_path / "moved" / "warehouse"
    for stage in range(stages):
        moved = run(tmp_path / "moved", stage, stages, every)
        assert moved["partitions"] == [2]
        if stage == 0:
            # As earlier versions left it: only Spark's log of offsets has the number.
            noted = list(warehouse.glob("pumps/*/0/partitions"))
            assert len(noted) == len(cores.PUMPS)
            for file in noted:
                file.unlink()
    for name, rows in straight.items():
        assert moved["rows"][name] == rows, name
    figures(pumps=len(straight), starts=stages, rows=sum(map(len, straight.values())))
