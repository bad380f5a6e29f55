"""Nexmark's bids as Parquet files, each a slice of event time, in the order in which a file source takes them.

Of 50 events 46 are bids, as in Nexmark; 10,000 events a second of event time; half of the bids go to hot auctions.
Columns: auction BIGINT, bidder BIGINT, price BIGINT, channel STRING, url STRING, dateTime TIMESTAMP, extra STRING.
"""

from __future__ import annotations

import os
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq

EVENTS_A_SECOND = 10_000
BIDS_OF_FIFTY = 46
START_MILLIS = 1_704_067_200_000
EVENTS_A_FILE = 100_000


def write(folder: Path, events: int) -> int:
    """Writes the bids among so many events, unless they are there; returns how many there are."""
    files = events // EVENTS_A_FILE
    # Beside the folder: what is in it is data.
    done = folder.with_name(f"{folder.name}-{events}.done")
    bids_a_file = EVENTS_A_FILE // 50 * BIDS_OF_FIFTY
    if not done.exists():
        folder.mkdir(parents=True, exist_ok=True)
        for number in range(files):
            path = folder / f"part-{number:05}.parquet"
            pq.write_table(_slice(number), path)
            # The source takes the files by the time of their last change.
            os.utime(path, (START_MILLIS / 1000 + number, START_MILLIS / 1000 + number))
        done.touch()
    return files * bids_a_file


def _slice(number: int) -> pa.Table:
    random = np.random.default_rng(number)
    event = np.arange(number * EVENTS_A_FILE, (number + 1) * EVENTS_A_FILE, dtype=np.int64)
    event = event[event % 50 >= 50 - BIDS_OF_FIFTY]
    count = len(event)
    newest = 1000 + event // 50 * 3
    hot = random.random(count) < 0.5
    auction = np.where(hot, newest // 100 * 100, np.maximum(1000, newest - random.integers(0, 100, count)))
    people = 1000 + event // 50
    bidder = np.where(
        random.random(count) < 0.75, people // 100 * 100 + 1, np.maximum(1000, people - random.integers(0, 1000, count))
    )
    price = np.round(10 ** (random.random(count) * 6) * 100).astype(np.int64)
    millis = START_MILLIS + event * 1000 // EVENTS_A_SECOND
    channels = pa.array(["Google", "Facebook", "Baidu", "Apple"] + [f"channel-{i}" for i in range(10_000)])
    urls = pa.array(
        [
            f"https://www.nexmark.com/item/{i:x}/item.htm?query=1&channel_id={i * 214013 % (1 << 31)}"
            for i in range(10_004)
        ]
    )
    picked = pa.array(
        np.where(random.random(count) < 0.5, random.integers(0, 4, count), random.integers(4, 10_004, count))
    )
    letters = random.integers(97, 123, count * 40, dtype=np.uint8).tobytes()
    offsets = pa.py_buffer((np.arange(count + 1, dtype=np.int32) * 40).tobytes())
    return pa.table(
        {
            "auction": auction,
            "bidder": bidder,
            "price": price,
            "channel": channels.take(picked),
            "url": urls.take(picked),
            "dateTime": pa.array(millis, pa.timestamp("ms", tz="UTC")),
            "extra": pa.Array.from_buffers(pa.string(), count, [None, offsets, pa.py_buffer(letters)]),
        }
    )
