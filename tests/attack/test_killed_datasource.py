"""A program in plain PySpark that reads a stream and writes a stream and a table with `format("rowtime")`, and that is
killed: each row arrives once, in order."""

from __future__ import annotations

import os
import random
import subprocess
import sys
import threading
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import plain_pyspark
import pytest
from java_functions import ROOT
from killing import kill, rows, wait_until_ready

from rowtime.session import Session, connect


class Feeder(threading.Thread):
    """Inserts numbers into A all the time, in ascending order."""

    def __init__(self, rt: Session, chance: random.Random) -> None:
        super().__init__(daemon=True)
        self.rt, self.chance = rt, chance
        self.ended = threading.Event()
        self.sent = 0

    def run(self) -> None:
        producer = self.rt.producer("A", timeout=None)
        while not self.ended.wait(self.chance.random() / 5):
            more = self.chance.randrange(1, 20)
            producer.insert([{"N": n} for n in range(self.sent, self.sent + more)])
            self.sent += more
        producer.close()


def start(folder: Path, cores: int) -> subprocess.Popen[str]:
    helpers = os.pathsep.join(map(str, (ROOT / "tests" / "helpers", ROOT / "tests" / "functions")))
    return subprocess.Popen(
        [sys.executable, plain_pyspark.__file__, str(folder / "w"), str(folder / "c"), str(cores)],
        stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True, start_new_session=True,
        env={**os.environ, "PYTHONPATH": helpers},
    )  # fmt: skip


def counts(rt: Session) -> tuple[int, int]:
    return tuple(rows(rt, f"SELECT COUNT(*) FROM {name}")[0][0] for name in ("b", "t"))  # type: ignore[return-value]


def test_kill_9(
    spark: Any, tmp_path: Path, thorough: bool, figures: Callable[..., None], pytestconfig: pytest.Config
) -> None:
    kills = pytestconfig.getoption("--kills") or (50 if thorough else 2)
    seed = random.randrange(1 << 30)
    print(f"seed {seed}")
    chance = random.Random(seed)
    with connect(spark, tmp_path / "w") as rt:
        for name in ("a", "b"):
            rt.sql(f"CREATE STREAM {name} (n INTEGER) OPTIONS (history 'all')")
        rt.sql("CREATE TABLE t (n INTEGER)")
        feeder = Feeder(rt, chance)
        feeder.start()
        for number in range(kills + 1):
            before = counts(rt)
            process = start(tmp_path, chance.choice((1, 2, 3)))
            try:
                assert wait_until_ready(process, 300)
                if number == kills:
                    feeder.ended.set()
                    feeder.join()
                end = time.monotonic() + 400
                # Both queries have gone on; at last they have all rows.
                while not (
                    all(map(int.__gt__, counts(rt), before)) if number < kills else counts(rt) == (feeder.sent,) * 2
                ):
                    assert process.poll() is None
                    assert time.monotonic() < end, (counts(rt), feeder.sent)
                    time.sleep(0.2)
                time.sleep(chance.random())
            finally:
                kill(process, chance)
        sent = list(range(feeder.sent))
        assert [n for (n,) in rows(rt, "SELECT n FROM b")] == sent
        assert sorted(n for (n,) in rows(rt, "SELECT n FROM t")) == sent
    figures(kills=kills, rows=len(sent), lost_or_twice=0)
