"""Connector 'rate': numbers from 0 on, at a fixed rate per second, for experiments and measurements.

    OPTIONS (connector 'rate', rows_per_second '10')

Column VALUE is the number, and ROWTIME the time at which it was due. After a restart from a checkpoint the numbers
continue, and those that were due meanwhile are emitted immediately.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from rowtime.foreign.connectors import ForeignRead
from rowtime.foreign.places import PLACE
from rowtime.streams.log import ROWTIME

if TYPE_CHECKING:
    from pyspark.sql import DataFrame


def read(of: ForeignRead) -> DataFrame:
    """The rows, columns under their stored names.

    Options: rows_per_second, 1; ramp_up_time, a duration in which the source gets up to that, none. Raises RowtimeError
    RT0522, RT0523.
    """
    options, opened = of.options, of.query.opened
    rate = options.number("rows_per_second") or 1
    ramp = options.duration("ramp_up_time") or 0
    options.finish()
    if options.name not in opened:
        reader = of.query.spark.readStream.format("rate")
        reader = reader.option("rowsPerSecond", rate).option("rampUpTime", f"{ramp}ms")
        opened[options.name] = reader.load()
    filled = {ROWTIME: "timestamp", "VALUE": "value"}
    selected = [f"{filled[column.name]} AS `{column.stored}`" for column in of.columns]
    if of.placed:
        selected.append(f"named_struct('number', value) AS `{PLACE}`")
    return opened[options.name].selectExpr(*selected)
