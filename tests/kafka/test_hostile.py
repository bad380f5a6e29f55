"""Hostile records, keys and headers of a topic: all valid rows arrive, and read = entered + invalid."""

from __future__ import annotations

import random

import pytest
from hostile_records import AVRO_SCHEMA, avro_good, avro_record, json_record
from kafka_streams import bad_rows, create
from kafka_topics import Broker
from queries import drain, start_query
from record_readers import COLUMNS

from rowtime.session import Session

GOOD_ID = 1_000_000


def test_avro(rt: Session, broker: Broker, request: pytest.FixtureRequest) -> None:
    chance = random.Random(request.config.getoption("--fuzz-seed"))
    topic = broker.topic()
    # No column can be declared as an interval.
    columns = ", ".join(f'"{name}" {sql}' for name, sql, _ in COLUMNS[:-1])
    schema = " ".join(AVRO_SCHEMA.split())
    create(
        rt,
        broker,
        topic,
        f", format 'avro', rowtime 'timestamp', start 'earliest', avro_schema '{schema}'",
        "STREAM",
        columns,
    )
    hostile = [avro_record(chance) for _ in range(100)]
    mixed = [one for i, record in enumerate(hostile) for one in (avro_good(GOOD_ID + i), record)]
    broker.send(topic, *mixed)
    query = start_query(rt, 'SELECT STREAM "ID" AS id FROM orders')
    rows = drain(query)
    assert [id for (id,) in rows if id is not None and id >= GOOD_ID] == [GOOD_ID + i for i in range(len(hostile))]
    bad = bad_rows(rt, "orders", query)
    assert (len(rows) + len(bad), query.progress.bad_rows) == (len(mixed), len(bad))
    assert not [row for row in bad if "java" in row["reason"] or "Exception" in row["reason"]]


def test_keys_and_headers(rt: Session, broker: Broker, request: pytest.FixtureRequest) -> None:
    chance = random.Random(request.config.getoption("--fuzz-seed"))
    topic = broker.topic()
    more = ", rowtime 'timestamp', start 'earliest', key 'k', headers 'h', key_in_value 'false'"
    create(rt, broker, topic, more, columns="k DECIMAL(10, 2), h MAP<VARCHAR, VARCHAR>, n INTEGER")
    sent = 0
    for key in (b"7", b"1e-300000000", b"1e300000000", b"\xff", b"9" * 5_000, json_record(chance)):
        for header in (b"x", b"\xff"):
            broker.send(topic, b'{"n": 1}', key=key, headers={"a": header})
            sent += 1
    query = start_query(rt, "SELECT STREAM k, n FROM orders")
    rows = [(str(k), n) for k, n in drain(query)]
    assert rows[:2] == [("7.00", 1), ("0.00", 1)]
    bad = bad_rows(rt, "orders", query)
    assert len(rows) + len(bad) == sent
    reasons = {row["reason"] for row in bad}
    assert {
        "K: '1e300000000' does not fit in DECIMAL(10, 2)",
        "K: not UTF-8 (byte 1)",
        "H: not UTF-8 (byte 1)",
    } <= reasons
