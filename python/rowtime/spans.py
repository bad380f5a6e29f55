"""OpenTelemetry spans: one for planning a statement, one for each micro-batch of a query or pump.

They are created if this process has configured a tracer provider. In that case OpenTelemetry has been imported already,
so this module does not import it first; without it, the cost is one look-up in a dict.
"""

from __future__ import annotations

import datetime as dt
import re
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

from rowtime.errors import RowtimeError
from rowtime.secrets.masking import mask_secrets

if TYPE_CHECKING:
    from opentelemetry.trace import Tracer

Describe = Callable[[str, bool], None]


def tracer() -> Tracer | None:
    """Returns the tracer of the configured provider; None if there is none."""
    trace = sys.modules.get("opentelemetry.trace")
    if trace is None:
        return None
    provider = trace.get_tracer_provider()
    if isinstance(provider, trace.ProxyTracerProvider):
        return None
    from rowtime.version import __version__

    made: Tracer = provider.get_tracer("rowtime", __version__)
    return made


@contextmanager
def planning(sql: str, version: int) -> Iterator[Describe]:
    """Encloses the planning of a statement against the catalog of that version. Call the yielded function with the
    statement's kind and whether it is streaming. A RowtimeError that leaves the block becomes the span's status."""
    found = tracer()
    if found is None:
        yield lambda kind, streaming: None
        return
    from opentelemetry.trace import Status, StatusCode

    attributes: dict[str, Any] = {
        "db.system.name": "rowtime",
        "db.query.text": mask_secrets(sql),
        "rowtime.catalog.version": version,
    }
    with found.start_as_current_span(
        "rowtime.plan", attributes=attributes, record_exception=False, set_status_on_exception=False
    ) as span:

        def describe(kind: str, streaming: bool) -> None:
            span.set_attribute("db.operation.name", kind)
            span.set_attribute("rowtime.streaming", streaming)

        try:
            yield describe
        except RowtimeError as fault:
            span.set_attribute("error.type", fault.code)
            span.set_status(Status(StatusCode.ERROR, str(fault)))
            raise


def batch(query: str, kind: str, report: dict[str, Any]) -> None:
    """Creates a span for a completed micro-batch from Spark's report on it; it has the times of the batch. `query` is
    the id of a query or the name of a pump; durations are in seconds."""
    found = tracer()
    if found is None:
        return
    from opentelemetry.context import Context

    durations = {name: millis / 1000 for name, millis in report["durationMs"].items()}
    start = int(dt.datetime.fromisoformat(report["timestamp"].replace("Z", "+00:00")).timestamp() * 1000) * 1_000_000
    attributes: dict[str, Any] = {
        "rowtime.query": query,
        "rowtime.query.kind": kind,
        "rowtime.batch.id": report["batchId"],
        "rowtime.batch.rows_in": report["numInputRows"],
        "rowtime.batch.state_rows": sum(o.get("numRowsTotal", 0) for o in report.get("stateOperators", [])),
    }
    for name, seconds in durations.items():
        attributes[f"rowtime.batch.duration.{_snake(name)}"] = seconds
    # A root span: the caller that reads the progress is not its parent.
    span = found.start_span("rowtime.batch", context=Context(), attributes=attributes, start_time=start)
    span.end(end_time=start + int(durations.get("triggerExecution", 0.0) * 1e9))


def _snake(name: str) -> str:
    return re.sub(r"([A-Z])", r"_\1", name).lower()
