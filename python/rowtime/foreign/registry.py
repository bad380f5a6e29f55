"""A registry of Avro schemas: each record begins with the id of its schema in the registry."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit

from rowtime.foreign.options import Options
from rowtime.jvm.py4j import java_class, java_message

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

REGISTRY_CLASS = "io.rowtime.avro.SchemaRegistry"


@dataclass(frozen=True, slots=True)
class Registry:
    """The URL of a registry, and the subject of the schemas of a topic's values."""

    options: Options
    url: str
    user: str | None
    password: str | None
    subject: str

    @classmethod
    def of(cls, options: Options) -> Registry | None:
        """Options: avro_registry, its URL; avro_registry_user and avro_registry_password; avro_subject (default: the
        topic and `-value`). Returns None without the first. Raises RowtimeError RT0522."""
        url, user = options.optional("avro_registry"), options.optional("avro_registry_user")
        password, subject = options.optional("avro_registry_password"), options.optional("avro_subject")
        if url is None:
            given = {"avro_registry_user": user, "avro_registry_password": password, "avro_subject": subject}
            for name, value in given.items():
                if value is not None:
                    raise options.fault(f"has {name}, but no avro_registry", "RT0522")
            return None
        try:
            parts = urlsplit(url)
            usable = parts.scheme in ("http", "https") and parts.hostname is not None and (parts.port or 1) > 0
            open_secret = parts.username is not None
        except ValueError:
            usable = open_secret = False
        if open_secret:
            raise options.fault(
                "has an avro_registry with a user in its URL",
                "RT0522",
                "Write them as avro_registry_user and avro_registry_password_env",
            )
        if not usable:
            raise options.fault(f"has avro_registry '{url}', which is not a URL", "RT0522", "http://registry:8081")
        return cls(options, url, user, password, subject or f"{options.text('topic')}-value")

    def latest(self, spark: SparkSession) -> tuple[int, str] | None:
        """Returns the id and the text of the subject's latest schema; None if it has none yet. Raises RowtimeError
        RT0515."""
        found = self._ask(lambda registry: registry.latest(self.subject), spark)
        return None if found is None else (int(found.id()), str(found.schema()))

    def register(self, spark: SparkSession, schema: str) -> int:
        """Returns the id of a schema of the subject, and registers it if it is new. Raises RowtimeError RT0515."""
        return int(self._ask(lambda registry: registry.register(self.subject, schema), spark))

    def layout(self) -> dict[str, str]:
        """Returns the registry as the parameter of `typed_records`."""
        fields = {"avro_registry": self.url}
        if self.user is not None:
            fields["avro_registry_user"] = self.user
        if self.password is not None:
            fields["avro_registry_password"] = self.password
        return fields

    def _ask(self, question: Any, spark: SparkSession) -> Any:
        registry = java_class(spark, REGISTRY_CLASS)(self.url, self.user, self.password)
        try:
            return question(registry)
        except Exception as fault:
            raise self.options.fault(f"cannot use its avro_registry. {java_message(fault)}", "RT0515") from fault
