"""Connector 'kafka': reads a topic, from now on (FOREIGN STREAM) or as it is (FOREIGN TABLE), and writes it.

    OPTIONS (connector 'kafka', servers 'broker:9092', topic 'orders', rowtime 'timestamp')

Records are JSON, CSV, Avro or raw; an invalid record is set aside. In JSON, they can also replace and delete earlier
ones (see `kafka_upserts`). Fields fill the columns of the same name, as in files; options name the columns that key,
headers, partition and offset of the record fill. Options that begin with `kafka.` are passed on to the Kafka client.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from rowtime.delta.batches import LastBatch
from rowtime.errors import RowtimeError, error
from rowtime.foreign import kafka_upserts
from rowtime.foreign.avro import misfit_error
from rowtime.foreign.connectors import BatchRequest, ForeignRead, ForeignWrite, RealTimeRows, found_batch, written_count
from rowtime.foreign.formats import ROW, RecordFormat
from rowtime.foreign.kafka_columns import TopicColumns
from rowtime.foreign.kafka_start import Offsets, TopicStart, beginning
from rowtime.foreign.options import Options
from rowtime.foreign.places import PLACE, PLACE_COLUMN
from rowtime.foreign.records import typed_records
from rowtime.jvm.py4j import java_causes, java_class, java_map, java_message
from rowtime.types.columns import Column

if TYPE_CHECKING:
    from pyspark.sql import DataFrame, SparkSession

SOURCE_CLASS = "io.rowtime.kafka.TopicSource"
TOPICS_CLASS = "io.rowtime.kafka.Topics"
WRITER_CLASS = "io.rowtime.kafka.TopicWriter"
REALTIME_CLASS = "io.rowtime.kafka.RealTimeSink"
COMMITTED = "read_committed"
# How long a new query tries to reach the broker before it fails.
_PATIENCE = {"default.api.timeout.ms": "10000", "request.timeout.ms": "5000"}


def read(of: ForeignRead) -> DataFrame:
    """Returns the rows of a topic, with columns under their stored names, in their SQL types.

    Options: servers; topic; format, json, csv, avro, raw or upsert-json, and its own options (see `formats`); start
    (see `kafka_start`; default: latest for a stream, earliest for a table); those that name columns (see
    `kafka_columns`); max_records_per_batch; fail_on_data_loss, true; kafka.*. Raises RowtimeError RT0513 if there is no
    such topic, RT0514, RT0515, RT0521 … RT0523, RT0529, and RT0526 if Kafka cannot be reached.
    """
    spark, options, streaming = of.query.spark, of.options, of.streaming
    topic, client, named, format = _settings(spark, options, of.columns)
    upserts = _has_upserts(options)
    changes = kafka_upserts.are_changes(options, of.columns)
    start = TopicStart.of(options, "latest" if streaming else "earliest", of.begin).since(of.query.start.started)
    most = options.number("max_records_per_batch")
    strict = options.flag("fail_on_data_loss", True)
    options.finish()
    if not streaming and start.text == "latest":
        raise options.fault(
            "has start 'latest', so it never has rows", "RT0522", "A table contains the records of the topic"
        )

    found: dict[str, tuple[int, int, int | None]] = {}

    def places() -> dict[str, int]:
        found.update(_offsets(spark, client, topic, options, start.time or 0))
        return start.places(options, found)

    if of.earliest or start.text == "earliest":
        found.update(_offsets(spark, client, topic, options, 0))
        begin = "earliest"
    else:
        begin = beginning(topic, of.start_file, places)
    reader: Any = (spark.readStream if streaming else spark.read).format(SOURCE_CLASS if streaming else "kafka")
    reader = reader.option("subscribe", topic)
    if of.until is not None:
        reader = reader.option("until", json.dumps(of.until))
    if not streaming and client.get("isolation.level", COMMITTED) == COMMITTED:
        # Otherwise each of several reads of the DataFrame finds its own end.
        ends = {partition: end for partition, (_, end, _) in found.items()}
        reader = reader.option("endingOffsets", json.dumps({topic: ends}))
    reader = reader.option("startingOffsets", begin).option("failOnDataLoss", strict)
    # Records of an aborted transaction do not count.
    for name, value in {"isolation.level": COMMITTED, **client}.items():
        reader = reader.option(f"kafka.{name}", value)
    if streaming and most is not None:
        reader = reader.option("maxOffsetsPerTrigger", most)
    if named.reads_headers:
        reader = reader.option("includeHeaders", "true")
    records = reader.load()
    if upserts:
        records = kafka_upserts.changes(records) if changes else kafka_upserts.latest(records)
    op = kafka_upserts.CHANGE if changes else None
    trouble = kafka_upserts.NO_KEY if upserts else None
    return _typed_rows(spark, records, named, format, of.bad_rows, trouble, op, of.placed)


def write(of: ForeignWrite) -> int:
    """Writes the rows to the topic in one transaction, and each batch once. Returns how many were written. Raises
    RowtimeError RT0526 if Kafka refuses them, RT0515 if Avro does, and those of the options; Spark reports other errors
    in the rows."""
    spark, options = of.spark, of.options
    topic, client, format, records = _records(of)
    try:
        java = java_class(spark, WRITER_CLASS)
        batch = of.batch if of.writer is not None else None
        number, content = (0, None) if batch is None else (batch.number, batch.content)
        count = int(
            java.write(
                records._jdf,
                java_map(spark, client),
                topic,
                None if batch is None else of.writer,
                number,
                -1 if content is None else content,
            )
        )
    except Exception as fault:
        if _is_kafka_error(fault):
            raise _unreachable_error(options, client, fault) from fault
        of_avro = misfit_error(str(fault)) if format.avro is not None else None
        if of_avro is not None:
            raise of_avro from fault
        raise
    return written_count(of, count)


def realtime_rows(of: ForeignWrite) -> RealTimeRows:
    """Returns the records of a streaming DataFrame, which a sink writes as soon as they come, each at least once.
    Raises RowtimeError as `write`."""
    topic, client, _, records = _records(of)
    return RealTimeRows(
        records, REALTIME_CLASS, {"topic": topic, **{f"kafka.{name}": value for name, value in client.items()}}
    )


def _records(of: ForeignWrite) -> tuple[str, dict[str, str], RecordFormat, DataFrame]:
    """Returns the topic, the settings of the client, the format, and the records of rows."""
    options, given = of.options, of.given
    topic, client, named, format = _settings(of.spark, options, of.columns, given)
    for name in ("start", "max_records_per_batch", "fail_on_data_loss", "idle_timeout"):
        options.optional(name)
    options.finish()
    value, record = format.value(named.fields(given)), named.record(options, given)
    if _has_upserts(options):
        record[0] = f"{kafka_upserts.record_key(options, format, named.fields(given))} AS key"
    records = of.df.selectExpr(f"{kafka_upserts.tombstones(value) if of.key else value} AS value", *record)
    if format.avro is not None:
        records = format.avro.encode(of.spark, records)
    return topic, client, format, records.select("key", "value", "headers", "header_values", "timestamp")


def last_batch(of: BatchRequest) -> LastBatch:
    """Returns the last micro-batch of a writer; it is unknown if Kafka has none, because it forgets those of writers
    that have been idle. Raises RowtimeError RT0526."""
    options = of.options
    topic, client = _topic(options)
    try:
        java = java_class(of.spark, WRITER_CLASS)
        found = java.lastBatch(java_map(of.spark, {**_PATIENCE, **client}), topic, of.writer)
    except Exception as fault:
        raise _unreachable_error(options, client, fault) from fault
    return LastBatch(is_known=False) if found is None else found_batch(found)


def has_rows(spark: SparkSession, options: Options) -> bool:
    """Returns whether the topic has records. Raises RowtimeError as `read`."""
    topic, client = _topic(options)
    return any(begin < end for begin, end, _ in _offsets(spark, client, topic, options, 0).values())


def held_offsets(spark: SparkSession, options: Options) -> dict[str, tuple[int, int]]:
    """Returns the first offset and the end offset of each partition of the topic. Raises RowtimeError RT0513,
    RT0526."""
    topic, client = _topic(options)
    return {part: (begin, end) for part, (begin, end, _) in _offsets(spark, client, topic, options, 0).items()}


def _topic(options: Options) -> tuple[str, dict[str, str]]:
    """Returns the topic and the settings of the client."""
    return options.text("topic"), {"bootstrap.servers": options.text("servers"), **options.with_prefix("kafka.")}


def _has_upserts(options: Options) -> bool:
    return options.choice("format", "json") == kafka_upserts.NAME


def _settings(
    spark: SparkSession, options: Options, columns: Sequence[Column], written: Sequence[Column] | None = None
) -> tuple[str, dict[str, str], TopicColumns, RecordFormat]:
    """Returns the topic, the settings of the client, the parts of its records, and their format."""
    topic, client = _topic(options)
    name = options.choice("format", "json").removeprefix("upsert-")
    if kafka_upserts.are_changes(options, columns):
        name = ROW
    named = TopicColumns.of(options, columns, name)
    format = RecordFormat.of(spark, options, name, named.fields(written), writes=written is not None)
    return topic, client, named, format


def _typed_rows(
    spark: SparkSession,
    records: DataFrame,
    named: TopicColumns,
    format: RecordFormat,
    bad_rows: Path,
    trouble: str | None,
    op: str | None,
    placed: bool,
) -> DataFrame:
    """`trouble` is Spark SQL for the reason why a record cannot be read; `op` for the column OP, None if a field is."""
    fields = {field.column.name: field.name for field in named.fields()}
    given = named.source_expressions()
    if op is not None:
        kind = next(column for column in named.columns if column.name == "OP")
        given[kind.stored] = f"CAST({op} AS {kind.type.spark()})"
    if format.name == "raw":
        (only,) = named.fields()
        fields = {}
        given[only.column.stored] = "value" if only.column.type.is_binary else "CAST(value AS STRING)"
    columns = list(named.columns)
    if placed:
        columns.append(PLACE_COLUMN)
        given[PLACE] = "concat('partition ', partition, ', offset ', offset)"
    value = "value" if format.is_binary else "CAST(value AS STRING) AS value"
    places = {stored: 4 + i for i, stored in enumerate(given)}
    selected = records.selectExpr(
        value,
        "concat(topic, '/', partition) AS file",
        "offset AS place",
        f"CAST({trouble or 'NULL'} AS STRING) AS trouble",
        *[f"{expression} AS given{i}" for i, expression in enumerate(given.values())],
    )
    return typed_records(
        spark,
        selected,
        columns,
        [fields.get(column.name) for column in columns],
        bad_rows,
        format.layout(),
        given=[places.get(column.stored, -1) for column in columns],
    )


def _offsets(spark: SparkSession, client: Mapping[str, str], topic: str, options: Options, time: int) -> Offsets:
    try:
        found = str(java_class(spark, TOPICS_CLASS).offsets(java_map(spark, {**_PATIENCE, **client}), topic, time))
    except RowtimeError:
        raise
    except Exception as fault:
        raise _unreachable_error(options, client, fault) from fault
    known: Offsets | None = json.loads(found)
    if known is None:
        raise options.fault(
            f"reads the topic '{topic}', which Kafka at {client['bootstrap.servers']} does not have",
            "RT0513",
            "Create the topic, or correct its name, which is case-sensitive",
        )
    return known


def _is_kafka_error(fault: Exception) -> bool:
    return any(str(cause.getClass().getName()).startswith("org.apache.kafka.") for cause in java_causes(fault))


def _unreachable_error(options: Options, client: Mapping[str, str], fault: Exception) -> RowtimeError:
    return error(
        "RT0526",
        f"The {options.owner} cannot use Kafka at {client['bootstrap.servers']}: {java_message(fault)}",
        hint="Check that the broker is running and that the topic exists. Client settings are options such as "
        "kafka.security.protocol",
    )
