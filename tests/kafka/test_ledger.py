"""The ledger of a pump from a topic, in each format of records."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest
from avro_records import avro
from kafka_streams import create
from kafka_topics import Broker
from queries import entry_of, eventually
from source_ledger import UNREADABLE, Record, Source, check_ledger, csv_line, json_line, micros, raw

from rowtime.opening import connect
from rowtime.runtime.pump import status as pump_status
from rowtime.session import Session

SCHEMA = json.dumps(
    {
        "type": "record",
        "name": "Sent",
        "fields": [
            {"name": "ROWTIME", "type": {"type": "long", "logicalType": "timestamp-micros"}},
            {"name": "N", "type": ["null", "int"]},
        ],
    }
)


def avro_record(broker: Broker, record: Record) -> bytes:
    """One that is unreadable is cut off."""
    time, n = record
    if n == UNREADABLE:
        return avro_record(broker, (time, 1))[:-1]
    return avro(broker, SCHEMA, {"ROWTIME": micros(time), "N": None if n is None else {"int": n}})


@pytest.mark.parametrize("form", ["json", "csv", "avro", "raw"])
def test_the_ledger_of_a_pump(rt: Session, broker: Broker, form: str) -> None:
    topic = broker.topic()

    def send(records: Sequence[Record]) -> int:
        for record in records:
            if form == "raw":
                broker.send(topic, raw(record), timestamp=micros(record[0]) // 1000)
            elif form == "avro":
                broker.send(topic, avro_record(broker, record))
            else:
                broker.send(topic, csv_line(record) if form == "csv" else json_line(record))
        return 0

    schema = f", avro_schema '{SCHEMA}'" if form == "avro" else ""
    options = f"connector 'kafka', servers '{broker.address}', topic '{topic}', start 'earliest', format '{form}'"
    check_ledger(rt, Source(options + schema, send, column="VARCHAR" if form == "raw" else "INT"))


@pytest.mark.parametrize("reported", [False, True])
def test_a_process_that_was_killed_before_it_reported(
    spark: Any, broker: Broker, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, reported: bool
) -> None:
    """Its last batches are in the target and in its checkpoint, and in no report; or all that it has done."""
    topic = broker.topic(partitions=2)
    with monkeypatch.context() as patched, connect(spark, tmp_path / "w") as rt:
        create(rt, broker, topic, ", rowtime 'timestamp', start 'earliest'")
        rt.sql("CREATE TABLE copy (n INT)")
        if not reported:
            patched.setattr(pump_status, "write_report", lambda *_: None)
        rt.sql("CREATE PUMP p STARTED AS INSERT INTO copy SELECT STREAM n FROM orders")
        broker.send(topic, '{"n": 1}', "invalid")
        rt.runtime.settle([])
        if reported:
            eventually(lambda: [status.rows_in for status in rt.pumps] == [2])
            entry = entry_of(rt, "P")
            eventually(lambda: pump_status.read_report(rt.store, entry).rows_in == 2)
            patched.setattr(pump_status, "write_report", lambda *_: None)
        broker.send(topic, '{"n": 2}', '{"n": 3}', partition=1)
        rt.runtime.settle([])
        rt.runtime.pumps.kill()
    with connect(spark, tmp_path / "w") as rt:
        broker.send(topic, '{"n": 4}')
        rt.runtime.settle([])
        (status,) = rt.pumps
        assert (status.rows_in, status.rows_out, status.bad_rows) == (5, 4, 1)
