"""Nexmark's bids as Parquet files, the same rows laid out for either kind of file source.

Of 50 events 46 are bids, as in Nexmark; 10,000 events a second of event time, in its order; half of the bids go to hot
auctions. Columns: auction BIGINT, bidder BIGINT, price BIGINT, channel STRING, url STRING, dateTime TIMESTAMP, extra STRING.
"""

from __future__ import annotations

import os
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq

EVENTS_A_SECOND = 10_000
BIDS_OF_FIFTY = 46
START_MILLIS = 1_704_067_200_000
FAR_MILLIS = 4_102_444_800_000
EVENTS_A_FILE = 100_000
READERS = 2


@dataclass(frozen=True, slots=True)
class Bids:
    """Folders of `count` bids.

    `slices`: one file for each slice of event time, in the order in which Spark's file source takes them. The last row
    is far in the future (auction -1), so that the clock passes all others, as it does at the end of Flink's input.
    `readers`: without that row, one file for each of two readers, with a row group for each slice, as Flink's file
    source does not say in which order it takes several files.
    """

    slices: Path
    readers: Path
    count: int


def written(folder: Path, events: int) -> Bids:
    """The bids among so many events, in `folder`; written unless they are there."""
    files = events // EVENTS_A_FILE
    found = Bids(folder / "slices", folder / "readers", files * (EVENTS_A_FILE // 50 * BIDS_OF_FIFTY))
    # Beside the folders: what is in them is data.
    done = folder / "done"
    if not done.exists():
        found.slices.mkdir(parents=True, exist_ok=True)
        found.readers.mkdir(exist_ok=True)
        schema = _slice(0).schema
        readers = [pq.ParquetWriter(found.readers / f"reader-{i}.parquet", schema) for i in range(READERS)]
        for number in range(files):
            rows = _slice(number)
            for i, reader in enumerate(readers):
                reader.write_table(rows.take(np.arange(i, len(rows), READERS)))
            path = found.slices / f"part-{number:05}.parquet"
            pq.write_table(pa.concat_tables([rows, _far(schema)]) if number == files - 1 else rows, path)
            # The source takes the files by the time of their last change.
            os.utime(path, (START_MILLIS / 1000 + number, START_MILLIS / 1000 + number))
        for reader in readers:
            reader.close()
        done.touch()
    return found


def _far(schema: pa.Schema) -> pa.Table:
    row = {"auction": -1, "bidder": -1, "price": 0, "channel": "", "url": "", "dateTime": FAR_MILLIS, "extra": ""}
    return pa.Table.from_pylist([row], schema)


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
