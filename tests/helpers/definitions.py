"""Definitions as the planner gives them to the catalog, for tests of logs without a planner."""

from __future__ import annotations

from typing import Any


def stream(type_: str) -> dict[str, Any]:
    """The stream S (ROWTIME, n), n of that type, which keeps all its rows."""
    return {
        "name": "S",
        "kind": "STREAM",
        "columns": [
            {"name": "ROWTIME", "type": "TIMESTAMP(3)", "nullable": False},
            {"name": "n", "type": type_, "nullable": True},
        ],
        "options": {"history": "all"},
        "primaryKey": [],
    }
