"""Writes a folder of files: a file of JSON lines, CSV or Parquet for each INSERT, and for each micro-batch of a pump.

A file appears as a whole, under a name that identifies its writer and batch, so a repeated batch replaces its own file.
Parquet in a partitioned folder goes to the partitions of its rows, one file in each. The folder `_rowtime`, which
readers skip, contains unfinished files, and the number and content of each writer's last batch: that batch is not
written again even if its file has been deleted meanwhile.
"""

from __future__ import annotations

import re
import uuid
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from rowtime.delta.batches import LastBatch, SentBatch, is_repeated
from rowtime.errors import error
from rowtime.foreign.connectors import BatchRequest, ForeignWrite
from rowtime.foreign.drafts import draft_folder, publish
from rowtime.foreign.files import guessed_format, local_path
from rowtime.foreign.formats import field_case, in_case
from rowtime.foreign.options import Options
from rowtime.foreign.records import portable
from rowtime.plan.types import quote_name
from rowtime.storage.smallfiles import write_whole
from rowtime.streams.log import ROWTIME
from rowtime.types.columns import Column

if TYPE_CHECKING:
    from pyspark.sql import DataFrame

OWN = "_rowtime"


def write(of: ForeignWrite) -> int:
    """Writes the rows, with columns under their names. Returns how many there are, also if the batch was written
    before. Raises RowtimeError RT0527 if the folder is not on a local disk."""
    options, batch = of.options, of.batch
    path = local_path(options)
    format = options.choice("format", guessed_format(path))
    rowtime = options.text("rowtime", ROWTIME)
    folder = Path(path)
    writer = None if of.writer is None else _file_name(of.writer)
    if writer is not None and batch is not None and is_repeated(batch, _marked(folder, writer), f"the {options.owner}"):
        return of.skip()
    parts = _partitions(options, folder, format)
    case = field_case(options) if format == "json" else None
    ready = _prepare(of.df, of.given, rowtime, format, parts, case)
    name = f"insert-{uuid.uuid4().hex}" if writer is None or batch is None else f"{writer}-{batch.number}"
    count = _publish(ready, format, _settings(options, format), folder, f"{name}.{format}", parts)
    if writer is not None and batch is not None:
        content = "" if batch.content is None else f" {batch.content}"
        write_whole(_mark(folder, writer), f"{batch.number}{content}".encode())
    return count


def last_batch(of: BatchRequest) -> LastBatch:
    """Returns the last micro-batch of a writer: that of its mark, or, if that was deleted, the last that has a file.
    Raises RowtimeError RT0527."""
    folder, writer = Path(local_path(of.options)), _file_name(of.writer)
    marked = _marked(folder, writer)
    if marked is not None or not folder.is_dir():
        return LastBatch(marked)
    pattern = re.compile(rf"{re.escape(writer)}-(\d+)\.\w+")
    numbers = [int(found[1]) for file in folder.rglob(f"{writer}-*") if (found := pattern.fullmatch(file.name))]
    return LastBatch(SentBatch(max(numbers))) if numbers else LastBatch()


def _file_name(writer: str) -> str:
    # Hadoop, which lists the folder for readers, would take a colon for the end of a scheme.
    return re.sub(r"[^A-Za-z0-9_-]", "-", writer)


def _mark(folder: Path, writer: str) -> Path:
    return folder / OWN / f"{writer}.batch"


def _marked(folder: Path, writer: str) -> SentBatch | None:
    """Returns the last batch that the mark of a writer names: its number, and its content, which marks of earlier
    builds lack."""
    mark = _mark(folder, writer)
    try:
        number, *content = map(int, mark.read_text().split())
    except FileNotFoundError:
        return None
    except ValueError:
        raise error(
            "RT0607",
            f"The file '{mark}', which names the last micro-batch in the folder, is damaged",
            hint="Restore it from a backup; if it is deleted, the names of the files in the folder count",
        ) from None
    return SentBatch(number, content[0] if content else None)


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


def _prepare(
    df: DataFrame, given: Sequence[Column], rowtime: str, format: str, parts: Sequence[str], case: str | None
) -> DataFrame:
    named = [rowtime if column.name == ROWTIME else column.name for column in given]
    # A field that an option names keeps that name.
    names = [quote_name(in_case(n, case) if n == c.name else n) for c, n in zip(given, named, strict=True)]
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
    with draft_folder(folder / OWN) as draft:
        rows = df.observe(counted, functions.count(functions.lit(1)).alias("n")).coalesce(1)
        rows.write.format(format).options(**settings).partitionBy(*parts).save(str(draft))
        count = int(counted.get["n"])
        if count:
            publish({part: folder / part.relative_to(draft).parent / name for part in draft.rglob("part-*")})
        return count
