"""Joins over few keys, many keys, and half of all rows on one key.

A left row has about one match whatever the keys, so the required work is the same. A join that checks all rows of a key
for each row would take a thousand times as long if one key has half of the rows."""

from __future__ import annotations

import json
import time
from collections.abc import Callable
from typing import TYPE_CHECKING

import jobs
import numpy as np
import pyarrow as pa
from printing import say

from rowtime.runtime.sinks import NoSink
from rowtime.streams.start import Start
from rowtime.streams.writes import WriteRequest

if TYPE_CHECKING:
    from rowtime.session import Session

START = 1_704_067_200_000_000
"""Microseconds."""
SECONDS = 20
"""Of event time per step."""
WINDOW = 10
KEYS = 10_000
Spread = Callable[[np.random.Generator, int], np.ndarray]


def _even(keys: int) -> Spread:
    return lambda chance, count: chance.integers(0, keys, count)


def _half(chance: np.random.Generator, count: int) -> np.ndarray:
    return np.where(chance.random(count) < 0.5, 0, chance.integers(0, KEYS, count))


SPREADS: dict[str, tuple[int, Spread]] = {
    "1 key": (1, _even(1)),
    "10 keys": (10, _even(10)),
    f"{KEYS:,} keys": (KEYS, _even(KEYS)),
    f"half on one of {KEYS:,} keys": (KEYS, _half),
}
_WITHIN = f"r.k = l.k AND r.rowtime BETWEEN l.rowtime AND l.rowtime + INTERVAL '{WINDOW}' SECOND"
QUERIES = {
    f"interval join, the one match within {WINDOW} s": (
        "R",
        f"SELECT STREAM l.rowtime, l.n, r.n AS m FROM l JOIN r ON {_WITHIN}",
    ),
    f"EXISTS, many matches within {WINDOW} s": (
        "R",
        f"SELECT STREAM l.rowtime, l.n FROM l WHERE EXISTS (SELECT 1 FROM r WHERE {_WITHIN})",
    ),
    "temporal join, versions as many as rows": (
        "V",
        "SELECT STREAM l.rowtime, l.n, v.n AS m FROM l LEFT JOIN v FOR SYSTEM_TIME AS OF l.rowtime AS v ON v.k = l.k",
    ),
}


def skew(rt: Session, brief: bool) -> None:
    """Prints the rows of both streams per second, and the state."""
    count, steps = (2_000, 2) if brief else (200_000, 4)
    for name, key in (("l", ""), ("r", ""), ("v", " PRIMARY KEY")):
        rt.sql(f"CREATE STREAM {name} (k INTEGER{key}, n BIGINT)")
    chance = np.random.default_rng(1)
    second = 0
    for title, (other, sql) in QUERIES.items():
        print(f"{title}: {steps} steps of {count:,} rows on the left (goal: no slower on fewer keys)")
        for spread, (keys, draw) in SPREADS.items():
            query = rt.submit(sql, NoSink(), start=Start())
            query.process_all_available()
            spent, rows = 0.0, 0
            for step in range(steps):
                right = (
                    _sparse(chance, second, keys)
                    if title.startswith("interval")
                    else _rows(chance, second, count, draw)
                )
                for log, some in (("L", _rows(chance, second, count, draw)), (other, right)):
                    rt.log(log).submit(WriteRequest(rows=some))
                second += SECONDS
                began = time.perf_counter()
                query.process_all_available()
                if step:
                    # The first step compiles.
                    spent += time.perf_counter() - began
                    rows += count + right.num_rows
            reports = [json.loads(report.json()) for report in query._running._jsq.recentProgress()]
            say(spread, f"{rows / spent:,.0f} rows/s, {jobs.State.of(reports[-1]['stateOperators'])}")
            query.stop()


def _rows(chance: np.random.Generator, second: int, count: int, draw: Spread) -> pa.Table:
    """Returns `count` rows, evenly distributed in time."""
    return _table(np.arange(count) * (SECONDS * 1_000_000 // count), second, draw(chance, count))


def _sparse(chance: np.random.Generator, second: int, keys: int) -> pa.Table:
    """Returns a row of each key in each window."""
    windows = SECONDS // WINDOW
    window = WINDOW * 1_000_000
    micros = np.sort(np.concatenate([w * window + chance.integers(0, window, keys) for w in range(windows)]))
    return _table(micros, second, np.concatenate([chance.permutation(keys) for _ in range(windows)]))


def _table(micros: np.ndarray, second: int, keys: np.ndarray) -> pa.Table:
    times = START + second * 1_000_000 + micros // 1000 * 1000
    return pa.table(
        {
            "ROWTIME": pa.array(times, pa.timestamp("us", "UTC")),
            "K": keys.astype(np.int32),
            "N": np.arange(len(keys), dtype=np.int64),
        }
    )
