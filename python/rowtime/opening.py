"""Opens a session over a warehouse."""

from __future__ import annotations

import os
from collections.abc import Mapping
from typing import TYPE_CHECKING, overload

from rowtime import dbapi
from rowtime.catalog.store import Store
from rowtime.runtime.checkpoint.partitions import parse_partitions
from rowtime.session import Session

if TYPE_CHECKING:
    from pyspark.sql import SparkSession


@overload
def connect(spark: str) -> dbapi.Connection: ...


@overload
def connect(
    spark: SparkSession | None = None,
    warehouse: str | os.PathLike[str] | None = None,
    *,
    catalog: str | None = None,
    pumps: bool = True,
    partitions: int | None = None,
    check_claims: bool | None = None,
    conf: Mapping[str, str] | None = None,
) -> Session: ...


def connect(
    spark: SparkSession | str | None = None,
    warehouse: str | os.PathLike[str] | None = None,
    *,
    catalog: str | None = None,
    pumps: bool = True,
    partitions: int | None = None,
    check_claims: bool | None = None,
    conf: Mapping[str, str] | None = None,
) -> Session | dbapi.Connection:
    """Opens a session over the `warehouse` folder (default: $ROWTIME_WAREHOUSE, or else `.rowtime`).

    It uses the given SparkSession, or else the active one of this process. If there is none, it starts one on all
    cores of this machine, which ends with the session. The session runs the started pumps of the warehouse that no
    other process runs, unless `pumps` is False.

    `catalog` is the URL of the database with the catalog, `postgresql://user@host/database` (default:
    $ROWTIME_CATALOG); without one, the catalog is a file of the warehouse.

    `partitions` (1 … 4096) is the number of partitions for the shuffles and state of new streaming queries and pumps
    that do not set their own. A query keeps its number. The default is the threads of a local session; on a cluster,
    the first of these settings that is set: spark.sql.shuffle.partitions, spark.default.parallelism, spark.cores.max,
    and spark.executor.instances times spark.executor.cores.

    `check_claims`: rows are compared with what the planner has concluded of each step of a query, which fails with
    RT0998 if they differ (default: whether $ROWTIME_CHECK_CLAIMS is 1). It is for tests, and takes time.

    `conf` has settings of the Spark that is started here, by name: `{"spark.master": "spark://host:7077"}`. They come
    before those of $ROWTIME_SPARK_CONF.

    With the URL of a server (`rowtime://host:port`) instead of a SparkSession, it returns a connection to that server,
    which needs no Spark here: see `rowtime.dbapi.connect`.

    Raises RowtimeError RT0625 for an invalid number of partitions, RT0614 if the given session lacks rowtime's jars
    (the hint names the setting), RT0660 if there are settings for a session that runs already, or it has a setting with
    which rows would be lost, RT0601 … RT0604 if the warehouse cannot be used, RT0658 or RT0659 if the database of its
    catalog cannot; TypeError if a folder is given as the first argument.
    """
    if isinstance(spark, os.PathLike) or (isinstance(spark, str) and "://" not in spark):
        raise TypeError(
            "The first argument is a SparkSession, or the URL of a server such as rowtime://host:port; "
            f"a folder is rowtime.connect(warehouse={os.fspath(spark)!r})"
        )
    if isinstance(spark, str):
        return dbapi.connect(spark)
    from pyspark.sql import SparkSession as Spark

    from rowtime.runtime.cluster.spark import check_session, start_spark

    if partitions is not None:
        partitions = parse_partitions(partitions, "partitions")
    spark = spark or Spark.getActiveSession()
    started = spark is None
    if spark is not None:
        check_session(spark, conf)
    store = Store(warehouse, catalog=catalog)
    return Session(
        spark or start_spark(conf),
        store,
        owns_spark=started,
        pumps=pumps,
        partitions=partitions,
        check_claims=check_claims,
    )
