"""Rows of a relational result on disk, for clients that read them page by page."""

from __future__ import annotations

import struct
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING

from rowtime.display.values import Row
from rowtime.jvm.py4j import java_class

if TYPE_CHECKING:
    from pyspark.sql import DataFrame

_WRITER = "io.rowtime.serve.ResultFiles"
_LENGTH = struct.Struct(">i")


class SpooledRows(Iterator[Row]):
    """The first `width` columns of the rows of a DataFrame, in its order: computed on creation, stored in temporary
    files until `close`."""

    def __init__(self, frame: DataFrame, width: int) -> None:
        self._folder = tempfile.TemporaryDirectory(prefix="rowtime-result-")
        try:
            batches = frame._jdf.javaToPython()
            self._count = int(java_class(frame.sparkSession, _WRITER).write(batches, self._folder.name))
        except BaseException:
            self._folder.cleanup()
            raise
        self._rows = self._read_rows(width)

    def __next__(self) -> Row:
        return next(self._rows)

    def close(self) -> None:
        """Deletes the files. Closing twice is harmless."""
        self._rows = iter(())
        self._folder.cleanup()

    def _read_rows(self, width: int) -> Iterator[Row]:
        from pyspark.serializers import CPickleSerializer

        load: Callable[[bytes], list[Row]] = CPickleSerializer().loads
        for partition in range(self._count):
            file = Path(self._folder.name, str(partition))
            if not file.exists():
                continue
            with file.open("rb") as batches:
                while length := batches.read(_LENGTH.size):
                    for row in load(batches.read(_LENGTH.unpack(length)[0])):
                        yield tuple(row)[:width]
            file.unlink()
        self._folder.cleanup()
