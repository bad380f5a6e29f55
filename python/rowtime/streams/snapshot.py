"""A version of a Delta table of rowtime's own as a DataFrame. Its files come from its log, so that Spark's Delta reader
is not needed: it takes seconds to start, and looks again for what is known."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import pyarrow as pa
from deltalake import DeltaTable

from rowtime.jvm.py4j import java_class

if TYPE_CHECKING:
    from pyspark.sql import DataFrame, SparkSession

_FILES_CLASS = "io.rowtime.log.LogFiles"


def snapshot(spark: SparkSession, folder: Path, table: DeltaTable) -> DataFrame:
    """The rows that the table in `folder` has in the version that it was opened at, in its stored columns."""
    from pyspark.sql import DataFrame

    added = pa.table(table.get_add_actions())
    sizes, paths = added["size_bytes"].to_pylist(), added["path"].to_pylist()
    files = "\n".join(f"{size} {path}" for size, path in zip(sizes, paths, strict=True))
    read = java_class(spark, _FILES_CLASS).read
    return DataFrame(read(spark._jsparkSession, folder.absolute().as_uri(), table.schema().to_json(), files), spark)
