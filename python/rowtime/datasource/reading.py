"""Reads streams and tables for Spark: their data files, as Arrow. A partition has some files; its rows are in order of
arrival, and those of different partitions in any order."""

from __future__ import annotations

import time
import uuid
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import pyarrow as pa
import pyarrow.compute as pc
from pyspark.sql.datasource import DataSourceReader, DataSourceStreamReader, InputPartition

from rowtime.datasource.places import Opened, Place
from rowtime.datasource.values import to_spark
from rowtime.errors import error
from rowtime.sources.history import kept_since
from rowtime.streams import times
from rowtime.streams.commits import DataFile
from rowtime.streams.log import CONTROL
from rowtime.streams.rules import is_logged
from rowtime.streams.state import damaged_log

STARTS = ("latest", "earliest")
LEASE_SECONDS = 60
"""Seconds for which a stream keeps the rows that a streaming read has not read yet, after its process has ended."""
_PARTITION_BYTES = 32 << 20
"""The size of the files from which on a partition gets no other."""


@dataclass
class Files(InputPartition):
    """Some data files of an object."""

    files: tuple[DataFile, ...]


class Reader(DataSourceReader):
    """Reads the rows that a stream or table has."""

    def __init__(self, place: Place) -> None:
        self._place = place

    def partitions(self) -> Sequence[InputPartition]:
        with self._place.opened() as found:
            if found.entry.kind == "STREAM":
                held = kept_since(found.entry, found.stream.state())
                if held is not None:
                    raise error(
                        "RT0520",
                        f"The history of stream '{found.entry.name}' ('{found.entry.options['history']}') begins at "
                        f"{times.text(held)}, so its rows cannot all be read",
                        hint="Read it with readStream, or keep more history",
                    )
            # Spark needs a partition, if only to see that there are no rows.
            return grouped(found.files()) or [Files(())]

    def read(self, partition: InputPartition) -> Iterator[pa.RecordBatch]:
        return read_files(self._place, partition)


class StreamReader(DataSourceStreamReader):
    """Reads the rows of a stream as they arrive. An offset is the version of the stream's log that is read next.

    The stream keeps what was not read yet, but not much longer than this process lives.
    """

    def __init__(self, place: Place, start: str) -> None:
        if start not in STARTS:
            raise error("RT0657", f"The option 'start' is latest or earliest, not '{start}'")
        self._place = place
        self._start = start
        self._reader = f"query:{uuid.uuid4().hex}"
        self._leased: tuple[int, float] = (-1, 0.0)

    def initialOffset(self) -> dict[str, int]:
        with self._place.opened() as found:
            log = found.stream
            version = log.version() + 1 if self._start == "latest" else log.earliest()
            self._lease(found, version)
            return {"version": version}

    def latestOffset(self, start: dict[str, int], limit: Any) -> dict[str, int]:
        with self._place.opened() as found:
            self._lease(found, start["version"])
            found.stream.check_read(start["version"])
            return {"version": max(found.stream.version() + 1, start["version"])}

    def partitions(self, start: dict[str, int], end: dict[str, int]) -> Sequence[InputPartition]:
        with self._place.opened() as found:
            log = found.stream
            try:
                added = [file for v in range(start["version"], end["version"]) for file in log.delta.commit_of(v).added]
            except FileNotFoundError:
                raise error(
                    "RT0520",
                    f"Stream '{found.entry.name}' has deleted rows that this query has not read",
                    hint="Keep more history (OPTIONS (history '7 days')), or start with a new checkpoint",
                ) from None
            return grouped(added)

    def read(self, partition: InputPartition) -> Iterator[pa.RecordBatch]:
        return read_files(self._place, partition)

    def commit(self, end: dict[str, int]) -> None:
        with self._place.opened() as found:
            self._lease(found, end["version"])

    def stop(self) -> None:
        with self._place.opened() as found:
            found.stream.release(self._reader)

    def _lease(self, found: Opened, version: int) -> None:
        """Keeps the rows from a version on; Spark asks for offsets many times a second."""
        leased, at = self._leased
        if version != leased or time.monotonic() - at > LEASE_SECONDS / 6:
            found.stream.lease(self._reader, version, LEASE_SECONDS)
            self._leased = (version, time.monotonic())


def grouped(files: Iterable[DataFile]) -> list[InputPartition]:
    """Returns the files, in their order, as partitions."""
    found: list[InputPartition] = []
    held: list[DataFile] = []
    size = 0
    for file in files:
        held.append(file)
        size += file.size
        if size >= _PARTITION_BYTES:
            found.append(Files(tuple(held)))
            held, size = [], 0
    return [*found, Files(tuple(held))] if held else found


def read_files(place: Place, partition: InputPartition) -> Iterator[pa.RecordBatch]:
    """Yields the rows of a partition. Raises RowtimeError RT0605 if a file is damaged or lost."""
    assert isinstance(partition, Files)
    with place.opened() as found:
        delta, columns, has_control = found.delta, found.columns, is_logged(found.entry)
        for file in partition.files:
            try:
                rows = delta.read(file)
            except FileNotFoundError:
                raise damaged_log(found.entry.name, f"the file '{delta.folder / file.name}' is missing") from None
            if has_control:
                rows = rows.filter(pc.invert(rows.column(CONTROL)))
            yield from to_spark(rows, columns).to_batches()
