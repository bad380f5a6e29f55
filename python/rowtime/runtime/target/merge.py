"""The target of a pump that MERGEs, UPDATEs or DELETEs: a table with a PRIMARY KEY."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

import pyarrow as pa

from rowtime.catalog.changes import Entry
from rowtime.errors import error
from rowtime.plan.parts import Field
from rowtime.plan.types import parse_type
from rowtime.planner import InsertTarget
from rowtime.runtime.target.merging import BEFORE, FAULT, IS_ROW, Merging
from rowtime.runtime.target.rows import target_rows
from rowtime.runtime.target.targets import Batch, TableTarget, Written
from rowtime.sparksql.result import OrderKey, Translated
from rowtime.tables import upserts
from rowtime.types.columns import Column, schema_of

if TYPE_CHECKING:
    from pyspark.sql import DataFrame

    from rowtime.runtime.launch.launcher import Launcher


class MergeTarget(TableTarget):
    """A plain table. The rows of each step change it one by one, in their order, in one commit."""

    def __init__(
        self, launcher: Launcher, entry: Entry, target: InsertTarget, sender: str | None, fields: Sequence[Field]
    ) -> None:
        """`fields` are the columns of the source."""
        assert target.merge is not None
        super().__init__(launcher.store, entry, target.columns, sender)
        self._launcher = launcher
        self._fields = fields
        by_name = {column.name: column for column in self.columns}
        self._key = [by_name[name] for name in target.key]
        self._merge = target.merge
        self._merging: Merging | None = None

    def frame(self, result: Translated, keys: Sequence[OrderKey], extra: Mapping[str, str]) -> DataFrame:
        from rowtime.sparksql.expressions import cast, sql
        from rowtime.translate.rex import Scope, to_expression

        source = [
            Column(f"s{i}", f"s{i}", parse_type(each.type), each.type, each.nullable)
            for i, each in enumerate(self._fields)
        ]
        of_key = [Column(f"k{i}", f"k{i}", each.type, each.text, True) for i, each in enumerate(self._key)]
        # Expressions are over the columns of the table, then those of the source.
        scope = Scope([*["" for _ in self.columns], *result.columns])
        computed = {
            own.name: sql(cast(to_expression(rex, scope), own.type))
            for own, rex in zip(of_key, self._merge.key, strict=True)
        }
        self._merging = Merging(self.columns, source, self._key, self._merge.clauses)
        names = [column.name for column in source]
        self._placed = target_rows(result, (*source, *of_key), names, keys, computed)
        return self._placed.frame

    def put(self, rows: pa.Table, batch: Batch | None = None) -> Written:
        if not rows.num_rows:
            return Written(0, 0, is_recorded=False)
        assert batch is not None and self.sender is not None and self._merging is not None
        merging, key = self._merging, [column.stored for column in self._key]

        def compute(before: pa.Table) -> upserts.Changed:
            # The session of the pump has had the settings of queries only while it started.
            with self._launcher.relational_session() as session:
                changed = merging.apply(session, rows, before)
            faults = changed.column(FAULT).drop_null()
            if len(faults):
                name = faults[0].as_py()
                where = "the PRIMARY KEY" if any(c.name == name for c in self._key) else "a column that is NOT NULL"
                raise error("RT0502", f"A row does not fit {self.label}: {name}: NULL in {where}")
            kept = self._completed(changed.filter(changed.column(IS_ROW)).drop_columns([IS_ROW, BEFORE, FAULT]))
            return upserts.Changed(kept, changed.column(BEFORE).drop_null().to_numpy(), changed.num_rows)

        asked = rows.select([f"k{i}" for i in range(len(key))]).rename_columns(key).cast(schema_of(self._key))
        asked = asked.drop_null()
        taken = upserts.merge(self._store, self.entry, key, asked, compute, self.sender, batch.sent)
        return Written(rows.num_rows, taken or 0, is_recorded=taken is not None)
