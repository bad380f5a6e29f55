"""The relations that the rows of a streaming query are joined with, as they are in each of its micro-batches."""

from __future__ import annotations

import contextlib
import threading
from abc import ABC, abstractmethod
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

import msgspec

from rowtime.catalog.changes import Entry
from rowtime.catalog.store import Store
from rowtime.catalog.system import ALL_TRACE, SAVED_TRACE
from rowtime.decoding import Decoder
from rowtime.errors import RowtimeError, error
from rowtime.foreign import delta
from rowtime.foreign.options import Options
from rowtime.jvm import callbacks
from rowtime.jvm.py4j import java_class
from rowtime.operators.search_key import TableOfFiles
from rowtime.plan.nodes import Node, Scan
from rowtime.plan.operators import scans
from rowtime.runtime.checkpoint.checkpoints import damaged_checkpoint
from rowtime.runtime.lookup.snapshots import KeptSnapshots
from rowtime.runtime.lookup.table_answers import TableAnswers
from rowtime.sources.scan import Scans, TableReads
from rowtime.sparksql.result import Translated
from rowtime.storage.smallfiles import replace_whole
from rowtime.streams.log import StreamLog
from rowtime.streams.rules import is_logged
from rowtime.tables import tables
from rowtime.tables.versions import TableVersions, versions_of
from rowtime.translate import translate

if TYPE_CHECKING:
    from pyspark.sql import DataFrame, SparkSession

_T = TypeVar("_T")
_RELATION_CLASS = "io.rowtime.lookup.LookupRelation"
_KEPT_CLASS = "io.rowtime.lookup.KeptRelation"
_FILE = "lookups"


class _Pinned(msgspec.Struct):
    """The versions of the tables in a micro-batch, by the id of the table."""

    batch: int
    versions: dict[str, int]


_decoder = Decoder(_Pinned)


def pinned_versions(warehouse: Path) -> dict[str, set[int]]:
    """Returns the versions of tables, by the id of the table, that a micro-batch of a query or pump may have to read
    again."""
    found: dict[str, set[int]] = {}
    for file in (*warehouse.glob(f"queries/*/{_FILE}"), *warehouse.glob(f"pumps/*/*/{_FILE}")):
        with contextlib.suppress(OSError, msgspec.MsgspecError):
            for id, version in _decoder.decode(file.read_bytes()).versions.items():
                found.setdefault(id, set()).add(version)
    return found


