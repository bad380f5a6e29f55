"""Compares plans of different texts."""

from __future__ import annotations

from typing import Any


def without_origins(plan: dict[str, Any]) -> dict[str, Any]:
    """Returns the plan without positions: equivalent statements have the same plan."""
    return {**plan, "origin": [], "inputs": [without_origins(child) for child in plan["inputs"]]}
