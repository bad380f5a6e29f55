"""All scans of a stream in a query read up to the same commit in a micro-batch, whenever others are made."""

from __future__ import annotations

import contextlib
import json
import random
import threading
import time
from pathlib import Path

from queries import drain

from rowtime.session import Session

TOTAL = """SELECT STREAM op, payload.* FROM TO_CHANGELOG((
  SELECT SUM(COALESCE(c.amount, 0) - COALESCE(d.amount, 0)) AS total
  FROM (SELECT target AS account, SUM(amount) AS amount FROM moves GROUP BY target) AS c
  FULL JOIN (SELECT source AS account, SUM(amount) AS amount FROM moves GROUP BY source) AS d
  ON c.account = d.account))"""


def ends(folder: Path) -> dict[str, list[int]]:
    """Returns the ends of both scans in the last micro-batches, by number, from Spark's checkpoint."""
    found = {}
    for path in folder.glob("offsets/[0-9]*"):
        with contextlib.suppress(FileNotFoundError):
            sources = path.read_text().split("\n")[2:]
            found[path.name] = [json.loads(source)["next"] for source in sources if source != "-"]
    return found


def test_a_result_of_two_scans_fits_together(rt: Session) -> None:
    """What is moved between accounts is a total of 0 in each micro-batch, so its result never changes."""
    rt.sql("CREATE STREAM moves (source INTEGER, target INTEGER, amount INTEGER)")
    query = rt.submit(TOTAL)

    def move() -> None:
        with rt.producer("moves") as producer:
            for n in range(200):
                producer.insert([{"rowtime": "2024-05-01 10:00:00", "source": n % 7, "target": n % 5, "amount": n}])
                time.sleep(random.uniform(0, 0.1))

    thread = threading.Thread(target=move)
    thread.start()
    batches: dict[str, list[int]] = {}
    while thread.is_alive():
        batches |= ends(query.checkpoint / "spark")
        time.sleep(0.1)
    thread.join()
    assert drain(query) == [(0, 0)]
    batches |= ends(query.checkpoint / "spark")
    assert len(batches) > 3
    assert [batch for batch in batches.values() if len(batch) != 2 or len(set(batch)) != 1] == []
