"""What the runtime sets around the start of a query, so that `explain` can say it without Spark."""

from __future__ import annotations

import os
from typing import Any

_OWN_OPERATORS = ("union", "sort", "window")


def settings(plan: dict[str, Any]) -> list[str]:
    """`key=value` for each setting of a streaming plan on this machine; nothing for a relational one."""
    if not plan.get("streaming"):
        return []
    from rowtime.runtime.settings import chosen

    found = chosen(_cores(), operators=_has_own_operators(plan), local=True)
    return [f"{key}={value}" for key, value in sorted(found.items())]


def _has_own_operators(node: dict[str, Any]) -> bool:
    own = node["op"] in _OWN_OPERATORS and bool(node.get("streaming"))
    return own or any(_has_own_operators(child) for child in node.get("inputs", []))


def _cores() -> int:
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1
