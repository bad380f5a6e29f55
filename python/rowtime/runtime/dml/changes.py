"""CREATE TABLE … AS, UPDATE, DELETE and MERGE: each changes a table completely, or not at all.

The plan of an UPDATE, a DELETE or a MERGE returns the new rows of the table. Their last field says whether each is
kept, changed or new. They are computed from one version of the table and written as the next. Rows that others insert
at the same time stay. If others update, delete or merge rows at the same time, everything is computed again."""

from __future__ import annotations

import contextlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import pyarrow as pa
import pyarrow.compute as pc

from rowtime.catalog.changes import Entry
from rowtime.catalog.unknown import draft, keep, make_durable, remove_folder
from rowtime.errors import error, format_count
from rowtime.plan.nodes import Node
from rowtime.plan.types import parse_type
from rowtime.planner import ChangeRows, Define
from rowtime.runtime.faults import query_fault
from rowtime.runtime.target.rows import complete, target_rows
from rowtime.runtime.target.spool import arrow_rows
from rowtime.runtime.target.targets import ATTEMPTS, kept_changing, stored_target
from rowtime.streams.producer import Inserted
from rowtime.tables import tables
from rowtime.types.columns import Column, columns

if TYPE_CHECKING:
    from rowtime.runtime.launch.launcher import Launcher

_KEPT, _CHANGED, _NEW = range(3)
"""The planner's mark of a row: it stays, it is updated or deleted, it is inserted."""
_CHANGE = Column("$change", "change", parse_type("INTEGER"), "INTEGER", nullable=False)


@dataclass(frozen=True, slots=True)
class Changed:
    """The numbers of rows that a statement updated, deleted and inserted; None for an action that it does not have."""

    updated: int | None = None
    deleted: int | None = None
    inserted: int | None = None

    @property
    def total(self) -> int:
        """The total number of these rows."""
        return sum(count for count in (self.updated, self.deleted, self.inserted) if count is not None)

    @property
    def summary(self) -> str:
        """Returns the numbers in words: `2 rows updated, 1 row inserted`."""
        done = ((self.updated, "updated"), (self.deleted, "deleted"), (self.inserted, "inserted"))
        return ", ".join(f"{format_count(count, 'row')} {what}" for count, what in done if count is not None)


class TableChanges:
    """Runs statements that change a table by more than an INSERT."""

    def __init__(self, launcher: Launcher) -> None:
        self._launcher = launcher
        self._store = launcher.store

    def create(self, statement: Define, version: int) -> Inserted:
        """Runs a CREATE TABLE … AS that was planned with this version of the catalog: creates the table with all its
        rows, or nothing. Raises RowtimeError RT0390, RT0502, and the errors of the query."""
        assert statement.target is not None and statement.plan is not None
        definition = statement.changes[0]["object"]
        names, named = statement.target.columns, columns(definition["columns"])
        rows = complete(f"table '{definition['name']}'", self._rows(statement.plan, named, names), named, None)
        entry: Entry | None = None
        try:
            # The folder is a draft until the catalog has changed, and that is undone if the rows cannot be written.
            with contextlib.ExitStack() as until_committed, self._store.transaction():
                self._store.commit(statement.changes, version)
                entry = self._entry(definition["name"])
                until_committed.enter_context(draft(tables.folder(self._store, entry)))
                written = stored_target(self._launcher, entry, names).put(rows)
                make_durable(tables.folder(self._store, entry))
        except BaseException:
            if entry is not None:
                self._launcher.log.forget(entry.id)
                remove_folder(tables.folder(self._store, entry))
            raise
        keep(tables.folder(self._store, entry))
        return Inserted(written.taken, written.rejected)

    def change(self, statement: ChangeRows) -> Changed:
        """Runs an UPDATE, a DELETE or a MERGE. Raises RowtimeError RT0502 if a value does not fit its column, RT0506 if
        a MERGE updates a row twice, RT0390 if others keep changing the table; the table is unchanged then."""
        assert statement.plan is not None
        entry = self._entry(statement.target.name)
        named = tables.table_columns(entry)
        for _ in range(ATTEMPTS):
            before = tables.open_table(self._store, entry)
            read = {entry.name: before.version()}
            rows = self._rows(statement.plan, (*named, _CHANGE), [*statement.target.columns, _CHANGE.name], read)
            kinds = rows.column(_CHANGE.stored)
            changed, new = (pc.sum(pc.equal(kinds, kind)).as_py() or 0 for kind in (_CHANGED, _NEW))
            if statement.kind == "DELETE":
                rows = rows.filter(pc.equal(kinds, _KEPT))
            elif not changed:
                rows = rows.filter(pc.equal(kinds, _NEW))
            elif rows.num_rows - new != tables.count(self._store, entry, before):
                raise error(
                    "RT0506",
                    f"MERGE would update a row of '{entry.name}' more than once: more than one row of the source "
                    "matches it",
                    hint="Let the source have one row for each, by GROUP BY for example; nothing was changed",
                )
            rows = complete(f"table '{entry.name}'", rows, named, None)
            if not (changed or new) or tables.commit_result(self._store, entry, before, rows, replaces=changed > 0):
                return _counts(statement.kind, changed, new)
        raise kept_changing(entry)

    def _entry(self, name: str) -> Entry:
        entry = self._store.get(name)
        if entry is None:
            raise error("RT0312", f"Object '{name}' does not exist")
        return entry

    def _rows(
        self, plan: Node, named: Sequence[Column], names: Sequence[str], versions: Mapping[str, int] | None = None
    ) -> pa.Table:
        """Returns the rows of a relational plan, whose fields are the columns of these names, in stored form. It reads
        tables in these `versions` (default: the newest)."""
        try:
            with self._launcher.relational_session() as session:
                result = self._launcher.relational(plan, session, versions)
                found = target_rows(result, named, names, [] if plan.sorted else result.arrival(), {})
                return found.in_order(arrow_rows(found.frame, self._store.warehouse))
        except Exception as fault:
            raise query_fault(fault, "The query") from fault


def _counts(kind: str, changed: int, new: int) -> Changed:
    if kind == "DELETE":
        return Changed(deleted=changed)
    return Changed(updated=changed, inserted=new if kind == "MERGE" else None)
