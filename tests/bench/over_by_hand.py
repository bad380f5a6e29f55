"""O1 in PySpark, as an expert writes it, because Spark has no OVER on streams.

A function for each key of state would be called for every auction; so the key is a hash bucket of auctions, and numpy
works on all rows of a bucket at once. State is a matrix, pickled: Spark 4.2 does not take columns of arrays there.
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
FRAME_MILLIS = 10_000
COLUMNS = ("auction", "bidder", "price", "millis")
AUCTION, BIDDER, PRICE, MILLIS = range(4)
OUTPUT = "auction BIGINT, bidder BIGINT, price BIGINT, millis BIGINT, num BIGINT, average BIGINT, highest BIGINT"


def o1(bid: DataFrame) -> DataFrame:
    """Returns COUNT, AVG and MAX of the prices of an auction in the ten seconds up to each bid, including all bids of
    its time."""
    from pyspark.sql import functions as F
    from pyspark.sql.streaming.state import GroupStateTimeout

    clocked = bid.withWatermark("dateTime", "4 seconds")
    # Spark also needs the column of the watermark.
    numbers = clocked.select("auction", "bidder", "price", "dateTime", F.unix_millis("dateTime").alias("millis"))
    # The folder of the function, for Spark's Python workers.
    bid.sparkSession.sparkContext.addPyFile(__file__)
    buckets = numbers.withColumn("bucket", F.pmod(F.hash("auction"), F.lit(BUCKETS))).groupBy("bucket")
    rows = buckets.applyInPandasWithState(_step, OUTPUT, "held BINARY", "append", GroupStateTimeout.EventTimeTimeout)
    return rows.withColumn("millis", F.timestamp_millis("millis"))


def _step(key: tuple[Any, ...], batches: Iterable[pd.DataFrame], state: GroupState) -> Iterator[pd.DataFrame]:
    """Reads the rows of a bucket; returns those that the watermark has reached."""
    import pandas as pd

    now = state.getCurrentWatermarkMs()
    done, held = pickle.loads(state.get[0]) if state.exists else (-1, np.empty((len(COLUMNS), 0), np.int64))
    if not state.hasTimedOut:
        came = [np.stack([batch[name].to_numpy(np.int64) for name in COLUMNS]) for batch in batches]
        held = np.concatenate([held, *came], axis=1)
    in_time = held[:, held[MILLIS] <= now]
    waiting = held[:, held[MILLIS] > now]
    rows = in_time[:, np.lexsort((in_time[MILLIS], in_time[AUCTION]))]
    new = np.flatnonzero(rows[MILLIS] > done)
    # Later frames do not reach back further than this.
    held = np.concatenate([rows[:, rows[MILLIS] > now - FRAME_MILLIS], waiting], axis=1)
    state.update((pickle.dumps((now, held), protocol=5),))
    if waiting.size:
        state.setTimeoutTimestamp(int(waiting[MILLIS].min()))
    if new.size:
        count, total, highest = _frames(rows, new)
        columns = [*rows[:, new], count, total // count, highest]
        yield pd.DataFrame(
            dict(zip(("auction", "bidder", "price", "millis", "num", "average", "highest"), columns, strict=True))
        )


def _frames(rows: Longs, new: Longs) -> tuple[Longs, Longs, Longs]:
    """Returns count, sum and maximum of the prices in the frames of the rows at the positions `new`; `rows` are sorted
    by auction and time."""
    auction, price, millis = rows[AUCTION], rows[PRICE], rows[MILLIS]
    number = np.cumsum(np.concatenate([[0], auction[1:] != auction[:-1]]))
    since = millis - millis.min()
    # Auctions are so far apart on one axis that no frame reaches into the one before.
    at = number * (since.max() + FRAME_MILLIS + 1) + since
    low = np.searchsorted(at, at[new] - FRAME_MILLIS, "left")
    high = np.searchsorted(at, at[new], "right")
    running = np.concatenate([[0], np.cumsum(price)])
    return high - low, running[high] - running[low], _highest(price, low, high)


def _highest(values: Longs, low: Longs, high: Longs) -> Longs:
    """Returns the greatest of values[low:high], for many such ranges at a time: two ranges of a power of two cover
    each."""
    power = np.frexp((high - low).astype(np.float64))[1] - 1
    found = np.empty(len(low), np.int64)
    longest = values
    for level in range(int(power.max()) + 1):
        these = np.flatnonzero(power == level)
        found[these] = np.maximum(longest[low[these]], longest[high[these] - (1 << level)])
        longest = np.maximum(longest[: -(1 << level)], longest[1 << level :]) if len(longest) > 1 << level else longest
    return found
