"""Changes of a catalog, as the planner would return them."""

from __future__ import annotations

from typing import Any


def thing(name: str, kind: str = "STREAM", **more: Any) -> dict[str, Any]:
    columns = [{"name": "ROWTIME", "type": "TIMESTAMP(3)", "nullable": False}]
    return {"name": name, "kind": kind, "columns": columns, "primaryKey": [], "options": {}, "query": None, **more}


def create(name: str, kind: str = "STREAM", *, replace: bool = False, **more: Any) -> dict[str, Any]:
    return {"action": "create", "object": thing(name, kind, **more), "replace": replace}
