"""The connectors, and the arguments of each for reading and writing.

Their modules are imported on first use: some of them take time to load.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from rowtime.errors import error
from rowtime.sources.options import Options
from rowtime.streams.columns import Column

if TYPE_CHECKING:
    from pyspark.sql import DataFrame, SparkSession

    from rowtime.sources.scan import Scans


@dataclass(frozen=True, slots=True)
class ReadRequest:
    """A read of a foreign object with these `options` and `columns` by the query of `scans`; `node` is the number of
    the scan, `from_beginning` means that the plan needs all its rows. Invalid records go to `bad_rows`; an adapter
    stores its data in `own_folder`."""

    scans: Scans
    node: int
    from_beginning: bool
    id: str
    streaming: bool
    options: Options
    columns: Sequence[Column]
    bad_rows: Path
    own_folder: Path

    @property
    def start_file(self) -> Path | None:
        """The file that records where the query began to read a stream; None for a table."""
        name = f"{self.id}-{self.node}" if self.from_beginning else self.id
        return self.scans.folder / "beginnings" / name if self.streaming else None

    @property
    def reader(self) -> str | None:
        """The name of the scan for an adapter: each scan is a separate reader, with a beginning of its own. None for a
        table."""
        return f"{self.scans.name}-{self.node}" if self.streaming else None

    @property
    def reader_start_file(self) -> Path:
        """The file that records where that reader began."""
        return self.scans.folder / "beginnings" / f"{self.id}-{self.node}"

    @property
    def earliest(self) -> bool:
        """Whether the query needs all rows, whatever the options say."""
        return self.from_beginning or self.scans.earliest or self.scans.since is not None


@dataclass(frozen=True, slots=True)
class ForeignWrite:
    """Rows for a foreign object with these `options` and `columns`. `df` has the columns `given`, under their names:
    micro-batch `batch` of `writer`, which is written once, or None. `bound` (ms) and `own_folder` are for adapters."""

    spark: SparkSession
    df: DataFrame
    options: Options
    columns: Sequence[Column]
    given: Sequence[Column]
    batch: int | None
    writer: str | None
    bound: Callable[[], int | None] | None
    own_folder: Path | None


# --- reading ---------------------------------------------------------------------------------------------------------


def _read_files(of: ReadRequest) -> DataFrame:
    from rowtime.sources import files

    return files.rows(of.scans.spark, of.options, of.columns, streaming=of.streaming, bad_rows=of.bad_rows)


def _read_kafka(of: ReadRequest) -> DataFrame:
    from rowtime.sources import kafka

    return kafka.rows(
        of.scans.spark, of.options, of.columns, bad_rows=of.bad_rows, begun=of.start_file, earliest=of.earliest
    )


def _read_socket(of: ReadRequest) -> DataFrame:
    from rowtime.adapters import socket as sockets

    _only_as_a_stream(of)
    lines, opened = of.scans.folder / "sockets" / of.id, of.scans.opened
    return sockets.rows(of.scans.spark, of.options, of.columns, bad_rows=of.bad_rows, folder=lines, opened=opened)


def _read_rate(of: ReadRequest) -> DataFrame:
    from rowtime.sources import rate

    _only_as_a_stream(of)
    return rate.rows(of.scans.spark, of.options, of.columns, opened=of.scans.opened)


def _only_as_a_stream(of: ReadRequest) -> None:
    if not of.streaming:
        connector = of.options.text("connector").lower()
        raise of.options.fault(f"has no history: its connector is '{connector}'", "RT0529", "CREATE FOREIGN STREAM")


def _read_delta(of: ReadRequest) -> DataFrame:
    from rowtime.sources import delta

    return delta.rows(of.scans.spark, of.options, of.columns, beginning=of.start_file, earliest=of.earliest)


def _read_jdbc(of: ReadRequest) -> DataFrame:
    from rowtime.sources import jdbc

    if of.streaming:
        raise of.options.fault("cannot be read as a stream: a database does not report new rows", "RT0548")
    return jdbc.rows(of.scans.spark, of.options, of.columns, lasting=of.scans.own_folder is not None)


def _read_adapter(of: ReadRequest) -> DataFrame:
    from rowtime.sources import adapter

    return adapter.rows(
        of.scans.spark,
        of.options,
        of.columns,
        bad_rows=of.bad_rows,
        folder=of.own_folder,
        reader=of.reader,
        beginning=of.reader_start_file,
        earliest=of.earliest,
    )


def _read_java_adapter(of: ReadRequest) -> DataFrame:
    from rowtime.sources import java_adapter

    return java_adapter.rows(
        of.scans.spark,
        of.options,
        of.columns,
        folder=of.own_folder,
        reader=of.reader,
        beginning=of.reader_start_file,
        earliest=of.earliest,
    )


READERS: dict[str, Callable[[ReadRequest], DataFrame]] = {
    "files": _read_files,
    "kafka": _read_kafka,
    "socket": _read_socket,
    "rate": _read_rate,
    "delta": _read_delta,
    "jdbc": _read_jdbc,
    "python": _read_adapter,
    "java": _read_java_adapter,
}
"""Functions that return the rows of a foreign object, with columns under their stored names."""

# --- writing ---------------------------------------------------------------------------------------------------------


def _write_files(of: ForeignWrite) -> int:
    from rowtime.sources import file_target

    return file_target.write(of.options, of.df, of.given, of.batch, of.writer)


def _write_kafka(of: ForeignWrite) -> int:
    from rowtime.sources import kafka

    return kafka.write(of.spark, of.options, of.columns, of.df, of.given, of.batch, of.writer)


def _write_delta(of: ForeignWrite) -> int:
    from rowtime.sources import delta

    return delta.write(of.options, of.df, of.columns, of.given, of.batch, of.writer)


def _write_jdbc(of: ForeignWrite) -> int:
    from rowtime.sources import jdbc

    return jdbc.write(of.spark, of.options, of.df, of.given, of.batch, of.writer)


def _write_adapter(of: ForeignWrite) -> int:
    from rowtime.sources import adapter

    assert of.own_folder is not None
    return adapter.write(of.options, of.df, of.columns, of.given, of.own_folder, of.batch, of.writer, of.bound)


def _write_java_adapter(of: ForeignWrite) -> int:
    from rowtime.sources import java_adapter

    assert of.own_folder is not None
    return java_adapter.write(of.options, of.df, of.columns, of.given, of.own_folder, of.batch, of.writer, of.bound)


WRITERS: dict[str, Callable[[ForeignWrite], int]] = {
    "files": _write_files,
    "kafka": _write_kafka,
    "delta": _write_delta,
    "jdbc": _write_jdbc,
    "python": _write_adapter,
    "java": _write_java_adapter,
}
"""Functions that write rows, and return how many: 0 if the batch was written before."""


def writer_of(options: Options) -> Callable[[ForeignWrite], int]:
    """Returns the function that writes a foreign object. Raises RowtimeError RT0527 if its connector cannot write."""
    connector = options.text("connector").lower()
    if connector not in WRITERS:
        *names, last = [f"'{name}'" for name in WRITERS]
        raise error(
            "RT0527",
            f"The {options.owner} cannot be written: its connector is '{connector}'",
            hint=f"Rows can be inserted only if the connector is {', '.join(names)} or {last}",
        )
    return WRITERS[connector]
