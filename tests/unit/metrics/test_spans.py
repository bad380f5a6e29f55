"""Spans as an exporter of OpenTelemetry gets them."""

from __future__ import annotations

import datetime as dt
import json
from collections.abc import Iterator
from typing import Any

import pytest
from opentelemetry import trace
from opentelemetry.sdk.trace import ReadableSpan, TracerProvider
from opentelemetry.sdk.trace.export import SimpleSpanProcessor
from opentelemetry.sdk.trace.export.in_memory_span_exporter import InMemorySpanExporter
from opentelemetry.trace import StatusCode

from rowtime import spans
from rowtime.catalog.memory import MemoryCatalog
from rowtime.errors import RowtimeError
from rowtime.planner import plan
from rowtime.runtime.query.query import Query
from rowtime.session import Session

EMPTY = MemoryCatalog().snapshot()


@pytest.fixture
def exporter(monkeypatch: pytest.MonkeyPatch) -> Iterator[InMemorySpanExporter]:
    """Sets a tracer provider for one test; OpenTelemetry itself accepts only one for each process."""
    made = InMemorySpanExporter()
    provider = TracerProvider()
    provider.add_span_processor(SimpleSpanProcessor(made))
    monkeypatch.setattr(trace, "get_tracer_provider", lambda: provider)
    yield made
    provider.shutdown()


def attributes(span: ReadableSpan) -> dict[str, Any]:
    return dict(span.attributes or {})


def test_planning(exporter: InMemorySpanExporter, planner: Any) -> None:
    plan(planner, EMPTY, "VALUES (1)")
    with pytest.raises(RowtimeError):
        plan(planner, EMPTY, "SELECT * FROM nowhere")
    good, bad = exporter.get_finished_spans()
    assert good.name == bad.name == "rowtime.plan"
    assert attributes(good) == {
        "db.system.name": "rowtime", "db.query.text": "VALUES (1)", "db.operation.name": "SELECT",
        "rowtime.catalog.version": 0, "rowtime.streaming": False,
    }  # fmt: skip
    assert good.status.status_code is StatusCode.UNSET
    assert attributes(bad)["error.type"] == "RT0111"
    assert bad.status.status_code is StatusCode.ERROR
    assert "Object 'NOWHERE' not found" in (bad.status.description or "")


def test_a_batch_has_the_times_that_spark_reports(exporter: InMemorySpanExporter) -> None:
    report = json.loads(
        """{"batchId": 7, "timestamp": "2024-05-01T10:00:00.250Z", "numInputRows": 12,
            "durationMs": {"triggerExecution": 1500, "addBatch": 1200}, "stateOperators": [{"numRowsTotal": 3}]}"""
    )
    spans.batch("P", "pump", report)
    (span,) = exporter.get_finished_spans()
    began = dt.datetime(2024, 5, 1, 10, 0, 0, 250_000, dt.timezone.utc).timestamp()
    assert (span.start_time, span.end_time) == (int(began * 1000) * 1_000_000, int((began + 1.5) * 1000) * 1_000_000)
    assert attributes(span) == {
        "rowtime.query": "P", "rowtime.query.kind": "pump", "rowtime.batch.id": 7, "rowtime.batch.rows_in": 12,
        "rowtime.batch.state_rows": 3, "rowtime.batch.duration.trigger_execution": 1.5,
        "rowtime.batch.duration.add_batch": 1.2,
    }  # fmt: skip
    assert span.parent is None


def test_batches_of_a_query(exporter: InMemorySpanExporter, rt: Session) -> None:
    rt.sql("CREATE STREAM s (n INTEGER)")
    query = rt.sql("SELECT STREAM n FROM s")
    assert isinstance(query, Query)
    rt.sql("INSERT INTO s (n) VALUES (1), (2)")
    query.process_all_available()
    query.stop()
    batches = [attributes(span) for span in exporter.get_finished_spans() if span.name == "rowtime.batch"]
    assert {each["rowtime.query"] for each in batches} == {query.id}
    # Each batch once, and the two rows with control rows beside them.
    numbers = [each["rowtime.batch.id"] for each in batches]
    assert numbers == sorted(set(numbers)) != []
    assert sum(each["rowtime.batch.rows_in"] for each in batches) == query.progress.rows_in >= 2


def test_without_a_provider_there_is_no_tracer(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(trace, "get_tracer_provider", trace.ProxyTracerProvider)
    assert spans.tracer() is None
    monkeypatch.delitem(__import__("sys").modules, "opentelemetry.trace")
    assert spans.tracer() is None
