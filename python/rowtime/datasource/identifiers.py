"""The objects that the data source reads and writes, in whichever process."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

from rowtime.catalog import warehouse_path
from rowtime.catalog.changes import Entry
from rowtime.catalog.store import Store
from rowtime.delta.commits import DataFile
from rowtime.delta.files import files_of
from rowtime.delta.log import DeltaLog
from rowtime.errors import error
from rowtime.streams.log import StreamLog
from rowtime.streams.rules import is_logged
from rowtime.tables.tables import delta_log, open_table
from rowtime.types.columns import Column, columns


@dataclass(frozen=True, slots=True)
class Identifier:
    """A stream or table by its `name`, in a `warehouse`; `catalog` is the URL of the database with its catalog, or None
    for the default. Spark sends it to other processes."""

    warehouse: Path
    name: str
    catalog: str | None = None

    @staticmethod
    def of(name: str | None, warehouse: str | None, catalog: str | None = None) -> Identifier:
        """Returns what options name. Raises RowtimeError RT0657 without a name."""
        if not name:
            raise error("RT0657", "The data source needs the name of a stream or table", hint="Write load('ORDERS')")
        return Identifier(warehouse_path(warehouse).absolute(), name, catalog)

    def open(self) -> Opened:
        """Returns the object. Raises RowtimeError RT0601 if there is no warehouse, RT0312 if the object does not exist,
        RT0657 if it is neither a stream nor a table, RT0658 or RT0659 if the database of the catalog cannot be used."""
        store = opened_store(self.warehouse, self.catalog)
        try:
            return Opened(store, self._entry(store))
        except BaseException:
            store.close()
            raise

    @contextmanager
    def opened(self) -> Iterator[Opened]:
        """Gives the block the object, and closes it; raises as `open`."""
        found = self.open()
        with found.store:
            yield found

    def _entry(self, store: Store) -> Entry:
        entry = store.get(self.name) or store.get(self.name.upper())
        if entry is None:
            raise error("RT0312", f"Object '{self.name}' does not exist")
        if not is_source(entry):
            raise error(
                "RT0657",
                f"{entry.label} cannot be a data source of Spark: it is neither a stream nor a table",
                hint=f"rowtime.connect(spark).table('SELECT * FROM {entry.name}') returns it as a DataFrame",
            )
        return entry


def opened_store(warehouse: Path, catalog: str | None) -> Store:
    """Returns the catalog of a warehouse. Raises RowtimeError RT0601 if there is none, RT0658 or RT0659 if its database
    cannot be used."""
    if not Store.exists(warehouse):
        hint = "Name it by the option 'warehouse', or by ROWTIME_WAREHOUSE"
        raise error("RT0601", f"There is no warehouse in '{warehouse}'", hint=hint)
    return Store(warehouse, catalog=catalog)


def is_source(entry: Entry) -> bool:
    """Returns whether an object is one that the data source reads."""
    return entry.kind == "STREAM" or entry.is_table


class Opened:
    """An object in an open catalog."""

    def __init__(self, store: Store, entry: Entry) -> None:
        self.store = store
        self.entry = entry

    @property
    def columns(self) -> tuple[Column, ...]:
        return columns(self.entry.definition["columns"])

    @cached_property
    def log(self) -> StreamLog | None:
        """The log of a stream or of an ordered table; None for a plain table."""
        return StreamLog(self.store, self.entry) if is_logged(self.entry) else None

    @property
    def stream(self) -> StreamLog:
        """The log of the stream. Raises RowtimeError RT0657 for a table."""
        if self.log is None or self.entry.kind != "STREAM":
            hint = "Read it with spark.read, or make its changes a stream with TO_CHANGELOG"
            raise error("RT0657", f"{self.entry.label} cannot be read as a stream", hint=hint)
        return self.log

    def files(self) -> list[DataFile]:
        """Returns the data files with the rows that it has now; those of a log in order of arrival."""
        if self.log is None:
            return files_of(self.delta, open_table(self.store, self.entry))
        # Names begin with the version of their commit.
        return sorted(files_of(self.delta, self.delta.table(self.log.state().version)), key=lambda file: file.name)

    @property
    def delta(self) -> DeltaLog:
        """Its Delta log, which reads data files."""
        return delta_log(self.store, self.entry) if self.log is None else self.log.delta
