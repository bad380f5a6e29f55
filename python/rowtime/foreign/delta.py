"""Connector 'delta': reads a Delta table by its path, as it is (FOREIGN TABLE) or as rows are appended (FOREIGN
STREAM), and appends rows to it.

    OPTIONS (connector 'delta', path 'data/orders')
    OPTIONS (connector 'delta', path 'data/orders', version '12')
"""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pyarrow as pa
from deltalake import DeltaTable
from deltalake.exceptions import DeltaError, TableNotFoundError

from rowtime.catalog.changes import Entry
from rowtime.catalog.definitions import Definition
from rowtime.delta.batches import LastBatch
from rowtime.delta.log import make_durable
from rowtime.errors import RowtimeError
from rowtime.foreign.connectors import BatchRequest, ForeignRead, ForeignWrite
from rowtime.foreign.fields import fields_of, misfit_error, typed_fields
from rowtime.foreign.files import is_local, local_path, path_of
from rowtime.foreign.options import Options
from rowtime.jvm.py4j import java_class
from rowtime.lexical.identifiers import matching
from rowtime.numerals import natural
from rowtime.storage.smallfiles import write_whole
from rowtime.streams.log import ROWTIME
from rowtime.tables import tables
from rowtime.tables.tables import append_once
from rowtime.types import times
from rowtime.types.columns import Column, arrow_type
from rowtime.types.nested import map_entries, with_elements

if TYPE_CHECKING:
    from pyspark.sql import DataFrame, SparkSession

_NO_TABLE = ("DELTA_TABLE_NOT_FOUND", "DELTA_MISSING_DELTA_TABLE", "DELTA_PATH_DOES_NOT_EXIST", "PATH_NOT_FOUND")


def read(of: ForeignRead) -> DataFrame:
    """Returns the rows of a Delta table, with columns under their stored names, in their SQL types.

    Options: path; version or timestamp, for a table the version to read, for a stream where to begin; rowtime; for a
    stream also start (latest, or earliest: all rows of the table first), skip_changes, max_files_per_batch. Raises
    RowtimeError RT0521 … RT0523, RT0540 if there is no table, RT0541 if it has no such version, RT0542.
    """
    spark, options, columns, start_file = of.query.spark, of.options, of.columns, of.start_file
    path = path_of(options)
    version, timestamp = _version(options), _timestamp(options)
    if version is not None and timestamp is not None:
        raise options.fault("has both version and timestamp", "RT0522", "Give only one of them")
    rowtime = options.text("rowtime", ROWTIME)
    start = options.choice("start", "latest")
    skips = options.flag("skip_changes", False)
    most = options.number("max_files_per_batch")
    options.optional("partition_by")
    options.finish()
    _check_type(options, columns)
    if start_file is None:
        reader: Any = spark.read.format("delta")
        if timestamp is not None:
            reader = reader.option("timestampAsOf", timestamp)
        else:
            # Without a version, each of several reads of the DataFrame may find another one.
            reader = reader.option("versionAsOf", newest_version(spark, options) if version is None else version)
    else:
        reader = spark.readStream.format("delta").option("ignoreDeletes", "true")
        if skips:
            reader = reader.option("skipChangeCommits", "true")
        if most is not None:
            reader = reader.option("maxFilesPerTrigger", most)
        if version is not None:
            reader = reader.option("startingVersion", version)
        elif timestamp is not None:
            reader = reader.option("startingTimestamp", timestamp)
        elif start == "latest" and not of.earliest:
            reader = reader.options(**_from_now_on(options, path, start_file))
    try:
        found = reader.load(path)
    except Exception as fault:
        raise _unreadable(options, path, fault) from fault
    return typed_fields(options, found, columns, rowtime)


def newest_version(spark: SparkSession, options: Options) -> str:
    """Returns the number of the newest version of a table; empty if its options name a version. Raises RowtimeError
    RT0521, RT0522, RT0540."""
    path = path_of(options)
    if options.optional("version") is not None or options.optional("timestamp") is not None:
        return ""
    none = java_class(spark, "scala.Option").empty()
    try:
        log = java_class(spark, "org.apache.spark.sql.delta.DeltaLog").forTable(spark._jsparkSession, path)
        version = log.update(False, none, none).version()
    except Exception as fault:
        raise _unreadable(options, path, fault) from fault
    if version < 0:
        raise _no_table(options, path)
    return str(version)


