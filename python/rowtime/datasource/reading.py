"""Reads streams and tables for Spark: their data files, as Arrow. A partition has some files; its rows are in order of
arrival, and those of different partitions in any order."""

from __future__ import annotations

import time
import uuid
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import pyarrow as pa
import pyarrow.compute as pc
from pyspark.sql.datasource import DataSourceReader, DataSourceStreamReader, InputPartition

from rowtime.datasource.identifiers import Identifier, Opened
from rowtime.datasource.values import to_spark
from rowtime.delta.commits import DataFile
from rowtime.delta.log import DeltaLog
from rowtime.delta.state import damaged_log
from rowtime.errors import error
from rowtime.runtime.job.leases import LEASE_SECONDS
from rowtime.sources.history import kept_since
from rowtime.streams.log import CONTROL, StreamLog
from rowtime.streams.rules import is_logged
from rowtime.types import times
from rowtime.types.columns import Column, columns

STARTS = ("latest", "earliest")
_COMPARED_SECONDS = 1.0
"""How often a query that has read all rows looks whether its stream is still there."""
_PARTITION_BYTES = 32 << 20
"""The size of the files from which on a partition gets no other."""


@dataclass
class Files(InputPartition):
    """Some data files of an object, and how to read them: a task does not open the catalog."""

    delta: DeltaLog
    columns: tuple[Column, ...]
    has_control: bool
    files: tuple[DataFile, ...]


class Reader(DataSourceReader):
    """Reads the rows that a stream or table has."""

    def __init__(self, identifier: Identifier) -> None:
        self._identifier = identifier

    def partitions(self) -> Sequence[InputPartition]:
        with self._identifier.opened() as found:
            files = found.files()
            if found.entry.kind == "STREAM":
                # After the files: a clean-up may have removed some until then.
                held = kept_since(found.entry, found.stream)
                if held is not None:
                    option = found.entry.options.get("history")
                    what = "Stream" if option is None else f"The history ('{option}') of stream"
                    raise error(
                        "RT0520",
                        f"{what} '{found.entry.name}' begins at {times.text(held)}: earlier rows have been deleted",
                        hint="Read it with readStream, or keep more history",
                    )
            # Spark needs a partition, if only to see that there are no rows.
            return grouped(found, files) or partitions_of(found, [()])

    def read(self, partition: InputPartition) -> Iterator[pa.RecordBatch]:
        return read_files(partition)


