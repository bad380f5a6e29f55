"""Requests to connectors to read and to write, and the modules that carry them out.

The modules are imported when they are needed, because some of them import large libraries.
"""

from __future__ import annotations

import importlib
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol

from rowtime.delta.batches import LastBatch, SentBatch, other_batch
from rowtime.errors import error
from rowtime.foreign.options import Options
from rowtime.streams.start import Start
from rowtime.types.columns import Column

if TYPE_CHECKING:
    from pyspark.sql import DataFrame, SparkSession


class Query(Protocol):
    """The query that reads, see `rowtime.sources.scan.Scans`. `folder` is its folder, and `own_folder` the same for a
    query that lasts. `opened` contains the sources that the query has already opened, by the name of the stream: all
    its scans of one stream read the same rows. It begins at `start`."""

    @property
    def spark(self) -> SparkSession: ...
    @property
    def name(self) -> str: ...
    @property
    def folder(self) -> Path: ...
    @property
    def own_folder(self) -> Path | None: ...
    @property
    def opened(self) -> dict[str, DataFrame]: ...
    @property
    def start(self) -> Start: ...


@dataclass(frozen=True, slots=True)
class ForeignRead:
    """A read of a foreign object with these `options` and `columns`; `node` is the state name of the scan,
    `from_beginning` says that the plan needs all rows. Invalid records go to `bad_rows`; `own_folder` is the adapter's
    own. `dataframes` contains those that the session has registered, by the name of the stream. `placed` asks for the
    positions of the rows, in a column PLACE, from a connector that knows them. `until` are the offsets of the
    partitions of a topic at which the query ends to read, if it does."""

    query: Query
    node: str
    from_beginning: bool
    id: str
    streaming: bool
    options: Options
    columns: Sequence[Column]
    bad_rows: Path
    own_folder: Path
    dataframes: Mapping[str, DataFrame]
    placed: bool = False
    until: Mapping[str, int] | None = None

    @property
    def start_file(self) -> Path | None:
        """The file that records where the query began to read a stream; None for a table."""
        name = f"{self.id}-{self.node}" if self.from_beginning else self.id
        return self.query.folder / "beginnings" / name if self.streaming else None

    @property
    def reader(self) -> str | None:
        """The name of the scan for an adapter: each scan is a separate reader. None for a table."""
        return f"{self.query.name}-{self.node}" if self.streaming else None

    @property
    def reader_start_file(self) -> Path:
        """The file that records where that reader began."""
        return self.query.folder / "beginnings" / f"{self.id}-{self.node}"

    @property
    def begin(self) -> str | None:
        """The offsets at which the query begins to read the stream, if it does not begin where the options say."""
        return self.query.start.offsets.get(self.id) if self.streaming and not self.from_beginning else None

    @property
    def earliest(self) -> bool:
        """Whether the query needs all rows, whatever the options say."""
        return self.from_beginning or self.query.start.earliest or self.query.start.since is not None


@dataclass(frozen=True, slots=True)
class ForeignRows:
    """The rows of a foreign object, with columns under their stored names, and how many milliseconds they may be out of
    order whatever is declared."""

    df: DataFrame
    delay: int = 0


OP = "$op"
"""The name of the column that says what becomes of the row with the same key, as TO_CHANGELOG does."""
DELETED = 3
"""The value of that column if it is deleted."""


@dataclass(frozen=True, slots=True)
class ForeignWrite:
    """Rows for a foreign object with these `options` and `columns`. `df` has the columns `given`, under their names:
    micro-batch `batch` of `writer`, which is written once, or None. `bound` (ms) and `own_folder` are for adapters.

    If `key` names columns, rows replace those that are equal in them, or delete them, as another column (`OP`) of `df`
    says: there is at most one row for each key. Otherwise rows are appended."""

    spark: SparkSession
    df: DataFrame
    options: Options
    columns: Sequence[Column]
    given: Sequence[Column]
    batch: SentBatch | None
    writer: str | None
    bound: Callable[[], int | None] | None
    own_folder: Path | None
    key: Sequence[str] = ()

    def skip(self) -> int:
        """Skips a batch that was written before: computes it only, because Spark needs the state after it. Returns
        the number of its rows."""
        return computed_count(self.df)


