"""Processes that run the pumps of a warehouse until they are killed."""

from __future__ import annotations

import os
import random
import select
import signal
import subprocess
import sys
import threading
from collections.abc import Callable
from pathlib import Path
from typing import Any

from java_functions import ROOT, jar
from quick_jvm import QUICK

from rowtime.session import Session

_RUNNER = """
import sys, time
from rowtime.opening import connect
with connect(warehouse=sys.argv[1]) as session:
    while len(session.runtime.pumps.running()) < int(sys.argv[2]):
        time.sleep(0.05)
    print("ready", flush=True)
    time.sleep(600)
"""


class Feeder(threading.Thread):
    """Inserts rows into A all the time: `make` returns the row of a number, from 0."""

    def __init__(self, rt: Session, chance: random.Random, make: Callable[[int], dict[str, Any]]) -> None:
        super().__init__(daemon=True)
        self._rt, self._chance, self._make = rt, chance, make
        self._ended = threading.Event()
        self.sent: list[dict[str, Any]] = []

    def run(self) -> None:
        producer = self._rt.producer("A", timeout=None)
        while not self._ended.wait(self._chance.random() / 5):
            first = len(self.sent)
            batch = [self._make(n) for n in range(first, first + self._chance.randrange(1, 20))]
            producer.insert(batch)
            self.sent += batch
        producer.close()

    def end(self) -> None:
        self._ended.set()
        self.join()


def run_pumps(warehouse: Path, pumps: int, cores: int = 2, *, prelude: str = "") -> subprocess.Popen[str]:
    """Starts a process that runs that many pumps on that many cores, and says so once they run. `prelude` is code that
    it runs before."""
    settings = {
        "spark.driver.memory": "1g",
        "spark.driver.extraJavaOptions": QUICK,
        "spark.jars": jar(),
        "spark.master": f"local[{cores}]",
    }
    environment = {
        **os.environ,
        "ROWTIME_SPARK_CONF": ",".join(f"{key}={value}" for key, value in settings.items()),
        # this checkout's own packages, wherever the installed one points
        "PYTHONPATH": os.pathsep.join(str(ROOT / folder) for folder in ("python", "cli", "tests/functions")),
    }
    return subprocess.Popen(
        [sys.executable, "-c", prelude + _RUNNER, str(warehouse), str(pumps)],
        stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True, env=environment, start_new_session=True,
    )  # fmt: skip


def wait_until_ready(process: subprocess.Popen[str], seconds: float) -> bool:
    """Waits until its pumps run, but no longer than `seconds`. Returns whether they do."""
    assert process.stdout is not None
    ready, _, _ = select.select([process.stdout], [], [], seconds)
    return bool(ready) and process.stdout.readline() == "ready\n"


def kill(process: subprocess.Popen[str], chance: random.Random) -> None:
    """Kills only the process, whose JVM notices a moment later, or both together."""
    if chance.random() < 0.5:
        process.kill()
    else:
        os.killpg(process.pid, signal.SIGKILL)
    process.wait()
    assert process.stdout is not None
    process.stdout.close()


def rows(rt: Session, sql: str) -> list[tuple[Any, ...]]:
    """Returns the rows of a relational query."""
    return [tuple(row) for row in rt.sql(sql).rows()]  # type: ignore[union-attr]
