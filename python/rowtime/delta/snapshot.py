"""Reads a version of a Delta table of rowtime's own as a DataFrame. Its files come from its log, so Spark's Delta
reader is not needed: it takes seconds to start, and repeats look-ups."""

from __future__ import annotations

import base64
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING
from urllib.parse import quote

import pyarrow as pa
from deltalake import DeltaTable

from rowtime.delta import deletion_vectors
from rowtime.delta.commits import DataFile
from rowtime.delta.deletion_vectors import DeletionVector
from rowtime.jvm.py4j import java_class

if TYPE_CHECKING:
    from pyspark.sql import DataFrame, SparkSession

_FILES_CLASS = "io.rowtime.log.LogFiles"
_NO_VECTOR = "-"


def snapshot(spark: SparkSession, folder: Path, table: DeltaTable, columns: str) -> DataFrame:
    """Returns the rows that the table in `folder` has in the version that it was opened at, in the stored `columns`
    (Spark's JSON of a struct); those that a file lacks are NULL."""
    added = pa.table(table.get_add_actions())
    return _read_files(
        spark, folder, columns, dict(zip(added["path"].to_pylist(), added["size_bytes"].to_pylist(), strict=True))
    )


def read_data_files(spark: SparkSession, folder: Path, columns: str, files: Sequence[DataFile]) -> DataFrame:
    """Returns the rows of some data files in the `folder` of a table that are not deleted, in the stored `columns`."""
    vectors = {quote(file.name): place_of_vector(folder, file.deleted) for file in files}
    return _read_files(spark, folder, columns, {quote(file.name): file.size for file in files}, vectors)


@dataclass(frozen=True, slots=True)
class FileLife:
    """A time in which a data file was part of its table (ms since 1970; `end` is None if it still is), and the deletion
    vectors that it had, each with the time from which on it had them. Rows only go."""

    name: str
    begin: int
    end: int | None
    vectors: tuple[tuple[int, DeletionVector], ...] = ()


def read_lives(spark: SparkSession, folder: Path, columns: str, lives: Sequence[FileLife]) -> DataFrame:
    """Returns all rows that data files in the `folder` of a table had in their lives, in the stored `columns`, with two
    columns more, BIGINT: `$from` and `$to`, the times between which the table had the row (ms since 1970, NULL: it
    still has)."""
    from pyspark.sql import DataFrame

    by_name: dict[str, list[str]] = {}
    for life in lives:
        parts = [f"{life.begin}~{'' if life.end is None else life.end}"]
        parts += [f"{time}~{place_of_vector(folder, vector)}" for time, vector in life.vectors]
        by_name.setdefault(life.name, []).append(";".join(parts))
    files = "\n".join(
        f"{(folder / name).stat().st_size} {'|'.join(said)} {quote(name)}" for name, said in by_name.items()
    )
    read = java_class(spark, _FILES_CLASS).readLives
    return DataFrame(read(spark._jsparkSession, folder.absolute().as_uri(), columns, files), spark)


def place_of_vector(folder: Path, vector: DeletionVector | None) -> str:
    """Returns where a deletion vector is, in the form that `LogFiles` takes."""
    if vector is None:
        return _NO_VECTOR
    file = vector.file(folder)
    if file is None:
        return f"inline,{base64.b64encode(deletion_vectors.content(folder, vector)).decode()}"
    return f"file,{vector.offset or 0},{vector.sizeInBytes},{file.absolute().as_uri()}"


def _read_files(
    spark: SparkSession, folder: Path, columns: str, sizes: Mapping[str, int], vectors: Mapping[str, str] = {}
) -> DataFrame:
    from pyspark.sql import DataFrame

    files = "\n".join(f"{size} {vectors.get(path, _NO_VECTOR)} {path}" for path, size in sizes.items())
    read = java_class(spark, _FILES_CLASS).read
    return DataFrame(read(spark._jsparkSession, folder.absolute().as_uri(), columns, files), spark)
