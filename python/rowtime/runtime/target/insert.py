"""INSERT: finds the target of its rows, and computes them on the driver if they are literals."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import pyarrow as pa

from rowtime.catalog.changes import Entry
from rowtime.errors import error
from rowtime.plan.nodes import Node
from rowtime.plan.operators import scans
from rowtime.plan.rex import Rex
from rowtime.planner import Feeding, Insert
from rowtime.runtime.faults import query_fault
from rowtime.runtime.launch.launcher import Launcher
from rowtime.runtime.target.literals import NotLiteral, literal, literal_rows
from rowtime.runtime.target.merge import MergeTarget
from rowtime.runtime.target.realtime import RealTimeTarget
from rowtime.runtime.target.rows import complete
from rowtime.runtime.target.targets import (
    ForeignTarget,
    StoredTarget,
    TableTarget,
    Target,
    Written,
    not_insertable,
    stored_target,
)
from rowtime.runtime.target.upsert import ForeignUpsertTarget, UpsertTarget
from rowtime.streams.log import ROWTIME
from rowtime.streams.producer import Inserted, Producer, store_column, store_row
from rowtime.translate import Translated
from rowtime.types.columns import table_of

if TYPE_CHECKING:
    from pyspark.sql import DataFrame


@dataclass(frozen=True)
class InsertPlan:
    """The target of an INSERT, and how the columns that it omits are filled: `defaults` with an expression each,
    ROWTIME of a stream with that of a streaming query. `rowtime` is the query's field for its ROWTIME."""

    target: Target
    defaults: Mapping[str, Rex]
    streaming: bool
    rowtime: int | None
    ordered: bool

    def is_bounded(self, result: Translated) -> bool:
        """Returns whether the bound of the query is also that of its rows in the target."""
        names = self.target.names
        if not self.streaming or result.rowtime is None:
            return False
        return ROWTIME not in names or names.index(ROWTIME) == self.rowtime

    def frame(self, result: Translated) -> DataFrame:
        """Returns the DataFrame that `target.write` takes, for a translated plan."""
        from rowtime.sparksql.expressions import cast, sql
        from rowtime.translate.rex import Scope, to_expression

        types = {column.name: column.type for column in self.target.columns}
        extra = {n: sql(cast(to_expression(rex, Scope(())), types[n])) for n, rex in self.defaults.items()}
        if self.streaming and result.rowtime is not None and ROWTIME in types and ROWTIME not in self.target.names:
            extra[ROWTIME] = f"`{result.rowtime}`"
        return self.target.frame(result, [] if self.ordered else result.arrival(), extra)


class Inserts:
    """Runs INSERT statements."""

    def __init__(self, launcher: Launcher) -> None:
        self._launcher = launcher

    def insertion(self, statement: Feeding, sender: str | None) -> InsertPlan:
        """Returns the target of the statement's rows. `sender` is the producer, query or pump that sends them."""
        names, plan = statement.target, statement.plan
        assert names is not None and plan is not None
        entry = self._launcher.store.get(names.name)
        if entry is None:
            raise error("RT0312", f"Object '{names.name}' does not exist")
        return InsertPlan(
            self._target(entry, statement, sender),
            names.defaults,
            plan.streaming,
            plan.rowtime_index,
            ordered=not plan.streaming and plan.sorted,
        )

    def insert(self, statement: Insert, producer: str | None = None) -> Inserted:
        """Runs an INSERT of existing rows, as one step. Raises RowtimeError RT0502 if a value does not fit; nothing is
        inserted then."""
        insertion = self.insertion(statement, producer)
        plan = statement.plan
        assert plan is not None
        rows = literal_rows(plan)
        fixed = _literal_defaults(insertion.defaults)
        if rows is not None and fixed is not None and isinstance(insertion.target, StoredTarget):
            written = insertion.target.put(_literal_table(insertion.target, rows, fixed))
        else:
            written = self._from_spark(plan, insertion)
        return Inserted(written.taken, written.rejected)

    def insert_columns(
        self, statement: Insert, values: Sequence[Sequence[Any]], producer: Producer | None
    ) -> Inserted | None:
        """Inserts rows given as values for each column that the statement names, as one step of the producer (or of one
        that attaches and detaches for it). Does nothing and returns None if only Spark can insert them: for a foreign
        target, or with a computed DEFAULT. Raises RowtimeError RT0502 as `insert` does."""
        insertion = self.insertion(statement, None)
        target, fixed = insertion.target, _literal_defaults(insertion.defaults)
        if fixed is None or not isinstance(target, StoredTarget):
            return None
        rows = _columns_table(target, values, fixed)
        if producer is not None:
            owner = f"stream '{target.entry.name}'"
            return producer.insert_table(complete(owner, rows, target.columns, target.clock))
        written = target.put(rows)
        return Inserted(written.taken, written.rejected)

    # --- inside ------------------------------------------------------------------------------------------------------

    def _from_spark(self, plan: Node, insertion: InsertPlan) -> Written:
        try:
            with self._launcher.relational_session() as session:
                target = insertion.target
                if isinstance(target, TableTarget) and any(scan.source == target.entry.name for scan in scans(plan)):
                    return target.write_result(
                        lambda versions: insertion.frame(self._launcher.relational(plan, session, versions))
                    )
                return target.write(insertion.frame(self._launcher.relational(plan, session)))
        except Exception as fault:
            raise query_fault(fault, "The query") from fault

    def _target(self, entry: Entry, statement: Feeding, sender: str | None) -> Target:
        target = statement.target
        assert target is not None
        names = target.columns
        is_foreign = entry.kind.startswith("FOREIGN")
        if statement.mode == "realtime":
            assert statement.commit_millis is not None
            return RealTimeTarget(self._launcher, entry, names, sender, statement.commit_millis)
        if target.mode == "upsert" and is_foreign:
            return ForeignUpsertTarget(self._launcher, entry, names, sender, target.key)
        if target.mode == "upsert":
            return UpsertTarget(self._launcher.store, entry, names, sender, target.key)
        if target.merge is not None:
            return MergeTarget(self._launcher, entry, target, sender, statement.fields or [])
        if entry.kind == "STREAM" or entry.is_table:
            return stored_target(self._launcher, entry, names, sender, clocked=ROWTIME not in names)
        if is_foreign:
            return ForeignTarget(self._launcher, entry, names, sender)
        raise not_insertable(entry)


def _literal_defaults(defaults: Mapping[str, Rex]) -> dict[str, Any] | None:
    try:
        return {name: literal(rex) for name, rex in defaults.items()}
    except NotLiteral:
        return None


def _literal_table(target: StoredTarget, rows: list[list[Any]], fixed: Mapping[str, Any]) -> pa.Table:
    # Only a ROWTIME that the statement does not name comes from the clock; a NULL is a NULL.
    clock = next((i for i, c in enumerate(target.columns) if c.name == target.clock), None)
    ready = []
    for row in rows:
        by_name = {**fixed, **dict(zip(target.names, row, strict=True))}
        values = [by_name.get(column.name) for column in target.columns]
        ready.append(store_row(target.entry.name, target.columns, values, clock))
    return table_of(target.columns, ready)


def _columns_table(target: StoredTarget, values: Sequence[Sequence[Any]], fixed: Mapping[str, Any]) -> pa.Table:
    by_name = dict(zip(target.names, values, strict=True))
    count = len(values[0])
    arrays = {}
    for column in target.columns:
        given = by_name.get(column.name)
        if given is None and column.name in fixed:
            given = [fixed[column.name]] * count
        if given is not None:
            arrays[column.stored] = store_column(target.entry.name, column, given)
    return pa.table(arrays)