def at_version(entry: Entry, version: str) -> Entry:
    """Returns a foreign table that reads a version of its Delta table; empty: the version in its options."""
    if not version:
        return entry
    definition: Definition = {**entry.definition, "options": {**entry.definition["options"], "version": version}}
    return replace(entry, definition=definition)


def write(of: ForeignWrite) -> int:
    """Appends the rows in one commit, which contains the batch and its writer. Returns how many there are, also if
    the batch was written before. Creates the table, with all columns, if it does not exist. Raises RowtimeError
    RT0502, RT0542, RT0545 if the table does not take them, and RT0527 if it is not on a local disk.
    """
    options, columns = of.options, of.columns
    path = local_path(options)
    _check_type(options, columns)
    rowtime = options.text("rowtime", ROWTIME)
    try:
        computed = cache(of.df.toArrow)

        def attempt() -> int:
            table = _table(options, path, columns, rowtime)
            rows = _fit_to_table(options, table, computed(), columns, of.given, rowtime)
            before = table.version()
            count = append_once(table, rows, of.writer, of.batch, f"the {options.owner}")
            make_durable(Path(path), before)
            return count

        return tables.repeated(attempt, f"the {options.owner}")
    except DeltaError as fault:
        raise options.fault(f"cannot be written: {_first_line(fault)}", "RT0545") from fault


def last_batch(of: BatchRequest) -> LastBatch:
    """Returns the last micro-batch of a writer that the table records; it is unknown if the table forgets those of
    writers that have been idle. Raises RowtimeError RT0527, RT0545."""
    try:
        table = DeltaTable(local_path(of.options))
        found = tables.last_batch(table, of.writer)
        forgets = "delta.setTransactionRetentionDuration" in table.metadata().configuration
    except TableNotFoundError:
        return LastBatch()
    except DeltaError as fault:
        raise of.options.fault(f"cannot be read: {_first_line(fault)}", "RT0545") from fault
    return LastBatch(found, is_known=found is not None or not forgets)


# --- reading ---------------------------------------------------------------------------------------------------------


def _from_now_on(options: Options, path: str, beginning: Path) -> dict[str, str]:
    """Returns the settings for a start after the version that the table has when the query is opened, also after a
    restart before its first batch. A reader can only begin with a version that exists, so it begins with that one, and
    skips its files."""
    if not is_local(path):
        return {"startingVersion": "latest"}
    log = Path(path) / "_delta_log"
    if not beginning.exists():
        try:
            version = DeltaTable(path).version()
            lines = (log / f"{version:020d}.json").read_text().splitlines()
        except (DeltaError, OSError) as fault:
            raise _unreadable(options, path, fault) from fault
        passed = [action["add"]["path"] for action in map(json.loads, filter(str.strip, lines)) if "add" in action]
        write_whole(beginning, json.dumps({"version": version, "passed": passed}).encode())
    kept = json.loads(beginning.read_text())
    version = kept["version"]
    if not (log / f"{version:020d}.json").exists():
        # Deleted long ago. Spark continues from its checkpoint, but the starting version must exist.
        version = min((int(file.stem) for file in log.glob("*.json") if file.stem.isdigit()), default=version)
    found = {"startingVersion": str(version)}
    if kept["passed"]:
        found["excludeRegex"] = "|".join(re.escape(name) for name in kept["passed"])
    return found


def _version(options: Options) -> int | None:
    value = options.optional("version")
    if value is None:
        return None
    version = natural(value)
    if version is None:
        raise options.fault(f"has version '{value}', which is not a version number", "RT0522")
    return version


def _timestamp(options: Options) -> str | None:
    value = options.optional("timestamp")
    if value is None:
        return None
    try:
        return times.text(times.parse_millis(value))
    except (ValueError, OverflowError):
        raise options.fault(
            f"has timestamp '{value}', which is not a time",
            "RT0522",
            "Write, for example, '2024-05-01 10:00:00', in UTC",
        ) from None


def _no_table(options: Options, path: str) -> RowtimeError:
    return options.fault(f"reads '{path}', where there is no Delta table", "RT0540", "An INSERT into it creates one")


def _unreadable(options: Options, path: str, fault: Exception) -> RowtimeError:
    condition = getattr(fault, "getCondition", lambda: None)() or ""
    if isinstance(fault, TableNotFoundError) or condition.startswith(_NO_TABLE):
        return _no_table(options, path)
    if condition == "DELTA_VERSION_NOT_FOUND":
        return options.fault(f"has a version that '{path}' does not have: {_first_line(fault)}", "RT0541")
    if condition.startswith("DELTA_TIMESTAMP"):
        # Spark's message has other times: those in the zone of this machine.
        when = options.optional("timestamp")
        return options.fault(f"has timestamp '{when}', but '{path}' has no version of that time", "RT0541")
    return options.fault(f"cannot read '{path}': {_first_line(fault)}", "RT0540")


