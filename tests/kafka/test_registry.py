"""Avro records with schemas of a registry. Avro's own library is the reference for its records."""

from __future__ import annotations

import json
import time
from collections.abc import Iterator
from typing import Any

import pytest
from avro_records import avro, read_avro
from kafka_streams import bad_rows, create
from kafka_topics import Broker
from queries import drained_by_minute, start_query
from registry import Registry

from rowtime.errors import RowtimeError
from rowtime.session import Session

AT = {"name": "at", "type": {"type": "long", "logicalType": "timestamp-millis"}}
TEN = 1_423_994_400_000


def schema(*fields: Any) -> str:
    return json.dumps({"type": "record", "name": "Order", "fields": [AT, *fields]})


N = {"name": "n", "type": "int"}
NOTE = {"name": "note", "type": ["null", "string"], "default": None}
FIRST = schema(N)
# Fields are added, removed, moved and change their types; the columns are still filled by name.
SECOND = schema(NOTE, {"name": "n", "type": "long"})


@pytest.fixture
def registry() -> Iterator[Registry]:
    running = Registry()
    yield running
    running.close()


def framed(id: int, record: bytes) -> bytes:
    return b"\0" + id.to_bytes(4) + record


def options(registry: Registry, more: str = "") -> str:
    return f", format 'avro', rowtime 'at', start 'earliest', avro_registry '{registry.url}'{more}"


def test_each_record_is_read_by_its_own_schema(rt: Session, broker: Broker, registry: Registry) -> None:
    topic = broker.topic()
    first, second = (registry.register(f"{topic}-value", text) for text in (FIRST, SECOND))
    broker.send(topic, framed(first, avro(broker, FIRST, {"at": TEN, "n": 1})))
    broker.send(topic, framed(second, avro(broker, SECOND, {"at": TEN + 60_000, "note": {"string": "x"}, "n": 2})))
    broker.send(topic, framed(999, b"\2\2"), framed(first, b"\2"), b"\1\2\3")
    create(rt, broker, topic, options(registry), columns="n INT NOT NULL, note VARCHAR")
    query = start_query(rt, "SELECT STREAM rowtime, n, note FROM orders")
    assert drained_by_minute(query) == [("10:00", 1, None), ("10:01", 2, "x")]
    # A schema that is registered while the query runs.
    third = registry.register(f"{topic}-value", schema(NOTE))
    broker.send(topic, framed(third, avro(broker, schema(NOTE), {"at": TEN + 120_000, "note": None})))
    broker.send(topic, framed(first, avro(broker, FIRST, {"at": TEN + 180_000, "n": 4})))
    assert drained_by_minute(query)[-1:] == [("10:03", 4, None)]
    assert [row["reason"] for row in bad_rows(rt, "orders", query)] == [
        "Avro schema 999 is not in the registry, or is not a record schema",
        "broken Avro: the record is too short",
        "broken Avro: no Confluent frame",
        "N: NULL in a column that is NOT NULL",
    ]
    # A schema is requested once, and a missing one in each batch.
    asked = [line for line in registry.asked if line.startswith("GET /schemas")]
    assert asked.count(f"GET /schemas/ids/{first}") == 1


def test_rows_are_written_by_the_latest_schema(rt: Session, broker: Broker, registry: Registry) -> None:
    topic = broker.topic()
    registry.register(f"{topic}-value", FIRST)
    second = registry.register(f"{topic}-value", SECOND)
    create(rt, broker, topic, options(registry), columns="n INT, note VARCHAR")
    rt.sql("INSERT INTO orders VALUES (TIMESTAMP '2015-02-15 10:00:00', 7, 'new')")
    (written,) = broker.read(topic)
    assert written.value is not None
    assert written.value[:5] == framed(second, b"")
    assert read_avro(broker, SECOND, written.value[5:]) == {"at": TEN, "note": {"string": "new"}, "n": 7}


