"""Processes with pumps that are killed: nothing is lost, nothing is repeated, and every count is right."""

from __future__ import annotations

import bisect
import datetime as dt
import operator
import random
import threading
import time
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from killing import kill, rows, run_pumps, wait_until_ready
from ledger import discrepancies

from rowtime.opening import connect
from rowtime.session import Session

SETUP = (
    "CREATE STREAM late (n INTEGER, reason VARCHAR) OPTIONS (history 'all')",
    "CREATE STREAM a (rowtime TIMESTAMP(3) NOT NULL LATENESS INTERVAL '1' HOUR, n INTEGER) OPTIONS (history 'all')",
    "CREATE STREAM b (n INTEGER) OPTIONS (history 'all', late_stream 'LATE')",
    "CREATE STREAM c (n INTEGER) OPTIONS (history 'all')",
    "CREATE STREAM d (n INTEGER, m INTEGER) OPTIONS (history 'all')",
    "CREATE STREAM e (n INTEGER, m INTEGER) OPTIONS (history 'all')",
    "CREATE STREAM f (n INTEGER, m INTEGER, name VARCHAR(8)) OPTIONS (history 'all')",
    "CREATE STREAM g (n INTEGER, m INTEGER) OPTIONS (history 'all')",
    "CREATE STREAM h (n INTEGER, m INTEGER) OPTIONS (history 'all')",
    "CREATE STREAM i (n INTEGER) OPTIONS (history 'all')",
    "CREATE STREAM k (n INTEGER) OPTIONS (history 'all')",
    "CREATE STREAM m (n INTEGER, o INTEGER) OPTIONS (history 'all')",
    "CREATE STREAM v (k INTEGER PRIMARY KEY, n INTEGER) OPTIONS (history 'all')",
    "CREATE FUNCTION counted (input TABLE, every_n INTEGER) RETURNS TABLE (n BIGINT, latest INTEGER) "
    "LANGUAGE JAVA OPTIONS (state_ttl '1 hour') AS 'examples.Counted'",
    "CREATE FUNCTION window_counts (input TABLE) RETURNS TABLE (n BIGINT) "
    "LANGUAGE PYTHON OPTIONS (state_ttl '1 hour') AS 'process_functions:WindowCounts'",
    "CREATE TABLE t (n INTEGER)",
    "CREATE TABLE digits (digit INTEGER, name VARCHAR(8))",
    "INSERT INTO digits VALUES (1, 'one'), (2, 'two'), (2, 'deux'), (7, 'seven')",
    # A allows rows out of order, and B does not: some are late, depending on how they fall into batches.
    "CREATE PUMP p STARTED AS INSERT INTO b SELECT STREAM * FROM a",
    "CREATE PUMP q STARTED AS INSERT INTO c SELECT STREAM FLOOR(rowtime TO MINUTE) AS rowtime, "
    "CAST(COUNT(*) AS INTEGER) AS n FROM b GROUP BY FLOOR(rowtime TO MINUTE)",
    # Each row with the count of its minute.
    "CREATE PUMP j STARTED AS INSERT INTO d SELECT STREAM b.rowtime, b.n, c.n AS m FROM b "
    "LEFT JOIN c ON c.rowtime = FLOOR(b.rowtime TO MINUTE)",
    # Each row with a third of those in the minute before it.
    "CREATE PUMP w STARTED AS INSERT INTO e SELECT STREAM y.rowtime, x.n, y.n AS m "
    "FROM b OVER (RANGE INTERVAL '1' MINUTE PRECEDING) AS x JOIN b AS y ON MOD(x.n, 3) = MOD(y.n, 3) AND x.n <> y.n",
    # The same rows with the names of their last digits.
    "CREATE PUMP l STARTED AS INSERT INTO f SELECT STREAM e.rowtime, e.n, e.m, digits.name FROM e "
    "LEFT JOIN digits ON digits.digit = MOD(e.n, 10)",
    # Each row with the latest one of its seventh that is at least a second older.
    "CREATE PUMP u STARTED AS INSERT INTO v SELECT STREAM rowtime, MOD(n, 7) AS k, n FROM b",
    "CREATE PUMP s STARTED AS INSERT INTO g SELECT STREAM b.rowtime, b.n, v.n AS m FROM b "
    "LEFT JOIN v FOR SYSTEM_TIME AS OF b.rowtime - INTERVAL '1' SECOND ON v.k = MOD(b.n, 7)",
    # The rows without another one of their fifth in the minute after them.
    "CREATE PUMP n STARTED AS INSERT INTO k SELECT STREAM b.rowtime, b.n FROM b WHERE NOT EXISTS (SELECT 1 "
    "FROM b OVER (RANGE INTERVAL '1' MINUTE FOLLOWING) AS y WHERE MOD(y.n, 5) = MOD(b.n, 5) AND y.n <> b.n)",
    # Each row with the next one of its seventh, within a minute.
    "CREATE PUMP z STARTED AS INSERT INTO m SELECT STREAM x.rowtime, x.n, y.n AS o FROM v AS x "
    "LEFT ASOF JOIN v OVER (RANGE INTERVAL '1' MINUTE FOLLOWING) AS y MATCH_CONDITION x.rowtime < y.rowtime "
    "ON x.k = y.k",
    # Each second row of a third, and the number of rows in each ten seconds, by functions in Java and in Python.
    "CREATE PUMP x STARTED AS INSERT INTO h SELECT STREAM rowtime, k AS n, CAST(n AS INTEGER) AS m "
    "FROM counted((SELECT STREAM rowtime, MOD(n, 3) AS k, n AS v FROM b) PARTITION BY k, 2)",
    "CREATE PUMP y STARTED AS INSERT INTO i SELECT STREAM rowtime, CAST(n AS INTEGER) AS n FROM window_counts(TABLE b)",
    "CREATE PUMP r STARTED AS INSERT INTO t SELECT STREAM n FROM a",
    # Results that change: of each fifth of the rows, and of the rows by their seventh, as a join finds them.
    "CREATE MATERIALIZED VIEW fifths AS SELECT MOD(n, 5) AS k, COUNT(*) AS num, SUM(n) AS total FROM b "
    "GROUP BY MOD(n, 5)",
    "CREATE MATERIALIZED VIEW sevenths AS SELECT num, COUNT(*) AS keys FROM (SELECT v.k, COUNT(*) AS num "
    "FROM b JOIN v ON v.n = b.n GROUP BY v.k) AS found GROUP BY num",
    # The changes of two of them.
    "CREATE MATERIALIZED VIEW parities AS SELECT MOD(f.total, 2) AS parity, SUM(f.num) AS num, COUNT(s.keys) AS found "
    "FROM fifths AS f LEFT JOIN sevenths AS s ON s.num = f.num GROUP BY MOD(f.total, 2)",
)
PUMPS = sum(statement.startswith(("CREATE PUMP", "CREATE MATERIALIZED VIEW")) for statement in SETUP)
NAMES = {1: ["one"], 2: ["two", "deux"], 7: ["seven"]}
MINUTE = dt.timedelta(minutes=1)
START = dt.datetime(2006, 9, 11, 10)


