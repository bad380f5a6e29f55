"""Nexmark's bids and auctions as Parquet files, the same rows laid out for either kind of file source.

10,000 events a second of event time, in its order. Of 50 events the first is a person, whom no query reads, the next three
are auctions, and 46 are bids: half of them on hot auctions, the others on one of the last hundred.

Columns of `bid`: auction BIGINT, bidder BIGINT, price BIGINT, channel STRING, url STRING, dateTime TIMESTAMP, extra STRING;
of `auction`: id BIGINT, itemName STRING, description STRING, initialBid BIGINT, reserve BIGINT, dateTime TIMESTAMP, expires
TIMESTAMP, seller BIGINT, category BIGINT, extra STRING.
"""

from __future__ import annotations

import os
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
import pyarrow as pa
import pyarrow.parquet as pq

EVENTS_A_SECOND = 10_000
BIDS_OF_FIFTY = 46
AUCTIONS_OF_FIFTY = 3
FIRST_ID = 1000
START_MILLIS = 1_704_067_200_000
FAR_MILLIS = 4_102_444_800_000
EVENTS_A_FILE = 100_000
READERS = 2
FAR_BID = {"auction": -1, "bidder": -1, "price": 0, "channel": "", "url": "", "dateTime": FAR_MILLIS, "extra": ""}
FAR_AUCTION = {
    **{"id": -2, "itemName": "", "description": "", "initialBid": 0, "reserve": 0, "dateTime": FAR_MILLIS},
    **{"expires": FAR_MILLIS, "seller": -2, "category": 0, "extra": ""},
}
TIME = pa.timestamp("ms", tz="UTC")

Longs = npt.NDArray[np.int64]


@dataclass(frozen=True, slots=True)
class Events:
    """Folders with one folder for each of the streams `bid` and `auction`, and the number of rows of either.

    `slices`: one file for each slice of event time, in the order in which Spark's file source takes them. The last row
    is far in the future (of no auction), so that the clock passes all others, as it does at the end of Flink's input.
    As many files of either stream cover the same time.
    `readers`: without that row, one file for each of two readers, with a row group for each slice, as Flink's file
    source does not say in which order it takes several files.
    """

    slices: Path
    readers: Path
    bids: int
    auctions: int


def written(folder: Path, events: int) -> Events:
    """The bids and auctions among so many events, in `folder`; written unless they are there."""
    files = events // EVENTS_A_FILE
    fifties = files * (EVENTS_A_FILE // 50)
    found = Events(folder / "slices", folder / "readers", fifties * BIDS_OF_FIFTY, fifties * AUCTIONS_OF_FIFTY)
    # Beside the folders: what is in them is data.
    done = folder / "done"
    if not done.exists():
        _write(found, "bid", _bids, files, FAR_BID)
        _write(found, "auction", _auctions, files, FAR_AUCTION)
        done.touch()
    return found


def _write(to: Events, stream: str, slice_: Callable[[int], pa.Table], files: int, far: dict[str, Any]) -> None:
    slices, readers = to.slices / stream, to.readers / stream
    slices.mkdir(parents=True, exist_ok=True)
    readers.mkdir(parents=True, exist_ok=True)
    schema = slice_(0).schema
    writers = [pq.ParquetWriter(readers / f"reader-{i}.parquet", schema) for i in range(READERS)]
    for number in range(files):
        rows = slice_(number)
        for i, writer in enumerate(writers):
            writer.write_table(rows.take(np.arange(i, len(rows), READERS)))
        if number == files - 1:
            rows = pa.concat_tables([rows, pa.Table.from_pylist([far], schema)])
        path = slices / f"part-{number:05}.parquet"
        pq.write_table(rows, path)
        # The source takes the files by the time of their last change.
        os.utime(path, (START_MILLIS / 1000 + number, START_MILLIS / 1000 + number))
    for writer in writers:
        writer.close()


def _events(number: int) -> Longs:
    return np.arange(number * EVENTS_A_FILE, (number + 1) * EVENTS_A_FILE, dtype=np.int64)


def _bids(number: int) -> pa.Table:
    random = np.random.default_rng(number)
    event = _events(number)
    event = event[event % 50 >= 50 - BIDS_OF_FIFTY]
    count = len(event)
    # The first auction of these fifty events.
    newest = FIRST_ID + event // 50 * AUCTIONS_OF_FIFTY
    hot = random.random(count) < 0.5
    auction = np.where(hot, newest // 100 * 100, np.maximum(FIRST_ID, newest - random.integers(0, 100, count)))
    bidder = _people(event, random, 1)
    price = _prices(count, random)
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
    return pa.table(
        {
            "auction": auction,
            "bidder": bidder,
            "price": price,
            "channel": channels.take(picked),
            "url": urls.take(picked),
            "dateTime": pa.array(_millis(event), TIME),
            "extra": _letters(count, 40, random),
        }
    )


def _auctions(number: int) -> pa.Table:
    # Not the numbers that the bids of this slice have.
    random = np.random.default_rng([number, 1])
    event = _events(number)
    place = event % 50 - (50 - BIDS_OF_FIFTY - AUCTIONS_OF_FIFTY)
    chosen = (place >= 0) & (place < AUCTIONS_OF_FIFTY)
    event, place = event[chosen], place[chosen]
    count = len(event)
    millis = _millis(event)
    initial = _prices(count, random)
    return pa.table(
        {
            "id": FIRST_ID + event // 50 * AUCTIONS_OF_FIFTY + place,
            "itemName": _letters(count, 12, random),
            "description": _letters(count, 50, random),
            "initialBid": initial,
            "reserve": initial + _prices(count, random),
            "dateTime": pa.array(millis, TIME),
            "expires": pa.array(millis + random.integers(1, 334, count), TIME),
            "seller": _people(event, random, 0),
            "category": random.integers(10, 15, count),
            "extra": _letters(count, 375, random),
        }
    )


def _people(event: Longs, random: np.random.Generator, hot: int) -> Longs:
    """For each event somebody known by then: three of four times the one who is hot."""
    count = len(event)
    people = FIRST_ID + event // 50
    return np.where(
        random.random(count) < 0.75,
        people // 100 * 100 + hot,
        np.maximum(FIRST_ID, people - random.integers(0, 1000, count)),
    )


def _prices(count: int, random: np.random.Generator) -> Longs:
    return np.round(10 ** (random.random(count) * 6) * 100).astype(np.int64)


def _millis(event: Longs) -> Longs:
    return START_MILLIS + event * 1000 // EVENTS_A_SECOND


def _letters(count: int, each: int, random: np.random.Generator) -> pa.Array:
    letters = random.integers(97, 123, count * each, dtype=np.uint8).tobytes()
    offsets = pa.py_buffer((np.arange(count + 1, dtype=np.int32) * each).tobytes())
    return pa.Array.from_buffers(pa.string(), count, [None, offsets, pa.py_buffer(letters)])
