"""Which rows of a foreign stream get in, and when: LATENESS, WATERMARK and MONOTONIC on its columns.

A row is late when its ROWTIME lies before the stream's bound, which is the largest ROWTIME of earlier micro-batches
less what is declared: LATENESS lets rows come out of order, WATERMARK keeps them until they can be put in order.
"""

from __future__ import annotations

from collections.abc import Sequence
from decimal import Decimal
from typing import TYPE_CHECKING

from rowtime.catalog.changes import Entry
from rowtime.operators.hold import hold
from rowtime.operators.lateness import FilterFolders, LatenessRule, amount_of, filter_late, late_by, monotonic
from rowtime.sources.adapter import SENT_BOUND
from rowtime.sparksql.expressions import column, shifted, spark_column
from rowtime.streams.columns import Column
from rowtime.streams.log import ROWTIME
from rowtime.streams.times import GREATEST, LEAST, ORIGIN

if TYPE_CHECKING:
    from pyspark.sql import DataFrame

_RELEASE = "_release"


def admitted(
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
    """The rows of a foreign stream that are not late, under the stored names of its columns. Rows of an adapter may be
    bounds, which say so in the column SENT_BOUND.

    `clocked`: its bound, less `ahead` (ms), is the watermark of the query. `delay` (ms) is how far rows may be out of
    order where nothing is declared. The planner has checked that only ROWTIME has a WATERMARK, and that the query goes
    by it.
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
    # Records of text have been looked at; others may have any time. A ROWTIME that cannot be one is set aside as NULL.
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
        # Records of text have been looked at; Parquet files and DataFrames hold what they hold.
        required=[c.stored for c in named if not c.nullable],
        sent=SENT_BOUND if SENT_BOUND in rows.columns else None,
        ahead=ahead,
    )
    if waits is None:
        return found
    # What has waited is judged by its lateness when it is released: the bound stays that far behind.
    release = spark_column(shifted(column(rowtime.stored), ORIGIN - int(behind) - ahead))
    return hold(found.select("*", release.alias(_RELEASE)), _RELEASE).drop(_RELEASE)


def _other(column: Column, declared: dict[str, object]) -> list[LatenessRule]:
    late = amount_of(declared.get("latenessValue"))  # type: ignore[arg-type]
    if late is not None:
        return [late_by(column.stored, column.type, late)]
    if declared.get("monotonic"):
        return [monotonic(column.stored, column.type, str(declared["monotonic"]))]
    return []
