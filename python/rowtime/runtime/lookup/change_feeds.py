"""The tables whose changes a streaming query reads: their versions, for calls from Spark's JVM."""

from __future__ import annotations

import contextlib
import uuid
from pathlib import Path
from typing import TYPE_CHECKING

import msgspec

from rowtime.catalog.changes import Entry
from rowtime.catalog.store import Store
from rowtime.decoding import Decoder
from rowtime.jvm import callbacks
from rowtime.jvm.py4j import java_class
from rowtime.jvm.steps import Selected, applied, kept, select
from rowtime.runtime.lookup.table_answers import TableAnswers
from rowtime.storage.smallfiles import replace_whole
from rowtime.tables import tables
from rowtime.tables.change_feed import ChangeFeed
from rowtime.types.columns import spark_expression

if TYPE_CHECKING:
    from pyspark.sql import DataFrame, SparkSession

_FORMAT = "io.rowtime.log.ChangeSource"
_COMMITS_CLASS = "io.rowtime.log.SharedCommits"
_COMMITS = "io.rowtime.log.TableCommits"
_FOLDER = "changes"
_PLACES = ("queries/*", "pumps/*/*", "pumps/*/saves/*/checkpoint")
"""The folders of queries, pumps and savepoints."""


class _Needed(msgspec.Struct):
    """The versions of a table from which a query may have to go on."""

    table: str
    versions: list[int]


_decoder = Decoder(_Needed)


def needed_versions(warehouse: Path) -> dict[str, set[int]]:
    """Returns the versions of tables, by the id of the table, from which the queries and pumps that read their changes
    may have to go on."""
    found: dict[str, set[int]] = {}
    for place in _PLACES:
        for file in warehouse.glob(f"{place}/{_FOLDER}/*"):
            with contextlib.suppress(OSError, msgspec.MsgspecError):
                needed = _decoder.decode(file.read_bytes())
                found.setdefault(needed.table, set()).update(needed.versions)
    return found


class ChangeFeeds:
    """The tables of one query. The versions from which it may have to go on are recorded in its `folder`, so that
    clean-up keeps them; without one, as for a DataFrame, they are kept as long as those of any other query."""

    def __init__(self, spark: SparkSession, store: Store, folder: Path | None) -> None:
        self._spark = spark
        self._store = store
        self._folder = None if folder is None else folder / _FOLDER
        self._names: dict[str, str] = {}

    def __call__(self, entry: Entry) -> DataFrame:
        """Returns the changes of a table as a stream: its columns under their stored names, in their SQL types, and
        `$change`, how often a row is added (below 0: removed). All scans of a table read the same versions."""
        # The query may be the first one that names the table.
        tables.open_table(self._store, entry)
        if entry.id not in self._names:
            name = self._names[entry.id] = uuid.uuid4().hex
            file = None if self._folder is None else self._folder / entry.id
            java_class(self._spark, _COMMITS_CLASS).register(name, _Commits(self._store, entry, file).exposed())
            callbacks.start(self._spark)
        log = tables.delta_log(self._store, entry)
        rows = (
            self._spark.readStream.format(_FORMAT)
            .option("folder", log.folder.absolute().as_uri())
            .option("id", entry.id)
            .option("columns", log.columns)
            .option("commits", self._names[entry.id])
            .load()
        )
        of_table = {
            c.stored: Selected(spark_expression(c.stored, c.type), c.stored) for c in tables.table_columns(entry)
        }
        return applied(rows, select(*[of_table.get(name, kept(name)) for name in rows.columns]))

    def close(self) -> None:
        """Forgets the tables. Call it when the query has ended."""
        with contextlib.suppress(Exception):
            # Spark may have ended before.
            for name in self._names.values():
                java_class(self._spark, _COMMITS_CLASS).release(name)


class _Commits(TableAnswers):
    """The versions of one table: an implementation of io.rowtime.log.TableCommits."""

    def __init__(self, store: Store, entry: Entry, file: Path | None) -> None:
        self._feed = ChangeFeed(store, entry)
        self._id = entry.id
        self._file = file
        self._needed: set[int] = set()
        self._recorded: set[int] = set()
        if file is not None:
            with contextlib.suppress(OSError, msgspec.MsgspecError):
                self._needed = set(_decoder.decode(file.read_bytes()).versions)

    def newest(self) -> str | None:
        def found() -> str:
            version = self._feed.newest()
            self._record({*self._needed, version})
            return str(version)

        return self.result_of(found)

    def changes(self, before: str, version: str) -> str | None:
        def found() -> str:
            # Spark may repeat the micro-batch from the version before; the next one goes on from its end.
            self._needed = {int(each) for each in (before, version) if each}
            self._record(self._needed)
            return self._feed.text(int(before) if before else None, int(version))

        return self.result_of(found)

    def exposed(self) -> object:
        return callbacks.exposed(_COMMITS, newest=self.newest, changes=self.changes, failure=self.failure)

    def _record(self, versions: set[int]) -> None:
        if self._file is not None and not versions <= self._recorded:
            self._file.parent.mkdir(parents=True, exist_ok=True)
            replace_whole(self._file, msgspec.json.encode(_Needed(self._id, sorted(versions))))
            self._recorded = set(versions)
