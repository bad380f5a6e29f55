"""Plain tables: Delta tables in the warehouse, written without a Spark job and read by Spark. Tables whose columns have
an order (LATENESS, WATERMARK, MONOTONIC) are stored in logs, like streams."""

from __future__ import annotations

import contextlib
import errno
import os
import shutil
import urllib.parse
import urllib.request
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pyarrow as pa
from deltalake import CommitProperties, DeltaTable, Transaction, write_deltalake
from deltalake.exceptions import CommitFailedError, DeltaError, TableNotFoundError

from rowtime.catalog.changes import Entry
from rowtime.catalog.faults import full, is_full, unusable
from rowtime.catalog.store import Store
from rowtime.catalog.stored_names import RETIRED
from rowtime.delta import head
from rowtime.delta.batches import CONTENT, SentBatch, is_repeated
from rowtime.delta.commits import DataFile
from rowtime.delta.files import files_of, has_vectors, names_of
from rowtime.delta.log import LOG, DeltaLog
from rowtime.delta.snapshot import read_data_files
from rowtime.delta.state import RESTORE
from rowtime.errors import error
from rowtime.locks import locked
from rowtime.storage.smallfiles import make_folder, remove_drafts
from rowtime.streams.ages import ages_in
from rowtime.tables import history as table_history
from rowtime.types import times
from rowtime.types.columns import Column, columns, conformed, schema_of, spark_columns
from rowtime.types.ranges import check_times

if TYPE_CHECKING:
    from pyspark.sql import DataFrame, SparkSession

_MADE = "table"
"""The note in the catalog that a table's files have been created."""


def table_columns(entry: Entry) -> tuple[Column, ...]:
    return columns(entry.definition["columns"])


def folder(store: Store, entry: Entry) -> Path:
    return store.folder(entry.id, "tables")


def append(
    store: Store, entry: Entry, rows: pa.Table, sender: str | None = None, batch: SentBatch | None = None
) -> int:
    """Appends rows of stored values (all columns, in their order) in one commit. Returns how many there are. A `batch`
    that is not after the last one of its `sender` has been appended before, and is skipped."""
    check_times(entry.name, rows)

    def attempt() -> int:
        table = open_table(store, entry)
        before = table.version()
        fitting = conformed(rows, pa.schema(table.schema().to_arrow()))
        taken = append_once(table, fitting, sender, batch, f"table '{entry.name}'")
        delta_log(store, entry).keep_library(before)
        return taken

    with faults(store, entry):
        return repeated(attempt, f"table '{entry.name}'")


_APPENDS = 100
"""How often an append is tried. Others must commit within the same milliseconds each time for it to fail."""


def repeated(append: Callable[[], int], what: str) -> int:
    """Opens a Delta table and appends to it, by `append`, and again if others have committed meanwhile.

    Delta's library takes an append for one that has read the table, so it refuses it after a commit that removes files
    (an UPDATE, a compaction) or changes the schema. But the rows depend on nothing, so they are appended to the table
    as it is then. A refused commit has changed nothing. Raises RowtimeError RT0390 if it never succeeds."""
    for _ in range(_APPENDS):
        with contextlib.suppress(CommitFailedError):
            return append()
    raise error("RT0390", f"Other programs kept changing {what}", hint="Run the statement again")


def append_once(
    table: DeltaTable,
    rows: pa.Table,
    sender: str | None = None,
    batch: SentBatch | None = None,
    what: str = "the table",
) -> int:
    """Appends rows to any Delta table, as `append` does; `what` names it. The commit records the batch."""
    properties = None
    if sender is not None and batch is not None:
        if is_repeated(batch, last_batch(table, sender), what):
            return int(rows.num_rows)
        recorded = [Transaction(sender, batch.number)]
        if batch.content is not None:
            recorded.append(Transaction(sender + CONTENT, batch.content))
        properties = CommitProperties(app_transactions=recorded)
    elif not rows.num_rows:
        return 0
    check_room(table, rows)
    write_deltalake(table, rows, mode="append", commit_properties=properties)
    return int(rows.num_rows)


_LEAST_ROOM = 1 << 16
_ROOM = 1 << 20


def check_room(table: DeltaTable, rows: pa.Table) -> None:
    """Raises OSError ENOSPC if the disk of a table is full: Delta's library would say so as well, but with a report on
    its own threads on stderr. It compresses the rows, so that it may need less space than they."""
    place = urllib.request.url2pathname(urllib.parse.urlsplit(table.table_uri).path)
    with contextlib.suppress(FileNotFoundError):
        if shutil.disk_usage(place).free < _LEAST_ROOM + min(rows.nbytes, _ROOM):
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC), place)


