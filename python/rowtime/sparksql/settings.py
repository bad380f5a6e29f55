"""Session settings that a query needs: those that an expert user would apply, and for how long.

A streaming query reads its settings when it starts and keeps them, also over a restart from its checkpoint. So they are
set only during the start, one start at a time, and then restored: the session is the user's. A relational query has a
session of its own (`sessions`).
"""

from __future__ import annotations

import contextlib
import threading
from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING
from urllib.parse import urlparse

from rowtime.jvm.py4j import java_class, java_map
from rowtime.sparksql.sessions import SETTINGS_CLASS

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

_TIME_TYPE = "spark.sql.timeType.enabled"

SETTINGS: dict[str, str] = {
    # overflow, division by zero and bad casts are errors, as in standard SQL
    "spark.sql.ansi.enabled": "true",
    # SQL timestamps have no zone; they are stored as instants in UTC
    "spark.sql.session.timeZone": "UTC",
    "spark.sql.timestampType": "TIMESTAMP_LTZ",
    # the TIME type is off by default in Spark 4.2
    _TIME_TYPE: "true",
    # how the expression texts of the translation are interpreted
    "spark.sql.parser.escapedStringLiterals": "false",
    "spark.sql.parser.quotedRegexColumnNames": "false",
    "spark.sql.ansi.doubleQuotedIdentifiers": "false",
    "spark.sql.ansi.enforceReservedKeywords": "false",
    "spark.sql.decimalOperations.allowPrecisionLoss": "true",
    # fields of files fill the columns of the same name in any case
    "spark.sql.caseSensitive": "false",
    # a MAP with a key twice is an error, and the deviation of one value is NULL
    "spark.sql.mapKeyDedupPolicy": "EXCEPTION",
    "spark.sql.legacy.statisticalAggregate": "false",
    # the rows of a file that cannot be read are not left out without a word
    "spark.sql.files.ignoreCorruptFiles": "false",
    "spark.sql.files.ignoreMissingFiles": "false",
    # plans in Spark's web pages and logs contain the options of sources, which may be secrets
    "spark.sql.redaction.options.regex": "(?s).*",
}
"""The settings of every translation. Spark reads them when an expression is built, and again when a query starts."""

SHUFFLE_PARTITIONS = "spark.sql.shuffle.partitions"
_FILE_MANAGER = "io.rowtime.files.LocalCheckpointFiles"
_STRATEGIES = "io.rowtime.spark.Strategies"
_HADOOP_SETTINGS = "io.rowtime.spark.HadoopSettings"
_KEYED_PARTITIONS = "io.rowtime.exchange.KeyedPartitionsStrategy"
_LOOKUPS = "io.rowtime.lookup.LookupStrategy"
_ROCKSDB = "org.apache.spark.sql.execution.streaming.state.RocksDBStateStoreProvider"
_HDFS_BACKED = "org.apache.spark.sql.execution.streaming.state.HDFSBackedStateStoreProvider"

DELTA = {
    "spark.databricks.delta.snapshotPartitions": "1",
    # Logs and tables are read by path, which needs no Delta catalog in the session.
    "spark.databricks.delta.requiredSparkConfsCheck.enabled": "false",
    # A query reads the version that was the latest when it looked, and another process may have committed since. Our
    # own clean-up removes versions that a log no longer needs; by its properties Delta would consider all but the
    # latest deleted.
    "spark.databricks.delta.vacuum.enforceTimeTravelWithinDeletedFileRetentionDuration": "false",
}

JAVA_TIMES = {
    # Times in filters that a database gets are in the session's zone, UTC, and not in that of this machine.
    "spark.sql.datetime.java8API.enabled": "true",
}
"""The settings of relational queries, which databases may answer."""

_lock = threading.RLock()


def cores(spark: SparkSession) -> int:
    """Returns how many tasks the session can run at a time, as far as Spark knows now; on a cluster it depends on the
    executors that have registered. Use it only for relational queries, which store nothing."""
    return max(1, spark.sparkContext.defaultParallelism)


def streaming(partitions: int, checkpoint: str, *, operators: bool) -> dict[str, str]:
    """Returns the settings of a streaming query whose checkpoint is at `checkpoint`; see `chosen`."""
    return streaming_settings(partitions, operators=operators, local=urlparse(checkpoint).scheme in ("", "file"))


def requested_partitions(options: Mapping[str, str], hinted: int | None) -> int | None:
    """Returns the number of partitions that a pump's OPTIONS request, or else the hint of its query; None if neither
    does."""
    option = options.get("partitions")
    return hinted if option is None else int(option)


