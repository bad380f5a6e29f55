"""Topics of a running broker, through the Kafka client in Spark's JVM."""

from __future__ import annotations

import time
import uuid
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

BYTES = "org.apache.kafka.common.serialization.ByteArray"


@dataclass(frozen=True)
class Record:
    """A record of a topic; `time` is in milliseconds since 1970."""

    key: bytes | None
    value: bytes | None
    headers: list[tuple[str, bytes | None]]
    time: int
    partition: int
    offset: int


@dataclass
class Broker:
    """Topics of a running broker, through the Kafka client in Spark's JVM."""

    address: str
    jvm: Any

    def topic(self, partitions: int = 1) -> str:
        """Creates a new topic."""
        name = f"t{uuid.uuid4().hex}"
        admin = self.jvm.org.apache.kafka.clients.admin.Admin.create(self._properties())
        try:
            some = self.jvm.java.util.Optional.of
            made = self.jvm.org.apache.kafka.clients.admin.NewTopic(
                name, some(partitions), self.jvm.java.util.Optional.empty()
            )
            admin.createTopics([made]).all().get()
        finally:
            admin.close()
        return name

    def send(
        self,
        topic: str,
        *records: str | bytes | None,
        timestamp: int | None = None,
        partition: int = 0,
        key: str | bytes | None = None,
        headers: Mapping[str, bytes] | None = None,
    ) -> None:
        properties = self._properties()
        for side in ("key", "value"):
            properties.put(f"{side}.serializer", f"{BYTES}Serializer")
        named = self.jvm.org.apache.kafka.common.header.internals.RecordHeaders()
        for name, value in (headers or {}).items():
            named.add(name, value)
        producer = self.jvm.org.apache.kafka.clients.producer.KafkaProducer(properties)
        try:
            for record in records:
                made = self.jvm.org.apache.kafka.clients.producer.ProducerRecord(
                    topic, partition, timestamp, _bytes(key), _bytes(record), named
                )
                producer.send(made)
            producer.flush()
        finally:
            producer.close()

    def read(self, topic: str) -> list[Record]:
        """Returns all committed records, partition by partition."""
        consumer, writes = self._consumer("read_committed"), self._consumer("read_uncommitted")
        found = []
        try:
            for info in consumer.partitionsFor(topic):
                place = self.jvm.org.apache.kafka.common.TopicPartition(topic, info.partition())
                consumer.assign([place])
                consumer.seekToBeginning([place])
                end = self._end(place, consumer, writes)
                while consumer.position(place) < end:
                    polled = consumer.poll(self.jvm.java.time.Duration.ofMillis(100)).iterator()
                    while polled.hasNext():
                        found.append(_record(polled.next()))
        finally:
            consumer.close()
            writes.close()
        return found

    def _end(self, place: Any, consumer: Any, writes: Any) -> int:
        """Returns the end of the committed records. A transaction that the broker has accepted ends a moment later;
        this waits at most five seconds for one that is never ended."""
        written = writes.endOffsets([place]).get(place)
        deadline = time.monotonic() + 5
        end: int = consumer.endOffsets([place]).get(place)
        while end < written and time.monotonic() < deadline:
            time.sleep(0.02)
            end = consumer.endOffsets([place]).get(place)
        return end

    def _consumer(self, isolation: str) -> Any:
        properties = self._properties()
        properties.put("isolation.level", isolation)
        for side in ("key", "value"):
            properties.put(f"{side}.deserializer", f"{BYTES}Deserializer")
        return self.jvm.org.apache.kafka.clients.consumer.KafkaConsumer(properties)

    def _properties(self) -> Any:
        made = self.jvm.java.util.Properties()
        made.put("bootstrap.servers", self.address)
        return made


def _bytes(text: str | bytes | None) -> bytes | None:
    return text.encode() if isinstance(text, str) else text


def _record(java: Any) -> Record:
    headers = [(header.key(), header.value()) for header in java.headers().toArray()]
    return Record(java.key(), java.value(), headers, java.timestamp(), java.partition(), java.offset())
