"""Foreign streams and tables: reads them through their connectors, checks rows for lateness, and counts skipped
rows."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from rowtime.catalog.changes import Entry
from rowtime.catalog.store import Store
from rowtime.foreign import connectors
from rowtime.foreign.adapter import SENT_BOUND
from rowtime.foreign.connectors import ForeignRead
from rowtime.foreign.options import Options
from rowtime.foreign.places import PLACE
from rowtime.operators import lateness, skipped_rows
from rowtime.plan.nodes import Scan
from rowtime.sources import admission
from rowtime.streams.ends import topic_end
from rowtime.streams.log import ROWTIME
from rowtime.types.columns import Column, columns

if TYPE_CHECKING:
    from pyspark.sql import DataFrame

    from rowtime.sources.scan import Scans


class Foreign:
    """Returns the rows of foreign objects. `dataframes` are the streaming DataFrames that this session has
    registered."""

    def __init__(self, store: Store) -> None:
        self.store = store
        self.dataframes: dict[str, DataFrame] = {}

    def rows(self, entry: Entry, node: Scan, scans: Scans) -> DataFrame:
        """Returns the rows of a foreign object under the stored names of its columns; for a stream, those that are not
        late. In a query with state, ROWTIME advances the watermark, delayed by its LATENESS and WATERMARK."""
        named = columns(entry.definition["columns"])
        options = Options(entry)
        streaming = node.mode == "stream"
        if streaming:
            _adopt_clocks(self.clocks(scans.folder, node), node)
        idle_timeout = options.duration("idle_timeout") if streaming else None
        rows = connectors.read(
            ForeignRead(
                scans,
                node.state_name,
                node.start is not None,
                entry.id,
                streaming,
                options,
                named,
                bad_rows=self.bad_rows(entry, scans.name),
                own_folder=adapter_folder(self.store, entry),
                dataframes=self.dataframes,
                until=topic_end(scans.start.until.get(node.source)) if streaming else None,
                placed=streaming and (node.source in scans.needs.placed or node.holds_rows),
            )
        )
        if not streaming:
            return rows.df
        found = _without_unused(rows.df, entry, node, named, scans.needs.used.get(node.id))
        found = admission.admit(
            found,
            entry,
            named,
            lateness.FilterFolders(self.clocks(scans.folder, node), self.late_rows(entry, scans.name), node.state_name),
            clocked=scans.needs.clocked and node.bound is not None,
            idle_timeout=idle_timeout,
            delay=rows.delay,
            ahead=node.ahead,
        )
        if scans.start.since is not None and node.start is None:
            found = found.filter(f"`{rowtime_of(named).stored}` >= timestamp_millis({scans.start.since})")
        return found

    # --- what queries have met ---------------------------------------------------------------------------------------

    def clocks(self, folder: Path, node: Scan) -> Path:
        """Returns the folder for the clocks of a scan in the query with this folder."""
        return lateness.clock_folder(folder, node.state_name)

    def bound(self, folder: Path, node: Scan, batch: int | None = None) -> int | None:
        """Returns the bound (ms since 1970) of a scan of the query with this folder, after micro-batch `batch` (None:
        the latest). None before the first row."""
        return lateness.bound(self.clocks(folder, node), batch)

    def bad_rows(self, entry: Entry, query: str | None = None) -> Path:
        """Returns the folder of the invalid records of a foreign object that a query has found, or all queries."""
        folder = self.store.folder(entry.id, "bad_rows")
        return folder if query is None else folder / query

    def bad_row_count(self, entry: Entry, query: str) -> int:
        """Returns the number of invalid records that a query has found, by the names of its files."""
        return skipped_rows.records(self.bad_rows(entry, query)) + skipped_rows.late_rows(
            self.late_rows(entry, query) / skipped_rows.NULLS
        )

    def late_rows(self, entry: Entry, query: str) -> Path:
        """Returns the folder of the late rows of a foreign stream in a query."""
        return self.bad_rows(entry, query) / skipped_rows.LATE

    def late_row_count(self, entry: Entry, query: str) -> int:
        """Returns how many rows of a foreign stream a query has rejected because they were late, or went back in a
        MONOTONIC column."""
        return skipped_rows.late_rows(self.late_rows(entry, query))


def adapter_folder(store: Store, entry: Entry) -> Path:
    """Returns the folder for permanent data of a foreign object's adapter."""
    return store.folder(entry.id, "adapters")


def _adopt_clocks(clocks: Path, node: Scan) -> None:
    """Renames the clocks of a scan that an earlier version of rowtime has named by the number of the node."""
    earlier = clocks.with_name(str(node.id))
    if earlier.is_dir() and not clocks.exists():
        earlier.rename(clocks)


def rowtime_of(named: Sequence[Column]) -> Column:
    return next(column for column in named if column.name == ROWTIME)


def _without_unused(
    rows: DataFrame, entry: Entry, node: Scan, named: Sequence[Column], used: frozenset[int] | None
) -> DataFrame:
    """Replaces columns that the query does not read, and that decide nothing, by NULL: Spark would read them all,
    because late rows are recorded with all columns. Rows that wait for a watermark keep all: the query that they wait
    for may be replaced by one that reads others."""
    from pyspark.sql import functions

    if used is None or node.holds_rows:
        return rows
    read = {node.fields[index].name for index in used} | {ROWTIME}
    judged = {c["name"] for c in entry.definition["columns"] if c.get("latenessValue")}
    judged |= {c["name"] for c in entry.definition["columns"] if c.get("monotonic")}
    kept = {c.stored for c in named if c.name in read | judged or not c.nullable} | {SENT_BOUND, PLACE}
    types = dict(rows.dtypes)
    return rows.select(
        *[
            functions.col(f"`{name}`") if name in kept else functions.lit(None).cast(types[name]).alias(name)
            for name in rows.columns
        ]
    )
