"""The number of partitions in which a streaming query shuffles its rows and stores its state.

The number is chosen when a query first starts, recorded next to its checkpoint, and never changes: not on a restart, on
another machine, or with other options. Operators get it from Spark, which records it in the checkpoint too.
"""

from __future__ import annotations

import re
from pathlib import Path
from typing import TYPE_CHECKING

from rowtime.errors import RowtimeError, error
from rowtime.numerals import natural
from rowtime.runtime.checkpoint.offsets import OffsetLog
from rowtime.sparksql.settings import SHUFFLE_PARTITIONS
from rowtime.storage.smallfiles import write_whole

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

MOST = 4096
"""The largest number of partitions. Each partition of each operator has a state store of its own."""
_FILE = "partitions"
_LOCAL = re.compile(r"local(?:\[\s*([0-9]+|\*)\s*(?:,\s*[0-9]+\s*)?\])?")
_LOCAL_CLUSTER = re.compile(r"local-cluster\[\s*([0-9]+)\s*,\s*([0-9]+)\s*,\s*[0-9]+\s*\]")


def parse_partitions(value: str | int, what: str) -> int:
    """Parses a number of partitions. Raises RowtimeError RT0625 unless it is 1 … MOST; `what` is its name in the
    message."""
    number = None if isinstance(value, bool) else natural(str(value))
    if number is None or not 1 <= number <= MOST:
        raise invalid_partitions(value, what)
    return number


def invalid_partitions(value: object, what: str) -> RowtimeError:
    return error("RT0625", f"{what} takes a number from 1 to {MOST}, not '{value}'", hint=f"{what} 4")


def default_partitions(spark: SparkSession) -> int:
    """Returns the number for queries that request none: the threads of a local session. On a cluster it depends on
    settings and never on the executors that have registered so far: the first of spark.sql.shuffle.partitions,
    spark.default.parallelism, spark.cores.max, and spark.executor.instances times spark.executor.cores that is set, or
    else Spark's own default of spark.sql.shuffle.partitions."""
    found = _threads(spark)
    if found is None:
        found = _from_settings(spark)
    return min(max(found, 1), MOST)


def recorded_partitions(folder: Path) -> int | None:
    """Returns the number of the query with this folder; None before its first start."""
    written = _checkpoint_partitions(folder)
    if written is not None:
        return written
    # Earlier versions wrote no file. Spark's checkpoint has the same number.
    latest = OffsetLog(folder / "spark").latest()
    return None if latest is None else latest.partitions


def kept_partitions(folder: Path, wanted: int) -> int:
    """Returns the number of the query with this folder; if it has never started, records and returns `wanted`."""
    found = recorded_partitions(folder)
    count = wanted if found is None else found
    if _checkpoint_partitions(folder) is None:
        record_partitions(folder, count)
    return count


def record_partitions(folder: Path, count: int) -> None:
    write_whole(folder / _FILE, str(count).encode())


def _checkpoint_partitions(folder: Path) -> int | None:
    try:
        return int((folder / _FILE).read_text())
    except (FileNotFoundError, ValueError):
        return None


def _threads(spark: SparkSession) -> int | None:
    """Returns the threads of a session that runs only on this machine; None on a cluster."""
    master = spark.sparkContext.master or ""
    local = _LOCAL.fullmatch(master)
    if local is not None:
        if local[1] != "*":
            return int(local[1] or 1)
        return int(spark._jvm.java.lang.Runtime.getRuntime().availableProcessors())  # type: ignore[union-attr]
    cluster = _LOCAL_CLUSTER.fullmatch(master)
    return None if cluster is None else int(cluster[1]) * int(cluster[2])


def _from_settings(spark: SparkSession) -> int:
    def number(key: str) -> int | None:
        return natural(spark.conf.get(key, None) or "")

    for key in (SHUFFLE_PARTITIONS, "spark.default.parallelism", "spark.cores.max"):
        found = number(key)
        if found:
            return found
    instances, cores = number("spark.executor.instances"), number("spark.executor.cores")
    if instances:
        return instances * (cores or 1)
    return int(spark.conf.get(SHUFFLE_PARTITIONS) or 200)
