"""Pumps take over from one another while they read a topic, and the process that runs them is killed: each record is in
the target once, and of each partition the later pump has those behind the ones of the earlier."""

from __future__ import annotations

import json
import random
import threading
import time
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest
from kafka_streams import create
from kafka_topics import Broker
from killing import kill, rows, run_pumps, wait_until_ready
from queries import entry_of, eventually

from rowtime.opening import connect
from rowtime.session import Session
from rowtime.types import times

TEN = 1_423_994_400_000
MINUTE = 60_000
PARTITIONS = 3
FACTOR = 1_000_000
"""A pump of a later generation adds this once more to the number of each record."""
TARGETS = {
    "P": ("blue", "CREATE TABLE {name} (n INT)"),
    "S": (
        "blue_stream",
        "CREATE STREAM {name} (rowtime TIMESTAMP(3) NOT NULL LATENESS INTERVAL '1' HOUR, n INT) "
        "OPTIONS (history 'all')",
    ),
}
"""The pumps that others replace, with their targets."""

# Each takeover waits before and after each of its steps, and says which one it is at.
_PRELUDE = """
import sys, threading, time
from pathlib import Path
from rowtime.errors import RowtimeError
from rowtime.runtime.pump import takeover as pump_takeover
from rowtime.runtime.pump.registry import PumpRegistry
here = Path(sys.argv[1]).parent
def slow(owner, name):
    step = getattr(owner, name)
    def slowly(*arguments):
        (here / "step").write_text("before " + name)
        time.sleep(0.4)
        done = step(*arguments)
        (here / "step").write_text("after " + name)
        time.sleep(0.4)
        return done
    setattr(owner, name, slowly)
for owner, name in ((pump_takeover, "attach"), (pump_takeover, "switch"), (PumpRegistry, "unregister")):
    slow(owner, name)
def replace():
    while not (here / "statement").exists():
        time.sleep(0.02)
    with connect(warehouse=sys.argv[1], pumps=False) as session:
        for pump, by in (line.split() for line in (here / "statement").read_text().splitlines()):
            (here / "step").write_text("statement")
            try:
                session.sql(f"ALTER PUMP {pump} REPLACE WITH {by}")
            except RowtimeError as fault:
                (here / "fault").write_text(str(fault))
threading.Thread(target=replace, daemon=True).start()
"""


@dataclass
class Sender(threading.Thread):
    """Sends records all the time, each to one of the partitions; `sent` has the partition of each."""

    broker: Broker
    topic: str
    chance: random.Random
    sent: list[int] = field(default_factory=list)
    ended: threading.Event = field(default_factory=threading.Event)

    def __post_init__(self) -> None:
        super().__init__(daemon=True)

    def __hash__(self) -> int:
        return id(self)

    def run(self) -> None:
        while not self.ended.wait(self.chance.random() / 2):
            partition, begin = self.chance.randrange(PARTITIONS), len(self.sent)
            count = self.chance.randrange(1, 8)
            records = [
                json.dumps({"rowtime": times.text(TEN + n * 50 - self.chance.randrange(MINUTE)), "n": n})
                for n in range(begin, begin + count)
            ]
            self.broker.send(self.topic, *records, partition=partition)
            self.sent += count * [partition]


def is_pending(rt: Session, pump: str) -> bool:
    return "by" in (entry_of(rt, pump).definition.get("takeover") or {})


def successor(pump: str) -> str:
    return f"{pump}2"


def query(target: str, generation: int) -> str:
    return f"INSERT INTO {target} SELECT STREAM rowtime, n + {generation * FACTOR} AS n FROM orders"


