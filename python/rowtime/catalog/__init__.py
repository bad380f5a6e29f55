"""The catalog: the streams, tables, views and pumps of a warehouse. Python owns it, the planner checks changes to it.

`store.Store` stores it in one SQLite file of the warehouse, or in a database of PostgreSQL, which any number of
processes may use at a time; `memory.MemoryCatalog` keeps it in memory for one run of `validate` or `explain`. The
planner gets a snapshot as JSON, and answers DDL with checked changes, which `commit` applies if the catalog is still
the one that the planner saw.
"""

from __future__ import annotations

import os
from pathlib import Path

DEFAULT_WAREHOUSE = ".rowtime"
FILE_NAME = "catalog.db"
"""The file of the catalog in its warehouse."""
MARKER = "catalog.json"
"""The file that says which catalog a warehouse belongs to, if that is in a database."""


def warehouse_path(warehouse: str | os.PathLike[str] | None = None) -> Path:
    """Returns the warehouse folder: the argument, or else $ROWTIME_WAREHOUSE, or else `.rowtime` in the current
    folder."""
    return Path(warehouse or os.environ.get("ROWTIME_WAREHOUSE") or DEFAULT_WAREHOUSE)


def is_made(warehouse: str | os.PathLike[str] | None = None) -> bool:
    """Returns whether the warehouse has a catalog, in itself or in a database."""
    return any((warehouse_path(warehouse) / name).is_file() for name in (FILE_NAME, MARKER))


def catalog_url(catalog: str | None = None) -> str | None:
    """Returns the URL of the database with the catalog: the argument, or else $ROWTIME_CATALOG; None for a catalog in
    the warehouse, also if the argument is empty."""
    return (os.environ.get("ROWTIME_CATALOG") if catalog is None else catalog) or None
