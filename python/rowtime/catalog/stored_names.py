"""The names under which the columns of a stream or table are stored.

Files outlive definitions: a column keeps its stored name as long as its rows stay, and the name of a column that was
dropped is never used again, so its values do not come back under a new column of the same name."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from typing import Final

from rowtime.catalog.definitions import ColumnDefinition, Definition

STORED: Final = "stored"
"""The field of a column with its stored name, if that does not follow from its name and its place."""
RETIRED: Final = "retired"
"""The field of an object with the stored names of the columns that it has lost."""

_PLAIN = re.compile(r"[A-Za-z][A-Za-z0-9_]*\Z")


def stored_names(columns: Sequence[ColumnDefinition]) -> list[str]:
    """Returns the stored names of columns, from their definitions. Delta allows fewer names than SQL: one that is not a
    plain word is stored as `column_<position>`."""
    folded = Counter(column["name"].upper() for column in columns)
    return [
        column.get(STORED)
        or (column["name"] if _is_plain(column["name"]) and folded[column["name"].upper()] == 1 else f"column_{place}")
        for place, column in enumerate(columns)
    ]


def keep_names(old: Definition, new: Definition) -> None:
    """Adds to the new definition of an object, which keeps the rows of the old one, the stored names of its columns, if
    it has ever lost a column."""
    columns = old.get("columns") or []
    before = dict(zip((column["name"] for column in columns), stored_names(columns), strict=True))
    kept = {column["name"] for column in new["columns"]}
    retired = [*old.get(RETIRED, ()), *(stored for name, stored in before.items() if name not in kept)]
    if not retired:
        return
    used = {stored.upper() for stored in (*before.values(), *retired)}
    # Columns are numbered from the creation of the object on.
    number = len(before) + len(old.get(RETIRED, ()))
    for column in new["columns"]:
        name = column["name"]
        if name not in before:
            column[STORED] = name if _is_plain(name) and name.upper() not in used else f"column_{number}"
            number += 1
        else:
            column[STORED] = before[name]
    new[RETIRED] = retired


def _is_plain(name: str) -> bool:
    return _PLAIN.match(name) is not None and not name.upper().startswith("COLUMN_")
