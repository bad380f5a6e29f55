"""Compares the changes of Nexmark's queries with DuckDB: people, auctions and bids come in steps, and after each, the
changes so far give what DuckDB returns for the rows so far.

`python tests/generated/nexmark.py EVENTS SEED` runs them with other rows."""

from __future__ import annotations

import datetime as dt
import random
import sys
import tempfile
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from generated import nexmark_queries
from generated.changelogs import Query, follow
from generated.nexmark_queries import DATE_FORMAT, totals

STREAMS = {
    "person": "id BIGINT, name VARCHAR(20), city VARCHAR(20), state VARCHAR(2)",
    "auction": "id BIGINT, itemName VARCHAR(20), reserve BIGINT, expires TIMESTAMP, seller BIGINT, category INTEGER",
    "bid": "auction BIGINT, bidder BIGINT, price BIGINT, channel VARCHAR(10), bid_at TIMESTAMP, extra VARCHAR(20)",
}
START = dt.datetime(2024, 1, 1)
DAY_LATER = 34 * 3_600_000
STATES = ("OR", "ID", "CA", "WA", "AZ")
DAY = "DATE_FORMAT(bid_at, 'yyyy-MM-dd')"
RANKS = ("price < 500", "price >= 500 AND price < 1500", "price >= 1500")
TOTALS = totals(RANKS)
_KEYS: dict[str, tuple[int, ...] | None] = {
    "q3": None,
    "q4": (0,),
    "q6": (0,),
    "q9": (0,),
    "q18": (0, 1),
    "q19": (0, 1),
    "q20": None,
    "q23": None,
}
"""Queries whose text is that of `nexmark_queries`, and the columns of their unique keys."""
QUERIES = {
    **{name: Query(nexmark_queries.QUERIES[name].sql, key, False) for name, key in _KEYS.items()},
    "q14": Query(
        "SELECT auction, bidder, 0.908 * price AS price, CASE "
        "WHEN EXTRACT(HOUR FROM bid_at) BETWEEN 8 AND 18 THEN 'day' "
        "WHEN EXTRACT(HOUR FROM bid_at) <= 6 OR EXTRACT(HOUR FROM bid_at) >= 20 THEN 'night' "
        "ELSE 'other' END AS part, bid_at, "
        "CHAR_LENGTH(extra) - CHAR_LENGTH(REPLACE(extra, 'c', '')) AS c_count FROM bid "
        "WHERE 0.908 * price > 1000",
        None,
        False,
    ),
    "q15": Query(f"SELECT {DAY} AS day_of, {TOTALS} FROM bid GROUP BY {DAY}", (0,), False),
    "q16": Query(
        f"SELECT channel, {DAY} AS day_of, MAX(DATE_FORMAT(bid_at, 'HH:mm')) AS latest, {TOTALS} FROM bid "
        f"GROUP BY channel, {DAY}",
        (0, 1),
        False,
    ),
    "q17": Query(
        f"SELECT auction, {DAY} AS day_of, COUNT(*) AS bids, "
        + ", ".join(f"COUNT(*) FILTER (WHERE {rank}) AS bids{number}" for number, rank in enumerate(RANKS))
        + ", MIN(price) AS least, MAX(price) AS most, FLOOR(AVG(price)) AS average, SUM(price) AS total FROM bid "
        f"GROUP BY auction, {DAY}",
        (0, 1),
        False,
    ),
}
"""The queries without windows by time, as Nexmark's authors mean them, by name. Prices are smaller; a mean is rounded
down, because the engines give it different types."""


@dataclass(frozen=True)
class Event:
    """A row of a stream, as SQL."""

    stream: str
    at: int
    values: str

    def row(self) -> str:
        return f"({_time(self.at)}, {self.values})"


def events(count: int, seed: int) -> list[Event]:
    """Returns events: of ten, the first is a person, the next two are auctions, the others bids. No two events have the
    same time, nor two bids the same price, so no rank is a matter of chance."""
    chance = random.Random(seed)
    prices = chance.sample(range(100, 100 + 20 * count), count)
    people, auctions = [0], [0]
    made = []
    for number in range(count):
        at = number * 1000
        if number % 10 == 0:
            people.append(number)
            name = f"'name {number}', 'city {chance.randrange(4)}', '{chance.choice(STATES)}'"
            made.append(Event("person", at, f"{number}, {name}"))
        elif number % 10 < 3:
            auctions.append(number)
            expires = _time(at + chance.randrange(1, 60_000))
            seller, category = chance.choice(people[-5:]), chance.randrange(10, 13)
            values = f"{number}, 'item {number}', {prices[number]}, {expires}, {seller}, {category}"
            made.append(Event("auction", at, values))
        else:
            # Some bids are for auctions, and by people, that are not there.
            auction, bidder = chance.choice(auctions[-6:]), chance.choice(people[-6:])
            channel, extra = chance.randrange(3), "".join(chance.choice("abc") for _ in range(8))
            # The bids are of two days.
            dated = _time(at + (DAY_LATER if number > count // 2 else 0))
            values = f"{auction}, {bidder}, {prices[number]}, 'channel {channel}', {dated}, '{extra}'"
            made.append(Event("bid", at, values))
    return made


def _time(at: int) -> str:
    return f"TIMESTAMP '{(START + dt.timedelta(milliseconds=at)).isoformat(' ', 'milliseconds')}'"


def steps(made: Sequence[Event], seed: int) -> list[list[str]]:
    """Returns the events as statements, in steps. Each stream is in order of time, as its ROWTIME demands. Whether a
    bid comes before its auction, and a seller after it, is chance."""
    chance = random.Random(seed)
    found = []
    waiting = list(made)
    while waiting:
        size = chance.randint(1, len(made) // 3)
        cut = {stream: size + chance.randint(0, size) for stream in STREAMS}
        taken = [each for place, each in enumerate(waiting) if place < cut[each.stream]]
        kept = set(map(id, taken))
        waiting = [each for each in waiting if id(each) not in kept]
        found.append(
            [
                f"INSERT INTO {stream} VALUES {', '.join(rows)};"
                for stream in STREAMS
                if (rows := [each.row() for each in taken if each.stream == stream])
            ]
        )
    return found


def compare(spark: Any, warehouse: Path, count: int, seed: int) -> list[str]:
    """Returns what is wrong with the changes."""
    chance = random.Random(f"restarts {seed}")
    return follow(
        spark,
        warehouse,
        STREAMS,
        list(QUERIES.values()),
        [(number > 0 and chance.random() < 0.4, step) for number, step in enumerate(steps(events(count, seed), seed))],
        [DATE_FORMAT],
    )


def main() -> None:
    from rowtime.runtime.cluster.spark import start_spark

    spark = start_spark()
    with tempfile.TemporaryDirectory() as folder:
        found = compare(spark, Path(folder) / "warehouse", int(sys.argv[1]), int(sys.argv[2]))
        print(f"{len(QUERIES)} queries, {len(found)} faults", *found, sep="\n")


if __name__ == "__main__":
    main()
