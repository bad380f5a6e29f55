"""The leaves of a plan: reads a scan of a stream or table as a DataFrame."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol

from rowtime.catalog.changes import Entry
from rowtime.catalog.store import Store
from rowtime.catalog.system import ALL_TRACE, SAVED_TRACE
from rowtime.errors import error
from rowtime.foreign import jdbc
from rowtime.foreign.options import Options
from rowtime.foreign.places import PLACE
from rowtime.jvm.steps import Selected, applied, only, select
from rowtime.operators.search_key import SearchCounts, TableOfFiles
from rowtime.plan.nodes import Node, Scan
from rowtime.plan.parts import AsOf
from rowtime.plan.types import quote_name
from rowtime.sources import history
from rowtime.sparksql.result import Translated
from rowtime.streams import reader
from rowtime.streams.ends import log_end
from rowtime.streams.log import SEQ, StreamLog
from rowtime.streams.rules import is_logged
from rowtime.streams.start import Start
from rowtime.tables import history as table_history
from rowtime.tables import tables
from rowtime.tables import versions as table_versions
from rowtime.tables.versions import TableVersions
from rowtime.types.columns import Column

if TYPE_CHECKING:
    from pyspark.sql import DataFrame, SparkSession

CHANGE = "$change"
"""The column that says how often a row is added to a table (below 0: removed from it)."""


class StreamLookups(Protocol):
    """The relations that the rows of a streaming query are joined with, see `rowtime.runtime.lookup.lookups`."""

    def __call__(self, relation: Node, fields: Sequence[int], varies: bool, rows: Node) -> Translated: ...
    def table_of_files(self, scan: Scan, names: Mapping[int, str]) -> TableOfFiles: ...


@dataclass(frozen=True, slots=True)
class Needs:
    """What the plan of a query needs of its sources: its watermark (`clocked`), the fields that it reads (`used`, by
    the number of the scan; default: all), and the positions of rows of the foreign streams `placed`, because
    expressions over them can fail."""

    clocked: bool = True
    used: Mapping[int, frozenset[int]] = field(default_factory=dict)
    placed: frozenset[str] = frozenset()


@dataclass(frozen=True, slots=True)
class InMicroBatches:
    """What a streaming query is asked for in its micro-batches: the relations with which it joins streams (None: it
    cannot), the `changes` of a table as a stream, with the column CHANGE, and the counts of its SEARCH_KEYs."""

    lookups: StreamLookups | None = None
    changes: Callable[[Entry], DataFrame] | None = None
    searches: list[Callable[[], SearchCounts]] = field(default_factory=list)


@dataclass(frozen=True, slots=True)
class TableReads:
    """How tables are read as relations. `versions` are those of tables, by their names (default: the newest). `kept`
    returns the rows of a version of a table, which are read once for a query (default: now). `histories` are the
    versions of tables that are read all at once, by the id of the table (default: those that exist now)."""

    versions: Mapping[str, int] = field(default_factory=dict)
    kept: Callable[[Entry, Scan, Callable[[], DataFrame]], DataFrame] | None = None
    histories: dict[str, TableVersions] = field(default_factory=dict)


@dataclass
class Scans:
    """Returns the rows of every scan of one query; a `TranslationContext`.

    `foreign` reads a foreign stream or table. `own_folder` is the query's folder, `name` its name for foreign sources.
    It begins at `start`, in the logs of named streams in the versions `positions`. `ordered`, `checks_claims`: see
    `TranslationContext`.

    `opened` contains sources that several scans of the query share, by the name of the stream; `commits` the DataFrame
    that each scan of a named stream reads, by the number of the scan. `relations` are the rows that the query has read
    of tables, also foreign ones, and of the history of streams, by the id of the object: however often a query names
    one, it has one version of it.
    """

    spark: SparkSession
    store: Store
    logs: Callable[[Entry], StreamLog]
    foreign: Callable[[Entry, Scan, Scans], DataFrame] | None = None
    name: str = "relational"
    own_folder: Path | None = None
    start: Start = field(default_factory=Start)
    positions: Mapping[str, int] = field(default_factory=dict)
    needs: Needs = field(default_factory=Needs)
    ordered: bool = False
    checks_claims: bool = False
    running: InMicroBatches = field(default_factory=InMicroBatches)
    reads: TableReads = field(default_factory=TableReads)
    opened: dict[str, DataFrame] = field(default_factory=dict, init=False)
    commits: dict[int, DataFrame] = field(default_factory=dict, init=False)
    relations: dict[str, DataFrame] = field(default_factory=dict, init=False)

    @property
    def folder(self) -> Path:
        """The folder for data of the query that must survive a restart, next to Spark's checkpoint."""
        return self.own_folder or self.store.warehouse / "queries" / self.name

    def lookup(self, relation: Node, fields: Sequence[int], *, varies: bool, rows: Node) -> Translated:
        assert self.running.lookups is not None, "only streaming queries look rows up"
        return self.running.lookups(relation, fields, varies, rows)

    def scan(self, node: Scan) -> Translated:
        entry = self.store.get(node.source)
        if entry is None:
            raise error("RT0312", f"Object '{node.source}' does not exist")
        if node.as_of is not None:
            read = self._history if node.as_of.is_history else self._as_of
            return read(node, node.as_of, entry)
        if node.mode == "changes":
            assert self.running.changes is not None, "only streaming queries read changes"
            rows = self.running.changes(entry)
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
        """Returns all rows of a table, which may be a foreign one, or of a stream of the warehouse. Raises RowtimeError
        RT0520 if rows of the stream that the scan needs have been deleted."""
        if entry.id not in self.relations:
            self.relations[entry.id] = self._read(entry, node)
        if is_logged(entry):
            history.check(node, entry, self.logs(entry))
        return self.relations[entry.id]

    def _read(self, entry: Entry, node: Scan) -> DataFrame:
        if entry.kind.startswith("FOREIGN"):
            assert self.foreign is not None
            return self.foreign(entry, node, self)
        version = self.reads.versions.get(entry.name)
        if is_logged(entry):
            return reader.history(self.spark, self.logs(entry), version)
        if entry.name == SAVED_TRACE:
            return reader.saved_trace(self.spark, self._trace(), version)
        return tables.read(self.spark, self.store, entry, version)

    def _scan_log(self, node: Scan, entry: Entry) -> Translated:
        log = self.logs(entry)
        if node.mode == "relation":
            rows = self._relation(entry, node)
        else:
            clock = node.bound if self.needs.clocked else None
            start = self.positions[entry.name] if node.start is None else log.earliest()
            commits = self.commits[node.id] = reader.commits(
                self.spark,
                log,
                start,
                node.clock_shift,
                clock=clock,
                ahead=node.ahead,
                until=log_end(self.start.until.get(entry.name)),
            )
            rows = reader.arriving(commits, log, clock=clock, ahead=node.ahead)
            if self.start.since is not None and log.rowtime is not None and node.start is None:
                since = f"`{log.columns[log.rowtime].stored}` >= timestamp_millis({self.start.since})"
                rows = applied(rows, only(since))
        return _as_translated(node, rows, log.columns, seq=SEQ)

    def _history(self, node: Scan, as_of: AsOf, entry: Entry) -> Translated:
        if entry.id not in self.reads.histories:
            version = self.reads.versions.get(entry.name, tables.newest(self.store, entry))
            self.reads.histories[entry.id] = table_versions.versions_of(self.store, entry, version)
        versions = self.reads.histories[entry.id]
        if as_of.by == "HISTORY_BEGIN":
            return _as_translated(node, table_versions.read_begin(self.spark, versions), (table_versions.BEGIN,))
        rows = table_versions.read(self.spark, self.store, entry, versions)
        return _as_translated(node, rows, (*tables.table_columns(entry), table_versions.FROM, table_versions.TO))

    def _as_of(self, node: Scan, as_of: AsOf, entry: Entry) -> Translated:
        def read() -> DataFrame:
            if as_of.time is None:
                return self._relation(entry, node)
            if is_logged(entry):
                log = self.logs(entry)
                version = table_history.version_at(self.store, entry, log.delta, as_of.time)
                rows = reader.history(self.spark, log, version)
                history.check(node, entry, log)
                return rows.limit(0) if version is None else rows
            return tables.read_as_of(self.spark, self.store, entry, as_of.time)

        rows = read() if self.reads.kept is None else self.reads.kept(entry, node, read)
        return _as_translated(node, rows, tables.table_columns(entry), seq=SEQ if SEQ in rows.columns else None)

    def keyed_table(self, node: Scan) -> Any:
        entry = self.store.get(node.source)
        if entry is None:
            raise error("RT0312", f"Object '{node.source}' does not exist")
        return jdbc.keyed_table(self.spark, Options(entry), tables.table_columns(entry))

    def table_of_files(self, node: Scan, names: Mapping[int, str]) -> TableOfFiles:
        if self.running.lookups is not None:
            return self.running.lookups.table_of_files(node, names)
        return TableOfFiles(self.named(node, names), None)

    def named(self, node: Scan, names: Mapping[int, str]) -> DataFrame:
        """Returns some columns of a scan: their `names`, by their positions."""
        found = self.scan(node)
        return found.df.selectExpr(*[f"`{found.columns[i]}` AS `{name}`" for i, name in names.items()])

    def skipped(self, stream: str) -> Sequence[str]:
        return self.start.skipped.get(stream, ())

    def searched(self, counts: Callable[[], SearchCounts]) -> None:
        self.running.searches.append(counts)

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
