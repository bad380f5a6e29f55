"""From a record in a topic to the row that a pump makes of it in another topic, in real time and in micro-batches: one
partition, and a consumer that sees only what is committed."""

from __future__ import annotations

import json
import sys
import tempfile
import threading
import time
from pathlib import Path
from typing import TYPE_CHECKING, Any

from printing import milliseconds, say

if TYPE_CHECKING:
    from kafka_topics import Broker

    from rowtime.session import Session

ROOT = Path(__file__).resolve().parents[2]
PACE = 0.02
"""Seconds between two records."""
WARM_UP = 10.0
"""Seconds whose records do not count."""
MODES = ("microbatch", "realtime")


def measure(*, brief: bool) -> None:
    """Prints the latencies of each mode in turn."""
    for name in ("tests/kafka", "tests/helpers", "tools"):
        sys.path.insert(0, str(ROOT / name))
    import gradle  # tools/gradle.py
    from kafka_server import Server
    from kafka_topics import Broker

    from rowtime.opening import connect

    seconds = 5.0 if brief else 60.0
    gradle.run("broker")
    with tempfile.TemporaryDirectory() as home:
        server = Server(Path(gradle.BROKER), Path(home))
        server.start()
        try:
            with connect(warehouse=Path(home) / "warehouse") as rt:
                server.wait()
                broker = Broker(server.address, rt.spark._jvm)
                print(f"from a record to the row of a pump in another topic, {1 / PACE:.0f} records/s")
                for mode in MODES:
                    say(mode, milliseconds(_latencies(rt, broker, mode, seconds)))
        finally:
            server.kill()


def _latencies(rt: Session, broker: Broker, mode: str, seconds: float) -> list[float]:
    source, target = broker.topic(), broker.topic()
    for name, topic in (("orders", source), ("done", target)):
        rt.sql(
            f"CREATE OR REPLACE FOREIGN STREAM {name} (n INTEGER, sent BIGINT) OPTIONS (connector 'kafka', "
            f"servers '{broker.address}', topic '{topic}', rowtime 'timestamp')"
        )
    rt.sql(
        f"CREATE PUMP p STARTED OPTIONS (mode '{mode}') AS "
        "INSERT INTO done SELECT STREAM rowtime, n * 2, sent FROM orders WHERE n >= 0"
    )
    found: list[tuple[float, float]] = []
    ended = threading.Event()
    consumer = threading.Thread(target=_consume, args=(broker, target, found, ended))
    consumer.start()
    _produce(broker, source, WARM_UP + seconds)
    time.sleep(3)
    ended.set()
    consumer.join()
    rt.sql("DROP PUMP p")
    began = found[0][0]
    return [came - sent for sent, came in found if sent - began > WARM_UP]


def _produce(broker: Broker, topic: str, seconds: float) -> None:
    properties = broker._properties()
    for side in ("key", "value"):
        properties.put(f"{side}.serializer", "org.apache.kafka.common.serialization.ByteArraySerializer")
    clients = broker.jvm.org.apache.kafka.clients.producer
    producer = clients.KafkaProducer(properties)
    end, n = time.monotonic() + seconds, 0
    while time.monotonic() < end:
        record = json.dumps({"n": n, "sent": time.time_ns() // 1000}).encode()
        producer.send(clients.ProducerRecord(topic, record))
        time.sleep(PACE)
        n += 1
    producer.close()


def _consume(broker: Broker, topic: str, found: list[tuple[float, float]], ended: threading.Event) -> None:
    """Adds when each record was sent, and when its row has come."""
    consumer: Any = broker._consumer("read_committed")
    place = broker.jvm.org.apache.kafka.common.TopicPartition(topic, 0)
    consumer.assign([place])
    consumer.seekToBeginning([place])
    wait = broker.jvm.java.time.Duration.ofMillis(100)
    while not ended.is_set():
        records = consumer.poll(wait)
        came = time.time()
        each = records.iterator()
        while each.hasNext():
            found.append((json.loads(each.next().value())["SENT"] / 1e6, came))
    consumer.close()
