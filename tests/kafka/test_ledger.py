"""The ledger of a pump from a topic, in each format of records."""

from __future__ import annotations

import json
from collections.abc import Sequence

import pytest
from avro_records import avro
from kafka_topics import Broker
from source_ledger import UNREADABLE, Record, Source, check_ledger, csv_line, json_line, micros, raw

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
