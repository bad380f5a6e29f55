"""Connector 'files': reads a folder of JSON, CSV or Parquet files, as it is (FOREIGN TABLE) or as it grows (FOREIGN
STREAM).

    OPTIONS (connector 'files', path 'data/orders', format 'json')

JSON and CSV files have one record per line. Fields fill the columns of the same name, ignoring case; other fields are
ignored. An invalid record is set aside with the reason, as JSON lines in the warehouse, and counted; the query
continues. Parquet files have types of their own, and are read unchanged.
"""

from __future__ import annotations

import os
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any
from urllib.parse import unquote, urlsplit
from urllib.request import url2pathname

from rowtime.connectors import options_of
from rowtime.errors import error
from rowtime.foreign.connectors import ForeignRead
from rowtime.foreign.formats import DEBEZIUM, default_rowtime, field_case
from rowtime.foreign.options import Options
from rowtime.foreign.places import PLACE, PLACE_COLUMN
from rowtime.foreign.records import typed_records
from rowtime.plan.types import quote_name
from rowtime.streams.log import ROWTIME

if TYPE_CHECKING:
    from pyspark.sql import DataFrame, SparkSession

LINES = "io.rowtime.records.LineFormat"
_ANY_AGE = f"{1 << 20}d"
"""Spark ignores files that are so much older than the newest one that it has read, by default a week: a copy may keep
the time of its original, and a clock may have been set back."""


def read(of: ForeignRead) -> DataFrame:
    """Returns the rows of the files, with columns under their stored names, in their SQL types.

    Options: path; format json, csv or parquet (default: by the names of the path's files); header (CSV, default true);
    delimiter (CSV, default a comma); rowtime, the name of the field that fills ROWTIME; max_files_per_batch. Raises
    RowtimeError RT0521 … RT0524.
    """
    spark, options, columns = of.query.spark, of.options, of.columns
    path = path_of(options)
    format = options.choice("format", guessed_format(path))
    rowtime = options.text("rowtime", default_rowtime(format))
    most = options.number("max_files_per_batch")
    if format == DEBEZIUM and most is None:
        # The later change of a row counts, and it can be in a later file.
        most = 1
    header, delimiter = options.flag("header", True), options.text("delimiter", ",").replace("\\t", "\t")
    # For writing only.
    options.optional("partition_by")
    field_case(options)
    options.finish()
    if len(delimiter) != 1:
        raise options.fault(f"has delimiter '{delimiter}', which is not one character", "RT0522")
    _check_folder(path, options)
    sources = [rowtime if column.name == ROWTIME else column.name for column in columns]
    reader = spark.readStream if of.streaming else spark.read
    if of.streaming:
        reader = reader.option("maxFileAge", _ANY_AGE)
    if of.streaming and most is not None:
        reader = reader.option("maxFilesPerTrigger", most)
    if format == "parquet":
        schema = ", ".join(f"{quote_name(s)} {c.type.spark()}" for s, c in zip(sources, columns, strict=True))
        found = reader.schema(schema).parquet(path)
        filled = [f"{quote_name(s)} AS `{c.stored}`" for s, c in zip(sources, columns, strict=True)]
        if of.placed:
            filled.append(f"named_struct('row', _metadata.row_index + 1, 'of', _metadata.file_path) AS `{PLACE}`")
        return found.selectExpr(*filled)
    lines = _lines(reader, format == "csv" and header).load(path)
    parts = ["value", "_metadata.file_path", "_metadata.file_block_start", "trouble"]
    layout = {"format": format, "lines": "true", "header": str(header).lower(), "delimiter": delimiter}
    if not of.placed:
        return typed_records(spark, lines.selectExpr(*parts), columns, sources, of.bad_rows, layout)
    lines = lines.selectExpr(*parts, "concat('byte ', at, ' of ', _metadata.file_path) AS place")
    given = [*[-1] * len(columns), len(parts)]
    return typed_records(spark, lines, [*columns, PLACE_COLUMN], [*sources, None], of.bad_rows, layout, given=given)


def count_rows(spark: SparkSession, options: Options, files: Sequence[str]) -> int:
    """Returns how many rows some files have, as `read` counts them: also invalid ones. `files` are URIs; those on this
    machine that no longer exist are left out."""
    # Spark takes a text for a path, and not for a URI.
    there = [unquote(file) for file in files if not _is_gone(file)]
    if not there:
        return 0
    format = options.choice("format", guessed_format(path_of(options)))
    # They are names, not patterns, and their folders are no columns.
    reader = spark.read.option("__globPaths__", False).option("recursiveFileLookup", True)
    if format == "parquet":
        return int(reader.parquet(*there).count())
    return int(_lines(reader, format == "csv" and options.flag("header", True)).load(there).count())


def _is_gone(file: str) -> bool:
    place = urlsplit(file)
    return place.scheme == "file" and not os.path.exists(url2pathname(place.path))


def _lines(reader: Any, header: bool) -> Any:
    return reader.format(LINES).option("header", header).schema("value STRING, trouble STRING, at BIGINT")


def path_of(options: Options) -> str:
    """Returns the option `path`, made absolute if it is on this machine."""
    path = options.text("path")
    return path if "://" in path else os.path.abspath(os.path.expanduser(path))


def local_path(options: Options) -> str:
    """Returns the local folder to which rows are written. Raises RowtimeError RT0527 if the option `path` is not one.
    The planner has refused that already, unless an environment variable or a file contains the option."""
    path = path_of(options)
    if not is_local(path):
        raise options.fault(
            f"cannot be written: '{path}' is not a local folder", "RT0527", "Give it a path on this machine"
        )
    return path


def guessed_format(path: str) -> str | None:
    """Returns the format that a path's name, or the names of its files, suggest."""
    names = [path]
    if os.path.isdir(path):
        names = sorted(entry.name for entry in os.scandir(path) if entry.is_file())
    endings = {name.lower().removesuffix(".gz").rsplit(".", 1)[-1] for name in names if "." in name}
    found = {{"jsonl": "json", "ndjson": "json"}.get(ending, ending) for ending in endings}
    known = found.intersection(options_of("files")["format"].values or ())
    return known.pop() if len(known) == 1 else None


def is_local(path: str) -> bool:
    """Returns whether a path names one file or folder of this machine, and not several, nor one that only Spark can
    read."""
    return "://" not in path and not any(mark in path for mark in "*?[{")


def _check_folder(path: str, options: Options) -> None:
    if is_local(path) and not os.path.exists(path):
        raise error(
            "RT0524",
            f"The {options.owner} reads '{path}', which does not exist",
            hint="Create the folder, or correct the path; a relative path starts at the working directory of rowtime",
        )