class Feeder(threading.Thread):
    """Inserts rows into A continuously, one in ten of them up to half an hour out of order."""

    def __init__(self, rt: Session, chance: random.Random) -> None:
        super().__init__(daemon=True)
        self.rt = rt
        self.chance = chance
        self.ended = threading.Event()
        self.sent = 0
        self.now = START

    def run(self) -> None:
        producer = self.rt.producer("A", timeout=None)
        while not self.ended.wait(self.chance.random() / 5):
            batch = []
            for _ in range(self.chance.randrange(1, 6)):
                self.now += dt.timedelta(seconds=self.chance.randrange(0, 20))
                back = self.chance.randrange(0, 1800) if self.chance.random() < 0.1 else 0
                batch.append((self.now - dt.timedelta(seconds=back), self.sent))
                self.sent += 1
            producer.insert(batch)
        producer.set_rowtime_bound(self.now + dt.timedelta(hours=1))


def between(came: list[tuple[Any, ...]], first: dt.datetime, last: dt.datetime) -> list[tuple[Any, ...]]:
    """Returns the rows from one time to another, both included, of rows in order of time."""
    start = bisect.bisect_left(came, first, key=operator.itemgetter(0))
    return came[start : bisect.bisect_right(came, last, start, key=operator.itemgetter(0))]


