"""Admits rows of a foreign stream: LATENESS, WATERMARK and MONOTONIC on its columns.

A row is late if its ROWTIME is before the stream's bound, which is the largest ROWTIME of earlier micro-batches minus
the declared amount. LATENESS allows rows out of order; WATERMARK holds them until they can be put in order.
"""

from __future__ import annotations

from collections.abc import Sequence
from decimal import Decimal
from typing import TYPE_CHECKING

from rowtime.catalog.changes import Entry
from rowtime.catalog.definitions import ColumnDefinition
from rowtime.foreign.adapter import SENT_BOUND
from rowtime.operators.hold import hold
from rowtime.operators.lateness import FilterFolders, LatenessRule, amount_of, filter_late, late_by, monotonic
from rowtime.sparksql.expressions import column, shift, spark_column
from rowtime.streams.log import ROWTIME
from rowtime.types.columns import Column
from rowtime.types.times import GREATEST, LEAST, ORIGIN

if TYPE_CHECKING:
    from pyspark.sql import DataFrame

_RELEASE = "_release"


def admit(
    rows: DataFrame,
    entry: Entry,
    named: Sequence[Column],
    place: FilterFolders,
    *,
    clocked: bool,
    idle_timeout: int | None = None,
    delay: int = 0,
    ahead: int = 0,
) -> DataFrame:
    """Returns the rows of a foreign stream that are not late, under the stored names of its columns. Rows of an adapter
    may be bounds, marked by the column SENT_BOUND.

    `clocked`: its bound, minus `ahead` (ms), is the watermark of the query. `delay` (ms) is how far rows may be out of
    order if nothing is declared. The planner has checked that only ROWTIME has a WATERMARK, and that the query uses it
    as its clock.
    """
    from pyspark.sql import functions

    declared = {c["name"]: c for c in entry.definition["columns"]}
    rowtime = next(c for c in named if c.name == ROWTIME)
    behind = amount_of(declared[ROWTIME].get("latenessValue"))
    behind = Decimal(delay) if behind is None else behind
    waits = amount_of(declared[ROWTIME].get("watermarkValue"))
    by = [late_by(rowtime.stored, rowtime.type, behind + (waits or 0))]
    for other in named:
        if other.name != ROWTIME:
            by += _other(other, declared[other.name])
    in_range = (
        f"`{rowtime.stored}` >= timestamp_millis({LEAST}) AND `{rowtime.stored}` < timestamp_millis({GREATEST + 1})"
    )
    # Text records have been checked; others may have any time. A ROWTIME out of range is set aside as NULL.
    rows = rows.withColumn(rowtime.stored, functions.expr(f"CASE WHEN {in_range} THEN `{rowtime.stored}` END"))
    found = filter_late(
        rows,
        by,
        [c.name for c in named],
        place,
        clock=0,
        clocked=clocked,
        order=rowtime.stored,
        idle_timeout=idle_timeout,
        # Text records have been checked; Parquet files and DataFrames may contain anything.
        required=[c.stored for c in named if not c.nullable],
        sent=SENT_BOUND if SENT_BOUND in rows.columns else None,
        ahead=ahead,
    )
    if waits is None:
        return found
    # A row that has waited is checked for lateness when it is released: the bound stays that far behind.
    release = spark_column(shift(column(rowtime.stored), ORIGIN - int(behind) - ahead))
    # ALTER may add columns to the stream while rows are held.
    return hold(found.select("*", release.alias(_RELEASE)), _RELEASE, named=True).drop(_RELEASE)


def _other(column: Column, declared: ColumnDefinition) -> list[LatenessRule]:
    late = amount_of(declared.get("latenessValue"))
    if late is not None:
        return [late_by(column.stored, column.type, late)]
    direction = declared.get("monotonic")
    return [monotonic(column.stored, column.type, direction)] if direction else []
