"""Where queries begin in a topic."""

from __future__ import annotations

import json
import shutil
from typing import Any

import pytest
from kafka_streams import create
from kafka_topics import Broker
from queries import drained_by_minute, eventually, start_query

from rowtime.errors import RowtimeError
from rowtime.opening import connect
from rowtime.runtime.relation import Relation
from rowtime.session import Session
from rowtime.types import times

HOUR = 3_600_000
TEN = 1_423_994_400_000


def filled(broker: Broker) -> str:
    """Creates two partitions with a record per hour: 0, 1, 2 and 10, 11, from 10:00 on; the third is empty."""
    topic = broker.topic(partitions=3)
    for partition, count in ((0, 3), (1, 2)):
        for i in range(count):
            broker.send(topic, json.dumps({"n": 10 * partition + i}), timestamp=TEN + i * HOUR, partition=partition)
    return topic


@pytest.mark.parametrize(
    ("start", "expected"), [("latest", set()), ("2015-02-15 11:00:00", {1, 2, 11}), ("0:1, 1:2", {1, 2})]
)
def test_start_of_a_stream(rt: Session, broker: Broker, start: str, expected: set[int]) -> None:
    topic = filled(broker)
    create(rt, broker, topic, f", rowtime 'timestamp', start '{start}'")
    query = start_query(rt, "SELECT STREAM rowtime, n FROM orders")
    # The query dies before its first batch, and restarts: it begins where it would have begun.
    query.kill()
    shutil.rmtree(query.checkpoint / "spark", ignore_errors=True)
    shutil.rmtree(query.checkpoint / "lateness", ignore_errors=True)
    (query.checkpoint / "emitted").unlink(missing_ok=True)
    broker.send(topic, '{"n": 99}', timestamp=TEN + 24 * HOUR)
    query.restart()
    assert {row[1] for row in drained_by_minute(query)} == expected | {99}


def test_start_of_a_table(rt: Session, broker: Broker) -> None:
    topic = filled(broker)
    starts: dict[str, set[int]] = {
        "earliest": {0, 1, 2, 10, 11},
        "2015-02-15T11:30:00Z": {2},
        "2015-02-16": set(),
        "1:1": {0, 1, 2, 11},
        "0:3,1:2,2:0": set(),
    }
    for i, (start, expected) in enumerate(starts.items()):
        create(rt, broker, topic, f", rowtime 'timestamp', start '{start}'", kind="TABLE", name=f"t{i}")
        found = rt.sql(f"SELECT n FROM t{i}")
        assert isinstance(found, Relation)
        assert {row[0] for row in found} == expected, start
    create(rt, broker, topic, ", start 'latest'", kind="TABLE", name="never")
    with pytest.raises(RowtimeError, match="has start 'latest', so it never has rows"):
        list(rt.sql("SELECT n FROM never"))  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("start", "code", "said"),
    [
        ("yesterday", "RT0522", "has start 'yesterday', which is not a start position"),
        ("0:1,0:2", "RT0522", "names a partition twice"),
        ("3:0", "RT0514", "has start in partition 3, but its topic has 3 partitions, counted from 0"),
        ("0:4", "RT0514", "has start at offset 4 of partition 0, which has records from 0 on and before 3"),
    ],
)
def test_no_such_start(rt: Session, broker: Broker, start: str, code: str, said: str) -> None:
    with pytest.raises(RowtimeError) as fault:  # noqa: PT012
        create(rt, broker, filled(broker), f", rowtime 'timestamp', start '{start}'")
        rt.sql("SELECT STREAM * FROM orders")
    assert fault.value.code == code
    assert said in fault.value.diagnostics[0].message


def test_no_such_topic(rt: Session, broker: Broker) -> None:
    create(rt, broker, "nowhere")
    with pytest.raises(RowtimeError) as fault:
        rt.sql("SELECT STREAM * FROM orders")
    assert fault.value.code == "RT0513"
    assert "reads the topic 'nowhere', which Kafka at 127.0.0.1:" in fault.value.diagnostics[0].message


