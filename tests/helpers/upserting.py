"""Changes of tables by their first column, as a pump makes them whose result changes."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import pyarrow as pa

from rowtime.delta.batches import SentBatch
from rowtime.session import Session
from rowtime.tables import tables, upserts
from rowtime.types.columns import schema_of, table_of


def upsert(rt: Session, name: str, number: int, rows: Sequence[Sequence[Any]], deleted: Sequence[Any] = ()) -> None:
    """Replaces rows of a table, and deletes those with some keys, in step `number`."""
    entry = rt.store.get(name)
    assert entry is not None
    named = tables.table_columns(entry)
    schema = schema_of(named)
    keys = pa.table([pa.array(deleted, schema.field(0).type)], schema=pa.schema([schema.field(0)]))
    upserts.apply(rt.store, entry, schema.names[:1], table_of(named, rows), keys, "pump", SentBatch(number))
