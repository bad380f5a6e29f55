"""Reads a version of a Delta table of rowtime's own as a DataFrame. Its files come from its log, so Spark's Delta
reader is not needed: it takes seconds to start, and repeats look-ups."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from pathlib import Path
from typing import TYPE_CHECKING

import pyarrow as pa
from deltalake import DeltaTable

from rowtime.jvm.py4j import java_class

if TYPE_CHECKING:
    from pyspark.sql import DataFrame, SparkSession

_FILES_CLASS = "io.rowtime.log.LogFiles"


def snapshot(spark: SparkSession, folder: Path, table: DeltaTable, columns: str) -> DataFrame:
    """Returns the rows that the table in `folder` has in the version that it was opened at, in the stored `columns`
    (Spark's JSON of a struct); those that a file lacks are NULL."""
    added = pa.table(table.get_add_actions())
    return _read_files(
        spark, folder, columns, dict(zip(added["path"].to_pylist(), added["size_bytes"].to_pylist(), strict=True))
    )


def read_named(spark: SparkSession, folder: Path, columns: str, names: Collection[str]) -> DataFrame:
    """Returns the rows of some data files in the `folder` of a table, in the stored `columns`."""
    return _read_files(spark, folder, columns, {name: (folder / name).stat().st_size for name in names})


def _read_files(spark: SparkSession, folder: Path, columns: str, sizes: Mapping[str, int]) -> DataFrame:
    from pyspark.sql import DataFrame

    files = "\n".join(f"{size} {path}" for path, size in sizes.items())
    read = java_class(spark, _FILES_CLASS).read
    return DataFrame(read(spark._jsparkSession, folder.absolute().as_uri(), columns, files), spark)