def last_batch(table: DeltaTable, sender: str) -> SentBatch | None:
    """Returns the last batch of a sender that a Delta table records; None if it has none."""
    number = table.transaction_version(sender)
    return None if number is None else SentBatch(number, table.transaction_version(sender + CONTENT))


def commit_result(store: Store, entry: Entry, table: DeltaTable, rows: pa.Table, *, replaces: bool) -> bool:
    """Commits the result of a statement that has read the table as it is in `table`: rows of stored values that replace
    the rows of that version, or are appended to them. Rows that others have inserted since then stay.

    Returns False, and changes nothing, if the result may be different now: if others have removed rows since then, or
    have committed the result of another statement that has read the table. This is Delta's isolation level
    WriteSerializable: an INSERT that has not read the table ("blind append") counts as if it came after the statement.
    """
    check_times(entry.name, rows)
    before = table.version()
    stored = pa.schema(table.schema().to_arrow())
    if set(stored.names).difference(rows.column_names, entry.definition.get(RETIRED, ())):
        raise error(
            "RT0390",
            f"Table '{entry.name}' got another column while the statement was computed; nothing was changed",
            hint="Run the statement again",
        )
    rows = conformed(rows, stored)
    log = delta_log(store, entry)
    # In Delta's log, nothing would stop a second append; statements that have read the table commit one by one.
    with faults(store, entry), locked(log.folder / LOCK, f"table '{entry.name}'", store.wait_control):
        if any(not _is_blind_append(log.actions(version)) for version in range(before + 1, log.latest() + 1)):
            return False
        said = CommitProperties(custom_metadata={BLIND: False, "readVersion": before})
        try:
            check_room(table, rows)
            write_deltalake(table, rows, mode="overwrite" if replaces else "append", commit_properties=said)
        except CommitFailedError:
            return False
        log.keep_library(before)
    return True


LOCK = "_lock"
"""The file that a statement locks to commit what depends on the rows of a table."""
BLIND = "isBlindAppend"
"""Delta's field of a commit that says whether its rows depend on what was in the table. The library leaves it out for
an INSERT."""


def _is_blind_append(actions: Sequence[Mapping[str, Any]]) -> bool:
    kinds = {kind for action in actions for kind in action}
    info: Mapping[str, Any] = next((action["commitInfo"] for action in actions if "commitInfo" in action), {})
    return kinds <= {"add", "commitInfo", "txn"} and info.get(BLIND) is not False


KEPT_HOURS = 1
"""Hours for which files of a table stay that its current version does not have: a query may still be reading them, or a
statement may be about to commit them."""


def sweep(store: Store, entry: Entry, needed: Collection[int] = ()) -> int:
    """Deletes old files of a table that neither its current version nor one of those `needed` has: those that were
    replaced, and those of processes that died before they committed them. Returns how many.

    Deletes nothing unless the head file names the current version, or an earlier one because a writer was killed right
    after its commit: if that file is gone, commits may be lost as well, and their files would look like those that were
    never committed."""
    try:
        table = DeltaTable(str(folder(store, entry)))
    except TableNotFoundError:
        return 0
    named = head.read(delta_log(store, entry).storage)
    if 0 <= named < table.version():
        delta_log(store, entry).keep_library(named)
    elif named != table.version():
        return 0
    ages = ages_in(store.warehouse)
    remove_drafts(folder(store, entry) / LOG, lambda stamp: ages.age(stamp) >= KEPT_HOURS * 3600)
    if ages.believed() < KEPT_HOURS * 3600:
        # The library goes by the system clock, which was set.
        return 0
    # Listed only: a vacuum of the library would be a commit, for which others would have to wait.
    found = table.vacuum(KEPT_HOURS, dry_run=True, enforce_retention_duration=False, full=True)
    if found:
        log, hours = delta_log(store, entry), table_history.kept_hours(entry)
        kept = {name for version in (*needed, table.version()) for name in names_of(log, files(log, version))}
        if hours or has_vectors(table):
            # A query that has begun to read the oldest version may continue for as long as any other. The library does
            # not know when a deletion vector was replaced.
            kept |= table_history.removed_since(log, times.now() - (hours + KEPT_HOURS) * table_history.HOUR)
        found = [name for name in found if name not in kept]
    for name in found:
        (folder(store, entry) / name).unlink(missing_ok=True)
    return len(found)


def files(log: DeltaLog, version: int) -> list[DataFile]:
    """Returns the data files of a version of a table; none if its commits have been deleted."""
    try:
        return files_of(log, DeltaTable(str(log.folder), version=version))
    except DeltaError:
        return []


