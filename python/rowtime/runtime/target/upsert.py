"""The targets of a pump whose result changes: tables with a PRIMARY KEY, which have the result."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

import pyarrow as pa
import pyarrow.compute as pc

from rowtime.catalog.changes import Entry
from rowtime.catalog.store import Store
from rowtime.foreign import targets
from rowtime.foreign.connectors import DELETED, OP
from rowtime.plan.types import parse_type
from rowtime.runtime.target.rows import target_rows
from rowtime.runtime.target.targets import Batch, ForeignTarget, TableTarget, Written
from rowtime.sparksql.result import OrderKey, Translated
from rowtime.tables import tables, upserts
from rowtime.types.columns import Column

if TYPE_CHECKING:
    from pyspark.sql import DataFrame, SparkSession

    from rowtime.runtime.launch.launcher import Launcher

_OP = Column(OP, "op$", parse_type("TINYINT"), "TINYINT", nullable=False)


class UpsertTarget(TableTarget):
    """A plain table. Applies the changes of each step, at most one for each value of the columns `key`, in one commit.
    The last field of a row says what becomes of it."""

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
        is_deleted = pc.equal(rows.column(_OP.stored), DELETED)
        rows = rows.drop_columns([_OP.stored])
        kept = self._completed(rows.filter(pc.invert(is_deleted)))
        # The types of the table, but what would not fit into it is not checked: it is not written.
        deleted = rows.filter(is_deleted).select(self._key).cast(pa.schema([kept.schema.field(n) for n in self._key]))
        taken = upserts.apply(self._store, self.entry, self._key, kept, deleted, self.sender, batch.sent)
        return Written(rows.num_rows, taken or 0, is_recorded=taken is not None)


class ForeignUpsertTarget(ForeignTarget):
    """A foreign stream or table whose connector applies the changes of each step by the columns `key`."""

    def __init__(
        self, launcher: Launcher, entry: Entry, names: Sequence[str], sender: str | None, key: Sequence[str]
    ) -> None:
        super().__init__(launcher, entry, names, sender)
        self.key = key

    def frame(self, result: Translated, keys: Sequence[OrderKey], extra: Mapping[str, str]) -> DataFrame:
        named, names = (*self.columns, _OP), [*self.names, _OP.name]
        self._placed = target_rows(result, named, names, keys, extra, stored=self.stored)
        return self._placed.frame


def has_results(spark: SparkSession | None, store: Store, entry: Entry) -> bool | None:
    """Returns whether the target of a pump whose result changes has rows; None if that cannot be known: a connector
    needs Spark. Raises RowtimeError if the target does not answer."""
    if entry.kind == "TABLE":
        return tables.has_rows(store, entry)
    return None if spark is None else targets.has_rows(spark, entry)
