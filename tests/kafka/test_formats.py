"""Formats of records, as source and as target. Avro's own library is the reference for its records."""

from __future__ import annotations

import json
import random
from typing import Any

import pytest
from avro_records import avro, read_avro
from kafka_streams import bad_rows, create
from kafka_topics import Broker
from queries import drained_by_minute, start_query

from rowtime.errors import RowtimeError
from rowtime.foreign.targets import write_batch
from rowtime.session import Session

EARLIEST = ", start 'earliest'"
ALL_TYPES = (
    "b BOOLEAN, i INT, l BIGINT, f REAL, d DOUBLE, p DECIMAL(8, 2), s VARCHAR, x VARBINARY, dt DATE, t TIME, "
    "ts TIMESTAMP(3), list VARCHAR ARRAY, tags MAP<VARCHAR, INTEGER>, deep ROW(a INTEGER, b VARCHAR ARRAY)"
)


def test_csv(rt: Session, broker: Broker) -> None:
    topic = broker.topic()
    create(rt, broker, topic, f"{EARLIEST}, format 'csv', delimiter ';'", columns="n INT, name VARCHAR(5)")
    broker.send(
        topic,
        "2015-02-15 10:00:00;1;a",
        '2015-02-15 10:01:00;2;"b;\n"',
        "2015-02-15 10:02:00;x;c",
        "2015-02-15 10:03:00;4",
        "2015-02-15 10:04:00;5;toolong",
        "2015-02-15 10:05:00;6;d\n2015-02-15 10:05:00;7;e",
        "2015-02-15 10:06:00;;\r\n",
        None,
        "",
    )
    query = start_query(rt, "SELECT STREAM rowtime, n, name FROM orders")
    assert drained_by_minute(query) == [("10:00", 1, "a"), ("10:01", 2, "b;\n"), ("10:06", None, None)]
    assert [(row["offset"], row["reason"]) for row in bad_rows(rt, "orders", query)] == [
        (2, "N: 'x' is not an INTEGER"),
        (3, "broken CSV: 2 fields, not 3"),
        (4, "NAME: 'toolong' does not fit in VARCHAR(5)"),
        (5, "broken CSV: more than one line"),
        (7, "empty record"),
        (8, "broken CSV: 0 fields, not 3"),
    ]


def test_raw(rt: Session, broker: Broker) -> None:
    topic = broker.topic()
    more = f"{EARLIEST}, format 'raw'"
    create(rt, broker, topic, more, columns="line VARCHAR(6) NOT NULL")
    create(rt, broker, topic, more, columns="bytes VARBINARY", name="bytes_of_it")
    broker.send(topic, " a ", "", None, "seven77", b"\xff", timestamp=1_423_994_400_000)
    query = start_query(rt, "SELECT STREAM rowtime, line FROM orders")
    assert drained_by_minute(query) == [("10:00", " a "), ("10:00", "")]
    assert [(row["offset"], row["reason"]) for row in bad_rows(rt, "orders", query)] == [
        (2, "LINE: NULL in a column that is NOT NULL"),
        (3, "LINE: 'seven77' does not fit in VARCHAR(6)"),
        (4, "LINE: not UTF-8 (byte 1)"),
    ]
    found = drained_by_minute(start_query(rt, "SELECT STREAM rowtime, bytes FROM bytes_of_it"))
    assert [None if row[1] is None else bytes(row[1]) for row in found] == [b" a ", b"", None, b"seven77", b"\xff"]
    rt.sql("INSERT INTO orders VALUES (TIMESTAMP '2015-02-15 11:00:00', 'new')")
    (written,) = broker.read(topic)[5:]
    assert (written.value, written.time) == (b"new", 1_423_998_000_000)


SCHEMA = json.dumps(
    {
        "type": "record",
        "name": "Order",
        "fields": [
            {"name": "at", "type": {"type": "long", "logicalType": "timestamp-micros"}},
            {"name": "n", "type": ["null", "int", "string"]},
            {"name": "price", "type": {"type": "bytes", "logicalType": "decimal", "precision": 10, "scale": 3}},
            {"name": "more", "type": ["null", {"type": "array", "items": {"type": "int", "logicalType": "date"}}]},
            {"name": "kind", "type": {"type": "enum", "name": "Kind", "symbols": ["BUY", "SELL"]}},
            {"name": "ignored", "type": {"type": "map", "values": "double"}},
        ],
    }
)
AT = 1_423_994_400_000_000


