"""Reads logs as Spark DataFrames: arriving rows, or the stored history.

The DataFrames have the log's columns under the names they are stored by (`Column.stored`), in their SQL types, and
`_seq`. No column carries Spark's event-time tag: the watermark comes from the control rows alone, at the source.

Spark's watermark begins with 1970 and has milliseconds, so a bound is shifted by `times.ORIGIN`: any instant from the
year 1 on is possible, and also a number, which counts as that many milliseconds.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from rowtime.plan.types import SqlType
from rowtime.streams.columns import Column, spark_columns
from rowtime.streams.log import CONTROL, SEQ, StreamLog
from rowtime.streams.rules import ROWTIME
from rowtime.streams.snapshot import snapshot
from rowtime.streams.state import damaged_log
from rowtime.streams.times import ORIGIN
from rowtime.streams.trace import SAVED

if TYPE_CHECKING:
    from pyspark.sql import DataFrame, SparkSession

_FORMAT = "io.rowtime.log.LogSource"
_EVENT = "_event"

BARRIER = "spark_partition_id() < 0"
"""False, which Spark cannot know. Spark pushes predicates below a watermark, where they would remove control rows (or
rows that only move the bound) before the watermark sees them; but it pushes nothing through a predicate that is not
deterministic, and merges nothing with it."""


def commits(
    spark: SparkSession,
    log: StreamLog,
    version: int,
    clock_shift: int | None = None,
    *,
    clock: str | None = None,
    ahead: int = 0,
    until: int | None = None,
) -> DataFrame:
    """Returns a streaming DataFrame of everything in the commits from `version` on, before `until`, in stored form,
    including control rows. With a `clock_shift` a commit is read once the system clock is that many ms past its bound.
    `clock` and `ahead` are those of `arriving`: the bound of ROWTIME is in the commit itself, so a micro-batch knows
    its watermark."""
    reader = spark.readStream.format(_FORMAT)
    if clock_shift is not None:
        reader = reader.option("clockShift", clock_shift)
    if clock is not None and clock == ROWTIME and log.rowtime is not None:
        reader = reader.option("watermarkShift", ORIGIN - ahead)
    if until is not None:
        reader = reader.option("until", until)
    return (
        reader.option("name", log.name)
        .option("folder", log.folder.absolute().as_uri())
        .option("id", log.table_id)
        .option("columns", log.delta.columns)
        .option("version", version)
        .load()
    )


def arriving(rows: DataFrame, log: StreamLog, *, clock: str | None, ahead: int = 0) -> DataFrame:
    """Returns a streaming DataFrame of the rows in `commits`.

    `clock` is the name of the column whose bound, minus `ahead` ms, becomes the query's watermark (ROWTIME for
    streams); None if the query needs none, which costs a little less.
    """
    if clock is None:
        return _columns(rows.filter(f"NOT {CONTROL}"), log.columns)
    events = rows.withColumn(_EVENT, _expr(f"CASE WHEN {CONTROL} THEN {_instant(log, clock, ahead)} END"))
    return _columns(events.withWatermark(_EVENT, "0 seconds").filter(f"NOT {CONTROL} OR {BARRIER}"), log.columns)


def bounds(rows: DataFrame, log: StreamLog, clock: str, ahead: int = 0) -> DataFrame:
    """Returns a streaming DataFrame of the bounds of the column `clock` in `commits`, minus `ahead` ms: one TIMESTAMP
    column, never NULL, with instants of the watermark."""
    control_rows = rows.filter(CONTROL).select(_expr(_instant(log, clock, ahead)).alias(_EVENT))
    return control_rows.filter(f"{_EVENT} IS NOT NULL")


def history(spark: SparkSession, log: StreamLog, version: int | None = None) -> DataFrame:
    """Returns a DataFrame of all rows that the log has in a version (default: the newest)."""
    return _columns(_snapshot(spark, log, version), log.columns)


def saved_trace(spark: SparkSession, log: StreamLog, version: int | None = None) -> DataFrame:
    """Returns a DataFrame of the latest 1,000 rows of a log, such as ALL_TRACE, in a version (default: the newest)."""
    return _columns(_snapshot(spark, log, version).orderBy(_expr(SEQ).desc()).limit(SAVED), log.columns)


def _snapshot(spark: SparkSession, log: StreamLog, version: int | None) -> DataFrame:
    state = log.state() if version is None else log.state_at(version)
    table = log.delta.table(state.version)
    found = len(table.file_uris())
    if found != state.files:
        # A checkpoint of Delta's may be damaged, too.
        raise damaged_log(log.name, f"'{log.delta.log}' has {found:,} data files instead of {state.files:,}")
    return snapshot(spark, log.folder, table, log.delta.columns).filter(f"NOT {CONTROL}")


def _instant(log: StreamLog, clock: str, ahead: int) -> str:
    """Returns Spark SQL for the bound of a column, minus `ahead` ms, as an instant of the watermark."""
    column = next(column for column in log.columns if column.name == clock)
    return f"timestamp_millis({_millis(f'`{column.stored}`', column.type)} + {ORIGIN - ahead}L)"


def _millis(stored: str, sql: SqlType) -> str:
    if sql.name == "TIMESTAMP":
        return f"unix_millis({stored})"
    if sql.name == "DATE":
        return f"unix_date({stored}) * 86400000L"
    return f"CAST(floor({stored}) AS BIGINT)"


def _columns(rows: DataFrame, columns: tuple[Column, ...]) -> DataFrame:
    return rows.selectExpr(*spark_columns(columns), SEQ)


def _expr(text: str):  # type: ignore[no-untyped-def]
    from pyspark.sql import functions

    return functions.expr(text)