def check_functions(rt: Session, came: list[tuple[Any, ...]]) -> None:
    """Checks the results of the functions for the rows that `came` to B: H and I contain each row once."""
    every_second = [
        (at, k, m) for k in range(3)
        for m, at in enumerate((at for at, n in came if n % 3 == k), 1) if m % 2 == 0
    ]  # fmt: skip
    assert sorted(rows(rt, "SELECT rowtime, n, m FROM h")) == sorted(every_second)
    ends = Counter(at.replace(second=at.second // 10 * 10) + dt.timedelta(seconds=10) for at, _ in came)
    assert rows(rt, "SELECT rowtime, n FROM i") == sorted(ends.items())


def check_following(rt: Session, came: list[tuple[Any, ...]]) -> None:
    """Checks the joins of rows that `came` to B with rows of the minute after them: K and M."""
    alone = [(at, n) for at, n in came if not any(m != n and m % 5 == n % 5 for _, m in between(came, at, at + MINUTE))]
    assert sorted(rows(rt, "SELECT rowtime, n FROM k")) == sorted(alone)
    followed = []
    for at, n in came:
        later = [(after, m) for after, m in between(came, at, at + MINUTE) if m % 7 == n % 7 and after > at]
        # The last of those of the earliest time.
        followed.append((at, n, [m for after, m in later if after == later[0][0]][-1] if later else None))
    assert Counter(rows(rt, "SELECT rowtime, n, o FROM m")) == Counter(followed)


def check_results(rt: Session, came: list[tuple[Any, ...]]) -> None:
    """Checks the materialized views of the rows that `came` to B."""
    fifths = [(k, len(each), sum(each)) for k in range(5) if (each := [n for _, n in came if n % 5 == k])]
    assert sorted(rows(rt, "SELECT k, num, total FROM fifths")) == fifths
    sevenths = Counter(Counter(n % 7 for _, n in came).values())
    assert sorted(rows(rt, "SELECT num, keys FROM sevenths")) == sorted(sevenths.items())
    parities = [
        (parity, sum(num for _, num, _ in each), sum(num in sevenths for _, num, _ in each))
        for parity in (0, 1) if (each := [row for row in fifths if row[2] % 2 == parity])
    ]  # fmt: skip
    assert sorted(rows(rt, "SELECT parity, num, found FROM parities")) == parities


def test_kill_9(
    spark: Any, tmp_path: Path, thorough: bool, figures: Callable[..., None], pytestconfig: pytest.Config
) -> None:
    kills = pytestconfig.getoption("--kills") or (50 if thorough else 1)
    seed = random.randrange(1 << 30)
    print(f"seed {seed}")
    chance = random.Random(seed)
    with connect(spark, tmp_path / "w", pumps=False) as rt:
        for statement in SETUP:
            rt.sql(statement)
        feeder = Feeder(rt, chance)
        feeder.start()
        for _ in range(kills):
            process = run_pumps(tmp_path / "w", PUMPS)
            wait_until_ready(process, 300 if chance.random() < 0.9 else chance.random() * 10)
            time.sleep(chance.random() * 4)
            kill(process, chance)
        feeder.ended.set()
        feeder.join()
    with connect(spark, tmp_path / "w") as rt:
        deadline = time.monotonic() + 400
        while len(rt.runtime.pumps.running()) < PUMPS:
            assert time.monotonic() < deadline, rt.pumps
            time.sleep(0.2)
        rt.runtime.settle([])
        assert [status.error for status in rt.pumps] == [None] * PUMPS
        sent = list(range(feeder.sent))
        assert sorted(n for (n,) in rows(rt, "SELECT n FROM t")) == sent
        came = rows(rt, "SELECT rowtime, n FROM b")
        late = rows(rt, "SELECT n, reason FROM late")
        assert [at for at, _ in came] == sorted(at for at, _ in came)
        assert came
        assert sorted([n for _, n in came] + [n for n, _ in late]) == sent
        assert rt.log("B").state().rejected == ({"late": len(late)} if late else {})
        minutes = Counter(at.replace(second=0, microsecond=0) for at, _ in came)
        assert rows(rt, "SELECT rowtime, n FROM c") == sorted(minutes.items())
        counted = [(at, n, minutes[at.replace(second=0, microsecond=0)]) for at, n in came]
        assert sorted(rows(rt, "SELECT rowtime, n, m FROM d")) == sorted(counted)
        met = [
            (at, n, m) for at, m in came for _, n in between(came, at - MINUTE, at)
            if n != m and n % 3 == m % 3
        ]  # fmt: skip
        assert sorted(rows(rt, "SELECT rowtime, n, m FROM e")) == sorted(met)
        named = [(at, n, m, name) for at, n, m in met for name in NAMES.get(n % 10, [None])]
        assert Counter(rows(rt, "SELECT rowtime, n, m, name FROM f")) == Counter(named)
        second = dt.timedelta(seconds=1)
        versions = [
            (at, n, next((m for before, m in reversed(came) if before <= at - second and m % 7 == n % 7), None))
            for at, n in came
        ]
        assert sorted(rows(rt, "SELECT rowtime, n FROM g")) == sorted(came)
        assert Counter(rows(rt, "SELECT rowtime, n, m FROM g")) == Counter(versions)
        check_following(rt, came)
        check_functions(rt, came)
        check_results(rt, came)
        end = feeder.now + dt.timedelta(hours=1)
        bounds = [rt.rowtime_bound(name) for name in "ABCDEFHI"]
        assert bounds == [end, end, *2 * [end.replace(second=0, microsecond=0)], *4 * [end]]
        assert discrepancies(rt, {"B": len(late)}) == []
        figures(kills=kills, rows=feeder.sent, late_rows=len(late), pairs=len(met), lost_or_twice=0)
