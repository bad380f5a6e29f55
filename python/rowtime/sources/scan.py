"""The leaves of a plan: reads a scan of a stream or table as a DataFrame."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

from rowtime.catalog.changes import Entry
from rowtime.catalog.store import Store
from rowtime.catalog.system import ALL_TRACE, SAVED_TRACE
from rowtime.errors import error
from rowtime.jvm.steps import Selected, applied, only, select
from rowtime.operators.search_key import SearchCounts, TableOfFiles
from rowtime.plan.nodes import Node, Scan
from rowtime.plan.parts import AsOf
from rowtime.plan.types import quote_name
from rowtime.sources import history, jdbc, table_history, table_versions, tables
from rowtime.sources.ends import Place, log_end
from rowtime.sources.options import Options
from rowtime.sources.places import PLACE
from rowtime.sources.table_versions import TableVersions
from rowtime.sparksql.result import Translated
from rowtime.streams import reader
from rowtime.streams.columns import Column
from rowtime.streams.log import SEQ, StreamLog
from rowtime.streams.rules import is_logged

if TYPE_CHECKING:
    from pyspark.sql import DataFrame, SparkSession

CHANGE = "$change"
"""The column that says how often a row is added to a table (below 0: removed from it)."""


@dataclass
class Scans:
    """Returns the rows of every scan of one query; a `TranslationContext`.

    `positions` are the versions of named streams' logs where a streaming query begins; `since` (ms) omits rows before
    that ROWTIME; `clocked`: the query needs its watermark. `foreign` reads a foreign stream or table. `own_folder` is
    the query's folder, `name` its name for foreign sources; `earliest`: it begins with all their rows,
    or at the offsets in `begins`, by the id of a foreign stream. `used` are the
    fields that the plan reads, by the number of the scan. `ordered`, `checks_claims`: see `TranslationContext`.
    `until` are the places at which it ends to read a log or a topic, if it does, by the name of the stream.
    `skips` are the positions of rows over which the query steps, by the name of the stream; `placed` are the foreign
    streams whose rows need their positions, because expressions over them can fail.
    `opened` contains sources that several scans of the query share, by the name of the stream; `commits` the
    DataFrame that each scan of a named stream reads, by the number of the scan. `versions` are those in which
    tables are read as relations, by their names (default: the newest). `lookups` returns the relations that a
    stream is joined with. `kept` returns the rows of a version of a table, which are read once for a query
    (default: now). `histories` are the versions of tables that are read all at once, by the id of the table
    (default: those that exist now). `searches` are functions that return the counts of its SEARCH_KEYs; `files`
    returns the tables of files that it looks rows up in (default: their current version). `changes` returns the changes
    of a table as a stream, with the column CHANGE. `relations` are the rows that the query has read of tables, also
    foreign ones, and of the history of streams, by the id of the object: however often a query names one, it has one
    version of it.
    """

    spark: SparkSession
    store: Store
    logs: Callable[[Entry], StreamLog]
    positions: Mapping[str, int] = field(default_factory=dict)
    since: int | None = None
    clocked: bool = True
    foreign: Callable[[Entry, Scan, Scans], DataFrame] | None = None
    own_folder: Path | None = None
    name: str = "relational"
    used: Mapping[int, frozenset[int]] = field(default_factory=dict)
    earliest: bool = False
    started: int | None = None
    begins: Mapping[str, str] = field(default_factory=dict)
    ordered: bool = False
    checks_claims: bool = False
    skips: Mapping[str, Sequence[str]] = field(default_factory=dict)
    until: Mapping[str, Place] = field(default_factory=dict)
    placed: frozenset[str] = frozenset()
    opened: dict[str, DataFrame] = field(default_factory=dict)
    commits: dict[int, DataFrame] = field(default_factory=dict)
    versions: Mapping[str, int] = field(default_factory=dict)
    lookups: Callable[[Node, Sequence[int], bool, Node], Translated] | None = None
    kept: Callable[[Entry, Scan, Callable[[], DataFrame]], DataFrame] | None = None
    histories: dict[str, TableVersions] = field(default_factory=dict)
    searches: list[Callable[[], SearchCounts]] = field(default_factory=list)
    files: Callable[[Scan, Mapping[int, str]], TableOfFiles] | None = None
    changes: Callable[[Entry], DataFrame] | None = None
    relations: dict[str, DataFrame] = field(default_factory=dict)

    @property
    def folder(self) -> Path:
        """The folder for data of the query that must survive a restart, next to Spark's checkpoint."""
        return self.own_folder or self.store.warehouse / "queries" / self.name

    def lookup(self, relation: Node, fields: Sequence[int], *, varies: bool, rows: Node) -> Translated:
        assert self.lookups is not None, "only streaming queries look rows up"
        return self.lookups(relation, fields, varies, rows)

    def scan(self, node: Scan) -> Translated:
        entry = self.store.get(node.source)
        if entry is None:
            raise error("RT0312", f"Object '{node.source}' does not exist")
        if node.as_of is not None:
            read = self._history if node.as_of.is_history else self._as_of
            return read(node, node.as_of, entry)
        if node.mode == "changes":
            assert self.changes is not None, "only streaming queries read changes"
            rows = self.changes(entry)
            return _as_translated(node, rows, tables.table_columns(entry), change=CHANGE)
        if is_logged(entry):
            return self._scan_log(node, entry)
        if entry.is_table:
            seq = SEQ if entry.name == SAVED_TRACE else None
            return _as_translated(node, self._relation(entry, node), tables.table_columns(entry), seq=seq)
        if entry.kind in ("FOREIGN STREAM", "FOREIGN TABLE") and self.foreign is not None:
            rows = self.foreign(entry, node, self) if node.mode == "stream" else self._relation(entry, node)
            return _as_translated(node, rows, tables.table_columns(entry))
        raise error("RT0999", f"The planner should have refused: reading {entry.kind} '{node.source}'")

    def _relation(self, entry: Entry, node: Scan) -> DataFrame:
        """Returns all rows of a table, which may be a foreign one, or of a stream of the warehouse."""
        if entry.id not in self.relations:
            self.relations[entry.id] = self._read(entry, node)
        return self.relations[entry.id]

    def _read(self, entry: Entry, node: Scan) -> DataFrame:
        if entry.kind.startswith("FOREIGN"):
            assert self.foreign is not None
            return self.foreign(entry, node, self)
        version = self.versions.get(entry.name)
        if is_logged(entry):
            return reader.history(self.spark, self.logs(entry), version)
        if entry.name == SAVED_TRACE:
            return reader.saved_trace(self.spark, self._trace(), version)
        return tables.read(self.spark, self.store, entry, version)

    def _scan_log(self, node: Scan, entry: Entry) -> Translated:
        log = self.logs(entry)
        if node.mode == "relation":
            rows = self._relation(entry, node)
            self._check_history(node, entry)
        else:
            clock = node.bound if self.clocked else None
            start = self.positions[entry.name] if node.start is None else log.earliest()
            commits = self.commits[node.id] = reader.commits(
                self.spark,
                log,
                start,
                node.clock_shift,
                clock=clock,
                ahead=node.ahead,
                until=log_end(self.until.get(entry.name)),
            )
            rows = reader.arriving(commits, log, clock=clock, ahead=node.ahead)
            if self.since is not None and log.rowtime is not None and node.start is None:
                since = f"`{log.columns[log.rowtime].stored}` >= timestamp_millis({self.since})"
                rows = applied(rows, only(since))
        return _as_translated(node, rows, log.columns, seq=SEQ)

    def _check_history(self, node: Scan, entry: Entry) -> None:
        if is_logged(entry):
            history.check(node, entry, self.logs(entry))

    def _history(self, node: Scan, as_of: AsOf, entry: Entry) -> Translated:
        if entry.id not in self.histories:
            version = self.versions.get(entry.name, tables.newest(self.store, entry))
            self.histories[entry.id] = table_versions.versions_of(self.store, entry, version)
        versions = self.histories[entry.id]
        if as_of.by == "HISTORY_BEGIN":
            return _as_translated(node, table_versions.read_begin(self.spark, versions), (table_versions.BEGIN,))
        rows = table_versions.read(self.spark, self.store, entry, versions)
        return _as_translated(node, rows, (*tables.table_columns(entry), table_versions.FROM, table_versions.TO))

    def _as_of(self, node: Scan, as_of: AsOf, entry: Entry) -> Translated:
        def read() -> DataFrame:
            if as_of.time is None:
                rows = self._relation(entry, node)
                self._check_history(node, entry)
                return rows
            if is_logged(entry):
                log = self.logs(entry)
                version = table_history.version_at(self.store, entry, log.delta, as_of.time)
                rows = reader.history(self.spark, log, version)
                self._check_history(node, entry)
                return rows.limit(0) if version is None else rows
            return tables.read_as_of(self.spark, self.store, entry, as_of.time)

        rows = read() if self.kept is None else self.kept(entry, node, read)
        return _as_translated(node, rows, tables.table_columns(entry), seq=SEQ if SEQ in rows.columns else None)

    def keyed_table(self, node: Scan) -> Any:
        entry = self.store.get(node.source)
        if entry is None:
            raise error("RT0312", f"Object '{node.source}' does not exist")
        return jdbc.keyed_table(self.spark, Options(entry), tables.table_columns(entry))

    def table_of_files(self, node: Scan, names: Mapping[int, str]) -> TableOfFiles:
        if self.files is not None:
            return self.files(node, names)
        return TableOfFiles(self.named(node, names), None)

    def named(self, node: Scan, names: Mapping[int, str]) -> DataFrame:
        """Returns some columns of a scan: their `names`, by their positions."""
        found = self.scan(node)
        return found.df.selectExpr(*[f"`{found.columns[i]}` AS `{name}`" for i, name in names.items()])

    def skipped(self, stream: str) -> Sequence[str]:
        return self.skips.get(stream, ())

    def searched(self, counts: Callable[[], SearchCounts]) -> None:
        self.searches.append(counts)

    def bounds(self, node: Scan) -> DataFrame:
        entry = self.store.get(node.source)
        assert entry is not None and node.bound is not None, "the planner names only scans of streams that have a clock"
        # From the same source as its rows, so that no micro-batch has a bound before the rows below it.
        return reader.bounds(self.commits[node.id], self.logs(entry), node.bound, node.ahead)

    def _trace(self) -> StreamLog:
        entry = self.store.get(ALL_TRACE)
        assert entry is not None
        return self.logs(entry)


