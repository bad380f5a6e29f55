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
    from rowtime.sparksql.settings import streaming_settings

    found = streaming_settings(
        _requested_partitions(planned) or _cores(), operators=needs(plan, "STATE_STORE"), local=True
    )
    return [f"{key}={value}" for key, value in sorted(found.items())]


def _requested_partitions(planned: dict[str, Any]) -> int | None:
    """Returns the number of partitions that the query's hint or the pump's OPTIONS request."""
    options = [c["object"].get("options") or {} for c in planned.get("changes", ()) if c["action"] == "create"]
    option = next((found["partitions"] for found in options if "partitions" in found), None)
    return planned.get("partitions") if option is None else int(option)


def _cores() -> int:
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1
