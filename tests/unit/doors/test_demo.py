"""The demonstration: its input, and that what it shows is right."""

from __future__ import annotations

import datetime as dt
import itertools
import json
import os
import re
import subprocess
import sys
from collections import Counter
from pathlib import Path

import pytest

from rowtime_cli.demo import START
from rowtime_cli.orders import DISORDER, MINUTES_A_FILE, batches, write


def parsed(order: dict[str, object]) -> dt.datetime:
    return dt.datetime.strptime(str(order["rowtime"]), "%Y-%m-%d %H:%M:%S.%f")


def test_orders_are_late_by_no_more_than_the_stream_allows() -> None:
    latest = START
    seen = []
    late = 0
    for number, orders in enumerate(itertools.islice(batches(START), 40)):
        times = [parsed(order) for order in orders]
        # The clock moves after a file, so what counts is the latest row of the files before.
        assert min(times) > latest - DISORDER
        late += sum(time < START + number * dt.timedelta(minutes=MINUTES_A_FILE) for time in times)
        latest = max(latest, *times)
        seen += [order["orderId"] for order in orders]
    assert late > 10
    assert len(seen) == len(set(seen))


def test_orders_are_the_same_every_time() -> None:
    first, second = (list(itertools.islice(batches(START), 5)) for _ in range(2))
    assert first == second


def test_a_file_is_complete_when_it_is_seen(tmp_path: Path) -> None:
    orders = next(batches(START))
    file = write(tmp_path, 7, orders)
    assert [json.loads(line) for line in file.read_text().splitlines()] == orders
    assert list(tmp_path.iterdir()) == [file]


@pytest.mark.spark
def test_the_demo_shows_the_plan_and_the_totals_of_the_files(tmp_path: Path) -> None:
    done = subprocess.run(
        [sys.executable, "-m", "rowtime_cli.main", "demo", "--seconds", "6", "--keep", str(tmp_path)],
        capture_output=True,
        text=True,
        timeout=300,
        check=False,
        env={**os.environ, "TZ": "America/St_Johns"},
    )
    assert done.returncode == 0, done.stdout + done.stderr
    assert "aggregate by" in done.stdout
    count: Counter[tuple[str, int]] = Counter()
    units: Counter[tuple[str, int]] = Counter()
    for file in (tmp_path / "orders").glob("orders-*.json"):
        for order in map(json.loads, file.read_text().splitlines()):
            key = (order["rowtime"][:13] + ":00:00", order["productId"])
            count[key] += 1
            units[key] += order["units"]
    shown = re.findall(r"^(\d{4}-\d\d-\d\d \d\d:00:00) +(\d+) +(\d+) +(\d+)$", done.stdout, re.MULTILINE)
    assert shown
    assert len({row[:2] for row in shown}) == len(shown)
    for hour, product, orders, total in shown:
        key = (hour, int(product))
        assert (int(orders), int(total)) == (count[key], units[key])
    hours = sorted({row[0] for row in shown})
    assert {(row[0], int(row[1])) for row in shown} == {key for key in count if key[0] in hours}
    # All hours that the bound has passed, and no other.
    latest = max(parsed(o) for f in (tmp_path / "orders").glob("*.json") for o in map(json.loads, f.open()))
    over = [hour for hour in sorted({key[0] for key in count}) if ended(hour) <= latest - DISORDER]
    assert hours == over


def ended(hour: str) -> dt.datetime:
    return dt.datetime.strptime(hour, "%Y-%m-%d %H:%M:%S") + dt.timedelta(hours=1)
