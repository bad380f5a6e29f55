"""Compares what `explain` says of a plan with what Spark does when it runs: the settings that depend on the plan,
whether the query waits for a bound, and whether it keeps state."""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import msgspec

from rowtime.explain import facts
from rowtime.explain.settings import settings
from rowtime.runtime.launch.launcher import Launcher

_STORE = "spark.sql.streaming.stateStore.providerClass"
_PARTITIONS = "spark.sql.shuffle.partitions"
_OUTSIDE = {"lateness"}
"""The operators whose state is not in a state store: LATENESS keeps clocks in files."""


@contextmanager
def launches() -> Iterator[list[str]]:
    """Yields a list of what `explain` and the queries that start meanwhile disagree in; it is complete at the end."""
    found: list[str] = []
    started: list[tuple[dict[str, Any], Any]] = []
    launch = Launcher.launch

    def noting(self: Any, plan: Any, name: str, folder: Any, partitions: int, *args: Any, **named: Any) -> Any:
        query = launch(self, plan, name, folder, partitions, *args, **named)
        explained = {"plan": msgspec.to_builtins(plan), "partitions": partitions}
        started.append((explained, query))
        return query

    Launcher.launch = noting  # type: ignore[method-assign]
    try:
        yield found
    finally:
        Launcher.launch = launch  # type: ignore[method-assign]
        for explained, query in started:
            found += _differences(explained, query)


def _differences(explained: dict[str, Any], query: Any) -> Iterator[str]:
    plan = explained["plan"]
    java = query._jsq
    conf = java.streamingQuery().sparkSessionForStream().conf()
    said = dict(line.split("=", 1) for line in settings(explained))
    for key in (_STORE, _PARTITIONS):
        if said[key] != conf.get(key):
            yield f"explain has {key}={said[key]}, and the query {conf.get(key)}"
    # Before its first micro-batch, Spark knows of no state and no watermark.
    reports = [json.loads(progress.json()) for progress in java.recentProgress()]
    report = next((report for report in reversed(reports) if "addBatch" in report["durationMs"]), None)
    if report is None:
        return
    waits, watermark = facts.needs(plan, "WATERMARK"), report.get("eventTime", {}).get("watermark")
    if waits != (watermark is not None):
        yield f"explain says that it {'waits' if waits else 'does not wait'} for a bound; its watermark is {watermark}"
    keeps = {node["op"] for node in facts.nodes(plan) if facts.state(node).bound != "none"} - _OUTSIDE
    stores = report["stateOperators"]
    if keeps and not stores:
        yield f"explain has state of {sorted(keeps)}, and the query has none"
    # A Top-N of no rows is an operator whose state stays empty.
    rows = max((store["numRowsTotal"] for report in reports for store in report["stateOperators"]), default=0)
    if rows and not keeps:
        yield f"explain has no state, and the query has kept {rows} entries"
    for store in stores:
        if str(store["numShufflePartitions"]) != said[_PARTITIONS]:
            yield f"explain has {said[_PARTITIONS]} partitions, and the state {store['numShufflePartitions']}"
