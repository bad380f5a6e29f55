"""Connector 'kafka': a topic of JSON records, read from now on (FOREIGN STREAM), and written.

    OPTIONS (connector 'kafka', servers 'broker:9092', topic 'orders', rowtime 'timestamp')

Fields fill the columns of their name, as in files, and a record that cannot be a row is set aside. ROWTIME comes from
the field of that name, from the one that `rowtime` names, or, where that is 'timestamp', from Kafka's own time of the
record. Options that begin with `kafka.` go to the Kafka client as they are.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from rowtime.errors import RowtimeError, error
from rowtime.jvm.py4j import java_class, java_map
from rowtime.sources.options import Options
from rowtime.sources.records import typed_records
from rowtime.streams.columns import Column
from rowtime.streams.log import ROWTIME
from rowtime.streams.smallfiles import write_whole

if TYPE_CHECKING:
    from pyspark.sql import DataFrame, SparkSession

TOPICS_CLASS = "io.rowtime.kafka.Topics"
WRITER_CLASS = "io.rowtime.kafka.TopicWriter"
RECORD_TIME = "timestamp"
# How long a new query tries to reach the broker before it says that it cannot.
_PATIENCE = {"default.api.timeout.ms": "10000", "request.timeout.ms": "5000"}


def rows(
    spark: SparkSession,
    options: Options,
    columns: Sequence[Column],
    *,
    bad_rows: Path,
    beginning: Path | None,
    earliest: bool = False,
) -> DataFrame:
    """The rows of a topic, columns under their stored names in their SQL types. Bad records go to `bad_rows`. For a
    stream, `beginning` is the file that keeps where the query has begun; for a table it is None. `earliest`: the query
    asks for all that there is, whatever the option `start` says.

    Options: servers; topic; format, which is json; start, latest (what arrives from now on) or earliest; rowtime;
    max_records_per_batch; kafka.*. A table has all that the topic holds. Raises RowtimeError RT0521 … RT0523 and
    RT0526, where Kafka cannot be asked.
    """
    topic = options.text("topic")
    client = _client(options)
    options.choice("format", ("json",), "json")
    start = options.choice("start", ("earliest", "latest"), "latest")
    rowtime = options.text("rowtime", ROWTIME)
    most = options.number("max_records_per_batch")
    options.optional("key")
    options.finish()
    reader: Any = (spark.read if beginning is None else spark.readStream).format("kafka").option("subscribe", topic)
    if beginning is not None and start == "latest" and not earliest:
        reader = reader.option("startingOffsets", _latest(beginning, lambda: _end(spark, client, topic, options)))
    else:
        _end(spark, client, topic, options)
        reader = reader.option("startingOffsets", "earliest")
    # What a writer has begun and given up is nothing.
    for name, value in {"isolation.level": "read_committed", **client}.items():
        reader = reader.option(f"kafka.{name}", value)
    if beginning is not None and most is not None:
        reader = reader.option("maxOffsetsPerTrigger", most)
    given = next((i for i, c in enumerate(columns) if c.name == ROWTIME and rowtime == RECORD_TIME), None)
    lines = reader.load().selectExpr(
        "CAST(value AS STRING) AS value", "concat(topic, '/', partition) AS file", "1L AS start", "timestamp"
    )
    sources = [rowtime if column.name == ROWTIME else column.name for column in columns]
    return typed_records(spark, lines, columns, sources, bad_rows, given=given)


def write(spark: SparkSession, options: Options, records: DataFrame, batch: int | None, writer: str | None) -> int:
    """Writes records (the columns key and value, STRING) to the topic in one transaction, and batch `batch` of `writer`
    once; how many were written. Raises RowtimeError RT0526 where Kafka does not take them; what is wrong with the rows
    themselves, Spark says."""
    topic = options.text("topic")
    client = _client(options)
    try:
        java = java_class(spark, WRITER_CLASS)
        return int(java.write(records._jdf, java_map(spark, client), topic, writer, batch or 0))
    except Exception as fault:
        if not _is_of_kafka(fault):
            raise
        raise _unreachable(options, client, fault) from fault


def _latest(beginning: Path, end: Callable[[], str]) -> str:
    """Where the topic ended when the query was opened, and not where it ends once the first batch runs: also after a
    restart from before that."""
    if not beginning.exists():
        write_whole(beginning, end().encode())
    return beginning.read_text()


def _client(options: Options) -> dict[str, str]:
    return {"bootstrap.servers": options.text("servers"), **options.beginning("kafka.")}


def _end(spark: SparkSession, client: Mapping[str, str], topic: str, options: Options) -> str:
    try:
        return str(java_class(spark, TOPICS_CLASS).end(java_map(spark, {**_PATIENCE, **client}), topic))
    except RowtimeError:
        raise
    except Exception as fault:
        raise _unreachable(options, client, fault) from fault


def _is_of_kafka(fault: Exception) -> bool:
    cause = getattr(fault, "java_exception", None)
    while cause is not None:
        if str(cause.getClass().getName()).startswith("org.apache.kafka."):
            return True
        cause = cause.getCause()
    return False


def _unreachable(options: Options, client: Mapping[str, str], fault: Exception) -> RowtimeError:
    java = getattr(fault, "java_exception", None)
    said = str(java.getMessage() if java is not None else fault).split("\n")[0]
    return error(
        "RT0526",
        f"The {options.owner} cannot use Kafka at {client['bootstrap.servers']}: {said}",
        hint="Is the broker running there, and the topic there? Settings of the client are options such as "
        "kafka.security.protocol",
    )