def _as_translated(
    node: Scan, rows: DataFrame, columns: tuple[Column, ...], seq: str | None = None, change: str | None = None
) -> Translated:
    """Returns the columns under names that are unique in the query, in the order of the node's fields."""
    by_name = {column.name: column for column in columns}
    names = [f"s{node.id}_{i}" for i in range(len(node.fields))]
    selected = [_named(by_name[f.name].stored, name) for f, name in zip(node.fields, names, strict=True)]
    rowtime = next((name for f, name in zip(node.fields, names, strict=True) if f.name == node.rowtime), None)
    if node.rowtime is not None and rowtime is None:
        rowtime = f"s{node.id}_rowtime"
        selected.append(_named(by_name[node.rowtime].stored, rowtime))
    counted = None
    if seq is not None:
        counted = f"s{node.id}_seq"
        selected.append(_named(seq, counted))
    signed = None
    if change is not None:
        signed = f"s{node.id}_change"
        selected.append(_named(change, signed))
    placed = None
    if PLACE in rows.columns:
        placed = f"s{node.id}_place"
        selected.append(_named(PLACE, placed))
    found = applied(rows, select(*selected))
    return Translated(found, tuple(names), rowtime, counted, change=signed, place=placed)


def _named(column: str, name: str) -> Selected:
    return Selected(quote_name(column), name)
