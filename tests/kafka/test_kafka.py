"""Connector 'kafka' against a real broker: streams from topics, and topics as targets."""

from __future__ import annotations

import json
import shutil
from pathlib import Path
from typing import Any

import pytest
from kafka_streams import create
from kafka_topics import Broker
from queries import drained_by_minute, start_query

from rowtime.delta.batches import LastBatch, SentBatch
from rowtime.errors import RowtimeError
from rowtime.foreign.targets import last_batch, write_batch
from rowtime.runtime.relation import Relation
from rowtime.session import Session

DAY = "2015-02-15T"


def order(time: str, n: Any) -> str:
    return json.dumps({"rowtime": f"{DAY}{time}:00Z", "n": n})


def test_a_stream_begins_with_what_arrives_from_now_on(rt: Session, broker: Broker) -> None:
    topic = broker.topic(partitions=2)
    broker.send(topic, order("09:00", 0))
    create(rt, broker, topic, columns="rowtime TIMESTAMP(3) NOT NULL LATENESS INTERVAL '1' HOUR, n INT")
    query = start_query(rt, "SELECT STREAM rowtime, n FROM orders")
    # between the start of the query and its first batch
    broker.send(topic, order("10:00", 1))
    broker.send(topic, order("11:00", 2), "{broken", None, order("11:30", "x"), partition=1)
    assert drained_by_minute(query) == [("10:00", 1), ("11:00", 2)]
    broker.send(topic, order("09:59", 3), order("10:30", 4))
    assert drained_by_minute(query) == [("10:30", 4)]
    entry = rt.store.get("ORDERS")
    assert entry is not None
    assert rt.runtime.launcher.foreign.late_row_count(entry, query.checkpoint.name) == 1
    assert rt.runtime.launcher.foreign.bad_row_count(entry, query.checkpoint.name) == 3
    query.kill()
    broker.send(topic, order("12:00", 5))
    query.restart()
    assert drained_by_minute(query) == [("12:00", 5)]


def test_a_query_that_died_before_its_first_batch(rt: Session, broker: Broker) -> None:
    topic = broker.topic()
    create(rt, broker, topic)
    broker.send(topic, order("09:00", 0))
    query = start_query(rt, "SELECT STREAM rowtime, n FROM orders")
    query.kill()
    # Its first batch, which is empty, may have been faster.
    shutil.rmtree(query.checkpoint / "spark", ignore_errors=True)
    (query.checkpoint / "emitted").unlink(missing_ok=True)
    broker.send(topic, order("10:00", 1))
    query.restart()
    assert drained_by_minute(query) == [("10:00", 1)]
    hinted = start_query(rt, "SELECT STREAM /*+ FROM_EARLIEST */ rowtime, n FROM orders")
    assert drained_by_minute(hinted) == [("09:00", 0), ("10:00", 1)]


