"""Columns that come from a record's key, headers and position, and that are written to them."""

from __future__ import annotations

from typing import Any

import pytest
from kafka_streams import bad_rows, create
from kafka_topics import Broker
from queries import drained_by_minute, start_query

from rowtime.errors import RowtimeError
from rowtime.session import Session

TEN = 1_423_994_400_000
ALL = ", start 'earliest', rowtime 'at', key 'id', headers 'head', partition 'part', offset 'place', timestamp 'sent'"
COLUMNS = "id INTEGER, head MAP<VARCHAR, VARCHAR>, part INTEGER, place BIGINT, sent TIMESTAMP(3), n INTEGER"


def test_all_that_a_record_has(rt: Session, broker: Broker) -> None:
    topic = broker.topic(partitions=2)
    create(rt, broker, topic, ALL, columns=COLUMNS)
    value = '{"at": "2015-02-15 11:00:00", "n": 1, "id": 8, "part": 9, "head": {"x": "y"}}'
    broker.send(topic, value, key="7", headers={"a": "é".encode(), "b": b""}, timestamp=TEN, partition=1)
    broker.send(topic, value, value, timestamp=TEN + 60_000, partition=1)
    broker.send(topic, value, key="x", partition=1)
    query = start_query(rt, "SELECT STREAM rowtime, id, head, part, place, CAST(sent AS TIME) AS sent, n FROM orders")
    rows = [(*row[:5], row[5].isoformat(), row[6]) for row in drained_by_minute(query)]
    assert rows == [
        ("11:00", 7, {"a": "é", "b": ""}, 1, 0, "10:00:00", 1),
        # without a key, its field counts
        ("11:00", 8, {}, 1, 1, "10:01:00", 1),
        ("11:00", 8, {}, 1, 2, "10:01:00", 1),
    ]
    assert [row["reason"] for row in bad_rows(rt, "orders", query)] == ["ID: 'x' is not an INTEGER"]


@pytest.mark.parametrize(("format", "value"), [("csv", b"5"), ("json", b'{"N":5}')])
def test_what_is_written(rt: Session, broker: Broker, format: str, value: bytes) -> None:
    topic = broker.topic()
    create(
        rt,
        broker,
        topic,
        f", format '{format}', start 'earliest', rowtime 'timestamp', key 'k', headers 'head', key_in_value 'false'",
        columns="k VARBINARY, n INTEGER, head MAP<VARCHAR, VARBINARY>",
    )
    rt.sql(
        "INSERT INTO orders (rowtime, k, n, head) VALUES (TIMESTAMP '2015-02-15 10:00:00', X'00ff', 5, MAP['a', X'01'])"
    )
    rt.sql("INSERT INTO orders (rowtime, n) VALUES (TIMESTAMP '2015-02-15 10:01:00', 5)")
    first, second = broker.read(topic)
    assert (first.key, first.value, first.headers, first.time) == (b"\0\xff", value, [("a", b"\1")], TEN)
    assert (second.key, second.value, second.headers, second.time) == (None, value, [], TEN + 60_000)
    rows = drained_by_minute(start_query(rt, "SELECT STREAM rowtime, k, n, head FROM orders"))
    assert [(row[0], row[1] and bytes(row[1]), row[2]) for row in rows] == [("10:00", b"\0\xff", 5), ("10:01", None, 5)]
    assert [{name: bytes(of) for name, of in row[3].items()} for row in rows] == [{"a": b"\1"}, {}]


def test_the_key_is_in_the_value_as_well(rt: Session, broker: Broker) -> None:
    topic = broker.topic()
    create(rt, broker, topic, ", key 'n', rowtime 'timestamp'")
    rt.sql("INSERT INTO orders VALUES (TIMESTAMP '2015-02-15 10:00:00', 5)")
    assert [(record.key, record.value) for record in broker.read(topic)] == [(b"5", b'{"N":5}')]


def test_columns_that_only_kafka_fills(rt: Session, broker: Broker) -> None:
    topic = broker.topic()
    create(rt, broker, topic, ", offset 'place'", columns="n INTEGER, place BIGINT")
    with pytest.raises(RowtimeError) as fault:
        rt.sql("INSERT INTO orders VALUES (TIMESTAMP '2015-02-15 10:00:00', 5, 6)")
    assert fault.value.code == "RT0529"
    assert "cannot be given a value for PLACE: kafka fills the offset" in fault.value.diagnostics[0].message
    rt.sql("INSERT INTO orders (rowtime, n) VALUES (TIMESTAMP '2015-02-15 10:00:00', 5)")
    assert [record.value for record in broker.read(topic)] == [b'{"ROWTIME":"2015-02-15T10:00:00.000","N":5}']


@pytest.mark.parametrize(
    ("options", "said"),
    [
        ("key 'x'", "has key 'x', which is not one of its columns"),
        ("headers 'n'", "a column of type INTEGER; it must be MAP<VARCHAR, VARCHAR> or MAP<VARCHAR, VARBINARY>"),
        ("partition 'm'", "it must be INTEGER"),
        ("offset 'n'", "it must be BIGINT"),
        ("timestamp 'n'", "it must be TIMESTAMP"),
        ("key 'm'", "it must be a simple one"),
        ("key 'n', partition 'n'", "uses column N for two of key, headers, partition, offset, timestamp"),
        ("key_in_value 'maybe'", "known values are true, false"),
    ],
)
def test_options_that_cannot_be(rt: Session, options: str, said: str) -> None:
    for sql in ("SELECT STREAM * FROM orders", "INSERT INTO orders (rowtime) VALUES (TIMESTAMP '2015-02-15 10:00:00')"):
        with pytest.raises(RowtimeError) as fault:  # noqa: PT012
            rt.sql(
                "CREATE OR REPLACE FOREIGN STREAM orders (n INTEGER, m MAP<VARCHAR, INTEGER>) "
                f"OPTIONS (connector 'kafka', servers '127.0.0.1:1', topic 't', {options})"
            )
            rt.sql(sql)
        assert fault.value.code == "RT0522"
        assert said in fault.value.diagnostics[0].message


def test_of_a_table(rt: Session, broker: Broker) -> None:
    """A table reads keys and positions too."""
    topic = broker.topic()
    create(rt, broker, topic, ", key 'k', offset 'place', format 'raw'", "TABLE", "k VARCHAR, place BIGINT, v VARCHAR")
    broker.send(topic, "a", "b", key="x")
    found: Any = rt.sql("SELECT place, k, v FROM orders ORDER BY place")
    assert [tuple(row) for row in found] == [(0, "x", "a"), (1, "x", "b")]
