"""Starts Spark's streaming queries: how the rows of their micro-batches reach this process, or a sink of Spark's.

The JVM computes a micro-batch, and passes its rows in one call (`io.rowtime.microbatch`): small ones as bytes, large
ones in a file next to the checkpoint, which is deleted when they are read.
"""

from __future__ import annotations

import mmap
import pickle
import struct
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol

import pyarrow as pa

from rowtime.display.values import Row
from rowtime.jvm import callbacks
from rowtime.jvm.py4j import java_class, java_list

if TYPE_CHECKING:
    from pyspark.sql import DataFrame, SparkSession
    from pyspark.sql.streaming.query import StreamingQuery as SparkQuery
    from pyspark.sql.streaming.readwriter import DataStreamWriter

_QUERIES = "io.rowtime.microbatch.MicroBatchQueries"
_RECEIVER = "io.rowtime.microbatch.BatchReceiver"
_FILE = "batch"
_LENGTH = struct.Struct(">i")


class BatchWriter(Protocol):
    """Starts a query, whose checkpoint is in `checkpoint`; `logs` are the folders of the logs that it reads. The
    session has the settings of the query meanwhile."""

    def start(self, checkpoint: Path, logs: Sequence[Path]) -> SparkQuery: ...


@dataclass(frozen=True, slots=True)
class SparkWriter:
    """A sink of Spark's own."""

    writer: DataStreamWriter

    def start(self, checkpoint: Path, logs: Sequence[Path]) -> SparkQuery:
        return self.writer.option("checkpointLocation", str(checkpoint)).outputMode("append").start()


@dataclass(frozen=True, slots=True)
class _Writer:
    """`take` gets the rows of each micro-batch, and its number; `check` is called before one whose tasks run in other
    processes, and raises if it must not run."""

    frame: DataFrame
    take: Callable[[Any, int], None]
    check: Callable[[], None]

    def _start(self, method: str, checkpoint: Path, logs: Sequence[Path], *more: str, **taking: Any) -> SparkQuery:
        spark = self.frame.sparkSession
        callbacks.start(spark)
        receiver = callbacks.exposed(_RECEIVER, check=self.check, **taking)
        queries = java_class(spark, _QUERIES)
        run = getattr(queries, method)
        folders = java_list(spark, [str(log) for log in logs])
        return _clocked(run(self.frame._jdf, str(checkpoint), folders, *more, receiver), queries, receiver)


class RowWriter(_Writer):
    """`take` gets `PickledRows`."""

    def start(self, checkpoint: Path, logs: Sequence[Path]) -> SparkQuery:
        types = [field.dataType for field in self.frame.schema.fields]
        converters = [type.fromInternal if type.needConversion() else None for type in types]

        def take(batch: int, rows: bytes | None, file: str | None) -> None:
            with _content(rows, file) as content:
                self.take(PickledRows(content, converters), batch)

        return self._start("startRows", checkpoint, logs, str(checkpoint.parent / _FILE), take=take)


class ArrowWriter(_Writer):
    """`take` gets Arrow tables."""

    def start(self, checkpoint: Path, logs: Sequence[Path]) -> SparkQuery:
        def take(batch: int, rows: bytes | None, file: str | None) -> None:
            if rows is not None:
                self.take(pa.ipc.open_stream(rows).read_all(), batch)
                return
            assert file is not None, "there are rows"
            with pa.memory_map(file) as mapped:
                # The table keeps the pages of the file.
                Path(file).unlink()
                self.take(pa.ipc.open_stream(mapped).read_all(), batch)

        return self._start("startArrow", checkpoint, logs, str(checkpoint.parent / _FILE), take=take)


class FrameWriter(_Writer):
    """`take` gets DataFrames, which are computed each time that they are used."""

    def start(self, checkpoint: Path, logs: Sequence[Path]) -> SparkQuery:
        from pyspark.sql import DataFrame, SparkSession

        context = self.frame.sparkSession.sparkContext

        def take(batch: int, rows: Any) -> None:
            self.take(DataFrame(rows, SparkSession(context, rows.sparkSession())), batch)

        return self._start("startFrames", checkpoint, logs, takeFrame=take)


def announce_commit(spark: SparkSession, log: Path) -> None:
    """Tells the queries of this process that there is a new commit of the log in a folder; they find those of other
    processes when they look."""
    java_class(spark, _QUERIES).committed(str(log))


def _clocked(query: Any, queries: Any, receiver: Any) -> SparkQuery:
    """Returns PySpark's object for a query that the JVM's class `queries` has started, and that calls `receiver`."""
    from pyspark.sql.streaming.query import StreamingQuery

    class Clocked(StreamingQuery):
        def processAllAvailable(self) -> None:
            # Spark's own returns when the query next looks for rows.
            queries.processAllAvailable(self._jsq)

        def stop(self) -> None:
            # Spark's own leaves the connection open on which the query has called this process.
            queries.stop(self._jsq)
            callbacks.withdraw(receiver)

    return Clocked(query)


@contextmanager
def _content(rows: bytes | None, file: str | None) -> Iterator[memoryview]:
    """The bytes of a micro-batch. A file has no name any more; its pages are in memory while they are read."""
    if rows is not None:
        yield memoryview(rows)
        return
    assert file is not None, "there are rows"
    path = Path(file)
    with path.open("rb") as opened:
        path.unlink()
        with mmap.mmap(opened.fileno(), 0, access=mmap.ACCESS_READ) as mapped, memoryview(mapped) as view:
            yield view


class PickledRows(Iterable[Row]):
    """The rows of a micro-batch, tuples with the Python values that PySpark returns, in the order of the partitions.
    They are made each time that they are read. `size` is their size in bytes."""

    def __init__(self, content: memoryview, converters: Sequence[Callable[[Any], Any] | None]) -> None:
        self._content = content
        self._converters = converters
        self.size = len(content)

    def __iter__(self) -> Iterator[Row]:
        for piece in self.pieces():
            yield from self.rows(piece)

    def pieces(self) -> Iterator[slice]:
        """Returns where the pieces are; each has some of the rows."""
        place = 0
        while place < len(self._content):
            (length,) = _LENGTH.unpack_from(self._content, place)
            place += _LENGTH.size
            yield slice(place, place + length)
            place += length

    def rows(self, piece: slice) -> list[Row]:
        """Returns the rows of a piece."""
        rows = pickle.loads(self._content[piece])
        if any(self._converters):
            converters = self._converters
            return [tuple(v if c is None else c(v) for v, c in zip(row, converters, strict=True)) for row in rows]
        return list(rows)