def _check_type(options: Options, columns: Sequence[Column]) -> None:
    for column in columns:
        if column.type.is_interval or column.type.name in ("TIME", "MULTISET"):
            raise options.fault(f"has column {column.name} {column.text}: Delta Lake has no such type", "RT0542")


# --- writing ---------------------------------------------------------------------------------------------------------


def _table(options: Options, path: str, columns: Sequence[Column], rowtime: str) -> DeltaTable:
    try:
        return DeltaTable(path)
    except TableNotFoundError:
        names = {c.name: rowtime if c.name == ROWTIME else c.name for c in columns}
        schema = pa.schema([pa.field(names[c.name], arrow_type(c.type), c.nullable) for c in columns])
        parts = options.names("partition_by")
        by = [names[name] for name in _parts(options, columns, parts)]
        Path(path).mkdir(parents=True, exist_ok=True)
        return DeltaTable.create(path, schema, mode="ignore", partition_by=by or None)


def _parts(options: Options, columns: Sequence[Column], parts: Sequence[str]) -> list[str]:
    """Returns the names of the columns in `partition_by`. Raises RowtimeError RT0522 if one is not a column."""
    by_name = {column.name.upper(): column.name for column in columns}
    for part in parts:
        if part.upper() not in by_name:
            raise options.fault(f"has partition_by '{part}', which is not a column", "RT0522")
    return [by_name[part.upper()] for part in parts]


def _by_name(values: pa.Array, wanted: pa.DataType) -> pa.Array:
    """Returns values in another type, to which those of a ROW go by the names of its fields, in any case.
    A field that they lack is NULL. Raises KeyError if there is no place for one, ArrowException if a value does not
    fit."""
    if pa.types.is_struct(wanted) and pa.types.is_struct(values.type):
        parts = {field.name: pa.nulls(len(values), field.type) for field in wanted}
        for name, part in zip(values.type.names, values.flatten(), strict=True):
            field = matching(name, wanted.names)
            if field is None:
                raise KeyError(name)
            parts[field] = _by_name(part, wanted.field(field).type)
        return pa.StructArray.from_arrays(list(parts.values()), fields=list(wanted), mask=values.is_null())
    if pa.types.is_list(wanted) and pa.types.is_list(values.type):
        return with_elements(values, wanted, [_by_name(values.flatten(), wanted.value_type)])
    if pa.types.is_map(wanted) and pa.types.is_map(values.type):
        entries, (keys, items) = map_entries(values)
        return with_elements(entries, wanted, [_by_name(keys, wanted.key_type), _by_name(items, wanted.item_type)])
    return values.cast(wanted)


def _fit_to_table(
    options: Options,
    table: DeltaTable,
    rows: pa.Table,
    columns: Sequence[Column],
    given: Sequence[Column],
    rowtime: str,
) -> pa.Table:
    """Returns the rows with all fields of the table, in its types; fields that are not filled are NULL."""
    schema = pa.schema(table.schema().to_arrow())
    sources = {field: name for name, field in fields_of(options, columns, schema.names, rowtime).items()}
    by_name = {column.name: column for column in columns}
    filled = {column.name for column in given}
    arrays = []
    for field in schema:
        column = by_name.get(sources.get(field.name, ""))
        if column is None or column.name not in filled:
            values = pa.chunked_array([pa.nulls(rows.num_rows, field.type)])
        else:
            values = rows.column(column.name)
            try:
                if values.type != field.type:
                    values = pa.chunked_array([_by_name(chunk, field.type) for chunk in values.chunks], field.type)
            except (pa.ArrowNotImplementedError, KeyError):
                raise misfit_error(options, column, str(field.type)) from None
            except pa.ArrowInvalid as fault:
                raise options.misfit_error(f"{column.name}: {_first_line(fault)}") from fault
        if values.null_count and not (field.nullable and (column is None or column.nullable)):
            name = field.name if column is None else column.name
            raise options.misfit_error(f"{name}: NULL in a column that is NOT NULL")
        arrays.append(values)
    return pa.Table.from_arrays(arrays, schema=schema)


def _first_line(fault: Exception) -> str:
    text = getattr(fault, "desc", None) or getattr(fault, "_desc", None) or fault
    return str(text).strip().split("\n")[0]
