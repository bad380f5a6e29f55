"""Writes a folder of files: a file of JSON lines, CSV or Parquet for each INSERT, and for each micro-batch of a pump.

A file appears as a whole, under a name that identifies its writer and batch, so a repeated batch replaces its own file.
Parquet in a partitioned folder goes to the partitions of its rows, one file in each. The folder `_rowtime`, which
readers skip, contains unfinished files, and the number of each writer's last batch: that batch is not written again
even if its file has been deleted meanwhile.
"""

from __future__ import annotations

import re
import shutil
import uuid
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from rowtime.plan.types import quote_name
from rowtime.sources.connectors import ForeignWrite
from rowtime.sources.files import FORMATS, guessed_format, local_path
from rowtime.sources.options import Options
from rowtime.sources.records import portable
from rowtime.streams.columns import Column
from rowtime.streams.log import ROWTIME
from rowtime.streams.smallfiles import write_whole

if TYPE_CHECKING:
    from pyspark.sql import DataFrame

OWN = "_rowtime"


def write(of: ForeignWrite) -> int:
    """Writes the rows, with columns under their names. Returns how many there are, or 0 if the batch was written
    before. Raises RowtimeError RT0527 if the folder is not on a local disk."""
    options, batch = of.options, of.batch
    path = local_path(options)
    format = options.choice("format", FORMATS, guessed_format(path))
    rowtime = options.text("rowtime", ROWTIME)
    folder = Path(path)
    # Hadoop, which lists the folder for readers, would take a colon for the end of a scheme.
    writer = of.writer and re.sub(r"[^A-Za-z0-9_-]", "-", of.writer)
    mark = folder / OWN / f"{writer}.batch"
    if writer is not None and batch is not None and mark.exists() and int(mark.read_text()) >= batch:
        return 0
    parts = _partitions(options, folder, format)
    ready = _prepare(of.df, of.given, rowtime, format, parts)
    name = f"{writer}-{batch}" if writer is not None else f"insert-{uuid.uuid4().hex}"
    count = _publish(ready, format, _settings(options, format), folder, f"{name}.{format}", parts)
    if writer is not None and batch is not None:
        write_whole(mark, str(batch).encode())
    return count


def _partitions(options: Options, folder: Path, format: str) -> list[str]:
    """Returns the fields by which the folder is partitioned: those of its sub-folders (`day=2024-05-01`), or those of
    the option `partition_by` if there are none yet."""
    wanted = options.names("partition_by")
    if format != "parquet":
        if wanted:
            raise options.fault(
                f"has partition_by, but its format is '{format}'", "RT0522", "Only Parquet can have partitions"
            )
        return []
    found: list[str] = []
    while folder.is_dir():
        below = min(
            (f for f in folder.iterdir() if f.is_dir() and "=" in f.name and f.name[0] not in "._"), default=None
        )
        if below is None:
            break
        found.append(below.name.split("=", 1)[0])
        folder = below
    return found or wanted


def _prepare(df: DataFrame, given: Sequence[Column], rowtime: str, format: str, parts: Sequence[str]) -> DataFrame:
    names = [quote_name(rowtime if column.name == ROWTIME else column.name) for column in given]
    if format == "parquet":
        filled = {name.upper() for name in names}
        # The value in a folder name is text.
        empty = [
            f"CAST(NULL AS STRING) AS {quote_name(part)}" for part in parts if quote_name(part).upper() not in filled
        ]
        return df.selectExpr(*[f"{quote_name(c.name)} AS {name}" for c, name in zip(given, names, strict=True)], *empty)
    nested = format == "json"
    return df.selectExpr(
        *[f"{portable(c.name, c.type, nested=nested)} AS {name}" for c, name in zip(given, names, strict=True)]
    )


def _settings(options: Options, format: str) -> dict[str, Any]:
    """Returns Spark's settings for writing a format that `records` can read."""
    if format == "csv":
        delimiter = options.text("delimiter", ",").replace("\\t", "\t")
        return {"header": options.flag("header", True), "delimiter": delimiter, "escape": '"'}
    return {"ignoreNullFields": False} if format == "json" else {}


def _publish(
    df: DataFrame, format: str, settings: dict[str, Any], folder: Path, name: str, parts: Sequence[str]
) -> int:
    """Writes one file with the rows of `df` in their order, or one per partition, atomically; no file if there are no
    rows."""
    from pyspark.sql import Observation, functions

    counted = Observation()
    draft = folder / OWN / uuid.uuid4().hex
    draft.parent.mkdir(parents=True, exist_ok=True)
    try:
        rows = df.observe(counted, functions.count(functions.lit(1)).alias("n")).coalesce(1)
        rows.write.format(format).options(**settings).partitionBy(*parts).save(str(draft))
        count = int(counted.get["n"])
        if count:
            for part in draft.rglob("part-*"):
                place = folder / part.relative_to(draft).parent
                place.mkdir(parents=True, exist_ok=True)
                part.replace(place / name)
        return count
    finally:
        shutil.rmtree(draft, ignore_errors=True)