def read_as_of(spark: SparkSession, store: Store, entry: Entry, time: int) -> DataFrame:
    """Returns the table as it was at a time (ms since 1970), with the columns of `read`. Raises RowtimeError RT0520 if
    its history does not reach back that far."""
    log = delta_log(store, entry)
    version = table_history.version_at(store, entry, log, time)
    if version is None:
        return read(spark, store, entry).limit(0)
    for name in names_of(log, files(log, version)):
        if not (log.folder / name).exists():
            raise table_history.before_history(entry, time, _history_begin(store, entry, log, version))
    return read(spark, store, entry, version)


def _history_begin(store: Store, entry: Entry, log: DeltaLog, lost: int) -> int | None:
    """Returns the commit time of the first version after `lost` whose files all exist."""
    for version in range(lost + 1, log.latest() + 1):
        if all((log.folder / name).exists() for name in names_of(log, files(log, version))):
            return table_history.commit_time(log, version)
    return None


def read(spark: SparkSession, store: Store, entry: Entry, version: int | None = None) -> DataFrame:
    """Returns the table in a version (default: the newest), with its columns under their stored names, in their SQL
    types."""
    table = open_table(store, entry) if version is None else _open_version(store, entry, version)
    log = delta_log(store, entry)
    rows = read_data_files(spark, log.folder, log.columns, files_of(log, table))
    return rows.selectExpr(*spark_columns(table_columns(entry)))


def has_rows(store: Store, entry: Entry) -> bool:
    """Returns whether the current version of a table has rows."""
    return any(file.live_rows != 0 for file in files_of(delta_log(store, entry), open_table(store, entry)))


def count(store: Store, entry: Entry, table: DeltaTable) -> int:
    """Returns the number of rows of an open table."""
    files = files_of(delta_log(store, entry), table)
    return sum(int(table.count()) if file.live_rows is None else file.live_rows for file in files)


def open_table(store: Store, entry: Entry) -> DeltaTable:
    """Returns the current table, and creates it if it does not exist yet. Raises RowtimeError RT0605 if its files are
    damaged or lost."""
    path, log = str(folder(store, entry)), delta_log(store, entry)
    with faults(store, entry):
        log.check_library()
        made = head.read(log.storage) < 0 and store.note(entry.id, _MADE)
        if made == head.NOTE and head.is_missing(log.storage) and log.folder.exists():
            raise log.missing(max(log.versions(), default=-1) + 1, log.folder / head.HEAD)
        try:
            table = DeltaTable(path)
            while log.evolve(table):
                table = DeltaTable(path)
            return table
        except TableNotFoundError:
            if made:
                raise log.missing(0, log.log) from None
            make_folder(folder(store, entry))
            table = DeltaTable.create(
                path, schema_of(table_columns(entry)), mode="ignore", configuration=_configuration(entry)
            )
            log.keep_library(-1)
            head.create(log.storage)
            store.set_note(entry.id, _MADE, head.NOTE)
            return table


def _configuration(entry: Entry) -> dict[str, str] | None:
    """Returns the table's properties by which Delta's library keeps the commits of its history."""
    hours = table_history.kept_hours(entry)
    return {"delta.logRetentionDuration": f"interval {hours + 24} hours"} if hours > 24 * 29 else None


def _open_version(store: Store, entry: Entry, version: int) -> DeltaTable:
    with faults(store, entry):
        return DeltaTable(str(folder(store, entry)), version=version)


def newest(store: Store, entry: Entry) -> int:
    """Returns the newest version of a table; raises as `open_table`."""
    found = delta_log(store, entry).latest()
    return found if found >= 0 else int(open_table(store, entry).version())


def delta_log(store: Store, entry: Entry) -> DeltaLog:
    """Returns the commits of a table."""
    return DeltaLog(entry.name, folder(store, entry), schema_of(table_columns(entry)), "table")


@contextlib.contextmanager
def faults(store: Store, entry: Entry) -> Iterator[None]:
    """Turns errors of the system and of the library about a table's files into diagnostics (RT0601, RT0605, RT0608,
    RT0609)."""
    try:
        yield
    except CommitFailedError:
        raise
    except OSError as fault:
        raise unusable(store.warehouse, fault) from fault
    except DeltaError as fault:
        if is_full(str(fault)):
            raise full(f"Table '{entry.name}' cannot be written", store.warehouse) from fault
        said = str(fault).strip().splitlines()[0]
        raise error(
            "RT0605", f"Table '{entry.name}' is damaged ('{folder(store, entry)}'): {said}", hint=RESTORE
        ) from fault
