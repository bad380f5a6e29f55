"""The catalog: the streams, tables, views and pumps of a warehouse. Python owns it, the planner checks changes to it.

`store.Store` stores it in one SQLite file of the warehouse, which several processes may use at a time;
`memory.MemoryCatalog` keeps it in memory for one run of `validate` or `explain`. The planner gets a snapshot as JSON,
and answers DDL with checked changes, which `commit` applies if the catalog is still the one that the planner saw.
"""

from __future__ import annotations

import os
from pathlib import Path

DEFAULT_WAREHOUSE = ".rowtime"
FILE_NAME = "catalog.db"
"""The file of the catalog in its warehouse."""


def warehouse_path(warehouse: str | os.PathLike[str] | None = None) -> Path:
    """Returns the warehouse folder: the argument, or else $ROWTIME_WAREHOUSE, or else `.rowtime` in the current
    folder."""
    return Path(warehouse or os.environ.get("ROWTIME_WAREHOUSE") or DEFAULT_WAREHOUSE)