def an_order(n: Any = None, price: str = "\u0004\u00d2", more: Any = None) -> dict[str, Any]:
    return {"at": AT, "n": n, "price": price, "more": more, "kind": "SELL", "ignored": {"a": 0.5}}


@pytest.mark.parametrize("framed", [False, True])
def test_avro_by_a_schema(rt: Session, broker: Broker, tmp_path: Any, framed: bool) -> None:
    topic = broker.topic()
    columns = "n INT, price DECIMAL(5, 2), more DATE ARRAY, kind VARCHAR"
    if framed:
        (tmp_path / "order.avsc").write_text(SCHEMA)
        schema = f"avro_schema_file '{tmp_path / 'order.avsc'}', avro_framing 'confluent', avro_schema_id '258'"
    else:
        schema = f"avro_schema '{SCHEMA}'"
    create(rt, broker, topic, f"{EARLIEST}, format 'avro', rowtime 'at', {schema}", columns=columns)
    frame = b"\0\0\0\1\2" if framed else b""
    good = frame + avro(broker, SCHEMA, an_order({"int": 7}, more={"array": [16481]}))
    broker.send(topic, good, frame + avro(broker, SCHEMA, an_order({"string": "8"})))
    broker.send(topic, frame + avro(broker, SCHEMA, an_order({"string": "x"})), good[:-1], good + b"\0")
    # a text longer than any record
    broker.send(topic, frame + avro(broker, SCHEMA, an_order())[:8] + b"\x04\xfe\xff\xff\xff\x0f", None)
    if framed:
        broker.send(topic, b"\0\0\0\1\3" + good[5:], good[5:])
    query = start_query(rt, "SELECT STREAM rowtime, n, price, more, kind FROM orders")
    query.process_all_available()
    rows = [tuple(row)[1:] for row in query.rows()]
    assert [(row[0], str(row[1]), row[3]) for row in rows] == [(7, "1.23", "SELL"), (8, "1.23", "SELL")]
    assert [None if row[2] is None else [day.isoformat() for day in row[2]] for row in rows] == [["2015-02-15"], None]
    reasons = [row["reason"] for row in bad_rows(rt, "orders", query)]
    assert reasons[:3] == [
        "N: 'x' is not an INTEGER",
        "broken Avro: the record is too short",
        "broken Avro: bytes after the end of the record",
    ]
    assert reasons[3].startswith("broken Avro: a length of 2147483647 in a record of ")
    assert reasons[4] == "empty record"
    assert reasons[5:] == (
        ["the record has Avro schema 259, not 258", "broken Avro: no Confluent frame"] if framed else []
    )


def test_bytes_at_random_are_no_fault_of_a_query(rt: Session, broker: Broker) -> None:
    chance = random.Random(7)
    topic = broker.topic()
    create(
        rt, broker, topic, f"{EARLIEST}, format 'avro', rowtime 'at', avro_schema '{SCHEMA}'", columns="price DECIMAL"
    )
    good = avro(broker, SCHEMA, an_order())
    sent = [chance.randbytes(chance.randrange(40)) for _ in range(200)]
    for _ in range(200):
        at = chance.randrange(len(good))
        sent.append(good[:at] + chance.randbytes(chance.randrange(1, 4)) + good[at + 1 :])
    broker.send(topic, *sent, good)
    query = start_query(rt, "SELECT STREAM rowtime, price FROM orders")
    query.process_all_available()
    entry = rt.store.get("ORDERS")
    assert entry is not None
    late = rt.runtime.launcher.foreign.late_row_count(entry, query.checkpoint.name)
    assert len(query.rows()) + late + len(bad_rows(rt, "orders", query)) == 401


