"""Nexmark q0, q2, q5, q7, q8, sessions, a DISTINCT count, the best rows of windows, a sliding window O1, a join O2 and a
temporal join O3 over Parquet: rowtime, the same jobs by hand in PySpark, and Flink SQL.

All read the same rows, on two cores with 6 GB of heap, behind a watermark of four seconds where the job has state; the
figures are input rows per second, without the start of session, cluster and JVM. Spark takes checkpoints, Flink does
not.
"""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

import by_hand
import events
import flink
import jobs
from events import Events
from jobs import State
from pairs import Rounds, rounds

if TYPE_CHECKING:
    from rowtime.session import Session

EVENTS = 10_000_000
EVENTS_OF = {"q8": 50_000_000}
"""For queries that read few of the events: enough that they also read millions of rows."""
DATA = Path(".bench")

HOP = "(rowtime, INTERVAL '2' SECOND, INTERVAL '10' SECOND)"
TEN = "(rowtime, INTERVAL '10' SECOND)"
TUMBLED = "TABLE(TUMBLE(TABLE bid, DESCRIPTOR(rowtime), INTERVAL '10' SECOND))"
# AVG of integers is an integer in Flink, and a DECIMAL in rowtime.
OVER = (
    "SELECT STREAM auction, bidder, price, rowtime, COUNT(price) OVER w AS num, CAST(FLOOR(AVG(price) OVER w) AS BIGINT) AS average, "
    "MAX(price) OVER w AS highest FROM bid WINDOW w AS (PARTITION BY auction ORDER BY rowtime RANGE {frame})"
)
SQL = {
    "q0": "SELECT STREAM auction, bidder, price, rowtime, extra FROM bid",
    "q2": "SELECT STREAM auction, price FROM bid WHERE MOD(auction, 123) = 0",
    "q5": f"SELECT STREAM HOP_START{HOP} AS rowtime, HOP_END{HOP} AS ends, auction, COUNT(*) AS num FROM bid GROUP BY HOP{HOP}, auction",
    "q7": f"SELECT STREAM TUMBLE_START{TEN} AS rowtime, TUMBLE_END{TEN} AS ends, MAX(price) AS maxprice, COUNT(*) AS num "
    f"FROM bid GROUP BY TUMBLE{TEN}",
    "q8": f"WITH people AS (SELECT STREAM TUMBLE_START{TEN} AS rowtime, id, name FROM person GROUP BY TUMBLE{TEN}, id, name), "
    f"sellers AS (SELECT STREAM TUMBLE_START{TEN} AS rowtime, seller FROM auction GROUP BY TUMBLE{TEN}, seller) "
    "SELECT STREAM P.rowtime, P.id, P.name FROM people P JOIN sellers A ON P.id = A.seller AND P.rowtime = A.rowtime",
    "distinct": f"SELECT STREAM TUMBLE_START{TEN} AS rowtime, TUMBLE_END{TEN} AS ends, COUNT(DISTINCT bidder) AS bidders, COUNT(*) AS num "
    f"FROM bid GROUP BY TUMBLE{TEN}",
    "sessions": f"SELECT STREAM SESSION_START{TEN} AS rowtime, SESSION_END{TEN} AS ends, bidder, COUNT(*) AS num "
    f"FROM bid GROUP BY SESSION{TEN}, bidder",
    "best": f"SELECT STREAM rowtime, auction, bidder, price FROM {TUMBLED} QUALIFY price = MAX(price) OVER "
    "(PARTITION BY window_start, window_end ROWS BETWEEN UNBOUNDED PRECEDING AND UNBOUNDED FOLLOWING)",
    "top": f"SELECT STREAM rowtime, auction, bidder, price FROM {TUMBLED} QUALIFY ROW_NUMBER() OVER "
    "(PARTITION BY window_start, window_end ORDER BY price DESC, rowtime, bidder, auction) <= 3",
    "top_by_auction": f"SELECT STREAM rowtime, auction, bidder, price FROM {TUMBLED} QUALIFY ROW_NUMBER() OVER "
    "(PARTITION BY window_start, window_end, auction ORDER BY price DESC, rowtime, bidder) <= 3",
    # Its frames end with the last row of the same time, as Spark's and Flink's do.
    "O1": OVER.format(frame="BETWEEN INTERVAL '10' SECOND PRECEDING AND INTERVAL '0' SECOND PRECEDING"),
    "O2": "SELECT STREAM B.rowtime, B.auction, B.bidder, B.price, A.seller, A.category FROM bid B, auction A "
    "WHERE B.auction = A.id AND B.rowtime BETWEEN A.rowtime AND A.rowtime + INTERVAL '10' SECOND",
    "O3": "SELECT STREAM B.rowtime, B.auction, B.price, V.version, V.reserve FROM bid B "
    "JOIN auction_version FOR SYSTEM_TIME AS OF B.rowtime AS V ON B.auction = V.id",
}
JOINS = ("q8", "O2", "O3")
NAMES = {"person": "people", "auction": "auctions", "auction_version": "versions of auctions", "bid": "bids"}
"""The names of each stream's rows."""
BY_ARRIVAL = OVER.format(frame="INTERVAL '10' SECOND PRECEDING")


