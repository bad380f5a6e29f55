"""Records of Avro, written and read by Avro's own library."""

from __future__ import annotations

import json
from typing import Any

from kafka_topics import Broker


def avro(broker: Broker, schema: str, value: dict[str, Any]) -> bytes:
    """Returns a record in Avro's binary form, converted by Avro from its JSON form."""
    avro = broker.jvm.org.apache.avro
    parsed = getattr(avro, "Schema$Parser")().parse(schema)
    decoder = avro.io.DecoderFactory.get().jsonDecoder(parsed, json.dumps(value))
    record = avro.generic.GenericDatumReader(parsed).read(None, decoder)
    out = broker.jvm.java.io.ByteArrayOutputStream()
    encoder = avro.io.EncoderFactory.get().binaryEncoder(out, None)
    avro.generic.GenericDatumWriter(parsed).write(record, encoder)
    encoder.flush()
    return bytes(out.toByteArray())


def read_avro(broker: Broker, schema: str, value: bytes) -> dict[str, Any]:
    """Returns a record in Avro's JSON form."""
    avro = broker.jvm.org.apache.avro
    parsed = getattr(avro, "Schema$Parser")().parse(schema)
    record = avro.generic.GenericDatumReader(parsed).read(None, avro.io.DecoderFactory.get().binaryDecoder(value, None))
    out = broker.jvm.java.io.ByteArrayOutputStream()
    encoder = avro.io.EncoderFactory.get().jsonEncoder(parsed, out)
    avro.generic.GenericDatumWriter(parsed).write(record, encoder)
    encoder.flush()
    found: dict[str, Any] = json.loads(out.toString())
    return found
