"""LATENESS and MONOTONIC in a running query: removes late rows, counts them, and sets them aside.

A row is late if, for one of the columns, its value is less than the largest value of earlier micro-batches minus the
lateness. Each micro-batch is a step. Small files in a folder of the query record the largest values.
"""

from __future__ import annotations

import contextlib
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal
from pathlib import Path
from typing import TYPE_CHECKING, Any

from sqlglot import exp

from rowtime.errors import error
from rowtime.jvm.py4j import java_class, java_list
from rowtime.operators.skipped_rows import NULLS, late_rows
from rowtime.plan.types import SqlType
from rowtime.sparksql.expressions import (
    BIGINT,
    DOUBLE,
    TIMESTAMP,
    case,
    cast,
    column,
    fn,
    is_null,
    shift,
    spark_column,
    subtract,
    text,
    try_cast,
)

if TYPE_CHECKING:
    from pyspark.sql import DataFrame

LATENESS_CLASS = "io.rowtime.lateness.Lateness"
LATE = "late"
NOT_MONOTONIC = "not monotonic"
_VIEWS = "late_rows"


@dataclass(frozen=True)
class LatenessRule:
    """A column that decides which rows are late: Spark SQL for its value, and for the value minus its lateness, in one
    type."""

    value: exp.Expression
    threshold: exp.Expression
    reason: str = LATE
    falling: bool = False
    each_row: bool = False


@dataclass(frozen=True)
class FilterFolders:
    """The folders of a filter: its clocks are in `folder`, and it sets late rows aside in another; `name` is the state
    name of the plan node."""

    folder: Path
    aside: Path
    name: str

    @property
    def nulls(self) -> Path:
        """The folder for rows with NULL in a column that is NOT NULL."""
        return self.aside / NULLS


def late_by(name: str, type: SqlType, amount: Decimal) -> LatenessRule:
    """Returns the rule for a column with LATENESS; `amount` is in milliseconds for times, otherwise in the column's own
    unit.

    Raises RowtimeError RT0999 for types whose values cannot be late, which the planner refuses.
    """
    value = column(name)
    if type.name in ("TIMESTAMP", "DATE"):
        value = value if type.name == "TIMESTAMP" else cast(value, TIMESTAMP)
        return LatenessRule(value, shift(value, -int(amount)))
    if type.is_integer and amount == int(amount):
        value = cast(value, BIGINT)
        # If there is no such number, the row moves no clock; it must not stop the query.
        return LatenessRule(value, fn("try_subtract", value, cast(text(str(int(amount))), BIGINT)))
    if type.is_exact:
        scale = min(max(type.scale or 0, -int(amount.as_tuple().exponent)), 37)
        # One digit less than Spark supports, which the difference may need.
        value = try_cast(value, SqlType("DECIMAL", 37, scale))
        less = fn("try_subtract", value, cast(text(format(amount, "f")), SqlType("DECIMAL", 37, scale)))
        wide = SqlType("DECIMAL", 38, scale)
        return LatenessRule(cast(value, wide), cast(less, wide))
    if type.is_approximate:
        value = fn("nullif", cast(value, DOUBLE), cast(text("NaN"), DOUBLE))
        return LatenessRule(value, subtract(value, cast(text(str(amount)), DOUBLE)))
    raise error("RT0999", f"The planner should have refused: LATENESS on a column of type {type.name}")


def monotonic(name: str, type: SqlType, direction: str) -> LatenessRule:
    """Returns the rule for a column that is declared MONOTONIC: each row counts for the next one."""
    value = column(name)
    if type.is_approximate:
        value = fn("nullif", cast(value, DOUBLE), cast(text("NaN"), DOUBLE))
    return LatenessRule(value, value, NOT_MONOTONIC, direction.upper() == "DECREASING", True)


def amount_of(value: Mapping[str, Any] | None) -> Decimal | None:
    """Returns the amount of a LATENESS or WATERMARK as the catalog stores it: milliseconds for times, otherwise a
    number."""
    if value is None:
        return None
    return Decimal(value["millis"]) if "millis" in value else Decimal(str(value["number"]))


