"""Queries whose results change: Nexmark's q3, q4, q9, q15 to q20 and q23, and counts of counts, which take back what they
said of 5 M keys; rowtime and Flink SQL.

Both read the same rows, and discard all changes of the result. Flink keeps its state on the heap or in RocksDB, as
shipped or tuned, and the best of the four counts.
"""

from __future__ import annotations

import contextlib
import sys
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

sys.path.append(str(Path(__file__).parents[1]))

import events
import flink
import jobs
from generated.nexmark_queries import totals
from nexmark import DATA, EVENTS, equal
from pairs import rounds

if TYPE_CHECKING:
    from rowtime.session import Session

RANKS = ("price < 10000", "price >= 10000 AND price < 1000000", "price >= 1000000")
TOTALS = totals(RANKS)
TOTAL_COLUMNS = ", ".join(f"{name}{number} BIGINT" for name in ("bids", "bidders", "auctions") for number in range(4))
DAY = "DATE_FORMAT({time}, 'yyyy-MM-dd')"
VALID = "auction A JOIN bid B ON A.id = B.auction WHERE B.{time} BETWEEN A.{time} AND A.expires"


@dataclass(frozen=True, slots=True)
class Changing:
    """A query over streams; `{time}` is their time. `columns` are those of Flink's sink. The result of one that is
    `final` in rowtime comes when a day is complete; Flink updates it. The goal is the ratio to Flink."""

    streams: tuple[str, ...]
    columns: str
    text: str
    goal: float = 1.0
    final: bool = False

    def sql(self) -> str:
        """Returns the query for rowtime."""
        text = self.text.format(time="rowtime")
        return (
            f"SELECT STREAM{text.removeprefix('SELECT')}"
            if self.final
            else f"SELECT STREAM op, payload.* FROM TO_CHANGELOG(({text}))"
        )

    def flink(self) -> flink.Query:
        return flink.Query(self.columns, self.text.format(time="`dateTime`"))


