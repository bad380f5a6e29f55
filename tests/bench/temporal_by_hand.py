"""O3 in PySpark, as an expert writes it, because Spark has no joins with the versions of a stream.

As in O1, the key of state is a hash bucket of auctions, and numpy works on all rows of a bucket at once: bids and
versions arrive as one stream, and the state contains the versions that bids can still match and the bids that the
watermark has not reached.
"""

from __future__ import annotations

import pickle
from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

if TYPE_CHECKING:
    import pandas as pd
    from pyspark.sql import DataFrame
    from pyspark.sql.streaming.state import GroupState

    Longs = npt.NDArray[np.int64]

BUCKETS = 16
COLUMNS = ("auction", "millis", "number", "amount")
AUCTION, MILLIS, NUMBER, AMOUNT = range(4)
"""For a version: its number and its reserve; for a bid: `BID` and the price."""
BID = -1
OUTPUT = "millis BIGINT, auction BIGINT, price BIGINT, version BIGINT, reserve BIGINT"


def o3(bid: DataFrame, version: DataFrame) -> DataFrame:
    """Returns each bid with the version of its auction that is valid at its time."""
    from pyspark.sql import functions as F
    from pyspark.sql.streaming.state import GroupStateTimeout

    def rows(stream: DataFrame, auction: str, number: Any, amount: str) -> DataFrame:
        clocked = stream.withWatermark("dateTime", "4 seconds")
        millis = F.unix_millis("dateTime").alias("millis")
        columns = [F.col(auction).alias("auction"), millis, number.alias("number"), F.col(amount).alias("amount")]
        # Spark also needs the column of the watermark.
        return clocked.select(*columns, "dateTime")

    both = rows(bid, "auction", F.lit(BID).cast("bigint"), "price").union(
        rows(version, "id", F.col("version"), "reserve")
    )
    # The folder of the function, for Spark's Python workers.
    bid.sparkSession.sparkContext.addPyFile(__file__)
    buckets = both.withColumn("bucket", F.pmod(F.hash("auction"), F.lit(BUCKETS))).groupBy("bucket")
    joined = buckets.applyInPandasWithState(_step, OUTPUT, "held BINARY", "append", GroupStateTimeout.EventTimeTimeout)
    return joined.withColumn("millis", F.timestamp_millis("millis"))


def _step(key: tuple[Any, ...], batches: Iterable[pd.DataFrame], state: GroupState) -> Iterator[pd.DataFrame]:
    """Reads the rows of a bucket; returns the bids that the watermark has reached, with their versions."""
    import pandas as pd

    now = state.getCurrentWatermarkMs()
    held = pickle.loads(state.get[0]) if state.exists else np.empty((len(COLUMNS), 0), np.int64)
    if not state.hasTimedOut:
        came = [np.stack([batch[name].to_numpy(np.int64) for name in COLUMNS]) for batch in batches]
        held = np.concatenate([held, *came], axis=1)
    is_bid = held[NUMBER] == BID
    due = is_bid & (held[MILLIS] <= now)
    versions = held[:, ~is_bid]
    versions = versions[:, np.lexsort((versions[MILLIS], versions[AUCTION]))]
    bids = held[:, due]
    waiting = held[:, is_bid & ~due]
    state.update((pickle.dumps(np.concatenate([_without_replaced(versions, now), waiting], axis=1), protocol=5),))
    if waiting.size:
        state.setTimeoutTimestamp(int(waiting[MILLIS].min()))
    if bids.size and versions.size:
        place = _latest(versions, bids)
        found = (place >= 0) & (versions[AUCTION][place] == bids[AUCTION])
        met, bids = versions[:, place[found]], bids[:, found]
        yield pd.DataFrame(
            {
                "millis": bids[MILLIS],
                "auction": bids[AUCTION],
                "price": bids[AMOUNT],
                "version": met[NUMBER],
                "reserve": met[AMOUNT],
            }
        )


def _latest(versions: Longs, bids: Longs) -> Longs:
    """Returns the position of the last version, by auction and time, that is not later than each bid; or -1."""
    # Auctions are so far apart on one axis that no version of one lies among those of another.
    start = min(versions[MILLIS].min(), bids[MILLIS].min())
    span = max(versions[MILLIS].max(), bids[MILLIS].max()) - start + 1
    at, wanted = (rows[AUCTION] * span + rows[MILLIS] - start for rows in (versions, bids))
    return np.searchsorted(at, wanted, "right") - 1


def _without_replaced(versions: Longs, now: int) -> Longs:
    """Removes the versions that another one of their auction has replaced at or before `now`."""
    replaced = np.zeros(versions.shape[1], bool)
    replaced[:-1] = (versions[AUCTION][1:] == versions[AUCTION][:-1]) & (versions[MILLIS][1:] <= now)
    return versions[:, ~replaced]
