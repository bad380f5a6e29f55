"""Nexmark's 24 queries, as its authors mean them, for rowtime and for DuckDB."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

STREAMS = {
    "person": "id BIGINT, name VARCHAR, city VARCHAR, state VARCHAR, extra VARCHAR",
    "auction": "id BIGINT, itemName VARCHAR, initialBid BIGINT, reserve BIGINT, expires TIMESTAMP, seller BIGINT, "
    "category BIGINT, extra VARCHAR",
    "bid": "auction BIGINT, bidder BIGINT, price BIGINT, channel VARCHAR, url VARCHAR, extra VARCHAR",
}
"""The columns of the streams, besides ROWTIME. `extra` tells rows apart that are equal in all else."""
DATE_FORMAT = "CREATE MACRO DATE_FORMAT(t, f) AS strftime(t, CASE f WHEN 'yyyy-MM-dd' THEN '%Y-%m-%d' ELSE '%H:%M' END)"
"""The function for DuckDB, with the patterns of the queries."""
SIDES = 7
"""How many rows the table has that q13 joins with: `side (id BIGINT, said VARCHAR)`."""


@dataclass(frozen=True)
class NexmarkQuery:
    """A query, and the same for DuckDB. The rows of one that is `final` come when time has passed, so the last event of
    each stream does not count; those of others are right after each step."""

    sql: str
    duckdb: str
    final: bool = False


def same(sql: str, *, final: bool = False) -> NexmarkQuery:
    return NexmarkQuery(sql, sql, final)


def _windowed(sql: str) -> NexmarkQuery:
    """A query over `<hop bid>`, `<tumble bid>` and the like: windows of 10 s, every 2 s if they hop."""
    ours, theirs = sql, sql
    for stream in STREAMS:
        every = "INTERVAL '2' SECOND, INTERVAL '10' SECOND"
        ours = ours.replace(f"<hop {stream}>", f"TABLE(HOP(TABLE {stream}, DESCRIPTOR(rowtime), {every}))")
        ours = ours.replace(
            f"<tumble {stream}>", f"TABLE(TUMBLE(TABLE {stream}, DESCRIPTOR(rowtime), INTERVAL '10' SECOND))"
        )
        last = "time_bucket(INTERVAL '2' SECOND, rowtime)"
        starts = f"unnest(generate_series({last} - INTERVAL '8' SECOND, {last}, INTERVAL '2' SECOND))"
        bounded = (
            "(SELECT *, window_start + INTERVAL '10' SECOND AS window_end FROM (SELECT *, {} AS window_start FROM {}))"
        )
        theirs = theirs.replace(f"<hop {stream}>", bounded.format(starts, stream))
        theirs = theirs.replace(
            f"<tumble {stream}>", bounded.format("time_bucket(INTERVAL '10' SECOND, rowtime)", stream)
        )
    return NexmarkQuery(ours, theirs, final=True)


def totals(ranks: Sequence[str]) -> str:
    """Returns the columns that count bids, bidders and auctions: all of them, and those of each rank of prices."""
    return ", ".join(
        f"COUNT({what}){f' FILTER (WHERE {rank})' if rank else ''} AS {name}{number}"
        for what, name in (("*", "bids"), ("DISTINCT bidder", "bidders"), ("DISTINCT auction", "auctions"))
        for number, rank in enumerate(("", *ranks))
    )


_BEST = (
    "SELECT A.id AS id, A.itemName AS itemName, A.seller AS seller, B.bidder AS bidder, B.price AS price, "
    "B.rowtime AS bid_time, B.extra AS extra, "
    "ROW_NUMBER() OVER (PARTITION BY A.id ORDER BY B.price DESC, B.rowtime, B.extra) AS nr "
    "FROM auction A JOIN bid B ON A.id = B.auction WHERE B.rowtime BETWEEN A.rowtime AND A.expires"
)
_DAY = "DATE_FORMAT(rowtime, 'yyyy-MM-dd')"
_RANKS = ("price < 10000", "price >= 10000 AND price < 1000000", "price >= 1000000")
_TOTALS = totals(_RANKS)
_COUNTS = (
    "SELECT window_start AS rowtime, auction, COUNT(*) AS num, window_end FROM <hop bid> AS h "
    "GROUP BY auction, window_start, window_end"
)
_KNOWN = "('apple', 'google', 'facebook', 'baidu')"
_CHANNEL = (
    "SELECT rowtime, auction, bidder, price, channel, CASE LOWER(channel) WHEN 'apple' THEN '0' WHEN 'google' THEN '1' "
    "WHEN 'facebook' THEN '2' WHEN 'baidu' THEN '3' ELSE <id> END AS channel_id FROM bid "
    f"WHERE <id> IS NOT NULL OR LOWER(channel) IN {_KNOWN}"
)
_PATTERN = "'(?:&|^)channel_id=([^&]*)'"

QUERIES = {
    "q0": same("SELECT rowtime, auction, bidder, price, extra FROM bid"),
    "q1": same("SELECT rowtime, auction, bidder, 0.908 * price AS price, extra FROM bid"),
    "q2": same("SELECT rowtime, auction, price FROM bid WHERE MOD(auction, 123) = 0"),
    "q3": same(
        "SELECT P.name AS name, P.city AS city, P.state AS state, A.id AS id FROM auction A "
        "JOIN person P ON A.seller = P.id WHERE A.category = 10 AND P.state IN ('OR', 'ID', 'CA')"
    ),
    "q4": same(
        "SELECT Q.category AS category, SUM(Q.final) AS total, COUNT(*) AS auctions FROM ("
        "SELECT MAX(B.price) AS final, A.category AS category FROM auction A JOIN bid B ON A.id = B.auction "
        "WHERE B.rowtime BETWEEN A.rowtime AND A.expires GROUP BY A.id, A.category) AS Q GROUP BY Q.category"
    ),
    "q5": _windowed(
        f"SELECT A.rowtime AS rowtime, A.auction AS auction, A.num AS num FROM ({_COUNTS}) AS A JOIN ("
        f"SELECT MAX(num) AS most, rowtime, window_end FROM ({_COUNTS}) AS c GROUP BY rowtime, window_end) AS M "
        "ON A.rowtime = M.rowtime AND A.window_end = M.window_end AND A.num >= M.most"
    ),
    "q6": same(
        "SELECT id, seller, FLOOR(AVG(price) OVER (PARTITION BY seller ORDER BY bid_time, id "
        f"ROWS BETWEEN 10 PRECEDING AND CURRENT ROW)) AS average FROM ({_BEST}) AS r WHERE nr <= 1"
    ),
    "q7": _windowed(
        "SELECT B.rowtime AS rowtime, B.auction AS auction, B.price AS price, B.bidder AS bidder, B.extra AS extra "
        "FROM bid B "
        "JOIN (SELECT MAX(price) AS most, window_start AS rowtime FROM <tumble bid> AS t GROUP BY window_start, "
        "window_end) AS M "
        "ON B.price = M.most WHERE B.rowtime BETWEEN M.rowtime AND M.rowtime + INTERVAL '10' SECOND"
    ),
    "q8": _windowed(
        "SELECT P.rowtime AS rowtime, P.id AS id, P.name AS name FROM (SELECT window_start AS rowtime, id, name "
        "FROM <tumble person> AS p GROUP BY id, name, window_start, window_end) AS P JOIN (SELECT window_start AS "
        "rowtime, seller "
        "FROM <tumble auction> AS a GROUP BY seller, window_start, window_end) AS A ON P.id = A.seller AND P.rowtime "
        "= A.rowtime"
    ),
    "q9": same(f"SELECT id, itemName, seller, bidder, price, bid_time, extra FROM ({_BEST}) AS r WHERE nr <= 1"),
    "q11": NexmarkQuery(
        "SELECT SESSION_START(rowtime, INTERVAL '10' SECOND) AS rowtime, bidder, COUNT(*) AS num FROM bid "
        "GROUP BY SESSION(rowtime, INTERVAL '10' SECOND), bidder",
        "SELECT MIN(rowtime), bidder, COUNT(*) FROM (SELECT *, SUM(CASE WHEN rowtime >= earlier + INTERVAL '10' "
        "SECOND THEN 1 "
        "ELSE 0 END) OVER (PARTITION BY bidder ORDER BY rowtime, extra ROWS UNBOUNDED PRECEDING) AS number FROM ("
        "SELECT *, LAG(rowtime) OVER (PARTITION BY bidder ORDER BY rowtime, extra) AS earlier FROM bid)) GROUP BY "
        "bidder, number",
        final=True,
    ),
    "q13": NexmarkQuery(
        f"SELECT B.auction AS auction, B.bidder AS bidder, B.price AS price, B.rowtime AS rowtime, S.said AS said "
        f"FROM bid B "
        f"JOIN side S ON MOD(B.auction, {SIDES + 2}) = S.id",
        f"SELECT auction, bidder, price, rowtime, 'said ' || MOD(auction, {SIDES + 2}) FROM bid WHERE MOD(auction, "
        f"{SIDES + 2}) BETWEEN 0 AND {SIDES - 1}",
    ),
    "q14": same(
        "SELECT rowtime, auction, bidder, 0.908 * price AS price, CASE WHEN EXTRACT(HOUR FROM rowtime) BETWEEN 8 AND "
        "18 THEN 'day' "
        "WHEN EXTRACT(HOUR FROM rowtime) <= 6 OR EXTRACT(HOUR FROM rowtime) >= 20 THEN 'night' ELSE 'other' END AS "
        "part, "
        "extra, CHAR_LENGTH(extra) - CHAR_LENGTH(REPLACE(extra, 'c', '')) AS c_count FROM bid "
        "WHERE 0.908 * price > 1000000 AND 0.908 * price < 50000000"
    ),
    "q15": same(f"SELECT {_DAY} AS day_of, {_TOTALS} FROM bid GROUP BY {_DAY}", final=True),
    "q16": same(
        f"SELECT channel, {_DAY} AS day_of, MAX(DATE_FORMAT(rowtime, 'HH:mm')) AS latest, {_TOTALS} FROM bid "
        f"GROUP BY channel, {_DAY}",
        final=True,
    ),
    "q17": same(
        f"SELECT auction, {_DAY} AS day_of, COUNT(*) AS bids, "
        + ", ".join(f"COUNT(*) FILTER (WHERE {rank}) AS bids{number}" for number, rank in enumerate(_RANKS))
        + ", MIN(price) AS least, MAX(price) AS most, FLOOR(AVG(price)) AS average, SUM(price) AS total FROM bid "
        f"GROUP BY auction, {_DAY}",
        final=True,
    ),
    "q18": same(
        "SELECT auction, bidder, price, channel, extra FROM (SELECT auction, bidder, price, channel, extra, "
        "ROW_NUMBER() "
        "OVER (PARTITION BY bidder, auction ORDER BY rowtime DESC, extra) AS nr FROM bid) AS r WHERE nr <= 1"
    ),
    "q19": same(
        "SELECT auction, nr, bidder, price FROM (SELECT auction, bidder, price, "
        "ROW_NUMBER() OVER (PARTITION BY auction ORDER BY price DESC, extra) AS nr FROM bid) AS r WHERE nr <= 10"
    ),
    "q20": same(
        "SELECT B.auction AS auction, B.bidder AS bidder, B.price AS price, A.itemName AS itemName, A.seller AS seller "
        "FROM bid B JOIN auction A ON B.auction = A.id WHERE A.category = 10"
    ),
    "q21": NexmarkQuery(
        _CHANNEL.replace("<id>", f"REGEXP_EXTRACT(url, {_PATTERN})"),
        _CHANNEL.replace("<id>", f"NULLIF(REGEXP_EXTRACT(url, {_PATTERN}, 1), '')"),
    ),
    "q22": same(
        "SELECT rowtime, auction, bidder, price, channel, SPLIT_PART(url, '/', 4) AS dir1, SPLIT_PART(url, '/', 5) "
        "AS dir2, "
        "SPLIT_PART(url, '/', 6) AS dir3 FROM bid"
    ),
    "q23": same(
        "SELECT B.bidder AS bidder, B.price AS price, P.name AS name, A.id AS id FROM bid B "
        "JOIN person P ON P.id = B.bidder JOIN auction A ON A.seller = B.bidder"
    ),
}
"""By name. q10 and q12 have a target and a clock of their own: see `nexmark_tables`. A mean is rounded down, because
the engines give it different types."""
