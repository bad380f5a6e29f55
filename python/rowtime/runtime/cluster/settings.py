"""The settings of the sessions that rowtime starts, wherever they run."""

from __future__ import annotations

EXTENSIONS = {
    "spark.sql.extensions": "io.delta.sql.DeltaSparkSessionExtension",
    "spark.sql.catalog.spark_catalog": "org.apache.spark.sql.delta.catalog.DeltaCatalog",
}
"""The settings of a session that Delta Lake requires."""

_GENERATED_CLASSES = 2_000
"""The number of generated classes that Spark caches. Its own limit is 100, in four segments, and a streaming query has
30 to 60: with several queries in a session, a batch compiles again what the batch before had compiled, and runs it
interpreted."""

_REDACTED = "(?i)secret|passw|pwd|token|access[.]?key|credential|jaas|api.?key|auth|bearer|private"
"""Names, and values, of settings that Spark must not show: a superset of its own list."""

BASE = {
    "spark.sql.session.timeZone": "UTC",
    "spark.sql.codegen.cache.maxEntries": str(_GENERATED_CLASSES),
    # A long SELECT has a pool of its own (`sparksql/sessions.py`); jobs that came first would go first otherwise.
    "spark.scheduler.mode": "FAIR",
    "spark.redaction.regex": _REDACTED,
    "spark.sql.redaction.options.regex": "(?s).*",
}
"""The other settings that do not depend on how Spark is started."""