@dataclass(frozen=True, slots=True)
class Goal:
    """The required ratio of rowtime to the best of some opponents."""

    ratio: float
    opponents: tuple[str, ...]


GOALS = {
    "q0": [Goal(0.95, ("PySpark",))],
    "q2": [Goal(0.95, ("PySpark",))],
    "q5": [Goal(1.2, ("Flink",)), Goal(1.2, ("PySpark",))],
    "q7": [Goal(0.95, ("Flink", "PySpark"))],
    "q8": [Goal(1.0, ("Flink",))],
    "distinct": [Goal(1.0, ("Flink", "PySpark"))],
    "sessions": [Goal(1.0, ("Flink", "PySpark"))],
    "best": [Goal(1.2, ("Flink",))],
    "top": [Goal(1.2, ("Flink",))],
    "top_by_auction": [Goal(1.2, ("Flink",))],
    "O1": [Goal(2.0, ("Flink",)), Goal(3.0, ("PySpark",))],
    "O2": [Goal(1.2, ("Flink",)), Goal(1.2, ("PySpark",))],
    "O3": [Goal(1.5, ("Flink",))],
}


def compare(queries: tuple[str, ...] = tuple(SQL), *, brief: bool = False) -> None:
    """Prints the comparison of each query, after checking that all return the same rows."""
    with contextlib.ExitStack() as stack:
        rt = stack.enter_context(jobs.session())
        other = None
        if any(query in flink.QUERIES for query in queries):
            other = stack.enter_context(flink.running())
        for query in queries:
            count = EVENTS_OF.get(query, EVENTS) // (10 if brief else 1)
            found = events.write_events(DATA / f"events-{count}", count, jobs.reads(query))
            _compare(rt, other if query in flink.QUERIES else None, query, found, brief)


def _compare(rt: Session, other: flink.Flink | None, query: str, found: Events, brief: bool) -> None:
    streams = jobs.reads(query)
    files_of = {size: jobs.files(rows, streams) for size, rows in jobs.SIZES.items()}
    runs: dict[str, jobs.Job] = {}
    for size, files in files_of.items():
        ours = jobs.of_sql(rt, SQL[query], found.slices, files, streams)
        runs[f"rowtime, {size}"] = ours
        for name, theirs in by_hand.jobs_of(rt.spark, query, found.slices, files, ours.settings).items():
            runs[f"{name}, {size}"] = theirs
    sums = {name: job.sums for name, job in runs.items()}
    if query == "O1":
        for size, files in files_of.items():
            runs[f"rowtime by arrival, {size}"] = jobs.of_sql(rt, BY_ARRIVAL, found.slices, files)
    seconds, states = jobs.timers_and_states(runs)
    if other is not None:
        theirs = flink.QUERIES[query]
        sums["Flink"] = partial(other.sums, theirs, found.readers)
        seconds["Flink"] = partial(other.seconds, theirs, found.readers)
        seconds["Flink, tuned"] = partial(other.seconds, theirs, found.readers, flink.TUNED)
    rows = equal(sums)
    count = sum(found.rows[stream] for stream in streams)
    given = " and ".join(f"{found.rows[stream]:,} {NAMES[stream]}" for stream in streams)
    print(f"{query}: {given} in, {rows:,} rows out, equal from all", flush=True)
    if not brief:
        # The first runs are for compilers: a stream runs for days, and its cost is that of a warm run.
        rounds(seconds, 3)
    measured = rounds(seconds, 1 if brief else 5).rates(count, "bids/s" if streams == ("bid",) else "rows/s")
    measured.show({name: str(state) for name, state in states.items() if state.rows})
    for size in jobs.SIZES:
        for goal in GOALS[query]:
            _judge(measured, goal, size)
        if query in JOINS:
            _judge_state(states, size)
    print(flush=True)


def _judge_state(states: Mapping[str, State], size: str) -> None:
    """Prints rowtime's state as a part of the least of PySpark's. Flink tells the size of its state only with a
    checkpoint, and takes none."""
    ours = states[f"rowtime, {size}"]
    rivals = [state for name, state in states.items() if name.startswith("PySpark") and name.endswith(size)]
    rows, size_in_bytes = min(state.rows for state in rivals), min(state.bytes for state in rivals)
    print(
        f"  state: {ours.rows / rows:.2f} of the rows and {ours.bytes / size_in_bytes:.2f} of the bytes of PySpark's least, "
        f"{size}; goal: at most 1.00 of either",
        flush=True,
    )


def _judge(measured: Rounds, goal: Goal, size: str) -> None:
    rivals = [name for name in measured.figures if name.startswith(goal.opponents)]
    # Flink has no batches.
    rivals = [name for name in rivals if name.startswith("Flink") or name.endswith(size)]
    if rivals:
        measured.compare(f"rowtime, {size}", rivals, f"at least {goal.ratio} × {' and '.join(goal.opponents)}")


def equal(sums: dict[str, Callable[[], list[int]]]) -> int:
    """Runs each once and compares the counts and sums of all columns; returns the number of rows."""
    found = {name: sum_() for name, sum_ in sums.items()}
    if len({tuple(values) for values in found.values()}) != 1:
        raise SystemExit("the results differ:\n" + "\n".join(f"  {name}: {values}" for name, values in found.items()))
    return next(iter(found.values()))[0]
