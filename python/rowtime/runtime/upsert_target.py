"""The target of a pump whose result changes: a plain table with a PRIMARY KEY, which has the result."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import pyarrow as pa
import pyarrow.compute as pc
from pyspark.sql import DataFrame

from rowtime.catalog.changes import Entry
from rowtime.catalog.store import Store
from rowtime.plan.types import parse_type
from rowtime.runtime.target_rows import target_rows
from rowtime.runtime.targets import Batch, TableTarget, Written
from rowtime.sources import upserts
from rowtime.sparksql.result import OrderKey, Translated
from rowtime.streams.columns import Column

_OP = Column("$op", "op$", parse_type("TINYINT"), "TINYINT", nullable=False)
_DELETED = 3


class UpsertTarget(TableTarget):
    """Applies the changes of each step, at most one for each value of the columns `key`, in one commit. The last field
    of a row says what becomes of it."""

    def __init__(
        self, store: Store, entry: Entry, names: Sequence[str], sender: str | None, key: Sequence[str]
    ) -> None:
        super().__init__(store, entry, names, sender)
        self._key = [column.stored for column in self.columns if column.name in key]

    def frame(self, result: Translated, keys: Sequence[OrderKey], extra: Mapping[str, str]) -> DataFrame:
        named, names = (*self.columns, _OP), [*self.names, _OP.name]
        self._placed = target_rows(result, named, names, keys, extra)
        return self._placed.frame

    def put(self, rows: pa.Table, batch: Batch | None = None) -> Written:
        if not rows.num_rows:
            return Written(0, 0, is_recorded=False)
        assert batch is not None and self.sender is not None
        is_deleted = pc.equal(rows.column(_OP.stored), _DELETED)
        rows = rows.drop_columns([_OP.stored])
        kept = self._completed(rows.filter(pc.invert(is_deleted)))
        # The types of the table, but what would not fit into it is not checked: it is not written.
        deleted = rows.filter(is_deleted).select(self._key).cast(pa.schema([kept.schema.field(n) for n in self._key]))
        taken = upserts.apply(self._store, self.entry, self._key, kept, deleted, self.sender, batch.sent)
        return Written(rows.num_rows, taken or 0, is_recorded=taken is not None)