def test_a_subject_without_schemas_gets_that_of_the_columns(rt: Session, broker: Broker, registry: Registry) -> None:
    topic = broker.topic()
    registry.locked = True
    secret = ", avro_subject 'our/orders', avro_registry_user 'ann', avro_registry_password 'pass'"
    create(rt, broker, topic, options(registry, secret))
    query = start_query(rt, "SELECT STREAM rowtime, n FROM orders")
    rt.sql("INSERT INTO orders VALUES (TIMESTAMP '2015-02-15 10:00:00', 7)")
    rt.sql("INSERT INTO orders VALUES (TIMESTAMP '2015-02-15 10:01:00', NULL)")
    assert drained_by_minute(query) == [("10:00", 7), ("10:01", None)]
    (id,) = registry.subjects["our/orders"]
    assert json.loads(registry.schemas[id]["schema"])["fields"] == [
        AT, {"name": "N", "type": ["null", "int"], "default": None},
    ]  # fmt: skip
    described = str(rt.sql("SHOW STREAMS")) + str(rt.sql("DESCRIBE orders"))
    assert "pass'" not in described


def test_faults_of_the_registry(rt: Session, broker: Broker, registry: Registry) -> None:
    topic = broker.topic()
    registry.register(f"{topic}-value", FIRST)
    create(rt, broker, topic, options(registry))
    registry.faults = 2
    start_query(rt, "SELECT STREAM rowtime, n FROM orders").stop()

    def said(sql: str) -> str:
        with pytest.raises(RowtimeError) as raised:
            rt.sql(sql)
        assert raised.value.diagnostics[0].code in ("RT0515", "RT0522")
        return raised.value.diagnostics[0].message

    look = "SELECT STREAM n FROM orders"
    of = "The foreign stream 'ORDERS' cannot use its avro_registry. The schema registry"
    registry.faults = 3
    assert said(look) == f"{of} {registry.url} answers 503: no leader"
    registry.locked = True
    assert said(look) == f"{of} {registry.url} answers 401: Unauthorized"
    registry.locked = False
    registry.register(f"{topic}-value", "syntax = …", schemaType="PROTOBUF")
    assert said(look) == f"{of} {registry.url} has a schema of type PROTOBUF for subject '{topic}-value', not Avro"
    registry.register(f"{topic}-value", schema(NOTE))
    assert said(look).endswith("has an Avro schema without a field 'N', which column N needs")
    create(rt, broker, topic, ", format 'avro', avro_registry 'http://127.0.0.1:1'", name="nobody")
    assert "cannot be reached" in said("SELECT STREAM n FROM nobody")
    create(rt, broker, topic, ", format 'avro', avro_registry 'http://me:secret@there'", name="open")
    assert "secret" not in said("SELECT STREAM n FROM open")
    create(rt, broker, topic, ", format 'avro', avro_subject 's'", name="bare")
    assert said("SELECT STREAM n FROM bare") == "The foreign stream 'BARE' has avro_subject, but no avro_registry"


def test_a_query_goes_on_when_the_registry_is_back(rt: Session, broker: Broker, registry: Registry) -> None:
    topic = broker.topic()
    first = registry.register(f"{topic}-value", FIRST)
    create(rt, broker, topic, options(registry))
    rt.sql("CREATE STREAM kept (n INT) OPTIONS (history 'all')")
    rt.sql("CREATE PUMP p STARTED AS INSERT INTO kept SELECT STREAM rowtime, n FROM orders")
    registry.faults = 3
    broker.send(topic, framed(first, avro(broker, FIRST, {"at": TEN, "n": 1})))
    deadline = time.monotonic() + 240
    while (error := rt.pumps[0].error) is None:
        assert time.monotonic() < deadline
        time.sleep(0.1)
    assert f"The schema registry {registry.url} answers 503: no leader" in str(error)
    rt.sql("ALTER PUMP p STOP")
    rt.sql("ALTER PUMP p START")
    rt.runtime.settle([])
    assert [row.N for row in rt.sql("SELECT n FROM kept").rows()] == [1]
