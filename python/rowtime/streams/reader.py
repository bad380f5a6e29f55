"""Reads logs as Spark DataFrames: arriving rows, or the stored history.

The DataFrames have the log's columns under the names they are stored by (`Column.stored`), in their SQL types, and
`_seq`. No column carries Spark's event-time tag: the watermark comes from the control rows alone, at the source.

Spark's watermark begins with 1970 and has milliseconds, so a bound is shifted by `times.ORIGIN`: any instant from the
year 1 on is possible, and also a number, which counts as that many milliseconds.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import msgspec

from rowtime.delta.snapshot import snapshot
from rowtime.delta.state import damaged_log
from rowtime.jvm.py4j import java_class
from rowtime.jvm.steps import ALL, Selected, Step, applied, kept, only, select, watermark
from rowtime.plan.types import SqlType
from rowtime.streams.log import CONTROL, SEQ, StreamLog
from rowtime.streams.rules import ROWTIME
from rowtime.streams.trace import SAVED
from rowtime.types.columns import Column, spark_expression
from rowtime.types.times import ORIGIN

if TYPE_CHECKING:
    from pyspark.sql import DataFrame, SparkSession

_SOURCE = "io.rowtime.log.LogSource"
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
    from pyspark.sql import DataFrame

    options = {
        "name": log.name,
        "folder": log.folder.absolute().as_uri(),
        "id": log.table_id,
        "columns": log.delta.columns,
        "version": str(version),
    }
    if clock_shift is not None:
        options["clockShift"] = str(clock_shift)
    if clock is not None and clock == ROWTIME and log.rowtime is not None:
        options["watermarkShift"] = str(ORIGIN - ahead)
    if until is not None:
        options["until"] = str(until)
    rows = java_class(spark, _SOURCE).rows(spark._jsparkSession, msgspec.json.encode(options).decode())
    return DataFrame(rows, spark)


def arriving(rows: DataFrame, log: StreamLog, *, clock: str | None, ahead: int = 0) -> DataFrame:
    """Returns a streaming DataFrame of the rows in `commits`.

    `clock` is the name of the column whose bound, minus `ahead` ms, becomes the query's watermark (ROWTIME for
    streams); None if the query needs none, which costs a little less.
    """
    if clock is None:
        return applied(rows, only(f"NOT {CONTROL}"), _columns(log.columns))
    event = Selected(f"CASE WHEN {CONTROL} THEN {_instant(log, clock, ahead)} END", _EVENT)
    return applied(
        rows, select(ALL, event), watermark(_EVENT), only(f"NOT {CONTROL} OR {BARRIER}"), _columns(log.columns)
    )


def bounds(rows: DataFrame, log: StreamLog, clock: str, ahead: int = 0) -> DataFrame:
    """Returns a streaming DataFrame of the bounds of the column `clock` in `commits`, minus `ahead` ms: one TIMESTAMP
    column, never NULL, with instants of the watermark."""
    event = Selected(_instant(log, clock, ahead), _EVENT)
    return applied(rows, only(f"`{CONTROL}`"), select(event), only(f"`{_EVENT}` IS NOT NULL"))


def history(spark: SparkSession, log: StreamLog, version: int | None = None) -> DataFrame:
    """Returns a DataFrame of all rows that the log has in a version (default: the newest)."""
    return applied(_snapshot(spark, log, version), _columns(log.columns))


def saved_trace(spark: SparkSession, log: StreamLog, version: int | None = None) -> DataFrame:
    """Returns a DataFrame of the latest 1,000 rows of a log, such as ALL_TRACE, in a version (default: the newest)."""
    latest = _snapshot(spark, log, version).orderBy(_expr(SEQ).desc()).limit(SAVED)
    return applied(latest, _columns(log.columns))


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


def _columns(columns: tuple[Column, ...]) -> Step:
    typed = (Selected(spark_expression(column.stored, column.type), column.stored) for column in columns)
    return select(*typed, kept(SEQ))


def _expr(text: str):  # type: ignore[no-untyped-def]
    from pyspark.sql import functions

    return functions.expr(text)
