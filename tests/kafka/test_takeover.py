"""A pump takes over from another one that reads the same topic: both read it up to the same offsets."""

from __future__ import annotations

import json
import threading
from typing import Any

import pytest
from kafka_streams import create
from kafka_topics import Broker
from queries import eventually

from rowtime.errors import RowtimeError
from rowtime.runtime.relation import Relation
from rowtime.session import Session

HOUR = 3_600_000
TEN = 1_423_994_400_000


def numbers(rt: Session, target: str) -> list[Any]:
    found = rt.sql(f"SELECT n FROM {target} ORDER BY n")
    assert isinstance(found, Relation)
    return [n for (n,) in found.tuples()]


def test_each_record_is_there_once(rt: Session, broker: Broker) -> None:
    """Records arrive all the time; the first pump takes them one by one, and the second as many as there are."""
    topic = broker.topic(partitions=2)
    create(rt, broker, topic, ", rowtime 'timestamp', start 'earliest'")
    rt.sql("CREATE TABLE blue (n INT)")
    rt.sql("CREATE TABLE green (n INT)")
    rt.sql("CREATE PUMP p STARTED AS INSERT INTO blue SELECT STREAM n FROM orders")
    rt.sql("CREATE PUMP q STARTED AS INSERT INTO green SELECT STREAM n + 1000000 FROM orders")
    sent, stopped = 0, threading.Event()

    def send() -> None:
        nonlocal sent
        while not stopped.wait(0.2):
            broker.send(topic, json.dumps({"n": sent}), timestamp=TEN + sent * 1000, partition=sent % 2)
            sent += 1

    sender = threading.Thread(target=send, daemon=True)
    sender.start()
    try:
        eventually(lambda: len(numbers(rt, "blue")) > 3 and len(numbers(rt, "green")) > 3)
        rt.sql("ALTER PUMP p REPLACE WITH q")
        (pump,) = rt.pumps
        assert pump.name == "P"
        taken = len(numbers(rt, "blue"))
        eventually(lambda: len(numbers(rt, "blue")) > taken + 3)
    finally:
        stopped.set()
        sender.join()
    rt.runtime.settle([])
    found = numbers(rt, "blue")
    assert sorted(n % 1000000 for n in found) == list(range(sent))
    # Of each partition the first pump has written the records up to one, and the second those after it.
    for partition in range(2):
        old = [n for n in found if n < 1000000 and n % 2 == partition]
        new = [n - 1000000 for n in found if n >= 1000000 and n % 2 == partition]
        assert old
        assert new
        assert max(old) < min(new)
    (pump,) = rt.pumps
    assert (pump.state, pump.rows_in, pump.rows_out) == ("STARTED", sent, sent)


def test_files_have_no_place_in_common(rt: Session, tmp_path: Any) -> None:
    rt.sql(f"CREATE FOREIGN STREAM orders (n INT) OPTIONS (connector 'files', path '{tmp_path}', format 'json')")
    rt.sql("CREATE TABLE blue (n INT)")
    rt.sql("CREATE TABLE green (n INT)")
    for name, target in (("p", "blue"), ("q", "green")):
        rt.sql(f"CREATE PUMP {name} STARTED AS INSERT INTO {target} SELECT STREAM n FROM orders")
    with pytest.raises(RowtimeError, match="it is neither a stream of the warehouse nor a topic") as fault:
        rt.sql("ALTER PUMP p REPLACE WITH q")
    assert fault.value.code == "RT0562"
