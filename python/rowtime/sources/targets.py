"""Foreign streams and tables as targets: rows of an INSERT, or of a pump's micro-batches, each of which counts once."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

from rowtime.catalog.changes import Entry
from rowtime.errors import error
from rowtime.sources import file_target, kafka
from rowtime.sources.options import Options
from rowtime.streams.columns import columns

if TYPE_CHECKING:
    from pyspark.sql import DataFrame, SparkSession


def write_batch(
    spark: SparkSession,
    entry: Entry,
    df: DataFrame,
    batch: int | None = None,
    writer: str | None = None,
    *,
    bound: Callable[[], int | None] | None = None,
    folder: Path | None = None,
) -> int:
    """Writes the rows of a DataFrame (not a streaming one) to a foreign stream or table, in their order; how many.

    `df` has columns of `entry` under their names in the catalog, in Spark's types for theirs; those that it lacks are
    NULL. `writer` names who writes, and `batch` is the number of its micro-batch: one that is not after the last one
    which that writer has written is left out, and 0 returned. Without them everything is written. Adapters
    are told the `bound` (ms) of the rows, which it gives once they have been computed, and `folder`, their own.

    To be called under the settings of a query (see `rowtime.translate.settings`), as its DataFrame is built under them.
    Raises RowtimeError RT0527 where the connector cannot be written, and those of its options.
    """
    named = columns(entry.definition["columns"])
    given = [column for column in named if column.name in df.columns]
    options = Options(entry)
    connector = options.text("connector").lower()
    if connector == "files":
        return file_target.write(options, df, given, batch, writer)
    if connector == "kafka":
        return kafka.write(spark, options, named, df, given, batch, writer)
    if connector == "delta":
        from rowtime.sources import delta

        return delta.write(options, df, named, given, batch, writer)
    if connector == "jdbc":
        from rowtime.sources import jdbc

        return jdbc.write(spark, options, df, given, batch, writer)
    if connector == "python" and folder is not None:
        from rowtime.sources import adapter

        return adapter.write(options, df, named, given, folder, batch, writer, bound)
    raise error(
        "RT0527",
        f"The {options.owner} cannot be written: its connector is '{connector}'",
        hint="Rows can be inserted where the connector is 'files', 'kafka', 'delta', 'jdbc' or 'python'",
    )