def filter_late(
    rows: DataFrame,
    by: Sequence[LatenessRule],
    names: Sequence[str],
    folders: FilterFolders,
    *,
    clock: int | None = None,
    clocked: bool = False,
    order: str | None = None,
    idle_timeout: int | None = None,
    required: Sequence[str] = (),
    sent: str | None = None,
    ahead: int = 0,
) -> DataFrame:
    """Returns the rows that are not late.

    `names` are the names of the columns of `rows` in the record of late rows. `clock` is the index in `by` of the
    column (a TIMESTAMP) that determines the bound of the rows; with `clocked`, it minus `ahead` ms is the watermark of
    the query, with the marks that a restart needs, and with those of the system clock if no row has arrived for
    `idle_timeout` milliseconds. `order` names the TIMESTAMP column by which the rows of a batch are sorted if each row
    counts for the next. A row with NULL in one of the columns `required` is set aside as invalid. `sent` names the last
    column of `rows`, a TIMESTAMP, if some of them are bounds: such a row advances `clock` to its value there, and goes
    no further. No column of the result carries Spark's event-time tag.
    """
    from pyspark.sql import DataFrame

    from rowtime.operators.marks import marks, with_watermark

    spark = rows.sparkSession
    own = [name for name in rows.columns if name != sent]
    prefix = f"late{folders.name}_"
    values = [f"{prefix}value{i}" for i in range(len(by))]
    thresholds = [f"{prefix}threshold{i}" for i in range(len(by))]
    compared, advanced = [j.value for j in by], [j.threshold for j in by]
    if sent is not None:
        is_row = is_null(column(sent))
        compared = [case((is_row, value)) for value in compared]
        advanced = [
            case((is_row, less), default=column(sent) if i == clock else None) for i, less in enumerate(advanced)
        ]
    helpers = [spark_column(value).alias(n) for value, n in zip(compared, values, strict=True)]
    helpers += [spark_column(less).alias(n) for less, n in zip(advanced, thresholds, strict=True)]
    lateness = java_class(spark, LATENESS_CLASS)

    def filtered(these: DataFrame, control: bool) -> DataFrame:
        made = lateness.filter(
            these._jdf,
            java_list(spark, values),
            java_list(spark, thresholds),
            java_list(spark, [j.falling for j in by]),
            java_list(spark, [j.each_row for j in by]),
            java_list(spark, [j.reason for j in by]),
            control,
            -1 if clock is None else clock,
            java_list(spark, list(names)),
            folders.folder.absolute().as_uri(),
            folders.aside.absolute().as_uri(),
            folders.name,
            java_list(spark, list(required)),
            folders.nulls.absolute().as_uri(),
            sent or "",
        )
        return DataFrame(made, spark)

    wide = rows.select("*", *helpers)
    if order is not None and any(j.each_row for j in by):
        wide = DataFrame(lateness.inOrder(wide._jdf, order), spark)
    kept = filtered(wide, False)
    if clock is None or not clocked:
        return (kept if sent is None else kept.filter(f"{sent} IS NULL")).select(*own)
    ticks = filtered(marks(wide, thresholds[clock], folders.folder, idle_timeout), True)
    return with_watermark(kept, ticks, thresholds[clock], own, sent, ahead)


def bound(folder: Path, batch: int | None = None) -> int | None:
    """Returns the bound (ms) of the filtered rows after micro-batch `batch` (None: the latest); None before the
    first."""
    found: list[int] = []
    for file in _files(folder, ".clock"):
        parts = file.name.split("-")
        if batch is None or int(parts[0]) <= batch:
            # Tasks merge old files while this reads.
            with contextlib.suppress(FileNotFoundError):
                text = file.read_text().split(" ")[0]
                if text != "-":
                    found.append(int(text))
    return max(found, default=None)


def clock_folder(folder: Path, name: str) -> Path:
    """Returns the folder, within the folder of a query, for the clocks of the node with that state name."""
    return folder / "lateness" / name


def view_folders(folder: Path, name: str) -> FilterFolders:
    """Returns the folders of the LATENESS node with that state name within the folder of its query."""
    return FilterFolders(clock_folder(folder, name), folder / _VIEWS / name, name)


def late_rows_by_view(folder: Path) -> dict[str, int]:
    """Returns how many rows the LATENESS of views has rejected in the query with this folder, by the state name of the
    node."""
    return {place.name: late_rows(place) for place in view_late_folders(folder)}


def view_late_folders(folder: Path) -> list[Path]:
    """Returns the folders in which the LATENESS nodes of the query with this folder set late rows aside."""
    return [place for place in (folder / _VIEWS).glob("*") if place.is_dir()]


def _files(folder: Path, ending: str) -> Iterable[Path]:
    return [file for file in folder.glob(f"*{ending}") if not file.name.startswith(".")]