class StreamReader(DataSourceStreamReader):
    """Reads the rows of a stream as they arrive. An offset is the version of the stream's log that is read next, and
    the id of the stream, because another one of the same name has versions of its own.

    The stream keeps what was not read yet, but not much longer than this process lives.
    """

    def __init__(self, identifier: Identifier, start: str) -> None:
        if start not in STARTS:
            raise error("RT0657", f"The option 'start' is latest or earliest, not '{start}'")
        self._identifier = identifier
        self._start = start
        self._reader = f"query:{uuid.uuid4().hex}"
        self._leased: tuple[int, float] = (-1, 0.0)
        self._compared = 0.0

    @cached_property
    def _opened(self) -> Opened:
        """The stream, which stays open: Spark asks for offsets many times a second. A reader that tasks get has not
        been asked for any."""
        return self._identifier.open()

    @property
    def _log(self) -> StreamLog:
        return self._opened.stream

    def initialOffset(self) -> dict[str, Any]:
        version = self._log.version() + 1 if self._start == "latest" else self._log.earliest()
        self._lease(version)
        return self._offset(version)

    def latestOffset(self, start: dict[str, Any], limit: Any) -> dict[str, Any]:
        self._check(start)
        self._lease(start["version"])
        self._log.check_read(start["version"])
        following = self._log.version() + 1
        if following > start["version"] or time.monotonic() - self._compared > _COMPARED_SECONDS:
            # Read after the version: what was defined before its rows were written.
            self._compare_definition(has_rows=following > start["version"])
        return self._offset(max(following, start["version"]))

    def partitions(self, start: dict[str, Any], end: dict[str, Any]) -> Sequence[InputPartition]:
        self._check(end)
        delta = self._log.delta
        try:
            added = [file for v in range(start["version"], end["version"]) for file in delta.commit_of(v).added]
        except FileNotFoundError:
            raise error(
                "RT0520",
                f"Stream '{self._log.name}' has deleted rows that this query has not read",
                hint="Keep more history (OPTIONS (history '7 days')), or start with a new checkpoint",
            ) from None
        return grouped(self._opened, added)

    def read(self, partition: InputPartition) -> Iterator[pa.RecordBatch]:
        return read_files(partition)

    def commit(self, end: dict[str, Any]) -> None:
        self._lease(end["version"])

    def stop(self) -> None:
        self._log.release(self._reader)
        self._log.store.close()

    def _offset(self, version: int) -> dict[str, Any]:
        return {"version": version, "stream": self._opened.entry.id}

    def _check(self, offset: dict[str, Any]) -> None:
        """Raises RowtimeError RT0657 for an offset of another stream. Those of earlier builds do not name theirs."""
        entry = self._opened.entry
        if offset.get("stream", entry.id) != entry.id:
            raise error(
                "RT0657",
                f"The checkpoint is of another stream '{entry.name}', which has been dropped, or its rows: the query "
                "would miss rows of this one",
                hint="Start with a new checkpoint",
            )

    def _compare_definition(self, *, has_rows: bool) -> None:
        """Raises RowtimeError RT0312 if the stream was dropped and all its rows have been read, RT0657 if a column has
        another type than when the query began."""
        self._compared = time.monotonic()
        opened = self._opened
        entry = opened.store.get(opened.entry.name)
        if entry is None or entry.id != opened.entry.id:
            if not has_rows:
                raise error("RT0312", f"Stream '{opened.entry.name}', which the query reads, was dropped")
            return
        now = {column.stored: column.text for column in columns(entry.definition["columns"])}
        for column in opened.columns:
            if now.get(column.stored, column.text) != column.text:
                raise error(
                    "RT0657",
                    f"The column {column.name} of stream '{entry.name}' has become {now[column.stored]}; it was "
                    f"{column.text} when the query began",
                    hint="Call load again, and start the query with the same checkpoint",
                )

    def _lease(self, version: int) -> None:
        """Keeps the rows from a version on."""
        leased, at = self._leased
        if version != leased or time.monotonic() - at > LEASE_SECONDS / 6:
            self._log.lease(self._reader, version, LEASE_SECONDS)
            self._leased = (version, time.monotonic())


def grouped(of: Opened, files: Iterable[DataFile]) -> list[InputPartition]:
    """Returns the files, in their order, as partitions."""
    found: list[tuple[DataFile, ...]] = []
    held: list[DataFile] = []
    size = 0
    for file in files:
        held.append(file)
        size += file.size
        if size >= _PARTITION_BYTES:
            found.append(tuple(held))
            held, size = [], 0
    return partitions_of(of, [*found, tuple(held)] if held else found)


def partitions_of(of: Opened, groups: Iterable[tuple[DataFile, ...]]) -> list[InputPartition]:
    """Returns a partition for each group of files."""
    delta, named, has_control = of.delta, of.columns, is_logged(of.entry)
    return [Files(delta, named, has_control, files) for files in groups]


def read_files(partition: InputPartition) -> Iterator[pa.RecordBatch]:
    """Yields the rows of a partition. Raises RowtimeError RT0605 if a file is damaged or lost."""
    assert isinstance(partition, Files)
    delta = partition.delta
    for file in partition.files:
        try:
            rows = delta.read(file)
        except FileNotFoundError:
            raise damaged_log(delta.name, f"the file '{delta.folder / file.name}' is missing") from None
        if partition.has_control:
            rows = rows.filter(pc.invert(rows.column(CONTROL)))
        yield from to_spark(rows, partition.columns).to_batches()
