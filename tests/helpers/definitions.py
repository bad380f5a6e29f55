"""Definitions in the planner's form for the catalog, for tests of logs without a planner."""

from __future__ import annotations

from typing import Any


def stream(type_: str) -> dict[str, Any]:
    """Returns the stream S (ROWTIME, n), with n of that type, which keeps all its rows."""
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
