"""All versions of a table at once: its rows, each with the times of the commits between which the table had it."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from itertools import pairwise
from typing import TYPE_CHECKING, Any

from rowtime.catalog.changes import Entry
from rowtime.catalog.store import CREATED, Store
from rowtime.delta.deletion_vectors import DeletionVector, of_action
from rowtime.delta.log import DeltaLog
from rowtime.delta.snapshot import FileLife, read_lives
from rowtime.plan.types import parse_type
from rowtime.tables import history as table_history
from rowtime.tables import tables
from rowtime.types import times
from rowtime.types.columns import Column, spark_columns

if TYPE_CHECKING:
    from pyspark.sql import DataFrame, SparkSession

_TIME = parse_type("TIMESTAMP(3)")
FROM = Column("history$from", "history$from", _TIME, "TIMESTAMP(3)", nullable=False)
TO = Column("history$to", "history$to", _TIME, "TIMESTAMP(3)", nullable=True)
BEGIN = Column("history$begin", "history$begin", _TIME, "TIMESTAMP(3)", nullable=False)
"""The columns that scans of a history have in addition to those of the table."""

_MARGIN = 5 * 60_000
"""How long before its deletion is due a file is no longer used, because reading it may take that long."""


@dataclass(frozen=True, slots=True)
class TableVersions:
    """The versions of a table from `begin` (ms since 1970) on, up to `version`."""

    version: int
    begin: int
    files: tuple[FileLife, ...]

    def since(self, time: int | None) -> TableVersions:
        """Returns those that were current at `time` (ms since 1970; None: any) or later."""
        if time is None:
            return self
        return replace(
            self, files=tuple(_since(file, time) for file in self.files if file.end is None or file.end > time)
        )

    @property
    def key(self) -> str:
        """Returns a name for them that is unique for the table."""
        return f"{self.version} since {self.begin}, {len(self.files)} files"


def versions_of(store: Store, entry: Entry, version: int, since: int | None = None) -> TableVersions:
    """Returns the versions of a table up to `version` whose files still exist; with `since` (ms since 1970), at least
    those that were current then or later."""
    log, files = tables.delta_log(store, entry), list[FileLife]()
    # Of each file that the table had at the point that the walk back has reached: the rest of its life.
    lives = {file.name: _Life(None, file.deleted) for file in tables.files(log, version)}
    begin: int | None = None
    for number, actions in _backwards(log, version):
        committed = table_history.time_of(actions)
        # A clock may have been set back. The later commit counts, as for SNAPSHOT.
        begin = committed if begin is None else min(begin, committed)
        removed = {name: of_action(action) for name, action in _paths(actions, "remove")}
        for name, _ in _paths(actions, "add"):
            if (life := lives.pop(name, None)) is None:
                continue
            if name in removed and _is_step(actions) and life.has_more_than(removed[name]):
                life.go_back(begin, removed.pop(name))
                lives[name] = life
            else:
                files.append(life.since(name, begin))
        lives.update((name, _Life(begin, vector)) for name, vector in removed.items())
        if number == 0:
            begin = min(begin, store.note(entry.id, CREATED) or begin)
        if since is not None and begin <= since:
            break
    begin = times.now() if begin is None else begin
    files.extend(life.since(name, begin) for name, life in lives.items())
    return _readable(store, entry, TableVersions(version, begin, tuple(files)))


@dataclass
class _Life:
    """What is known of a file's life on the way back: its end, the vector that it has now, and those that it got later,
    each with the time."""

    end: int | None
    vector: DeletionVector | None
    later: list[tuple[int, DeletionVector]] = field(default_factory=list)

    def has_more_than(self, before: DeletionVector | None) -> bool:
        return self.vector is not None and (before is None or before.cardinality < self.vector.cardinality)

    def go_back(self, time: int, before: DeletionVector | None) -> None:
        assert self.vector is not None
        self.later.append((time, self.vector))
        self.vector = before

    def since(self, name: str, begin: int) -> FileLife:
        first = [] if self.vector is None else [(begin, self.vector)]
        return FileLife(name, begin, self.end, (*first, *reversed(self.later)))


def _since(file: FileLife, time: int) -> FileLife:
    """Returns a life without those vectors that were replaced at `time` or before."""
    ends = [later for later, _ in file.vectors[1:]] + [None]
    kept = (one for one, end in zip(file.vectors, ends, strict=False) if end is None or end > time)
    return replace(file, vectors=tuple(kept))


def _backwards(log: DeltaLog, version: int) -> Iterator[tuple[int, list[dict[str, Any]]]]:
    for number in range(version, -1, -1):
        try:
            yield number, table_history.actions(log, number)
        except FileNotFoundError:
            # Delta's library deletes old commits.
            return


def _is_step(actions: list[dict[str, Any]]) -> bool:
    """Returns whether a commit is a step of a pump: it deletes rows, and brings none back."""
    return any("txn" in action for action in actions)


def _paths(actions: list[dict[str, Any]], kind: str) -> list[tuple[str, dict[str, Any]]]:
    return [(action[kind]["path"], action[kind]) for action in actions if kind in action]


def _readable(store: Store, entry: Entry, found: TableVersions) -> TableVersions:
    """Removes the versions of which a file has been deleted, or may be soon."""
    folder = tables.folder(store, entry)
    hours = tables.KEPT_HOURS + table_history.kept_hours(entry)
    limit = times.now() - hours * table_history.HOUR + _MARGIN
    begin = found.begin
    for file in found.files:
        if file.end is not None and (file.end <= limit or not (folder / file.name).exists()):
            begin = max(begin, file.end)
        for (_, vector), (end, _) in pairwise(file.vectors):
            path = vector.file(folder)
            if end <= limit or (path is not None and not path.exists()):
                begin = max(begin, end)
    return TableVersions(found.version, begin, found.files).since(begin)


def read(spark: SparkSession, store: Store, entry: Entry, versions: TableVersions) -> DataFrame:
    """Returns the rows of the versions, with the columns of `tables.read`, and FROM and TO."""
    log = tables.delta_log(store, entry)
    return read_lives(spark, log.folder, log.columns, versions.files).selectExpr(
        *spark_columns(tables.table_columns(entry)),
        f"timestamp_millis(`$from`) AS `{FROM.stored}`",
        f"timestamp_millis(`$to`) AS `{TO.stored}`",
    )


def read_begin(spark: SparkSession, versions: TableVersions) -> DataFrame:
    """Returns one row: BEGIN, the time at which the versions begin."""
    return spark.range(1).selectExpr(f"timestamp_millis({versions.begin}L) AS `{BEGIN.stored}`")