def streaming_settings(partitions: int, *, operators: bool, local: bool) -> dict[str, str]:
    """Returns rowtime's settings for a streaming query with this number of `partitions`, also for `explain`.

    `local`: its checkpoint is on a local disk. `operators`: its plan has operators of rowtime's own
    (`transformWithState`), which need RocksDB; Spark's own aggregation is faster with the store that keeps its state on
    the heap.
    """
    found = {
        **SETTINGS,
        **DELTA,
        SHUFFLE_PARTITIONS: str(partitions),
        "spark.sql.adaptive.enabled": "false",
        # The checksum detects a stage that returned different rows when it was computed again. Blocks of the same rows
        # differ if the rows come in another order, and computing the checksum takes a tenth of a task's time.
        "spark.sql.shuffle.orderIndependentChecksum.enabled": "false",
        "spark.sql.shuffle.orderIndependentChecksum.enableFullRetryOnMismatch": "false",
        "spark.sql.streaming.stateStore.providerClass": _ROCKSDB if operators else _HDFS_BACKED,
        "spark.sql.streaming.stateStore.rocksdb.changelogCheckpointing.enabled": "true",
        # Rows are distributed by their keys, in which the entries of a MAP are in order (`translate/keys`).
        "spark.sql.legacy.allowHashOnMapType": "true",
        "spark.sql.streaming.noDataMicroBatches.enabled": "true",
        "spark.sql.streaming.multipleWatermarkPolicy": "min",
        # With a number in its name, the class of a stage changes as stages come and go between the first batches, and
        # is compiled again each time, by Janino and by the JIT.
        "spark.sql.codegen.useIdInClassName": "false",
        # Stages then run objects, and not closures, whose bytecode Spark reads and cleans in each micro-batch.
        "spark.sql.execution.usePartitionEvaluator": "true",
        # The plan of each micro-batch in Spark's web pages: the formatted one takes longer to write.
        "spark.sql.ui.explainMode": "simple",
        # A query into a sink of Spark's own looks for new rows at this interval (ms), and lists its stream's log each
        # time: with Spark's 10 ms that takes a tenth of a core. Others have a clock (`io.rowtime.microbatch`).
        "spark.sql.streaming.pollingDelay": "50",
        # The planner knows which plans and targets can run in real time, and the target of Kafka is rowtime's own.
        "spark.sql.streaming.realTimeMode.allowlistCheck": "false",
        "spark.sql.streaming.metricsEnabled": "false",
        "spark.sql.streaming.numRecentProgressUpdates": "1000",
        "spark.sql.streaming.minBatchesToRetain": "10",
    }
    if local:
        # Spark's own start a process for each file to set its permissions, which takes longer than writing it.
        found["spark.sql.streaming.checkpointFileManagerClass"] = _FILE_MANAGER
    return found


@contextlib.contextmanager
def applied(spark: SparkSession, wanted: Mapping[str, str]) -> Iterator[None]:
    """Applies the settings `wanted` inside the block, and restores the previous ones. Blocks exclude one another, so
    they only build and start queries: no job of unknown length belongs into one."""
    with _lock:
        java, session = java_class(spark, SETTINGS_CLASS), spark._jsparkSession
        java.apply(session, java_map(spark, wanted))
        try:
            yield
        finally:
            java.restore(session)


def allow_times(spark: SparkSession) -> None:
    """Switches the type TIME on in a session, for as long as it lasts: Spark plans a DataFrame when it is used."""
    with applied(spark, {}):
        spark.conf.set(_TIME_TYPE, "true")


@contextlib.contextmanager
def starting(spark: SparkSession, wanted: Mapping[str, str]) -> Iterator[None]:
    """As `applied`, for a streaming query: Spark also plans rowtime's own operators without a sort that they do not
    need, reads all rows of a stream that it joins with a table, and sends the tasks no more of Hadoop's settings than
    they read. At the end, the strategies for rowtime's own nodes that the session did not have before are removed from
    it; a query that is started in the block keeps them."""
    strategies, session = java_class(spark, _STRATEGIES), spark._jsparkSession
    with applied(spark, wanted):
        before = strategies.of(session)
        try:
            java_class(spark, _HADOOP_SETTINGS).shorten(session)
            java_class(spark, _KEYED_PARTITIONS).add(session)
            java_class(spark, _LOOKUPS).add(session)
            yield
        finally:
            strategies.putBack(session, before)