def test_windows_by_the_time_of_the_record(rt: Session, broker: Broker) -> None:
    topic = broker.topic()
    create(rt, broker, topic, ", rowtime 'timestamp', start 'earliest', max_records_per_batch '1'")
    hour = 3_600_000
    for at, n in ((0, 1), (1, 2), (hour, 4)):
        broker.send(topic, json.dumps({"n": n}), timestamp=1_424_000_000_000 // hour * hour + at)
    query = start_query(
        rt, "SELECT STREAM FLOOR(rowtime TO HOUR) AS rowtime, SUM(n) AS s FROM orders GROUP BY FLOOR(rowtime TO HOUR)"
    )
    assert drained_by_minute(query) == [("11:00", 3)]


def test_a_table_is_what_the_topic_holds(rt: Session, broker: Broker) -> None:
    topic = broker.topic()
    broker.send(topic, '{"N": 1}', '{"n": 2, "more": [1]}')
    create(rt, broker, topic, kind="TABLE")
    found = rt.sql("SELECT SUM(n) FROM orders")
    assert isinstance(found, Relation)
    assert [tuple(row) for row in found] == [(3,)]


def test_a_batch_is_written_once(rt: Session, broker: Broker, tmp_path: Path) -> None:
    """A writer that dies in the middle leaves nothing, and one that repeats the same batch adds nothing."""
    topic = broker.topic()
    types = "n INT, text VARCHAR, price DECIMAL(8, 2), t TIME, b VARBINARY, tags VARCHAR ARRAY"
    create(rt, broker, topic, ", key 'text', start 'earliest'", columns=types)
    entry = rt.store.get("ORDERS")
    assert entry is not None
    with rt.runtime.launcher.relational_session() as session:
        rows = session.sql(
            "SELECT timestamp'2015-02-15 10:00:00.25' AS ROWTIME, id AS N, concat('it''s ', id) AS TEXT, "
            "CAST(id AS DECIMAL(8, 2)) AS PRICE, TIME'10:11:12' AS T, X'0aff' AS B, "
            "array('a', NULL) AS TAGS FROM range(3)"
        ).selectExpr("ROWTIME", "CAST(N AS INT) AS N", "TEXT", "PRICE", "T", "B", "TAGS")
        assert write_batch(rt.spark, entry, rows, batch=0, writer="p1") == 3
        assert write_batch(rt.spark, entry, rows, batch=0, writer="p1") == 3
        failing = rows.select("ROWTIME", "TEXT", "N").unionAll(
            rows.selectExpr("ROWTIME", "TEXT", "CAST(raise_error('is not to be') AS INT) AS N")
        )
        with pytest.raises(Exception, match="is not to be"):
            write_batch(rt.spark, entry, failing, batch=1, writer="p1")
        assert write_batch(rt.spark, entry, rows.limit(1), batch=1, writer="p1") == 1
        assert write_batch(rt.spark, entry, rows, batch=0, writer="p2", content=7) == 3
        assert write_batch(rt.spark, entry, rows, batch=0, writer="p2", content=7) == 3
        with pytest.raises(RowtimeError, match="RT0607: Micro-batch 0 cannot be written"):
            write_batch(rt.spark, entry, rows, batch=0, writer="p2", content=8)
    known = [last_batch(rt.spark, entry, writer, tmp_path) for writer in ("p1", "p2", "p3")]
    # Kafka forgets, so what it does not know may have been.
    assert known == [LastBatch(SentBatch(1)), LastBatch(SentBatch(0, 7)), LastBatch(is_known=False)]
    query = start_query(rt, "SELECT STREAM * FROM orders")
    found = drained_by_minute(query)
    assert len(found) == 7
    assert sorted(row[1] for row in found) == [0, 0, 0, 1, 1, 2, 2]
    first = next(row for row in found if row[1] == 1)
    assert [str(value) for value in first[2:4]] == ["it's 1", "1.00"]
    assert first[4:][0].isoformat() == "10:11:12"
    assert bytes(first[5]) == b"\x0a\xff"
    assert first[6] == ["a", None]


def test_no_broker(rt: Session, tmp_path: Path) -> None:
    rt.sql(
        "CREATE FOREIGN STREAM orders (n INT) OPTIONS (connector 'kafka', servers '127.0.0.1:1', topic 't', "
        "kafka.default.api.timeout.ms '1000', kafka.request.timeout.ms '500')"
    )
    with pytest.raises(RowtimeError) as fault:
        rt.sql("SELECT STREAM * FROM orders")
    assert fault.value.diagnostics[0].code == "RT0526"
    assert "cannot use Kafka at 127.0.0.1:1" in fault.value.diagnostics[0].message


def test_insert_and_pump_into_a_topic(rt: Session, broker: Broker) -> None:
    """A pump that is killed and restarted from its checkpoint, before Spark has recorded its last batch."""
    topic = broker.topic()
    create(rt, broker, topic, ", start 'earliest'")
    rt.sql("INSERT INTO orders VALUES (TIMESTAMP '2015-02-15 09:00:00', 1)")
    rt.sql("CREATE STREAM source (n INT)")
    rt.sql("CREATE PUMP p STARTED AS INSERT INTO orders SELECT STREAM rowtime, n FROM source")
    rt.sql("INSERT INTO source VALUES (TIMESTAMP '2015-02-15 10:00:00', 2), (TIMESTAMP '2015-02-15 11:00:00', 3)")
    rt.runtime.settle([])
    rt.runtime.kill_pumps()
    commits = max((rt.store.warehouse / "pumps").rglob("spark/commits/[0-9]*"), key=lambda file: int(file.name))
    commits.unlink()
    rt.runtime.restart_pumps()
    rt.sql("INSERT INTO source VALUES (TIMESTAMP '2015-02-15 12:00:00', 4)")
    rt.runtime.settle([])
    assert drained_by_minute(start_query(rt, "SELECT STREAM rowtime, n FROM orders")) == [
        ("09:00", 1),
        ("10:00", 2),
        ("11:00", 3),
        ("12:00", 4),
    ]
