"""Connector 'rate': numbers from 0 on, at a fixed rate per second, for experiments and measurements.

    OPTIONS (connector 'rate', rows_per_second '10')

Column VALUE is the number, and ROWTIME the time at which it was due. After a restart from a checkpoint the numbers
continue, and those that were due meanwhile are emitted immediately.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from rowtime.sources.options import Options
from rowtime.streams.columns import Column
from rowtime.streams.log import ROWTIME

if TYPE_CHECKING:
    from pyspark.sql import DataFrame, SparkSession

VALUE = "VALUE"


def rows(
    spark: SparkSession, options: Options, columns: Sequence[Column], *, opened: dict[str, DataFrame]
) -> DataFrame:
    """Returns the rows, with columns under their stored names. `opened` contains the sources that the query has already
    opened: all its scans of one stream see the same rows.

    Options: rows_per_second, 1; ramp_up_time, a duration in which the source reaches that rate, none. Raises
    RowtimeError RT0522, RT0523, and RT0529 if the stream has other columns than VALUE BIGINT.
    """
    rate = options.number("rows_per_second") or 1
    ramp = options.duration("ramp_up_time") or 0
    options.finish()
    for column in columns:
        if column.name != ROWTIME and (column.name != VALUE or column.type.name != "BIGINT"):
            raise options.fault(
                f"has the column {column.name} {column.text}, which connector 'rate' does not fill",
                "RT0529",
                f"Its only column beside {ROWTIME} is {VALUE} BIGINT",
            )
    if options.name not in opened:
        reader = spark.readStream.format("rate").option("rowsPerSecond", rate).option("rampUpTime", f"{ramp}ms")
        opened[options.name] = reader.load()
    filled = {ROWTIME: "timestamp", VALUE: "value"}
    return opened[options.name].selectExpr(*[f"{filled[column.name]} AS `{column.stored}`" for column in columns])
