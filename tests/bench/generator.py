"""Nexmark's rows: people, auctions, the versions of their reserves, and bids, one slice of event time at a time.

10,000 events a second of event time, in its order. Of 50 events the first is a person, the next three are auctions, and 46
are bids: half of them on hot auctions, the others on one of the last hundred. The reserve of an auction changes twice.
Beside them, each event is a transfer between two of 10,000 accounts; those come up to a second after their time, and
several have the same.

Columns of `person`: id BIGINT, name STRING, emailAddress STRING, creditCard STRING, city STRING, state STRING, dateTime
TIMESTAMP, extra STRING; of `auction`: id BIGINT, itemName STRING, description STRING, initialBid BIGINT, reserve BIGINT,
dateTime TIMESTAMP, expires TIMESTAMP, seller BIGINT, category BIGINT, extra STRING; of `auction_version`: id BIGINT, version
BIGINT, reserve BIGINT, dateTime TIMESTAMP; of `transfer`: source BIGINT, target BIGINT, amount BIGINT, dateTime TIMESTAMP; of `bid`: auction BIGINT, bidder BIGINT, price BIGINT, channel STRING, url STRING,
dateTime TIMESTAMP, extra STRING.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import numpy.typing as npt
import pyarrow as pa

EVENTS_A_SECOND = 10_000
PEOPLE_OF_FIFTY = 1
AUCTIONS_OF_FIFTY = 3
BIDS_OF_FIFTY = 46
FIRST_ID = 1000
START_MILLIS = 1_704_067_200_000
FAR_MILLIS = 4_102_444_800_000
EVENTS_A_SLICE = 100_000
FIRST_CHANGE_MILLIS = 100
SECOND_CHANGE_MILLIS = 300
ACCOUNTS = 10_000
LATE_MILLIS = 1000
"""At most so long after its start, and after its first change, the reserve of an auction changes."""
TIME = pa.timestamp("ms", tz="UTC")

Longs = npt.NDArray[np.int64]


def people(number: int) -> pa.Table:
    """Returns the people of a slice of event time."""
    random = np.random.default_rng([number, 2])
    event = _events(number)
    event = event[event % 50 < PEOPLE_OF_FIFTY]
    count = len(event)
    names = [
        f"{first} {last}" for first in ("Ann", "Ben", "Cleo", "Dan", "Eve") for last in ("Ames", "Bond", "Cole", "Dale")
    ]
    cities = ["Bend", "Boise", "Cheyenne", "Kent", "Phoenix", "Portland", "Redmond", "Seattle"]
    return pa.table(
        {
            "id": FIRST_ID + event // 50,
            "name": _one_of(names, count, random),
            "emailAddress": _letters(count, 15, random),
            "creditCard": _letters(count, 19, random),
            "city": _one_of(cities, count, random),
            "state": _one_of(["AZ", "CA", "ID", "OR", "WA", "WY"], count, random),
            "dateTime": pa.array(_millis(event), TIME),
            "extra": _letters(count, 130, random),
        }
    )


def auctions(number: int) -> pa.Table:
    """Returns the auctions that start in a slice of event time."""
    # These differ from the numbers of this slice's bids.
    random = np.random.default_rng([number, 1])
    event, ids = _auction_events(number)
    count = len(event)
    millis = _millis(event)
    initial = _prices(count, random)
    return pa.table(
        {
            "id": ids,
            "itemName": _letters(count, 12, random),
            "description": _letters(count, 50, random),
            "initialBid": initial,
            "reserve": initial + _prices(count, random),
            "dateTime": pa.array(millis, TIME),
            "expires": pa.array(millis + random.integers(1, 334, count), TIME),
            "seller": _known_people(event, random, 0),
            "category": random.integers(10, 15, count),
            "extra": _letters(count, 375, random),
        }
    )


def versions(number: int) -> pa.Table:
    """Returns the versions of auctions that become valid in a slice of event time, in order, including those of
    auctions that started in the slice before."""
    found = pa.concat_tables([_versions_of_auctions(n) for n in (number - 1, number) if n >= 0])
    millis = found["dateTime"].cast(pa.int64()).to_numpy()
    slice_millis = EVENTS_A_SLICE * 1000 // EVENTS_A_SECOND
    here = np.flatnonzero((millis - START_MILLIS) // slice_millis == number)
    return found.take(here[np.argsort(millis[here], kind="stable")])


def _versions_of_auctions(number: int) -> pa.Table:
    random = np.random.default_rng([number, 3])
    event, ids = _auction_events(number)
    count = len(event)
    starts = _millis(event)
    first = starts + random.integers(1, FIRST_CHANGE_MILLIS + 1, count)
    second = first + random.integers(1, SECOND_CHANGE_MILLIS + 1, count)
    return pa.table(
        {
            "id": np.tile(ids, 3),
            "version": np.repeat(np.arange(3), count),
            "reserve": _prices(3 * count, random),
            "dateTime": pa.array(np.concatenate([starts, first, second]), TIME),
        }
    )


def bids(number: int) -> pa.Table:
    """Returns the bids of a slice of event time."""
    random = np.random.default_rng(number)
    event = _events(number)
    event = event[event % 50 >= 50 - BIDS_OF_FIFTY]
    count = len(event)
    # The first auction of these fifty events.
    newest = FIRST_ID + event // 50 * AUCTIONS_OF_FIFTY
    hot = random.random(count) < 0.5
    auction = np.where(hot, newest // 100 * 100, np.maximum(FIRST_ID, newest - random.integers(0, 100, count)))
    bidder = _known_people(event, random, 1)
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


def transfers(number: int) -> pa.Table:
    """Returns the transfers that come in a slice of event time."""
    random = np.random.default_rng([number, 4])
    event = _events(number)
    count = len(event)
    source = random.integers(0, ACCOUNTS, count)
    return pa.table(
        {
            "source": source,
            "target": (source + random.integers(1, ACCOUNTS, count)) % ACCOUNTS,
            "amount": _prices(count, random),
            "dateTime": pa.array(_millis(event) - random.integers(0, LATE_MILLIS, count), TIME),
        }
    )


ROWS_OF_FIFTY = {
    "person": PEOPLE_OF_FIFTY,
    "auction": AUCTIONS_OF_FIFTY,
    "auction_version": 3 * AUCTIONS_OF_FIFTY,
    "bid": BIDS_OF_FIFTY,
    "transfer": 50,
}
"""The number of rows of each stream per fifty events."""
SLICES: dict[str, Callable[[int], pa.Table]] = {
    "person": people,
    "auction": auctions,
    "auction_version": versions,
    "bid": bids,
    "transfer": transfers,
}
"""The function that returns a stream's rows in a slice of event time, by the number of the slice."""


