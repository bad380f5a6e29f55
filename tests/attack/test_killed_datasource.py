"""A program in plain PySpark that reads a stream and writes a stream and a table with `format("rowtime")`, and that is
killed: each row arrives once, in order."""

from __future__ import annotations

import os
import random
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import plain_pyspark
import pytest
from java_functions import ROOT
from killing import Feeder, kill, wait_until_ready

from rowtime.datasource.identifiers import Identifier
from rowtime.datasource.reading import Reader
from rowtime.opening import connect

TARGETS = ("B", "T")


def start(folder: Path, cores: int) -> subprocess.Popen[str]:
    """Starts the program, again if Spark's process for Python takes over ten seconds to begin: Spark does not wait
    longer, which a busy machine may need."""
    helpers = os.pathsep.join(map(str, (ROOT / "tests" / "helpers", ROOT / "tests" / "functions")))
    said = folder / "said"
    for _ in range(10):
        with said.open("w") as errors:
            process = subprocess.Popen(
                [sys.executable, plain_pyspark.__file__, str(folder / "w"), str(folder / "c"), str(cores)],
                stdout=subprocess.PIPE, stderr=errors, text=True, start_new_session=True,
                env={**os.environ, "PYTHONPATH": helpers},
            )  # fmt: skip
        if wait_until_ready(process, 300):
            return process
        kill(process, random.Random(1))
        assert "Python worker failed to connect back" in said.read_text(), said.read_text()
    raise AssertionError(said.read_text())


def numbers(warehouse: Path, name: str) -> list[int]:
    """Returns the rows of a stream or table, as the data source reads them, without Spark."""
    reader = Reader(Identifier(warehouse, name))
    batches = [batch for partition in reader.partitions() for batch in reader.read(partition)]
    return [n for batch in batches for n in batch.column("N").to_pylist()]


def wait_until(what: Callable[[], bool], process: subprocess.Popen[str]) -> None:
    """Waits no longer than 300 seconds, and only while the program runs."""
    end = time.monotonic() + 300
    while not what():
        assert process.poll() is None
        assert time.monotonic() < end
        time.sleep(0.2)


def test_kill_9(
    spark: Any, tmp_path: Path, thorough: bool, figures: Callable[..., None], pytestconfig: pytest.Config
) -> None:
    kills = pytestconfig.getoption("--kills") or (50 if thorough else 2)
    seed = random.randrange(1 << 30)
    print(f"seed {seed}")
    chance = random.Random(seed)
    warehouse = tmp_path / "w"
    with connect(spark, warehouse) as rt:
        for name in ("a", "b"):
            rt.sql(f"CREATE STREAM {name} (n INTEGER) OPTIONS (history 'all')")
        rt.sql("CREATE TABLE t (n INTEGER)")
        feeder = Feeder(rt, chance, lambda n: {"N": n})
        feeder.start()
        for _ in range(kills):
            before = [len(numbers(warehouse, name)) for name in TARGETS]
            process = start(tmp_path, chance.choice((1, 2, 3)))
            try:
                # Both queries have gone on.
                for name, had in zip(TARGETS, before, strict=True):
                    wait_until(lambda name=name, had=had: len(numbers(warehouse, name)) > had, process)  # type: ignore[misc]
                time.sleep(chance.random() * 3)
            finally:
                kill(process, chance)
        feeder.end()
        process = start(tmp_path, 2)
        try:
            for name in TARGETS:
                wait_until(lambda name=name: len(numbers(warehouse, name)) >= len(feeder.sent), process)  # type: ignore[misc]
        finally:
            kill(process, chance)
        sent = list(range(len(feeder.sent)))
        assert numbers(warehouse, "B") == sent
        assert sorted(numbers(warehouse, "T")) == sent
    figures(kills=kills, rows=len(sent), lost_or_twice=0)
