"""Plans of different texts, to be compared."""

from __future__ import annotations

from typing import Any


def without_origins(plan: dict[str, Any]) -> dict[str, Any]:
    """The plan, wherever it was written: two ways to say the same have one."""
    return {**plan, "origin": [], "inputs": [without_origins(child) for child in plan["inputs"]]}
