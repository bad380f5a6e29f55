"""The objects that the data source reads and writes, in whichever process."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from rowtime.catalog import warehouse_path
from rowtime.catalog.changes import Entry
from rowtime.catalog.store import Store
from rowtime.errors import error
from rowtime.sources.table_files import files_of
from rowtime.sources.tables import delta_log, open_table
from rowtime.streams.columns import Column, columns
from rowtime.streams.commits import DataFile
from rowtime.streams.deltalog import DeltaLog
from rowtime.streams.log import StreamLog
from rowtime.streams.rules import is_logged


@dataclass(frozen=True, slots=True)
class Place:
    """A stream or table by its `name`, in a `warehouse`. Spark sends it to other processes."""

    warehouse: Path
    name: str

    @staticmethod
    def of(name: str | None, warehouse: str | None) -> Place:
        """Returns the place that options name. Raises RowtimeError RT0657 without a name."""
        if not name:
            raise error("RT0657", "The data source needs the name of a stream or table", hint="Write load('ORDERS')")
        return Place(warehouse_path(warehouse).absolute(), name)

    @contextmanager
    def opened(self) -> Iterator[Opened]:
        """Gives the block the object. Raises RowtimeError RT0312 if it does not exist, RT0657 if it is neither a stream
        nor a table."""
        if not Store.exists(self.warehouse):
            hint = "Name it by the option 'warehouse', or by ROWTIME_WAREHOUSE"
            raise error("RT0601", f"There is no warehouse in '{self.warehouse}'", hint=hint)
        with Store(self.warehouse) as store:
            entry = store.get(self.name) or store.get(self.name.upper())
            if entry is None:
                raise error("RT0312", f"Object '{self.name}' does not exist")
            if entry.kind != "STREAM" and not (entry.is_table and not entry.kind.startswith("FOREIGN")):
                raise error(
                    "RT0657",
                    f"{entry.label} cannot be a data source of Spark: it is neither a stream nor a table",
                    hint=f"rowtime.connect(spark).table('SELECT * FROM {entry.name}') returns it as a DataFrame",
                )
            yield Opened(store, entry)


@dataclass(frozen=True, slots=True)
class Opened:
    """An object in an open catalog."""

    store: Store
    entry: Entry

    @property
    def columns(self) -> tuple[Column, ...]:
        return columns(self.entry.definition["columns"])

    @property
    def stream(self) -> StreamLog:
        """The log of the stream. Raises RowtimeError RT0657 for a table."""
        if self.entry.kind != "STREAM":
            hint = "Read it with spark.read, or make its changes a stream with TO_CHANGELOG"
            raise error("RT0657", f"{self.entry.label} cannot be read as a stream", hint=hint)
        return StreamLog(self.store, self.entry)

    def files(self) -> list[DataFile]:
        """Returns the data files with the rows that it has now."""
        if is_logged(self.entry):
            log = StreamLog(self.store, self.entry)
            return files_of(log.delta, log.delta.table(log.state().version))
        return files_of(delta_log(self.store, self.entry), open_table(self.store, self.entry))

    @property
    def delta(self) -> DeltaLog:
        """Its Delta log, which reads data files."""
        return StreamLog(self.store, self.entry).delta if is_logged(self.entry) else delta_log(self.store, self.entry)
