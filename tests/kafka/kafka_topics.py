"""Topics of a running broker, through the Kafka client in Spark's JVM."""

from __future__ import annotations

import uuid
from dataclasses import dataclass
from typing import Any


@dataclass
class Broker:
    """Topics of a running broker, through the Kafka client in Spark's JVM."""

    address: str
    jvm: Any

    def topic(self, partitions: int = 1) -> str:
        """A new topic."""
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

    def send(self, topic: str, *records: str | None, timestamp: int | None = None, partition: int = 0) -> None:
        properties = self._properties()
        for side in ("key", "value"):
            properties.put(f"{side}.serializer", "org.apache.kafka.common.serialization.StringSerializer")
        producer = self.jvm.org.apache.kafka.clients.producer.KafkaProducer(properties)
        try:
            for record in records:
                made = self.jvm.org.apache.kafka.clients.producer.ProducerRecord(
                    topic, partition, timestamp, None, record
                )
                producer.send(made).get()
        finally:
            producer.close()

    def _properties(self) -> Any:
        made = self.jvm.java.util.Properties()
        made.put("bootstrap.servers", self.address)
        return made
