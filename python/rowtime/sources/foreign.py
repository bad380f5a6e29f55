"""Foreign streams and tables: which connector reads them, and their place in the query's clock."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from rowtime.catalog.changes import Entry
from rowtime.catalog.store import Store
from rowtime.errors import error
from rowtime.plan.nodes import Scan
from rowtime.sources import files
from rowtime.sources.lateness import delay_millis
from rowtime.sources.options import Options
from rowtime.streams.columns import Column, columns
from rowtime.streams.log import ROWTIME
from rowtime.streams.reader import BARRIER

if TYPE_CHECKING:
    from pyspark.sql import DataFrame

    from rowtime.sources.scan import Scans

CONNECTORS = ("files", "dataframe")
_TAG = "spark.watermarkDelayMs"


class Foreign:
    """Makes the rows of foreign objects. `dataframes` are the streaming DataFrames that this session has registered."""

    def __init__(self, store: Store) -> None:
        self.store = store
        self.dataframes: dict[str, DataFrame] = {}

    def rows(self, entry: Entry, node: Scan, scans: Scans) -> DataFrame:
        """The rows of a foreign object under the stored names of its columns. In a query with state ROWTIME moves the
        watermark, which falls behind it by the LATENESS that is declared on it."""
        named = columns(entry.definition["columns"])
        options = Options(entry)
        connector = options.choice("connector", CONNECTORS)
        streaming = node.mode == "stream"
        if connector == "files":
            found = files.rows(
                scans.spark, options, named, streaming=streaming, bad_rows=self.bad_rows(entry, scans.name)
            )
        else:
            found = self._dataframe(entry, options, named)
        if streaming and scans.clocked:
            found = _clocked(found, named, entry)
        if streaming and scans.since is not None:
            found = found.filter(f"`{_rowtime(named).stored}` >= timestamp_millis({scans.since})")
        return found

    def bad_rows(self, entry: Entry, query: str | None = None) -> Path:
        """The folder of the bad rows that a query has met in a foreign object, or of those of all queries."""
        folder = self.store.folder(entry.id, "bad_rows")
        return folder if query is None else folder / query

    def bad_row_count(self, entry: Entry, query: str) -> int:
        """How many bad rows a query has met: the names of its files say how many each holds."""
        found = self.bad_rows(entry, query).glob("*.jsonl")
        return sum(int(file.stem.rsplit("-", 1)[1]) for file in found)

    def _dataframe(self, entry: Entry, options: Options, named: Sequence[Column]) -> DataFrame:
        df = self.dataframes.get(entry.name)
        if df is None:
            raise error(
                "RT0525",
                f"The DataFrame behind '{entry.name}' is not there in this session",
                hint="Call register_stream again, or drop the stream",
            )
        source = options.text("rowtime", ROWTIME).upper()
        by_name = {field.upper(): field for field in df.columns}
        return df.selectExpr(*[f"`{by_name[source if c.name == ROWTIME else c.name]}` AS `{c.stored}`" for c in named])


def _rowtime(named: Sequence[Column]) -> Column:
    return next(column for column in named if column.name == ROWTIME)


def _clocked(rows: DataFrame, named: Sequence[Column], entry: Entry) -> DataFrame:
    from pyspark.sql import functions

    rowtime = _rowtime(named).stored
    if not any(_TAG in field.metadata for field in rows.schema.fields):
        rows = rows.withWatermark(rowtime, f"{delay_millis(entry)} milliseconds")
    # Operators take the watermark from the query; a column that still carries the tag would be taken for the clock.
    plain = [functions.col(f"`{name}`").alias(name, metadata={}) for name in rows.columns]
    # A row that the query filters out moves the bound all the same.
    return rows.filter(f"NOT ({BARRIER})").select(*plain)