@dataclass(frozen=True, slots=True)
class BatchRequest:
    """The question for the last micro-batch of a writer in a foreign object with these `options` and `columns`."""

    spark: SparkSession
    options: Options
    columns: Sequence[Column]
    writer: str
    own_folder: Path


def read(request: ForeignRead) -> ForeignRows:
    """Returns the rows of a foreign object. Raises RowtimeError RT0522 if there is no such connector, and those of its
    module."""
    connector = request.options.connector()
    reads: Callable[[ForeignRead], DataFrame | ForeignRows] = importlib.import_module(connector.reader).read
    rows = reads(request)
    return rows if isinstance(rows, ForeignRows) else ForeignRows(rows)


def write(request: ForeignWrite) -> int:
    """Writes rows, and returns how many: 0 if the batch was written before. Raises RowtimeError RT0522 if there is no
    such connector, RT0999 if it cannot write, which the planner refuses, and those of its module."""
    writes: Callable[[ForeignWrite], int] = _writer(request.options).write
    return writes(request)


@dataclass(frozen=True, slots=True)
class RealTimeRows:
    """Rows that a sink of Spark's takes one by one: its `format` and its `options`."""

    df: DataFrame
    format: str
    options: Mapping[str, str]


def realtime_rows(request: ForeignWrite) -> RealTimeRows:
    """Returns the rows of a streaming DataFrame for a query in real-time mode, in the form that the connector's sink
    takes. Raises RowtimeError as `write`."""
    makes: Callable[[ForeignWrite], RealTimeRows] = _writer(request.options).realtime_rows
    return makes(request)


def last_batch(request: BatchRequest) -> LastBatch:
    """Returns the last micro-batch of a writer. Raises RowtimeError as `write`, if the target does not answer."""
    finds: Callable[[BatchRequest], LastBatch] = _writer(request.options).last_batch
    return finds(request)


def has_rows(spark: SparkSession, options: Options) -> bool:
    """Returns whether a table whose rows are replaced by key has any. Raises RowtimeError as `write`."""
    finds: Callable[[SparkSession, Options], bool] = _writer(options).has_rows
    return finds(spark, options)


def held_offsets(spark: SparkSession, options: Options) -> dict[str, tuple[int, int]] | None:
    """Returns the first offset and the end offset of each partition of a topic; None for other sources. Raises
    RowtimeError if it does not answer."""
    module = importlib.import_module(options.connector().reader)
    finds: Callable[[SparkSession, Options], dict[str, tuple[int, int]]] | None = getattr(module, "held_offsets", None)
    return None if finds is None else finds(spark, options)


def _writer(options: Options) -> Any:
    connector = options.connector()
    if connector.writer is None:
        raise error("RT0999", f"The planner should have refused: the {options.owner} cannot be written")
    return importlib.import_module(connector.writer)


# --- connectors whose writers are in Java ----------------------------------------------------------------------------

_REPEATED, _OTHER = -1, -2


def written_count(request: ForeignWrite, found: int) -> int:
    """Returns the number of rows that a writer has written, from its answer (see `io.rowtime.spark.RecordedBatch`).
    Raises RowtimeError RT0607 if the target has another batch of that number."""
    if found == _OTHER and request.batch is not None:
        raise other_batch(request.batch, f"the {request.options.owner}")
    return request.skip() if found == _REPEATED else found


def computed_count(df: DataFrame) -> int:
    """Computes all rows of a DataFrame, and returns how many there are."""
    from pyspark.sql import Observation, functions

    counted = Observation()
    df.observe(counted, functions.count(functions.lit(1)).alias("n")).write.format("noop").mode("overwrite").save()
    return int(counted.get["n"])


def found_batch(found: Any) -> LastBatch:
    """Returns the last micro-batch that a writer has found: its number and its content, which is -1 if unknown; None if
    there is none."""
    if found is None:
        return LastBatch()
    number, content = (int(value) for value in found)
    return LastBatch(SentBatch(number, None if content < 0 else content))
