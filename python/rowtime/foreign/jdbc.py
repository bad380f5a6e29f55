"""Connector 'jdbc': reads a table of a database, and writes it in transactions.

    OPTIONS (connector 'jdbc', url 'jdbc:postgresql://db/shop', table 'products', user 'me', password_env 'DB_PASSWORD')

Spark's JDBC source reads, with its push-down of filters and columns. rowtime writes each INSERT, and each micro-batch
of a pump, in one transaction.
"""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from rowtime.catalog.faults import FREE_SPACE
from rowtime.delta.batches import LastBatch
from rowtime.foreign.connectors import OP, BatchRequest, ForeignRead, ForeignWrite, found_batch, written_count
from rowtime.foreign.databases import DatabaseFamily, family, of_driver
from rowtime.foreign.fields import NOT_FITTING, fields_of, typed_fields
from rowtime.foreign.options import Options
from rowtime.jvm.py4j import java_class, java_list, java_map
from rowtime.plan.types import SqlType, quote_name
from rowtime.secrets import urls
from rowtime.streams.log import ROWTIME
from rowtime.types.columns import Column

if TYPE_CHECKING:
    from pyspark.sql import DataFrame, SparkSession

DATABASE_CLASS = "io.rowtime.jdbc.Database"
KEYED_TABLE_CLASS = "io.rowtime.jdbc.DatabaseTable"
KEYED_COLUMN_CLASS = "io.rowtime.jdbc.DatabaseTable$Column"
WRITER_CLASS = "io.rowtime.jdbc.TableWriter"
TARGET_CLASS = "io.rowtime.jdbc.TargetTable"
FAULTS_CLASS = "io.rowtime.jdbc.Faults"
BATCHES = "rowtime_batches"


def read(of: ForeignRead) -> DataFrame:
    """Returns the rows of a table, with columns under their stored names, in their SQL types.

    Options: url, table, user, password, driver, driver_jar, fetch_size, jdbc.* for the driver; rowtime;
    partition_column with lower_bound, upper_bound and num_partitions, to read in parts. Raises RowtimeError RT0521 …
    RT0523, RT0540 if there is no such table, RT0542, RT0543 without a driver, RT0544 without a connection, RT0545.
    """
    from pyspark.sql import DataFrame

    spark, options, columns = of.query.spark, of.options, of.columns
    # The DataFrame of a query with a folder of its own may run when the session has another time zone than now.
    lasting = of.query.own_folder is not None
    place = _connection(spark, options)
    reading = _reading(options)
    rowtime = options.text("rowtime", ROWTIME)
    options.optional("batches_table")
    options.finish()
    _check_types(options, columns)
    types = {field.name(): field.typeName() for field in place.fields()}
    fields = fields_of(options, columns, list(types), rowtime)
    sources, schema = [], []
    for column in columns:
        field = fields[column.name]
        sql, fetched = place.family.read(place.quote(field), types[field], column.type)
        sources.append(f"{sql} AS {place.quote(field)}")
        schema.append(f"{quote_name(field)} {fetched}")
    reader = spark.read.format("jdbc").options(**place.family.properties, **place.properties, **reading)
    reader = reader.options(url=place.url, driver=place.driver, customSchema=", ".join(schema))
    reader = reader.option("dbtable", f"(SELECT {', '.join(sources)} FROM {place.table}) rowtime")
    if place.family.opening:
        reader = reader.option("sessionInitStatement", "; ".join(place.family.opening))
    if "partitionColumn" in reading:
        known = {field.upper(): field for field in fields.values()}
        named = known.get(reading["partitionColumn"].upper())
        if named is None:
            raise options.fault(f"has partition_column '{reading['partitionColumn']}', which is not a column", "RT0522")
        reader = reader.option("partitionColumn", named)
    try:
        found = DataFrame(java_class(spark, DATABASE_CLASS).read(spark._jsparkSession, reader._jreader), spark)
    except Exception as fault:
        raise place.fault(fault) from fault
    # Spark writes a time in a filter in the session's zone when the query runs; the database interprets it as UTC.
    guarded = [
        f"timestamp_micros(unix_micros({quote_name(name)})) AS {quote_name(name)}"
        if lasting and type == "timestamp"
        else quote_name(name)
        for name, type in found.dtypes
    ]
    return typed_fields(options, found.selectExpr(*guarded), columns, rowtime)


