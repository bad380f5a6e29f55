"""The objects that every catalog has, in which late rows and other errors can be read."""

from __future__ import annotations

from rowtime.catalog.definitions import ColumnDefinition, Definition

ALL_TRACE = "SYS_BOOT.MGMT.ALL_TRACE"
"""The stream of errors: one row for each late row that is reported."""

SAVED_TRACE = "SYS_BOOT.MGMT.SAVED_TRACE"
"""The table of the latest thousand errors."""

_COLUMNS = (
    ("ROWTIME", "TIMESTAMP(3)", False),
    ("LEVEL", "VARCHAR", True),
    ("TRACER", "VARCHAR", True),
    ("STREAM", "VARCHAR", True),
    ("PRODUCER", "VARCHAR", True),
    ("LATE_ROWS", "BIGINT", True),
    ("MESSAGE", "VARCHAR", True),
)


def is_system(definition: Definition) -> bool:
    """Returns whether a catalog object is rowtime's own: readable by everybody, written by rowtime, and never
    dropped."""
    return (definition.get("options") or {}).get("system") == "true"


def system_objects() -> list[tuple[str, Definition]]:
    """Returns the objects with their ids, which are the same in every warehouse."""
    return [("all_trace", _object(ALL_TRACE, "STREAM")), ("saved_trace", _object(SAVED_TRACE, "TABLE"))]


def _object(name: str, kind: str) -> Definition:
    columns: list[ColumnDefinition] = [
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
