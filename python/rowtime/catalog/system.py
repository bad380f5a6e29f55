"""The objects that every catalog has: where late rows and other trouble can be read."""

from __future__ import annotations

from typing import Any

ALL_TRACE = "SYS_BOOT.MGMT.ALL_TRACE"
"""The stream of errors: a row for each late row that is worth telling."""

SAVED_TRACE = "SYS_BOOT.MGMT.SAVED_TRACE"
"""The table of the latest thousand of them."""

_COLUMNS = (
    ("ROWTIME", "TIMESTAMP(3)", False),
    ("LEVEL", "VARCHAR", True),
    ("TRACER", "VARCHAR", True),
    ("STREAM", "VARCHAR", True),
    ("PRODUCER", "VARCHAR", True),
    ("LATE_ROWS", "BIGINT", True),
    ("MESSAGE", "VARCHAR", True),
)


def is_system(definition: dict[str, Any]) -> bool:
    """Whether a catalog object is rowtime's own: readable for everybody, written by rowtime, and never dropped."""
    return (definition.get("options") or {}).get("system") == "true"


def system_objects() -> list[tuple[str, dict[str, Any]]]:
    """The objects, each with its id; ids are the same in every warehouse."""
    return [("all_trace", _object(ALL_TRACE, "STREAM")), ("saved_trace", _object(SAVED_TRACE, "TABLE"))]


def _object(name: str, kind: str) -> dict[str, Any]:
    columns = [
        {
            "name": column,
            "type": type,
            "nullable": nullable,
            "lateness": None,
            "watermark": None,
            "monotonic": None,
            "default": None,
            "latenessValue": None,
            "watermarkValue": None,
        }
        for column, type, nullable in _COLUMNS
    ]
    return {
        "name": name,
        "kind": kind,
        "columns": columns,
        "primaryKey": [],
        "options": {"system": "true"},
        "query": None,
        "started": False,
        "uses": [],
        "sql": None,
    }
