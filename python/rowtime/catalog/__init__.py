"""The catalog: what streams, tables, views and pumps there are. Python owns it, the planner judges it.

`store.Store` keeps it in one SQLite file of the warehouse, safe against several processes; `memory.MemoryCatalog` keeps
it for one run of `validate` or `explain`. The planner gets a snapshot as JSON, and answers DDL with checked changes,
which `commit` applies if the catalog is still the one that the planner saw.
"""

from __future__ import annotations

import os
from pathlib import Path

DEFAULT_WAREHOUSE = ".rowtime"
FILE_NAME = "catalog.db"
"""The catalog in its warehouse."""


def warehouse_path(warehouse: str | os.PathLike[str] | None = None) -> Path:
    """The warehouse folder: the argument, else $ROWTIME_WAREHOUSE, else `.rowtime` in the current folder."""
    return Path(warehouse or os.environ.get("ROWTIME_WAREHOUSE") or DEFAULT_WAREHOUSE)
