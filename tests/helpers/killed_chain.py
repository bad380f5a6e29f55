"""Two producers, a stream, and everything that can follow it: a windowed join, a join with versions, sessions and a
process function in Python, each above the one before it, into streams, a Delta table, a database and files; and a model
of it in plain Python."""

from __future__ import annotations

import bisect
import datetime as dt
import json
import random
import sqlite3
import threading
from collections import Counter, defaultdict
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

from deltalake import DeltaTable
from killing import rows

from rowtime.session import Session

Row = tuple[Any, ...]
START = dt.datetime(2006, 9, 11, 10)
NEAR = dt.timedelta(minutes=1)
GAP = dt.timedelta(seconds=30)
SECOND = dt.timedelta(seconds=1)
KEYS = 5

_PAIRS = (
    "SELECT STREAM y.rowtime, y.k, x.n, y.n AS m FROM a OVER (RANGE INTERVAL '1' MINUTE PRECEDING) AS x"
    " JOIN a AS y ON x.k = y.k AND x.n <> y.n"
)
_JOINED = (
    "SELECT STREAM p.rowtime, p.k, p.n, p.m, v.n AS latest FROM pairs AS p"
    " LEFT JOIN v FOR SYSTEM_TIME AS OF p.rowtime - INTERVAL '1' SECOND ON v.k = p.k"
)
_VISITS = (
    "SELECT STREAM SESSION_END(rowtime, INTERVAL '30' SECOND) AS rowtime, k, COUNT(*) AS c FROM joined"
    " GROUP BY SESSION(rowtime, INTERVAL '30' SECOND), k"
)
_COUNTED = "SELECT STREAM rowtime, k, n FROM window_counts((SELECT STREAM rowtime, k FROM joined) PARTITION BY k)"
# By the name of the target: the columns after ROWTIME, and the query.
STREAMS = {
    "v": ("k INTEGER PRIMARY KEY, n INTEGER", "SELECT STREAM rowtime, k, n FROM a"),
    "pairs": ("k INTEGER, n INTEGER, m INTEGER", _PAIRS),
    "joined": ("k INTEGER, n INTEGER, m INTEGER, latest INTEGER", _JOINED),
    "visits": ("k INTEGER, c BIGINT", _VISITS),
    "counted": ("k INTEGER, n BIGINT", _COUNTED),
}
FOREIGN = {
    "pairs_in_delta": ("k INTEGER, n INTEGER, m INTEGER", _PAIRS, "connector 'delta', path '{folder}/pairs'"),
    "joined_in_sqlite": (
        "k INTEGER, n INTEGER, m INTEGER, latest INTEGER",
        _JOINED,
        "connector 'jdbc', url 'jdbc:sqlite:{folder}/shop.db', table 'joined', driver_jar '{driver}'",
    ),
    "visits_in_files": ("k INTEGER, c BIGINT", _VISITS, "connector 'files', path '{folder}/visits', format 'json'"),
    "counted_in_files": ("k INTEGER, n BIGINT", _COUNTED, "connector 'files', path '{folder}/counted', format 'json'"),
}
PUMPS = len(STREAMS) + len(FOREIGN)


def set_up(rt: Session, folder: Path, driver: Path) -> None:
    folder.mkdir()
    with sqlite3.connect(folder / "shop.db") as db:
        db.execute("CREATE TABLE joined (rowtime TIMESTAMP, k INTEGER, n INTEGER, m INTEGER, latest INTEGER)")
    rt.sql("CREATE STREAM a (k INTEGER, n INTEGER) OPTIONS (history 'all')")
    rt.sql(
        "CREATE FUNCTION window_counts (input TABLE) RETURNS TABLE (n BIGINT) "
        "LANGUAGE PYTHON OPTIONS (state_ttl '1 hour') AS 'process_functions:WindowCounts'"
    )
    for name, (columns, _) in STREAMS.items():
        rt.sql(f"CREATE STREAM {name} ({columns}) OPTIONS (history 'all')")
    for name, (columns, _, options) in FOREIGN.items():
        given = options.format(folder=folder, driver=driver)
        rt.sql(f"CREATE FOREIGN TABLE {name} (rowtime TIMESTAMP(3), {columns}) OPTIONS ({given})")
    queries = {name: query for name, (_, query) in STREAMS.items()}
    queries |= {name: query for name, (_, query, _) in FOREIGN.items()}
    for name, query in queries.items():
        rt.sql(f"CREATE PUMP p_{name} STARTED AS INSERT INTO {name} {query}")


