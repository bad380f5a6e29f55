"""The queries in PySpark, as an expert in Structured Streaming writes them.

They run under the settings that rowtime chooses, with two exceptions: Spark's own state store on the heap, with which
they are faster than with RocksDB, and the faster of Spark's own checkpoint file managers.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

import over_by_hand
import temporal_by_hand
from jobs import Job, reads

if TYPE_CHECKING:
    from pyspark.sql import DataFrame, SparkSession

SCHEMAS = {
    "person": "id BIGINT, name STRING, emailAddress STRING, creditCard STRING, city STRING, state STRING, dateTime TIMESTAMP, extra STRING",
    "auction": "id BIGINT, itemName STRING, description STRING, initialBid BIGINT, reserve BIGINT, dateTime TIMESTAMP, "
    "expires TIMESTAMP, seller BIGINT, category BIGINT, extra STRING",
    "auction_version": "id BIGINT, version BIGINT, reserve BIGINT, dateTime TIMESTAMP",
    "bid": "auction BIGINT, bidder BIGINT, price BIGINT, channel STRING, url STRING, dateTime TIMESTAMP, extra STRING",
}
SPARKS_OWN = {
    "spark.sql.streaming.stateStore.providerClass": (
        "org.apache.spark.sql.execution.streaming.state.HDFSBackedStateStoreProvider"
    ),
    "spark.sql.streaming.checkpointFileManagerClass": (
        "org.apache.spark.sql.execution.streaming.checkpointing.FileSystemBasedCheckpointFileManager"
    ),
}


def jobs_of(spark: SparkSession, query: str, slices: Path, files: int, settings: Mapping[str, str]) -> dict[str, Job]:
    """Returns the query of that name over the streams in `slices`, with this many files per batch, in each of its
    forms; `settings` are rowtime's."""

    def stream(name: str) -> DataFrame:
        reader = spark.readStream.schema(SCHEMAS[name]).option("maxFilesPerTrigger", files)
        return reader.parquet(str(slices.absolute() / name))

    def frame(written: Callable[..., DataFrame]) -> DataFrame:
        return written(*(stream(name) for name in reads(query)))

    return {
        f"PySpark{way and ', ' + way}": Job(partial(frame, written), {**settings, **SPARKS_OWN})
        for way, written in QUERIES[query].items()
    }


def q0(bid: DataFrame) -> DataFrame:
    return bid.select("auction", "bidder", "price", "dateTime", "extra")


def q2(bid: DataFrame) -> DataFrame:
    return bid.where("auction % 123 = 0").select("auction", "price")


def q5(bid: DataFrame) -> DataFrame:
    from pyspark.sql import functions as F

    hops = F.window("dateTime", "10 seconds", "2 seconds").alias("w")
    counts = bid.withWatermark("dateTime", "4 seconds").groupBy(hops, "auction").agg(F.count("*").alias("num"))
    return counts.select("w.start", "w.end", "auction", "num")


def q7(bid: DataFrame) -> DataFrame:
    from pyspark.sql import functions as F

    windows = bid.withWatermark("dateTime", "4 seconds").groupBy(F.window("dateTime", "10 seconds").alias("w"))
    totals = windows.agg(F.max("price").alias("maxprice"), F.count("*").alias("num"))
    return totals.select("w.start", "w.end", "maxprice", "num")


def distinct(bid: DataFrame) -> DataFrame:
    from pyspark.sql import functions as F

    windows = bid.withWatermark("dateTime", "4 seconds").groupBy(F.window("dateTime", "10 seconds").alias("w"))
    totals = windows.agg(F.size(F.collect_set("bidder")).cast("bigint").alias("bidders"), F.count("*").alias("num"))
    return totals.select("w.start", "w.end", "bidders", "num")


def distinct_twice(bid: DataFrame) -> DataFrame:
    """The form for more values than fit in one set."""
    from pyspark.sql import functions as F

    windows = bid.withWatermark("dateTime", "4 seconds").groupBy(
        F.window("dateTime", "10 seconds").alias("w"), "bidder"
    )
    totals = (
        windows.agg(F.count("*").alias("n")).groupBy("w").agg(F.count("*").alias("bidders"), F.sum("n").alias("num"))
    )
    return totals.select("w.start", "w.end", "bidders", "num")


