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

from rowtime.display.values import Row
from rowtime.jvm.py4j import java_class
from rowtime.numerals import natural
from rowtime.privatefolder import private_folder
from rowtime.runtime.faults import query_fault
from rowtime.runtime.folders import QueryFolder
from rowtime.runtime.shared import is_one_process

if TYPE_CHECKING:
    from pyspark.sql import DataFrame

_WRITER = "io.rowtime.serve.ResultFiles"
_LENGTH = struct.Struct(">i")
_MOST_MB = 65_536
_SPARE = 512 << 20
"""Bytes that a result leaves free on its disk, but not more than a twentieth of the disk."""


def most_bytes() -> int:
    """Returns the maximum size of a result on disk: 64 GiB, or ROWTIME_RESULT_MB."""
    return (natural(os.environ.get("ROWTIME_RESULT_MB", "")) or _MOST_MB) << 20


class SpooledRows(Iterator[Row]):
    """The rows of a DataFrame, in its order: computed on creation, stored in temporary files until they have been read
    or `close` is called. `size` is the size of the files.

    The tasks write the files: into a private folder of this process, or, on a cluster, into a folder of the
    `warehouse`, which all executors share. The remains of a process that was killed there are deleted with those of its
    queries.
    """

    def __init__(self, frame: DataFrame, warehouse: Path) -> None:
        self._shared = None if is_one_process(frame.sparkSession) else QueryFolder(warehouse)
        self._folder = tempfile.TemporaryDirectory(
            prefix="result-", dir=private_folder() if self._shared is None else self._shared.path
        )
        try:
            disk = shutil.disk_usage(self._folder.name)
            spare = min(_SPARE, disk.total // 20)
            if disk.free < spare:
                # Not because of this result.
                raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC), self._folder.name)
            batches = frame._jdf.javaToPython()
            writer = java_class(frame.sparkSession, _WRITER)
            self._count = int(writer.write(batches, self._folder.name, most_bytes(), spare))
            self.size = sum(file.stat().st_size for file in Path(self._folder.name).iterdir())
        except BaseException:
            self._remove()
            raise
        self._rows = self._read_rows()

    def __next__(self) -> Row:
        return next(self._rows)

    def close(self) -> None:
        """Deletes the files. Closing twice is harmless."""
        self._rows = iter(())
        self._remove()

    def _read_rows(self) -> Iterator[Row]:
        from pyspark.serializers import CPickleSerializer

        load: Callable[[bytes], list[Row]] = CPickleSerializer().loads
        for partition in range(self._count):
            file = Path(self._folder.name, str(partition))
            if not file.exists():
                continue
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
        self._remove()

    def _remove(self) -> None:
        self._folder.cleanup()
        if self._shared is not None:
            self._shared.remove()


class FirstColumns(Iterator[Row]):
    """The first `width` columns of spooled rows: those after them are for sorting."""

    def __init__(self, rows: SpooledRows, width: int) -> None:
        self._rows = rows
        self._width = width

    def __next__(self) -> Row:
        return next(self._rows)[: self._width]

    def close(self) -> None:
        self._rows.close()
