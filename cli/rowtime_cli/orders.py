"""The demonstration's input: a shop whose orders arrive in files of JSON lines, one per quarter of an hour."""

from __future__ import annotations

import datetime as dt
import json
import os
import random
from collections.abc import Iterator
from pathlib import Path

PRODUCTS = (10, 20, 30, 40)
MINUTES_A_FILE = 15
DISORDER = dt.timedelta(minutes=5)


def batches(start: dt.datetime, seed: int = 1) -> Iterator[list[dict[str, object]]]:
    """Yields the orders of one quarter of an hour after another, without end: `rowtime`, `productId`, `orderId`,
    `units`.

    Within a file they are in no order, and some orders are in the next file, at most DISORDER late.
    """
    chance = random.Random(seed)
    number = 0
    late: list[dict[str, object]] = []
    while True:
        orders = late
        following: list[dict[str, object]] = []
        for _ in range(chance.randint(20, 60)):
            number += 1
            at = start + dt.timedelta(milliseconds=chance.randrange(MINUTES_A_FILE * 60_000))
            order: dict[str, object] = {
                "rowtime": at.strftime("%Y-%m-%d %H:%M:%S.") + f"{at.microsecond // 1000:03}",
                "productId": chance.choice(PRODUCTS),
                "orderId": number,
                "units": chance.randint(1, 9),
            }
            end = start + dt.timedelta(minutes=MINUTES_A_FILE)
            (following if end - at < DISORDER and chance.random() < 0.2 else orders).append(order)
        chance.shuffle(orders)
        yield orders
        late = following
        start += dt.timedelta(minutes=MINUTES_A_FILE)


def write(folder: Path, number: int, orders: list[dict[str, object]]) -> Path:
    """Writes a file of orders into the folder, complete from the moment that it is visible."""
    target = folder / f"orders-{number:05}.json"
    # Spark ignores names that begin with a dot.
    draft = folder / f".{target.name}"
    draft.write_text("".join(json.dumps(order) + "\n" for order in orders), encoding="utf-8")
    os.replace(draft, target)
    return target