def keyed_table(spark: SparkSession, options: Options, columns: Sequence[Column]) -> Any:
    """Returns the table for SEARCH_KEY (io.rowtime.jdbc.DatabaseTable). Raises RowtimeError as `read`."""
    place = _connection(spark, options)
    rowtime = options.text("rowtime", ROWTIME)
    _reading(options)
    for name in ("connector", "batches_table"):
        options.optional(name)
    options.finish()
    _check_types(options, columns)
    there = {field.name(): field for field in place.fields()}
    fields = fields_of(options, columns, list(there), rowtime)
    keyed = {}
    for column in columns:
        field = there[fields[column.name]]
        quoted_field = place.quote(field.name())
        source, fetched = place.family.read(quoted_field, field.typeName(), column.type)
        keyed[column.name] = java_class(spark, KEYED_COLUMN_CLASS)(
            quoted_field, source, fetched, field.type(), field.typeName()
        )
    return java_class(spark, KEYED_TABLE_CLASS)(
        place.database, options.owner, place.table, place.family.as_text, java_map(spark, keyed)
    )


def write(of: ForeignWrite) -> int:
    """Writes the rows in one transaction, and each batch once. Returns how many were written. The table `batches_table`
    (rowtime_batches), which is created if it is missing, records the batch.

    Raises RowtimeError as `read`; for rows that replace others also RT0527 if the database cannot do that, RT0550 if
    the table has no unique constraint on the key, and RT0502 if a row has no value in a column of the key."""
    spark, options, given = of.spark, of.options, of.given
    place = _connection(spark, options)
    rowtime = options.text("rowtime", ROWTIME)
    batches = options.text("batches_table", BATCHES)
    _reading(options)
    options.finish()
    _check_types(options, given)
    fields = fields_of(options, given, [field.name() for field in place.fields()], rowtime)
    if of.key and not place.family.upserts:
        raise options.fault(
            f"cannot get a result that changes: rows are not replaced by their keys in {urls.masked_url(place.url)}",
            "RT0527",
            "PostgreSQL and SQLite can; or insert the changes, by TO_CHANGELOG((SELECT …))",
        )
    values = [f"{_placeholder(column)} AS {quote_name(column.name)}" for column in given]
    bound = of.df.selectExpr(*values, *([quote_name(OP)] if of.key else []))
    table = java_class(spark, TARGET_CLASS)(
        place.table,
        java_list(spark, [fields[column.name] for column in given]),
        java_list(spark, [column.type.name for column in given]),
        place.family.as_text,
        java_list(spark, [fields[name] for name in of.key]),
    )
    batch = of.batch if of.writer is not None else None
    try:
        count = int(
            java_class(spark, WRITER_CLASS).write(
                bound._jdf,
                place.database,
                table,
                batches,
                None if batch is None else of.writer,
                0 if batch is None else batch.number,
                -1 if batch is None or batch.content is None else batch.content,
            )
        )
    except Exception as fault:
        raise place.fault(fault) from fault
    return written_count(of, count)


def last_batch(of: BatchRequest) -> LastBatch:
    """Returns the last micro-batch of a writer that the table of batches records. Raises RowtimeError as `write`."""
    place = _connection(of.spark, of.options)
    batches = of.options.text("batches_table", BATCHES)
    try:
        return found_batch(java_class(of.spark, WRITER_CLASS).lastBatch(place.database, batches, of.writer))
    except Exception as fault:
        raise place.fault(fault) from fault


def has_rows(spark: SparkSession, options: Options) -> bool:
    """Returns whether the table has rows. Raises RowtimeError as `read`."""
    place = _connection(spark, options)
    try:
        return bool(java_class(spark, WRITER_CLASS).hasRows(place.database, place.table))
    except Exception as fault:
        raise place.fault(fault) from fault