@pytest.mark.parametrize("option", ["strat 'earliest'", "max_record_per_batch '1'", "kafka_x 'y'"])
def test_unknown_options(rt: Session, option: str) -> None:
    with pytest.raises(RowtimeError) as fault:
        rt.sql(
            "CREATE FOREIGN STREAM orders (n INT) "
            f"OPTIONS (connector 'kafka', servers '127.0.0.1:1', topic 't', {option})"
        )
    assert fault.value.code == "RT0523"
    assert f"unknown option {option.split(maxsplit=1)[0]}" in fault.value.diagnostics[0].message


def test_a_pump_takes_what_arrives_from_its_start_on(rt: Session, broker: Broker, spark: Any) -> None:
    """It is started where no pumps run, and run later: records from in between belong to it."""
    topic = broker.topic()
    create(rt, broker, topic, ", rowtime 'timestamp'")
    rt.sql("CREATE TABLE copy (n INT)")
    broker.send(topic, '{"n": 1}', timestamp=times.now() - HOUR)
    rt.runtime.pumps.close()
    rt.sql("CREATE PUMP p STARTED AS INSERT INTO copy SELECT STREAM n FROM orders")
    broker.send(topic, '{"n": 2}', timestamp=times.now())
    with connect(spark, rt.store.warehouse) as second:
        eventually(lambda: second.sql("SELECT n FROM copy").tuples() == [(2,)])  # type: ignore[union-attr]
        broker.send(topic, '{"n": 3}', timestamp=times.now())
        eventually(lambda: second.sql("SELECT n FROM copy ORDER BY n").tuples() == [(2,), (3,)])  # type: ignore[union-attr]


def test_a_pump_begins_at_offsets(rt: Session, broker: Broker) -> None:
    """What is read again and what is skipped is said by its numbers."""
    topic = filled(broker)
    create(rt, broker, topic, ", rowtime 'timestamp', start 'earliest'")
    rt.sql("CREATE TABLE copy (n INT)")
    rt.sql("CREATE PUMP p STARTED AS INSERT INTO copy SELECT STREAM n FROM orders")
    rt.runtime.settle([])
    (pump,) = rt.pumps
    assert pump.sources["ORDERS"].position == {topic: {"0": 3, "1": 2, "2": 0}}
    rt.sql("ALTER PUMP p STOP")
    broker.send(topic, '{"n": 3}', '{"n": 4}', timestamp=TEN + 3 * HOUR)
    again = "ALTER PUMP p START FROM OFFSETS (orders => '0:4, 1:1, 2:0')"
    with pytest.raises(RowtimeError, match=r"RT0517: .*1 record of 'ORDERS'"):
        rt.sql(again)
    with pytest.raises(RowtimeError, match=r"RT0518: .*1 record of 'ORDERS'"):
        rt.sql(f"{again} DROP STATE")
    for wrong, reason in {
        "0:4, 7:1": "'ORDERS' has no partition 7: it has 0, 1, 2",
        "0:6, 1:1": "'ORDERS' has no offset 6 of partition 0: it has those from 0 to 5",
        "yesterday": "",
    }.items():
        with pytest.raises(RowtimeError, match=f"RT0346: .*{reason}"):
            rt.sql(f"ALTER PUMP p START FROM OFFSETS (orders => '{wrong}') DROP STATE ALLOW DUPLICATES")
    rt.sql(f"{again} DROP STATE ALLOW DUPLICATES")
    rt.runtime.settle([])
    found = rt.sql("SELECT n FROM copy ORDER BY n")
    assert isinstance(found, Relation)
    assert [row[0] for row in found] == [0, 1, 2, 4, 10, 11, 11]
    (pump,) = rt.pumps
    assert pump.sources["ORDERS"].position == {topic: {"0": 5, "1": 2, "2": 0}}
