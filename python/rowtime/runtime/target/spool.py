"""Rows of a relational result on disk, so that nothing holds them all in memory."""

from __future__ import annotations

import errno
import os
import shutil
import struct
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import pyarrow as pa

from rowtime.display.values import Row
from rowtime.jvm.py4j import java_class
from rowtime.numerals import natural
from rowtime.privatefolder import private_folder
from rowtime.runtime.cluster.shared import is_one_process
from rowtime.runtime.faults import query_fault
from rowtime.runtime.launch.folders import QueryFolder

if TYPE_CHECKING:
    from py4j.java_gateway import JavaObject
    from pyspark.sql import DataFrame, SparkSession

_WRITER = "io.rowtime.serve.ResultFiles"
_LENGTH = struct.Struct(">q")
_MOST_MB = 65_536
_SPARE = 512 << 20
"""Bytes that a result leaves free on its disk, but not more than a twentieth of the disk."""


def most_bytes() -> int:
    """Returns the maximum size of a result on disk: 64 GiB, or ROWTIME_RESULT_MB."""
    return (natural(os.environ.get("ROWTIME_RESULT_MB", "")) or _MOST_MB) << 20


class ResultFolder:
    """A temporary folder that has the batches of a result, which the tasks write, in one file for each partition with
    rows; 0 is the first one. `size` is the size of the files.

    It is in a private folder of this process, or, on a cluster, in the `warehouse`, which all executors share. The
    remains of a process that was killed there are deleted with those of its queries.
    """

    def __init__(self, spark: SparkSession, warehouse: Path) -> None:
        self._spark = spark
        self._shared = None if is_one_process(spark) else QueryFolder(warehouse)
        self._folder = tempfile.TemporaryDirectory(
            prefix="result-", dir=private_folder() if self._shared is None else self._shared.path
        )
        self._count = 0
        self.size = 0

    def write(self, batches: JavaObject) -> None:
        """Computes the batches, an RDD of byte arrays, with one job. Raises OSError ENOSPC if the disk is full."""
        disk = shutil.disk_usage(self._folder.name)
        spare = min(_SPARE, disk.total // 20)
        if disk.free < spare:
            # Not because of this result.
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC), self._folder.name)
        writer = java_class(self._spark, _WRITER)
        self._count = int(writer.write(batches, self._folder.name, most_bytes(), spare))
        self.size = sum(file.stat().st_size for file in Path(self._folder.name).iterdir())

    def files(self) -> Iterator[Path]:
        """Returns the files in the order of the partitions."""
        files = (Path(self._folder.name, str(partition)) for partition in range(self._count))
        return (file for file in files if file.exists())

    def remove(self) -> None:
        """Deletes the folder. Deleting it twice is harmless."""
        self._folder.cleanup()
        if self._shared is not None:
            self._shared.remove()


class SpooledRows(Iterator[Row]):
    """The rows of a DataFrame, in its order: computed on creation, stored in temporary files until they have been read
    or `close` is called. `size` is the size of the files."""

    def __init__(self, frame: DataFrame, warehouse: Path) -> None:
        self._folder = ResultFolder(frame.sparkSession, warehouse)
        try:
            self._folder.write(frame._jdf.javaToPython())
        except BaseException:
            self._folder.remove()
            raise
        self.size = self._folder.size
        self._rows = self._read_rows()

    def __next__(self) -> Row:
        return next(self._rows)

    def close(self) -> None:
        """Deletes the files. Closing twice is harmless."""
        self._rows = iter(())
        self._folder.remove()

    def _read_rows(self) -> Iterator[Row]:
        from pyspark.serializers import CPickleSerializer

        load: Callable[[bytes], list[Row]] = CPickleSerializer().loads
        for file in self._folder.files():
            with file.open("rb") as batches:
                while length := batches.read(_LENGTH.size):
                    try:
                        rows = load(batches.read(_LENGTH.unpack(length)[0]))
                    except Exception as fault:
                        # A value that Python cannot have, such as a time after the year 9999.
                        raise query_fault(fault, "The query") from fault
                    for row in rows:
                        yield tuple(row)
            file.unlink()
        self._folder.remove()


def arrow_rows(frame: DataFrame, warehouse: Path) -> pa.Table:
    """Computes the rows of a DataFrame, and returns them in order, as `DataFrame.toArrow` does. The table is on disk,
    mapped into memory; its files have no names any more. `toArrow` would take a partition through the driver's heap."""
    from pyspark.sql.pandas.types import to_arrow_schema

    large = frame.sparkSession.conf.get("spark.sql.execution.arrow.useLargeVarTypes") == "true"
    schema = to_arrow_schema(frame.schema, timezone="UTC", prefers_large_types=large)
    folder = ResultFolder(frame.sparkSession, warehouse)
    try:
        folder.write(frame._jdf.toArrowBatchRdd().toJavaRDD())
        return pa.Table.from_batches([batch for file in folder.files() for batch in _mapped(file, schema)], schema)
    finally:
        folder.remove()


def _mapped(file: Path, schema: pa.Schema) -> Iterator[pa.RecordBatch]:
    size = file.stat().st_size
    with pa.memory_map(str(file)) as mapped:
        while mapped.tell() < size:
            mapped.seek(_LENGTH.size, os.SEEK_CUR)
            yield pa.ipc.read_record_batch(pa.ipc.read_message(mapped), schema)


class FirstColumns(Iterator[Row]):
    """The first `width` columns of spooled rows: those after them are for sorting."""

    def __init__(self, rows: SpooledRows, width: int) -> None:
        self._rows = rows
        self._width = width

    def __next__(self) -> Row:
        return next(self._rows)[: self._width]

    def close(self) -> None:
        self._rows.close()