class Producers(threading.Thread):
    """Two producers of A: each is in order, one is ahead of the other, and neither has a late row."""

    def __init__(self, rt: Session, chance: random.Random) -> None:
        super().__init__(daemon=True)
        self.chance = chance
        self.ended = threading.Event()
        self.sent: list[Row] = []
        self.producers = [rt.producer("A", name, timeout=None) for name in ("P", "Q")]
        self.now = [START, START]

    def run(self) -> None:
        # Both are attached before either moves on.
        for which in (0, 1):
            self._insert(which, 1, 1)
        while not self.ended.wait(self.chance.random() / 2):
            # The one that is behind, mostly.
            behind = min((0, 1), key=lambda which: self.now[which])
            self._insert(behind if self.chance.random() < 0.7 else 1 - behind, self.chance.randrange(1, 5), 20)
        end = max(self.now) + dt.timedelta(hours=1)
        for producer in self.producers:
            producer.set_rowtime_bound(end)
            producer.close()

    def _insert(self, which: int, count: int, seconds: int) -> None:
        batch = []
        for _ in range(count):
            self.now[which] += dt.timedelta(seconds=self.chance.randrange(0, seconds))
            batch.append((self.now[which], self.chance.randrange(KEYS), len(self.sent) + len(batch)))
        self.sent += batch
        self.producers[which].insert(batch)


class Model:
    """What has to be in each target, for the rows of A in their order."""

    def __init__(self, came: list[Row]) -> None:
        self.by_key: dict[int, list[tuple[dt.datetime, int]]] = defaultdict(list)
        for at, k, n in came:
            self.by_key[k].append((at, n))

    def pairs(self) -> list[Row]:
        found: list[Row] = []
        for k, some in self.by_key.items():
            for at, m in some:
                first = bisect.bisect_left(some, at - NEAR, key=_at)
                last = bisect.bisect_right(some, at, key=_at)
                found += [(at, k, n, m) for _, n in some[first:last] if n != m]
        return found

    def joined(self) -> list[Row]:
        return [(at, k, n, m, self._latest(at, k)) for at, k, n, m in self.pairs()]

    def _latest(self, at: dt.datetime, k: int) -> int | None:
        """Returns the version of a second before, the last one that came of several with the same time."""
        some = self.by_key[k]
        place = bisect.bisect_right(some, at - SECOND, key=_at)
        return some[place - 1][1] if place else None

    def visits(self) -> list[Row]:
        return [(times[-1] + GAP, k, len(times)) for k in range(KEYS) for times in self._sessions(k)]

    def _sessions(self, key: int) -> Iterator[list[dt.datetime]]:
        open_: list[dt.datetime] = []
        for at in sorted(at for at, k, *_ in self.pairs() if k == key):
            if open_ and at - open_[-1] > GAP:
                yield open_
                open_ = []
            open_.append(at)
        if open_:
            yield open_

    def counted(self) -> list[Row]:
        ends = Counter((at.replace(second=at.second // 10 * 10) + 10 * SECOND, k) for at, k, *_ in self.pairs())
        return [(end, k, count) for (end, k), count in ends.items()]


def _at(version: tuple[dt.datetime, int]) -> dt.datetime:
    return version[0]


def _in_delta(folder: Path) -> list[Row]:
    found = DeltaTable(str(folder / "pairs")).to_pyarrow_table().to_pylist()
    return [(row["ROWTIME"].replace(tzinfo=None), *list(row.values())[1:]) for row in found]


def _in_sqlite(folder: Path) -> list[Row]:
    with sqlite3.connect(folder / "shop.db") as db:
        found = db.execute("SELECT rowtime, k, n, m, latest FROM joined").fetchall()
    return [(_time(at), *rest) for at, *rest in found]


def _in_files(folder: Path, name: str) -> list[Row]:
    lines = [line for file in (folder / name).glob("[!._]*") for line in file.read_text().splitlines()]
    return [(_time(row[0]), *row[1:]) for row in (list(json.loads(line).values()) for line in lines)]


def _time(value: str | int) -> dt.datetime:
    if isinstance(value, int):
        return dt.datetime.fromtimestamp(value / 1000, dt.timezone.utc).replace(tzinfo=None)
    return dt.datetime.fromisoformat(value.removesuffix("Z"))


def differences(rt: Session, folder: Path, sent: list[Row]) -> list[str]:
    """Returns the targets whose rows are not those of the model, read by other programs than rowtime where they are
    outside of the warehouse."""
    came = rows(rt, "SELECT rowtime, k, n FROM a")
    model = Model(came)
    expected: dict[str, Callable[[], list[Row]]] = {
        "a": lambda: sent,
        "v": lambda: came,
        "pairs": model.pairs,
        "joined": model.joined,
        "visits": model.visits,
        "counted": model.counted,
    }
    found = {name: rows(rt, f"SELECT * FROM {name}") for name in expected}
    found |= {
        "pairs_in_delta": _in_delta(folder),
        "joined_in_sqlite": _in_sqlite(folder),
        "visits_in_files": _in_files(folder, "visits"),
        "counted_in_files": _in_files(folder, "counted"),
    }
    return [
        f"{name}: {missing} missing, {extra} too many"
        for name, some in found.items()
        if (missing := _less(expected[name.partition("_in_")[0]](), some))
        | (extra := _less(some, expected[name.partition("_in_")[0]]()))
    ]


def _less(some: list[Row], others: list[Row]) -> Counter[Row]:
    return Counter(some) - Counter(others)
