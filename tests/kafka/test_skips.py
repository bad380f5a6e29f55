"""A pump that reads a topic itself steps over a record, by its partition and offset."""

from __future__ import annotations

import json
from typing import Any

import pytest
from kafka_streams import create
from kafka_topics import Broker
from queries import eventually

from rowtime.runtime.pump.status import FailedRow
from rowtime.runtime.relation import Relation
from rowtime.session import Session

TEN = 1_423_994_400_000


def pump(rt: Session) -> Any:
    return next(each for each in rt.pumps if each.name == "P")


@pytest.mark.parametrize("waits", ["", " WATERMARK INTERVAL '1' SECOND"])
def test_one_record_of_a_topic(rt: Session, broker: Broker, waits: str) -> None:
    topic = broker.topic(partitions=2)
    columns = f"rowtime TIMESTAMP(3) NOT NULL{waits}, n INT"
    create(rt, broker, topic, ", rowtime 'timestamp', start 'earliest'", columns=columns)
    for i, (partition, n) in enumerate([(0, 1), (1, 2), (1, 0), (1, 3), (0, 0)]):
        broker.send(topic, json.dumps({"n": n}), timestamp=TEN + i * 100, partition=partition)
    # Releases what waits.
    broker.send(topic, '{"n": 60}', timestamp=TEN + 60_000, partition=0)
    rt.sql("CREATE TABLE copy (n INT)")
    rt.sql("CREATE PUMP p STARTED AS INSERT INTO copy SELECT STREAM 60 / n FROM orders")
    met = set()
    for _ in range(2):
        eventually(lambda: pump(rt).failed_row is not None and pump(rt).failed_row not in met)
        found = pump(rt)
        assert f"in 60 / N of the row of 'ORDERS' at {found.failed_row.position} with N = 0" in found.error
        met.add(found.failed_row)
        rt.sql("ALTER PUMP p RESUME SKIP")
    assert met == {FailedRow("ORDERS", "partition 1, offset 1"), FailedRow("ORDERS", "partition 0, offset 1")}
    eventually(lambda: pump(rt).error is None)
    rt.runtime.settle([])
    copied = rt.sql("SELECT n FROM copy ORDER BY n")
    assert isinstance(copied, Relation)
    assert [n for (n,) in copied.tuples()] == [*([] if waits else [1]), 20, 30, 60]
    assert (pump(rt).rows_in, pump(rt).failed_rows) == (6, 2)
    folder = rt.store.warehouse / "pumps"
    kept = [json.loads(line) for file in folder.glob("*/*/failed_rows/*/*.jsonl") for line in file.open()]
    # A micro-batch that failed at the other row may have left a file of its own, which does not count.
    times = {(row["reason"], row["row"]["ROWTIME"], row["row"]["N"]) for row in kept}
    assert times == {("60 / N: Division by zero", f"2015-02-15 10:00:00{ms}", "0") for ms in (".2", ".4")}