class Takeovers:
    """The pumps of a warehouse that nothing runs here, and their generations."""

    def __init__(self, rt: Session, folder: Path, chance: random.Random) -> None:
        self.rt, self.folder, self.chance = rt, folder, chance
        self.generations = dict.fromkeys(TARGETS, 0)
        for pump, (target, statement) in TARGETS.items():
            rt.sql(statement.format(name=target))
            rt.sql(f"CREATE PUMP {pump} STARTED AS {self._query(pump, target)}")

    def _query(self, pump: str, target: str) -> str:
        sql = query(target, self.generations[pump])
        return sql if "stream" in target else sql.replace("rowtime, ", "")

    def next(self) -> list[str]:
        """Creates the pumps that shall replace the others, unless they are there; returns those to replace, of which no
        takeover is pending."""
        due = []
        for pump, (target, statement) in TARGETS.items():
            if self.rt.store.get(successor(pump)) is None:
                self.generations[pump] += 1
                shadow = f"{target}_{self.generations[pump]}"
                self.rt.sql(statement.format(name=shadow))
                self.rt.sql(f"CREATE PUMP {successor(pump)} STARTED AS {self._query(pump, shadow)}")
            if not is_pending(self.rt, pump):
                due.append(pump)
        self.chance.shuffle(due)
        return due

    def run_and_kill(self) -> str:
        """Lets a process run them and the statements; kills it at some moment. Returns the step that it was at."""
        due = self.next()
        step = self.folder / "step"
        for name in ("step", "statement", "fault"):
            (self.folder / name).unlink(missing_ok=True)
        process = run_pumps(self.folder / "w", 1, self.chance.choice((1, 2)), prelude=_PRELUDE)
        if wait_until_ready(process, 300):
            (self.folder / "statement").write_text("".join(f"{pump} {successor(pump)}\n" for pump in due))
            end = time.monotonic() + 60
            wanted = self.chance.choice(("", "statement", "before attach", "switch", "after switch", "unregister"))
            while time.monotonic() < end and not (step.exists() and wanted in step.read_text()):
                time.sleep(0.02)
            time.sleep(self.chance.random() * 0.8)
        kill(process, self.chance)
        return step.read_text() if step.exists() else "start"


def check(found: list[int], sent: list[int]) -> None:
    assert sorted(n % FACTOR for n in found) == list(range(len(sent)))
    for partition in range(PARTITIONS):
        came = sorted((n for n in found if sent[n % FACTOR] == partition), key=lambda n: n % FACTOR)
        by = [n // FACTOR for n in came]
        assert by == sorted(by)


def test_kill_9(
    spark: Any,
    broker: Broker,
    tmp_path: Path,
    thorough: bool,
    figures: Callable[..., None],
    pytestconfig: pytest.Config,
) -> None:
    kills = pytestconfig.getoption("--kills") or (50 if thorough else 1)
    seed = random.randrange(1 << 30)
    print(f"seed {seed}")
    chance = random.Random(seed)
    topic, steps = broker.topic(PARTITIONS), Counter[str]()
    sender = Sender(broker, topic, chance)
    with connect(spark, tmp_path / "w", pumps=False) as rt:
        columns = "rowtime TIMESTAMP(3) NOT NULL LATENESS INTERVAL '1' HOUR, n INT"
        create(rt, broker, topic, ", start 'earliest'", columns=columns)
        takeovers = Takeovers(rt, tmp_path, chance)
        sender.start()
        for _ in range(kills):
            steps[takeovers.run_and_kill()] += 1
        generations = sum(takeovers.generations.values())
    with connect(spark, tmp_path / "w") as rt:
        eventually(lambda: not any(is_pending(rt, pump) for pump in TARGETS))
        sender.ended.set()
        sender.join()
        for pump in TARGETS:
            if rt.store.get(successor(pump)) is not None:
                rt.sql(f"ALTER PUMP {pump} REPLACE WITH {successor(pump)}")
        sent = list(sender.sent)
        # Rows wait in a stream until no earlier ones can come.
        far = json.dumps({"rowtime": times.text(TEN + 100 * 24 * 60 * MINUTE), "n": len(sent)})
        broker.send(topic, far)
        rt.runtime.settle([])
        assert [status.error for status in rt.pumps] == [None, None]
        for target, _ in TARGETS.values():
            came = [n for (n,) in rows(rt, f"SELECT n FROM {target}") if n % FACTOR != len(sent)]
            check(came, sent)
        # The last one too.
        counts = [(status.rows_in, status.rows_out, status.late_rows, status.bad_rows) for status in rt.pumps]
        assert counts == 2 * [(len(sent) + 1, len(sent) + 1, 0, 0)]
        figures(kills=kills, takeovers=generations, records=len(sent), lost_or_twice=0, **steps)