class Lookups:
    """The relations of one query. A whole micro-batch sees one version of each table, also when Spark repeats it after
    a crash: the versions of the latest micro-batch are recorded in the query's folder.

    `session` returns a session for the relations with the settings of translation, created on first use; `query` is the
    session in which the query is built. `name` is the name of the query for foreign tables. Without a `folder`, as for
    a DataFrame that Spark may run several times, versions are only recorded in memory. `bound` returns the bound (ms)
    of some rows of the query after a micro-batch; None if it is not known.
    """

    def __init__(
        self,
        session: Callable[[], SparkSession],
        query: SparkSession,
        store: Store,
        logs: Callable[[Entry], StreamLog],
        foreign: Callable[[Entry, Scan, Scans], DataFrame],
        name: str,
        folder: Path | None,
        bound: Callable[[Node, int], int | None],
    ) -> None:
        self._session = session
        self._query = query
        self._store = store
        self._logs = logs
        self._foreign = foreign
        self._name = name
        self._file = None if folder is None else folder / _FILE
        self._guard = threading.RLock()
        self._entries: dict[str, Entry] = {}
        self._reads: Counter[str] = Counter()
        self._kept = self._read_recorded()
        self._pinned: dict[str, _Pinned] = {}
        self._relations: list[Any] = []
        self._shared: dict[str, Any] = {}
        self._shared_batch = ("", -1)
        self._snapshots = KeptSnapshots(session, folder)
        self._bound = bound
        self._histories: dict[str, TableVersions] = {}
        self._file_versions: dict[str, tuple[str, int, str]] = {}

    def __call__(self, relation: Node, fields: Sequence[int], varies: bool, rows: Node) -> Translated:
        """Returns the rows of some `fields` of a relation, in the version of the micro-batch that reads them. `varies`:
        they can differ though all tables are the same; `rows` are those of the stream."""
        with self._guard:
            for scan in _present(relation):
                self._entries[scan.source] = self._entry(scan.source)
                self._reads[scan.source] += 1
        snapshots = _Snapshots(self, relation, fields, varies, rows)
        # The columns do not change.
        schema, columns = snapshots.columns()
        from pyspark.sql import DataFrame

        made = java_class(self._query, _RELATION_CLASS).of(self._query._jsparkSession, schema, snapshots.exposed())
        self._relations.append(made)
        callbacks.start(self._query)
        return Translated(DataFrame(made.frame(), self._query), columns)

    def table_of_files(self, scan: Scan, names: Mapping[int, str]) -> TableOfFiles:
        """Returns a foreign Delta table whose rows are looked up by key, with some of its columns: their `names`, by
        their positions. A micro-batch reads its newest version; if Spark repeats it after a crash, it reads the same
        version."""
        with self._guard:
            self._entries[scan.source] = self._entry(scan.source)
        versions = _FileVersions(self, scan, names)
        callbacks.start(self._query)
        return TableOfFiles(versions.now(), versions.exposed())

    def close(self) -> None:
        """Frees the rows that are cached for the query. Call it when the query has ended."""
        with contextlib.suppress(Exception):
            # Spark may have ended before.
            for relation in self._relations:
                relation.release()
            self._snapshots.release()
            with self._guard:
                self._forget_shared()

    def versions(self, query: str, batch: int) -> dict[str, int]:
        """Returns the version of each table in a micro-batch of a query of Spark, by its name; -1: the current one."""
        with self._guard:
            versioned = {entry.id: entry for entry in self._entries.values() if not _is_foreign(entry)}
            pinned = self._pinned.get(query, self._kept)
            if pinned is None or pinned.batch != batch or not versioned.keys() <= pinned.versions.keys():
                for entry in self._entries.values():
                    self._check(entry)
                pinned = _Pinned(batch, {id: self._newest(entry) for id, entry in versioned.items()})
                if batch >= 0:
                    if self._file is not None:
                        self._file.parent.mkdir(parents=True, exist_ok=True)
                        replace_whole(self._file, msgspec.json.encode(pinned))
                    self._pinned[query] = pinned
            return {entry.name: pinned.versions[entry.id] for entry in versioned.values()}

    def version(self, relation: Node, varies: bool, rows: Node, query: str, batch: int) -> str:
        """Returns a name for the contents of a relation in a micro-batch."""
        versions = self.versions(query, batch)
        names = {scan.source for scan in _present(relation)}
        found = [f"{name} {versions[name]}" for name in sorted(names) if name in versions]
        found.extend(history.key for _, history in sorted(self._history(relation, rows, query, batch).items()))
        # Changes of foreign tables are unknown.
        return "\n".join([*found, *([f"batch {query} {batch}"] if varies or names - versions.keys() else [])])

    def _history(self, relation: Node, rows: Node, query: str, batch: int) -> dict[str, TableVersions]:
        """Returns the versions of tables, by the id of the table, that a row of the micro-batch may need."""
        found: dict[str, TableVersions] = {}
        for scan in scans(relation):
            if scan.as_of is None or not scan.as_of.is_history:
                continue
            entry, version = self._entries[scan.source], self.versions(query, batch)[scan.source]
            # Rows that operators emit in a micro-batch may still be from before the bound that it begins with.
            bound = None if scan.as_of.shift is None or batch < 1 else self._bound(rows, batch - 1)
            since = None if bound is None or scan.as_of.shift is None else bound + scan.as_of.shift
            with self._guard:
                if entry.id not in self._histories or self._histories[entry.id].version != version:
                    self._histories[entry.id] = versions_of(self._store, entry, version, since)
                found[entry.id] = self._histories[entry.id].since(since)
        return found

    def file_version(self, scan: Scan, query: str, batch: int) -> str:
        """Returns the version of a Delta table in a micro-batch, for all look-ups of the query; empty if it is
        unknown."""
        entry = self._entries[scan.source]
        with self._guard:
            found = self._file_versions.get(entry.name)
            if found is None or found[:2] != (query, batch):
                self._check(entry)
                version = delta.newest_version(self._session(), Options(entry))
                found = self._file_versions[entry.name] = (query, batch, version)
            return found[2]

    def file_rows(self, scan: Scan, names: Mapping[int, str], version: str) -> DataFrame:
        """Returns some columns of a Delta table in a version; empty: the current one."""

        def foreign(entry: Entry, scan: Scan, scans: Scans) -> DataFrame:
            return self._foreign(delta.at_version(entry, version), scan, scans)

        reading = Scans(self._session(), self._store, self._logs, foreign=foreign, name=self._name)
        return reading.named(scan, names)

    def rows(
        self, relation: Node, fields: Sequence[int], rows: Node, query: str, batch: int
    ) -> tuple[DataFrame, tuple[str, ...]]:
        """Returns the rows of a relation in a micro-batch, and its columns."""
        reading = Scans(
            self._session(),
            self._store,
            self._logs,
            foreign=lambda entry, scan, scans: self._foreign_rows(entry, scan, scans, query, batch),
            name=self._name,
            reads=TableReads(
                self.versions(query, batch), self._snapshots.rows, self._history(relation, rows, query, batch)
            ),
        )
        found = translate(relation, reading)
        return found.df.select(*[f"`{found.columns[i]}`" for i in fields]), found.columns

    def _foreign_rows(self, entry: Entry, scan: Scan, scans: Scans, query: str, batch: int) -> DataFrame:
        """Returns a foreign table; if the query reads it several times, it is read once per micro-batch."""
        if self._reads[entry.name] < 2 or batch < 0:
            return self._foreign(entry, scan, scans)
        with self._guard:
            from pyspark.sql import DataFrame

            if self._shared_batch != (query, batch):
                self._forget_shared()
                self._shared_batch = (query, batch)
            if entry.name not in self._shared:
                read = self._foreign(entry, scan, scans)
                self._shared[entry.name] = java_class(self._query, _KEPT_CLASS).of(read._jdf)
            return DataFrame(self._shared[entry.name].frame(), scans.spark)

    def _forget_shared(self) -> None:
        for old in self._shared.values():
            old.release()
        self._shared, self._shared_batch = {}, ("", -1)

    def _check(self, entry: Entry) -> None:
        if self._entry(entry.name).id != entry.id:
            raise _missing(entry.name)

    def _newest(self, entry: Entry) -> int:
        if entry.name == SAVED_TRACE:
            return self._logs(self._entry(ALL_TRACE)).version()
        return self._logs(entry).version() if is_logged(entry) else tables.newest(self._store, entry)

    def _entry(self, name: str) -> Entry:
        entry = self._store.get(name)
        if entry is None:
            raise _missing(name)
        return entry

    def _read_recorded(self) -> _Pinned | None:
        """Returns the versions that the query had read last, before it was restarted."""
        if self._file is None:
            return None
        try:
            return _decoder.decode(self._file.read_bytes())
        except FileNotFoundError:
            return None
        except msgspec.MsgspecError as fault:
            raise damaged_checkpoint("The query", self._file, "is truncated or damaged") from fault