@pytest.mark.parametrize("format", ["json", "csv", "avro"])
def test_what_is_written_comes_back(rt: Session, broker: Broker, format: str) -> None:
    topic = broker.topic()
    create(rt, broker, topic, f"{EARLIEST}, format '{format}'", columns=ALL_TYPES)
    entry = rt.store.get("ORDERS")
    assert entry is not None
    with rt.runtime.launcher.relational_session() as session:
        rows = session.sql(
            "SELECT timestamp'2015-02-15 10:00:00.25' AS ROWTIME, true AS B, 1 AS I, -9223372036854775808L AS L, "
            "CAST(1.5 AS FLOAT) AS F, 1e300D AS D, 3.14BD AS P, ' it''s \"quoted\", é\\n' AS S, X'00ff' AS X, "
            "date'1582-10-15' AS DT, TIME'10:11:12' AS T, timestamp'1500-01-02 03:04:05.678901' AS TS, "
            "array('a', NULL, '') AS LIST, map('k', 1, 'none', NULL) AS TAGS, "
            "named_struct('A', 2, 'B', array('z')) AS DEEP"
        )
        rows = rows.selectExpr("*").unionByName(rows.selectExpr("ROWTIME"), allowMissingColumns=True)
        rows = rows.selectExpr(*[f"CAST({c} AS DECIMAL(8, 2)) AS P" if c == "P" else c for c in rows.columns])
        assert write_batch(rt.spark, entry, rows) == 2
    query = start_query(rt, "SELECT STREAM * FROM orders")
    query.process_all_available()
    assert bad_rows(rt, "orders", query) == []
    full, empty = sorted((tuple(row) for row in query.rows()), key=lambda row: row[1] is None)
    assert empty[1:] == (None,) * 14
    assert full[0].isoformat() == "2015-02-15T10:00:00.250000"
    assert full[1:6] == (True, 1, -9223372036854775808, 1.5, 1e300)
    assert [str(full[6]), full[7], bytes(full[8])] == ["3.14", ' it\'s "quoted", é\n', b"\0\xff"]
    assert [value.isoformat() for value in full[9:12]] == ["1582-10-15", "10:11:12", "1500-01-02T03:04:05.678000"]
    assert full[12:14] == (["a", None, ""], {"k": 1, "none": None})
    assert tuple(full[14]) == (2, ["z"])
    if format == "avro":
        # The schema in the documentation, read by Avro itself.
        schema = {
            "type": "record",
            "name": "ORDERS",
            "fields": [
                {"name": "ROWTIME", "type": {"type": "long", "logicalType": "timestamp-millis"}},
                {"name": "B", "type": ["null", "boolean"]},
                {"name": "I", "type": ["null", "int"]},
                {"name": "L", "type": ["null", "long"]},
                {"name": "F", "type": ["null", "float"]},
                {"name": "D", "type": ["null", "double"]},
                {
                    "name": "P",
                    "type": ["null", {"type": "bytes", "logicalType": "decimal", "precision": 8, "scale": 2}],
                },
                {"name": "S", "type": ["null", "string"]},
                {"name": "X", "type": ["null", "bytes"]},
                {"name": "DT", "type": ["null", {"type": "int", "logicalType": "date"}]},
                {"name": "T", "type": ["null", {"type": "long", "logicalType": "time-micros"}]},
                {"name": "TS", "type": ["null", {"type": "long", "logicalType": "timestamp-millis"}]},
                {"name": "LIST", "type": ["null", {"type": "array", "items": ["null", "string"]}]},
                {"name": "TAGS", "type": ["null", {"type": "map", "values": ["null", "int"]}]},
                {
                    "name": "DEEP",
                    "type": [
                        "null",
                        {
                            "type": "record",
                            "name": "ORDERS_DEEP",
                            "fields": [
                                {"name": "A", "type": ["null", "int"]},
                                {"name": "B", "type": ["null", {"type": "array", "items": ["null", "string"]}]},
                            ],
                        },
                    ],
                },
            ],
        }
        found = [read_avro(broker, json.dumps(schema), record.value or b"") for record in broker.read(topic)]
        one = next(record for record in found if record["I"] is not None)
        assert one["ROWTIME"] == AT // 1000 + 250
        assert one["P"] == {"bytes": "\u0001:"}  # 314
        assert one["DT"] == {"int": -141427}
        assert one["LIST"] == {"array": [{"string": "a"}, None, {"string": ""}]}
        assert one["DEEP"] == {"ORDERS_DEEP": {"A": {"int": 2}, "B": {"array": [{"string": "z"}]}}}