def far(stream: str) -> pa.Table:
    """Returns one row of a stream, far in the future; no row of any other stream has its ids."""
    schema = SLICES[stream](0).schema
    # One for each stream: such a row has no match in another stream.
    number = -1 - list(SLICES).index(stream)

    def value(type_: pa.DataType) -> Any:
        if pa.types.is_timestamp(type_):
            return FAR_MILLIS
        return number if pa.types.is_integer(type_) else ""

    return pa.table({field.name: pa.array([value(field.type)], field.type) for field in schema})


def _events(number: int) -> Longs:
    return np.arange(number * EVENTS_A_SLICE, (number + 1) * EVENTS_A_SLICE, dtype=np.int64)


def _auction_events(number: int) -> tuple[Longs, Longs]:
    """Returns the events of a slice that are auctions, and their ids."""
    event = _events(number)
    place = event % 50 - PEOPLE_OF_FIFTY
    chosen = (place >= 0) & (place < AUCTIONS_OF_FIFTY)
    event, place = event[chosen], place[chosen]
    return event, FIRST_ID + event // 50 * AUCTIONS_OF_FIFTY + place


def _known_people(event: Longs, random: np.random.Generator, hot: int) -> Longs:
    """Returns for each event a person known by then: in three of four cases the hot one."""
    count = len(event)
    known = FIRST_ID + event // 50
    return np.where(
        random.random(count) < 0.75,
        known // 100 * 100 + hot,
        np.maximum(FIRST_ID, known - random.integers(0, 1000, count)),
    )


def _prices(count: int, random: np.random.Generator) -> Longs:
    return np.round(10 ** (random.random(count) * 6) * 100).astype(np.int64)


def _millis(event: Longs) -> Longs:
    return START_MILLIS + event * 1000 // EVENTS_A_SECOND


def _one_of(values: list[str], count: int, random: np.random.Generator) -> pa.Array:
    return pa.array(values).take(pa.array(random.integers(0, len(values), count)))


def _letters(count: int, each: int, random: np.random.Generator) -> pa.Array:
    letters = random.integers(97, 123, count * each, dtype=np.uint8).tobytes()
    offsets = pa.py_buffer((np.arange(count + 1, dtype=np.int32) * each).tobytes())
    return pa.Array.from_buffers(pa.string(), count, [None, offsets, pa.py_buffer(letters)])