class _Answers(TableAnswers, ABC):
    """The answers for Spark's JVM: an implementation of io.rowtime.lookup.SnapshotProvider."""

    @abstractmethod
    def version(self, query: str, batch: int) -> str | None: ...

    @abstractmethod
    def rows(self, query: str, batch: int) -> Any: ...

    def exposed(self) -> Any:
        """Returns what the JVM can call."""
        return callbacks.exposed(
            "io.rowtime.lookup.SnapshotProvider", version=self.version, rows=self.rows, failure=self.failure
        )


class _FileVersions(_Answers):
    """A table whose rows are looked up by key, for calls from Spark's JVM."""

    def __init__(self, lookups: Lookups, scan: Scan, names: Mapping[int, str]) -> None:
        self._lookups = lookups
        self._scan = scan
        self._names = names

    def now(self) -> DataFrame:
        return self._lookups.file_rows(self._scan, self._names, "")

    def version(self, query: str, batch: int) -> str | None:
        return self.result_of(lambda: self._lookups.file_version(self._scan, query, batch))

    def rows(self, query: str, batch: int) -> Any:
        def read() -> Any:
            version = self._lookups.file_version(self._scan, query, batch)
            return self._lookups.file_rows(self._scan, self._names, version)._jdf

        return self.result_of(read)


class _Snapshots(_Answers):
    """A relation, for calls from Spark's JVM."""

    def __init__(self, lookups: Lookups, relation: Node, fields: Sequence[int], varies: bool, rows: Node) -> None:
        self._lookups = lookups
        self._relation = relation
        self._fields = fields
        self._varies = varies
        self._rows = rows

    def columns(self) -> tuple[str, tuple[str, ...]]:
        """Returns the columns as Spark's JSON, and all column names of the relation."""
        found, names = self._lookups.rows(self._relation, self._fields, self._rows, "", -1)
        return found.schema.json(), names

    def version(self, query: str, batch: int) -> str | None:
        return self.result_of(lambda: self._lookups.version(self._relation, self._varies, self._rows, query, batch))

    def rows(self, query: str, batch: int) -> Any:
        return self.result_of(
            lambda: self._lookups.rows(self._relation, self._fields, self._rows, query, batch)[0]._jdf
        )


def _present(relation: Node) -> list[Scan]:
    """Returns the scans of a relation that read the current version of their tables."""
    return [scan for scan in scans(relation) if scan.as_of is None or scan.as_of.is_history]


def _missing(name: str) -> RowtimeError:
    return error("RT0312", f"Object '{name}' does not exist", hint="It was dropped")


def _is_foreign(entry: Entry) -> bool:
    return entry.kind.startswith("FOREIGN")
