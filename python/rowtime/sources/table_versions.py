"""All versions of a table at once: its rows, each with the times of the commits between which the table had it."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from rowtime.catalog.changes import Entry
from rowtime.catalog.store import CREATED, Store
from rowtime.plan.types import parse_type
from rowtime.sources import table_history, tables
from rowtime.streams import times
from rowtime.streams.columns import Column, spark_columns
from rowtime.streams.deltalog import DeltaLog

if TYPE_CHECKING:
    from pyspark.sql import DataFrame, SparkSession

_TIME = parse_type("TIMESTAMP(3)")
FROM = Column("history$from", "history$from", _TIME, "TIMESTAMP(3)", nullable=False)
TO = Column("history$to", "history$to", _TIME, "TIMESTAMP(3)", nullable=True)
BEGIN = Column("history$begin", "history$begin", _TIME, "TIMESTAMP(3)", nullable=False)
"""The columns that scans of a history have in addition to those of the table."""

_MARGIN = 5 * 60_000
"""How long before its deletion is due a file is no longer used, because reading it may take that long."""
_SCHEMA = "`$file` STRING, `$from` BIGINT, `$to` BIGINT"


@dataclass(frozen=True, slots=True)
class VersionedFile:
    """A data file, and the times between which it was part of the table (ms since 1970; the second is None if it still
    is)."""

    name: str
    begin: int
    end: int | None


@dataclass(frozen=True, slots=True)
class TableVersions:
    """The versions of a table from `begin` (ms since 1970) on, up to `version`."""

    version: int
    begin: int
    files: tuple[VersionedFile, ...]

    def since(self, time: int | None) -> TableVersions:
        """Returns those that were current at `time` (ms since 1970; None: any) or later."""
        if time is None:
            return self
        return replace(self, files=tuple(file for file in self.files if file.end is None or file.end > time))

    @property
    def key(self) -> str:
        """Returns a name for them that is unique for the table."""
        return f"{self.version} since {self.begin}, {len(self.files)} files"


def versions_of(store: Store, entry: Entry, version: int, since: int | None = None) -> TableVersions:
    """Returns the versions of a table up to `version` whose files still exist; with `since` (ms since 1970), at least
    those that were current then or later."""
    log, ends, files = tables.delta_log(store, entry), _file_ends(store, entry, version), list[VersionedFile]()
    begin: int | None = None
    for number, actions in _backwards(log, version):
        committed = table_history.time_of(actions)
        # A clock may have been set back. The later commit counts, as for SNAPSHOT.
        begin = committed if begin is None else min(begin, committed)
        for name in _paths(actions, "add"):
            if name in ends:
                files.append(VersionedFile(name, begin, ends.pop(name)))
        ends.update(dict.fromkeys(_paths(actions, "remove"), begin))
        if number == 0:
            begin = min(begin, store.note(entry.id, CREATED) or begin)
        if since is not None and begin <= since:
            break
    begin = times.now() if begin is None else begin
    files.extend(VersionedFile(name, begin, end) for name, end in ends.items())
    return _readable(store, entry, TableVersions(version, begin, tuple(files)))


def _file_ends(store: Store, entry: Entry, version: int) -> dict[str, int | None]:
    return dict.fromkeys(tables.files(tables.folder(store, entry), version))


def _backwards(log: DeltaLog, version: int) -> Iterator[tuple[int, list[dict[str, object]]]]:
    for number in range(version, -1, -1):
        try:
            yield number, table_history.actions(log, number)
        except FileNotFoundError:
            # Delta's library deletes old commits.
            return


def _paths(actions: list[dict[str, object]], kind: str) -> list[str]:
    return [action[kind]["path"] for action in actions if kind in action]  # type: ignore[index]


def _readable(store: Store, entry: Entry, found: TableVersions) -> TableVersions:
    """Removes the versions of which a file has been deleted, or may be soon."""
    folder = tables.folder(store, entry)
    hours = tables.KEPT_HOURS + table_history.kept_hours(entry)
    limit = times.now() - hours * table_history.HOUR + _MARGIN
    begin = found.begin
    for file in found.files:
        if file.end is not None and (file.end <= limit or not (folder / file.name).exists()):
            begin = max(begin, file.end)
    return TableVersions(found.version, begin, found.files).since(begin)


def read(spark: SparkSession, store: Store, entry: Entry, versions: TableVersions) -> DataFrame:
    """Returns the rows of the versions, with the columns of `tables.read`, and FROM and TO."""
    files = [(file.name, file.begin, file.end) for file in versions.files]
    rows = tables.read_files(spark, store, entry, [file.name for file in versions.files])
    known = spark.createDataFrame(files, _SCHEMA)
    named = rows.selectExpr("*", "_metadata.file_name AS `$file`").join(known.hint("broadcast"), "$file")
    return named.selectExpr(
        *spark_columns(tables.table_columns(entry)),
        f"timestamp_millis(`$from`) AS `{FROM.stored}`",
        f"timestamp_millis(`$to`) AS `{TO.stored}`",
    )


def read_begin(spark: SparkSession, versions: TableVersions) -> DataFrame:
    """Returns one row: BEGIN, the time at which the versions begin."""
    return spark.range(1).selectExpr(f"timestamp_millis({versions.begin}L) AS `{BEGIN.stored}`")