def _top(bid: DataFrame, most: int, keys: Sequence[str], then: Sequence[str]) -> DataFrame:
    """Returns the bids with the highest prices of each window and key: among equal ones the earliest, then by further
    columns."""
    from pyspark.sql import functions as F

    windows = bid.withWatermark("dateTime", "4 seconds").groupBy(F.window("dateTime", "10 seconds").alias("w"), *keys)
    ranked = F.struct("price", -F.unix_millis("dateTime"), *(-F.col(name) for name in then))
    best = F.max_by(F.struct("dateTime", "auction", "bidder", "price"), ranked, most)
    return windows.agg(best.alias("best")).select(F.inline("best"))


def best(bid: DataFrame) -> DataFrame:
    return _top(bid, 1, [], [])


def top(bid: DataFrame) -> DataFrame:
    return _top(bid, 3, [], ["bidder", "auction"])


def top_by_auction(bid: DataFrame) -> DataFrame:
    return _top(bid, 3, ["auction"], ["bidder"])


def sessions(bid: DataFrame) -> DataFrame:
    """A bid exactly ten seconds after the last one belongs to the session, as in SQL and in Flink."""
    from pyspark.sql import functions as F

    window = F.session_window("dateTime", "10 seconds 1 microsecond").alias("w")
    counts = bid.withWatermark("dateTime", "4 seconds").groupBy(window, "bidder").agg(F.count("*").alias("num"))
    return counts.select("w.start", F.date_trunc("millisecond", "w.end").alias("ends"), "bidder", "num")


def o2(bid: DataFrame, auction: DataFrame) -> DataFrame:
    """Only columns that are needed go into state, and bounds of time on both sides let Spark remove rows from it."""
    from pyspark.sql import functions as F

    bids = bid.withWatermark("dateTime", "4 seconds").select("dateTime", "auction", "bidder", "price")
    auctions = auction.withWatermark("dateTime", "4 seconds")
    auctions = auctions.select("id", F.col("dateTime").alias("starts"), "seller", "category")
    within = F.expr("auction = id AND dateTime >= starts AND dateTime <= starts + INTERVAL 10 SECONDS")
    return bids.join(auctions, within).select("dateTime", "auction", "bidder", "price", "seller", "category")


def q8(person: DataFrame, auction: DataFrame) -> DataFrame:
    """The usual form of q8: an aggregation on either side, then the join."""
    from pyspark.sql import functions as F

    people = person.withWatermark("dateTime", "4 seconds").groupBy(
        F.window("dateTime", "10 seconds").alias("w"), "id", "name"
    )
    sellers = auction.withWatermark("dateTime", "4 seconds").groupBy(
        F.window("dateTime", "10 seconds").alias("v"), "seller"
    )
    new = people.agg(F.count("*").alias("n")).join(
        sellers.agg(F.count("*").alias("m")), F.expr("id = seller AND w = v")
    )
    return new.select("w.start", "id", "name")


def q8_deduplicated(person: DataFrame, auction: DataFrame) -> DataFrame:
    """Spark returns the first of equal rows immediately, and does not wait for the end of the window."""
    from pyspark.sql import functions as F

    window = F.window("dateTime", "10 seconds")
    people = person.withWatermark("dateTime", "4 seconds").select(window.alias("w"), "id", "name").dropDuplicates()
    sellers = auction.withWatermark("dateTime", "4 seconds").select(window.alias("v"), "seller").dropDuplicates()
    return people.join(sellers, F.expr("id = seller AND w = v")).select("w.start", "id", "name")


QUERIES: dict[str, dict[str, Callable[..., DataFrame]]] = {
    "q0": {"": q0},
    "q2": {"": q2},
    "q5": {"": q5},
    "q7": {"": q7},
    "q8": {"": q8, "deduplicated": q8_deduplicated},
    "distinct": {"": distinct, "grouped twice": distinct_twice},
    "sessions": {"": sessions},
    "best": {"": best},
    "top": {"": top},
    "top_by_auction": {"": top_by_auction},
    "O1": {"": over_by_hand.o1},
    "O2": {"": o2},
    "O3": {"": temporal_by_hand.o3},
}
"""The forms of each query, by name, as functions of the streams that it reads."""