# --- connection ------------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class _TableConnection:
    spark: SparkSession
    options: Options
    url: str
    table: str
    driver: str
    family: DatabaseFamily
    properties: Mapping[str, str]
    database: Any

    def fields(self) -> list[Any]:
        """Returns the columns of the table: name, type and typeName of each."""
        try:
            return list(self.database.fields(self.table))
        except Exception as fault:
            raise self.fault(fault) from fault

    def quote(self, name: str) -> str:
        dialects = java_class(self.spark, "org.apache.spark.sql.jdbc.JdbcDialects")
        return str(dialects.get(self.url).quoteIdentifier(name))

    def fault(self, fault: Exception) -> Exception:
        """Returns an error of a database as a diagnostic; any other exception unchanged."""
        java = getattr(fault, "java_exception", None) or getattr(fault, "_origin", None)
        said = None if java is None else java_class(self.spark, FAULTS_CLASS).of(java)
        if said is None:
            return fault
        kind, message = said.kind(), str(said.message()).strip()
        reason, url = message.split("\n")[0], urls.masked_url(self.url)
        if kind == "connection":
            return self.options.fault(
                f"cannot connect to {url}: {reason}",
                "RT0544",
                "Check url, user and password, and that the database is running",
            )
        if kind == "table":
            return self.options.fault(f"has table '{self.table}', which does not exist in {url}: {reason}", "RT0540")
        if kind == "key":
            return self.options.fault(
                f"has a PRIMARY KEY, but '{self.table}' in {url} has no unique constraint on exactly these columns",
                "RT0550",
                f"Add it in the database: CREATE UNIQUE INDEX … ON {self.table} (…)",
            )
        if kind == "value":
            return self.options.misfit_error(
                f"{reason} is NULL or NaN, but is a part of the PRIMARY KEY, by which the database finds rows"
            )
        if kind == "full":
            return self.options.fault(f"is refused by {url}: {reason}", "RT0608", FREE_SPACE)
        return self.options.fault(f"is refused by {url}: {reason}", "RT0545")


def _connection(spark: SparkSession, options: Options) -> _TableConnection:
    url, table = options.text("url"), options.text("table")
    if not url.lower().startswith("jdbc:") or url.count(":") < 2:
        raise options.fault(
            f"has url '{urls.masked_url(url)}', which is not a JDBC URL",
            "RT0544",
            "For example, jdbc:postgresql://host/database",
        )
    kind = family(url)
    driver = options.optional("driver") or (kind.driver if kind else None)
    if driver is None:
        raise options.fault(
            f"needs the option driver: the driver class is unknown for {urls.masked_url(url)}", "RT0543"
        )
    kind = kind or of_driver(driver)
    properties = {**options.with_prefix("jdbc."), **_login(options)}
    java = java_class(spark, DATABASE_CLASS)
    _load(spark, options, java, driver)
    database = java(
        url,
        driver,
        java_map(spark, {**kind.properties, **properties}),
        java_list(spark, list(kind.opening)),
    )
    return _TableConnection(spark, options, url, table, driver, kind, properties, database)


def _login(options: Options) -> dict[str, str]:
    found = {name: options.optional(name) for name in ("user", "password")}
    return {name: value for name, value in found.items() if value is not None}


def _load(spark: SparkSession, options: Options, java: Any, driver: str) -> None:
    jar = options.optional("driver_jar")
    if jar is not None:
        jar = os.path.abspath(os.path.expanduser(jar))
        if not Path(jar).is_file():
            raise options.fault(f"has driver_jar '{jar}', which is not a file", "RT0543")
    try:
        java.load(spark._jsparkSession, driver, jar)
    except Exception as fault:
        if "ClassNotFoundException" not in str(fault) and "NoClassDefFoundError" not in str(fault):
            raise
        where = f"is not in {jar}" if jar else "is not among Spark's jars"
        raise options.fault(
            f"needs the driver {driver}, which {where}", "RT0543", "Name its jar in the option driver_jar"
        ) from None


def _reading(options: Options) -> dict[str, str]:
    """Returns the options of Spark's source for reading."""
    found = {"fetchsize": options.number("fetch_size"), "numPartitions": options.number("num_partitions")}
    named = {name: options.optional(name) for name in ("partition_column", "lower_bound", "upper_bound")}
    if any(named.values()) and not (all(named.values()) and found["numPartitions"]):
        raise options.fault("needs partition_column, lower_bound, upper_bound and num_partitions together", "RT0522")
    keys = {"partition_column": "partitionColumn", "lower_bound": "lowerBound", "upper_bound": "upperBound"}
    return {
        **{name: str(value) for name, value in found.items() if value is not None},
        **{keys[name]: value for name, value in named.items() if value is not None},
    }


def _check_types(options: Options, columns: Sequence[Column]) -> None:
    for column in columns:
        type: SqlType = column.type
        if type.is_interval or type.name in ("ARRAY", "MULTISET", "MAP", "ROW"):
            raise options.fault(f"has column {column.name} {column.text}: JDBC has no such type", NOT_FITTING)


def _placeholder(column: Column) -> str:
    name = quote_name(column.name)
    as_number = {"TIMESTAMP": "unix_micros", "DATE": "unix_date", "TIME": "time_to_micros"}.get(column.type.name)
    return name if as_number is None else f"{as_number}({name})"