# The last row of each of rowtime's streams ends them; the auction of its bid is negative.
QUERIES = {
    "q3": Changing(
        ("person", "auction"),
        "name STRING, city STRING, state STRING, id BIGINT",
        "SELECT P.name, P.city, P.state, A.id FROM auction A JOIN person P ON A.seller = P.id "
        "WHERE A.category = 10 AND P.state IN ('OR', 'ID', 'CA')",
    ),
    "q4": Changing(
        ("bid", "auction"),
        "category BIGINT, total BIGINT, auctions BIGINT",
        "SELECT Q.category, SUM(Q.final) AS total, COUNT(*) AS auctions FROM "
        f"(SELECT MAX(B.price) AS final, A.category FROM {VALID} GROUP BY A.id, A.category) AS Q GROUP BY Q.category",
        goal=2.0,
    ),
    "q9": Changing(
        ("bid", "auction"),
        "id BIGINT, itemName STRING, seller BIGINT, bidder BIGINT, price BIGINT, extra STRING",
        "SELECT id, itemName, seller, bidder, price, extra FROM (SELECT A.id, A.itemName, A.seller, B.bidder, B.price, B.extra, "
        f"ROW_NUMBER() OVER (PARTITION BY A.id ORDER BY B.price DESC, B.{{time}}, B.extra) AS nr FROM {VALID}) AS R WHERE nr <= 1",
        goal=2.0,
    ),
    "q15": Changing(
        ("bid",),
        f"day_of STRING, {TOTAL_COLUMNS}",
        f"SELECT {DAY} AS day_of, {TOTALS} FROM bid WHERE auction >= 0 GROUP BY {DAY}",
        final=True,
    ),
    "q16": Changing(
        ("bid",),
        f"channel STRING, day_of STRING, latest STRING, {TOTAL_COLUMNS}",
        f"SELECT channel, {DAY} AS day_of, MAX(DATE_FORMAT({{time}}, 'HH:mm')) AS latest, {TOTALS} FROM bid "
        f"WHERE auction >= 0 GROUP BY channel, {DAY}",
        goal=2.0,
        final=True,
    ),
    "q17": Changing(
        ("bid",),
        "auction BIGINT, day_of STRING, bids BIGINT, bids0 BIGINT, bids1 BIGINT, bids2 BIGINT, least BIGINT, most BIGINT, "
        "average BIGINT, total BIGINT",
        f"SELECT auction, {DAY} AS day_of, COUNT(*) AS bids, "
        + ", ".join(f"COUNT(*) FILTER (WHERE {rank}) AS bids{number}" for number, rank in enumerate(RANKS))
        + ", MIN(price) AS least, MAX(price) AS most, CAST(FLOOR(AVG(price)) AS BIGINT) AS average, SUM(price) AS total "
        f"FROM bid WHERE auction >= 0 GROUP BY auction, {DAY}",
        final=True,
    ),
    "q18": Changing(
        ("bid",),
        "auction BIGINT, bidder BIGINT, price BIGINT, channel STRING, extra STRING",
        "SELECT auction, bidder, price, channel, extra FROM (SELECT auction, bidder, price, channel, extra, ROW_NUMBER() "
        "OVER (PARTITION BY bidder, auction ORDER BY {time} DESC, extra) AS nr FROM bid WHERE auction >= 0) AS R WHERE nr <= 1",
        goal=2.0,
    ),
    "q19": Changing(
        ("bid",),
        "auction BIGINT, nr BIGINT, bidder BIGINT, price BIGINT",
        "SELECT auction, nr, bidder, price FROM (SELECT auction, bidder, price, ROW_NUMBER() OVER "
        "(PARTITION BY auction ORDER BY price DESC, extra) AS nr FROM bid WHERE auction >= 0) AS R WHERE nr <= 10",
    ),
    "q20": Changing(
        ("bid", "auction"),
        "auction BIGINT, bidder BIGINT, price BIGINT, itemName STRING, seller BIGINT",
        "SELECT B.auction, B.bidder, B.price, A.itemName, A.seller FROM bid B JOIN auction A ON B.auction = A.id "
        "WHERE A.category = 10",
        goal=2.0,
    ),
    "q23": Changing(
        ("bid", "person", "auction"),
        "bidder BIGINT, price BIGINT, name STRING, id BIGINT",
        "SELECT B.bidder, B.price, P.name, A.id FROM bid B JOIN person P ON P.id = B.bidder JOIN auction A ON A.seller = B.bidder",
    ),
    "counts": Changing(
        ("bid",),
        "bids BIGINT, pairs BIGINT",
        "SELECT bids, COUNT(*) AS pairs FROM (SELECT COUNT(*) AS bids FROM bid WHERE auction >= 0 GROUP BY auction, bidder) AS C "
        "GROUP BY bids",
    ),
}


def compare(queries: tuple[str, ...] = tuple(QUERIES), *, brief: bool = False, count: int = EVENTS) -> None:
    """Prints the comparison of each query over so many events, after checking that both have the same result."""
    count //= 10 if brief else 1
    with contextlib.ExitStack() as stack:
        rt = stack.enter_context(jobs.session())
        other = stack.enter_context(flink.running())
        for query in queries:
            _compare(
                rt, other, query, events.write_events(DATA / f"events-{count}", count, QUERIES[query].streams), brief
            )


def _compare(rt: Session, other: flink.Flink | None, query: str, found: events.Events, brief: bool) -> None:
    changing = QUERIES[query]
    runs = {
        f"rowtime, {size}": jobs.of_sql(
            rt, changing.sql(), found.slices, jobs.files(rows, changing.streams), changing.streams
        )
        for size, rows in jobs.SIZES.items()
    }
    sums = {name: job.sums for name, job in runs.items()}
    seconds, states = jobs.timers_and_states(runs)
    if other is not None:
        sums["Flink"] = partial(other.sums, changing.flink(), found.readers, batch=True)
        for name, settings in flink.CONFIGURATIONS.items():
            seconds[name] = partial(other.seconds, changing.flink(), found.readers, settings)
    rows = equal(sums)
    read = sum(found.rows[stream] for stream in changing.streams)
    print(f"{query}: {read:,} rows in, {rows:,} rows in the result, equal from all", flush=True)
    if not brief:
        rounds(seconds, 1)
    measured = rounds(seconds, 1 if brief else 5).rates(read, "rows/s")
    measured.show({name: str(state) for name, state in states.items()})
    if rivals := [name for name in measured.figures if name.startswith("Flink")]:
        for size in jobs.SIZES:
            measured.compare(f"rowtime, {size}", rivals, f"at least {changing.goal} × Flink")
    print(flush=True)
