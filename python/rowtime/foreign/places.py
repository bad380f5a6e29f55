"""The positions of rows in foreign streams, by which an error names a row and RESUME SKIP steps over it.

A position is a text for people, such as `partition 0, offset 17`, which is the same each time the row is read. Rows
have it in the column PLACE, if the query asks for it and the connector is one of PLACING: as the text, or as a struct
of the words and numbers in it (`io.rowtime.rowfault.Position`), which costs less for the rows that do not fail.
"""

from __future__ import annotations

from rowtime.plan.types import parse_type
from rowtime.types.columns import Column

PLACE = "$place"
PLACE_COLUMN = Column(PLACE, PLACE, parse_type("VARCHAR"), "VARCHAR", True)
"""PLACE as a column of records, see `typed_records`."""

PLACING = frozenset(("kafka", "files", "rate"))
"""The connectors whose rows have a position."""
