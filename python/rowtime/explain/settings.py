"""The settings that the runtime applies at the start of a query, so that `explain` can show them without Spark."""

from __future__ import annotations

import os
from typing import Any

from rowtime.explain.facts import needs


def settings(planned: dict[str, Any]) -> list[str]:
    """Returns `key=value` for each setting of a planned streaming query on this machine; nothing for a relational
    one."""
    plan = planned["plan"]
    if not plan.get("streaming"):
        return []
    from rowtime.sparksql.settings import requested_partitions, streaming_settings

    partitions = requested_partitions(_options(planned), planned.get("partitions")) or _cores()
    found = streaming_settings(partitions, operators=needs(plan, "STATE_STORE"), local=True)
    return [f"{key}={value}" for key, value in sorted(found.items())]


def _options(planned: dict[str, Any]) -> dict[str, str]:
    """Returns the OPTIONS of what the statement creates: a pump, if it has a query."""
    created = [change["object"] for change in planned.get("changes", ()) if change["action"] == "create"]
    return next((options for each in created if (options := each.get("options"))), {})


def _cores() -> int:
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1
