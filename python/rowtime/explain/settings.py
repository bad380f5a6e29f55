"""What the runtime sets around the start of a query, so that `explain` can say it without Spark."""

from __future__ import annotations

import os
from typing import Any


def settings(plan: dict[str, Any]) -> list[str]:
    """`key=value` for each setting of a streaming plan on this machine; nothing for a relational one."""
    if not plan.get("streaming"):
        return []
    from rowtime.plan.codec import decode_plan
    from rowtime.plan.operators import has_operators
    from rowtime.runtime.settings import chosen

    found = chosen(_cores(), operators=has_operators(decode_plan(plan)), local=True)
    return [f"{key}={value}" for key, value in sorted(found.items())]


def _cores() -> int:
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1