def test_a_value_that_the_schema_does_not_take(rt: Session, broker: Broker) -> None:
    topic = broker.topic()
    schema = (
        '{"type": "record", "name": "R", "fields": [{"name": "rowtime", "type": "long"}, {"name": "n", "type": "int"}]}'
    )
    create(rt, broker, topic, f", format 'avro', avro_framing 'confluent', avro_schema_id '7', avro_schema '{schema}'",
           columns="n BIGINT")  # fmt: skip
    rt.sql("INSERT INTO orders VALUES (TIMESTAMP '2015-02-15 10:00:00', 5)")
    (record,) = broker.read(topic)
    assert record.value is not None
    assert record.value[:5] == b"\0\0\0\0\7"
    assert read_avro(broker, schema, record.value[5:]) == {"rowtime": AT // 1000, "n": 5}
    for value, said in (
        ("3000000000", "'3000000000' does not fit in the Avro field n"),
        ("NULL", "NULL in the Avro field n"),
    ):
        with pytest.raises(RowtimeError) as fault:
            rt.sql(f"INSERT INTO orders VALUES (TIMESTAMP '2015-02-15 10:00:00', CAST({value} AS BIGINT))")
        assert fault.value.code == "RT0515"
        assert said in fault.value.diagnostics[0].message
    assert len(broker.read(topic)) == 1


@pytest.mark.parametrize(
    ("columns", "options", "code", "said"),
    [
        ("n INT", "format 'avro', avro_schema '{'", "RT0515", "cannot be used: Unexpected end-of-input"),
        ("n INT", """format 'avro', avro_schema '"int"'""", "RT0515", "it is of type int, not a record"),
        ("x INT", f"format 'avro', rowtime 'at', avro_schema '{SCHEMA}'", "RT0515", "without a field 'X'"),
        ("n INT", "format 'avro', avro_schema_file '/no/such'", "RT0515", "'/no/such', which cannot be read: No such"),
        ("n INT", "format 'avro', avro_schema_id 'x'", "RT0522", "avro_schema_id 'x'"),
        ("n INT", "format 'avro', avro_framing 'x'", "RT0522", "known values are none, confluent"),
        ('"a b" INT', "format 'avro'", "RT0515", "not a valid Avro field name"),
        ("m MAP<INTEGER, INTEGER>", "format 'avro'", "RT0515", "a type that Avro does not have: MAP"),
        ("n INT", "format_env 'RECORDS'", "RT0529", "needs one column of type VARCHAR or VARBINARY, not N INTEGER"),
        ("a VARCHAR, b VARCHAR", "format_env 'RECORDS'", "RT0529", "not A VARCHAR, B VARCHAR"),
        ("a VARCHAR", "format 'raw', rowtime 'at'", "RT0522", "no field 'at' to fill ROWTIME"),
        ("n INT", "format 'csv', delimiter 'ab'", "RT0522", "delimiter 'ab'"),
        ("n INT", "format 'json', delimiter ';'", "RT0523", "has the option delimiter, but its format is 'json'"),
        ("n INT", "format 'xml'", "RT0522", "known values are json, csv, avro, raw"),
    ],
)
def test_options_that_cannot_be(
    rt: Session, monkeypatch: pytest.MonkeyPatch, columns: str, options: str, code: str, said: str
) -> None:
    """They are looked at before the broker is."""
    monkeypatch.setenv("RECORDS", "raw")
    with pytest.raises(RowtimeError) as fault:  # noqa: PT012
        rt.sql(
            f"CREATE FOREIGN STREAM orders ({columns}) "
            f"OPTIONS (connector 'kafka', servers '127.0.0.1:1', topic 't', {options})"
        )
        rt.sql("SELECT STREAM * FROM orders")
    assert fault.value.code == code
    assert said in fault.value.diagnostics[0].message
