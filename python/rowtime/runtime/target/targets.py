"""The targets of an INSERT or a pump: the log of a stream or of an ordered table, a plain table, or a foreign object.

A pump's micro-batch is written once, however often Spark runs it: each kind of target records the last one.
"""

from __future__ import annotations

import contextlib
from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pyarrow as pa
import pyarrow.compute as pc

from rowtime.catalog.changes import Entry
from rowtime.catalog.store import Store
from rowtime.delta.batches import LastBatch, SentBatch, WrittenBatches, is_repeated
from rowtime.errors import RowtimeError, error
from rowtime.runtime.launch.batch_writers import ArrowWriter, BatchWriter, FrameWriter
from rowtime.runtime.target.attachments import pump_of
from rowtime.runtime.target.rows import TargetRows, complete, target_rows
from rowtime.runtime.target.spool import arrow_rows
from rowtime.sparksql.result import OrderKey, Translated
from rowtime.streams.log import ROWTIME, Rejected, StreamLog, WriteOutcome, WriteRequest
from rowtime.streams.rules import is_logged
from rowtime.tables import tables
from rowtime.types.columns import Column, columns

if TYPE_CHECKING:
    from pyspark.sql import DataFrame

    from rowtime.runtime.launch.launcher import Launcher


@dataclass(frozen=True, slots=True)
class Written:
    """The result of writing the rows of one step: how many rows arrived, how many were accepted, and the log's
    outcome. A batch that was written before counts as it did then."""

    came: int
    taken: int
    outcome: WriteOutcome | None = None
    is_recorded: bool = True
    """Whether the target has the batch of the step, even if that has no rows."""

    @property
    def rejections(self) -> int:
        """The number of rows that the step rejected: its own, or others that it released."""
        return 0 if self.outcome is None else self.outcome.rejections

    @property
    def has_refused(self) -> bool:
        """Whether the step has rejected rows now."""
        return self.outcome is not None and bool(self.outcome.refused)

    @property
    def rejected(self) -> list[Rejected]:
        """The rows that the step rejected."""
        return [] if self.outcome is None else self.outcome.rejected


@dataclass(frozen=True, slots=True)
class Batch:
    """A micro-batch: its number, which grows over restarts, a function that returns the bound of the query after it
    (ms), once the rows of the batch have been computed, and what it is made of (see `SentBatch`)."""

    number: int
    bound: Callable[[], int | None]
    content: int | None = None

    @property
    def sent(self) -> SentBatch:
        return SentBatch(self.number, self.content)


class Target(ABC):
    """Accepts rows. `names` are the columns that a statement fills, in the order of its fields; `sender` is the pump or
    query that sends the rows, None for an INSERT that ends."""

    def __init__(self, entry: Entry, names: Sequence[str], sender: str | None) -> None:
        self.entry = entry
        self.columns: tuple[Column, ...] = columns(entry.definition["columns"])
        self.names = names
        self.sender = sender
        self._placed: TargetRows | None = None

    stored = True

    def frame(self, result: Translated, keys: Sequence[OrderKey], extra: Mapping[str, str]) -> DataFrame:
        """Returns the DataFrame whose rows, or micro-batches, `write` takes. `keys` is the order of its rows."""
        self._placed = target_rows(result, self.columns, self.names, keys, extra, stored=self.stored)
        return self._placed.frame

    @abstractmethod
    def write(self, rows: Any, batch: Batch | None = None) -> Written:
        """Writes rows of `frame` as one step; a `batch` that was written before changes nothing. `rows` are a
        DataFrame, or what the target's `writer` gives."""

    def writer(self, frame: DataFrame, take: Callable[[Any, int], None], check: Callable[[], None]) -> BatchWriter:
        """Returns what starts a query with the rows of `frame`; `take` and `check` as in `batch_writers`."""
        return FrameWriter(frame, take, check)

    @abstractmethod
    def last_batch(self) -> LastBatch:
        """Returns the last micro-batch that the target has of its sender."""

    @property
    def label(self) -> str:
        """Its kind and its name, for messages."""
        return f"{self.entry.kind.lower()} '{self.entry.name}'"

    @property
    def identity(self) -> str:
        """A name that changes if the target is another one: dropped and created again, or, if its rows are not in the
        warehouse, defined in another way."""
        return self.entry.id if self.stored else f"{self.entry.id}@{self.entry.since}"

    def attach(self) -> None:  # noqa: B027  most targets need not know
        """Attaches the sender, which begins to feed the target."""

    def detach(self) -> None:  # noqa: B027
        """Detaches the sender."""

    def advance(self, bound: int) -> None:  # noqa: B027
        """Promises that no later row of the sender is earlier than `bound` (ms)."""


class StoredTarget(Target):
    """A target that stores rows in files of the `warehouse`."""

    clock: str | None = None

    def __init__(self, warehouse: Path, entry: Entry, names: Sequence[str], sender: str | None) -> None:
        super().__init__(entry, names, sender)
        self._warehouse = warehouse

    def writer(self, frame: DataFrame, take: Callable[[Any, int], None], check: Callable[[], None]) -> BatchWriter:
        return ArrowWriter(frame, take, check)

    def write(self, rows: DataFrame | pa.Table, batch: Batch | None = None) -> Written:
        assert self._placed is not None
        table = rows if isinstance(rows, pa.Table) else arrow_rows(rows, self._warehouse)
        return self.put(self._placed.in_order(table), batch)

    def put(self, rows: pa.Table, batch: Batch | None = None) -> Written:
        """Writes stored values, in columns by their stored names, as `write` does."""
        return self._put(self._completed(rows), batch)

    def _completed(self, rows: pa.Table) -> pa.Table:
        return complete(self.label, rows, self.columns, self.clock)

    @abstractmethod
    def _put(self, rows: pa.Table, batch: Batch | None) -> Written: ...


class LogTarget(StoredTarget):
    """A stream, or a table with an order. `clocked`: the statement has no ROWTIME, so the system clock sets it."""

    def __init__(
        self, log: StreamLog, entry: Entry, names: Sequence[str], sender: str | None, *, clocked: bool
    ) -> None:
        super().__init__(log.store.warehouse, entry, names, sender)
        self.log = log
        self.clock = ROWTIME if clocked else None
        self._is_stream = entry.kind == "STREAM"
        self._rowtime = next((c.stored for c in self.columns if c.name == ROWTIME), "")
        # A pump returns after a crash; a query does not, and nothing may wait for it indefinitely.
        self._timeout = None if sender is None or pump_of(sender) is not None else log.rules.producer_timeout
        self._reached: int | None = None

    def last_batch(self) -> LastBatch:
        state, name = self.log.state(), self.sender or ""
        known = state.producers.get(name)
        found = [state.batches.get(name), None if known is None else known.batch]
        last = max((batch for batch in found if batch is not None), default=None)
        return LastBatch(None if last is None else SentBatch(last, state.contents.get(name)))

    def attach(self) -> None:
        if self.sender is not None and self._is_stream:
            self.log.attach(self.sender, self._timeout)
            known = self.log.state().producers.get(self.sender)
            self._reached = None if known is None else known.bound

    def detach(self) -> None:
        if self.sender is not None and self._is_stream and self.sender in self.log.state().producers:
            self.log.detach(self.sender)

    def advance(self, bound: int) -> None:
        if self._is_stream and (self._reached is None or bound > self._reached):
            self.log.submit(WriteRequest(producer=self.sender, bound=bound, timeout=self._timeout))
            self._reached = bound

    def _put(self, rows: pa.Table, batch: Batch | None) -> Written:
        if batch is None:
            if not rows.num_rows:
                return Written(0, 0)
            outcome = self.log.submit(WriteRequest(rows=rows, producer=self.sender if self._is_stream else None))
            return Written(rows.num_rows, outcome.taken, outcome)
        bound = self._further(rows, batch.bound()) if self._is_stream else None
        if not rows.num_rows and bound is None:
            # Not worth a commit.
            return Written(0, 0, is_recorded=False)
        outcome = self.log.submit(
            WriteRequest(
                rows=rows if rows.num_rows else None,
                # Only streams have producers; a table identifies its pumps by what they have written.
                producer=self.sender if self._is_stream else None,
                sender=self.sender,
                bound=bound,
                batch=batch.number,
                content=batch.content,
                sort=self._is_stream,
                timeout=self._timeout,
            )
        )
        known = outcome.state.producers.get(self.sender or "")
        self._reached = None if known is None else known.bound
        return Written(rows.num_rows, outcome.taken, outcome)

    def _further(self, rows: pa.Table, bound: int | None) -> int | None:
        """Returns the bound, if it is beyond what the sender has reached already, or reaches with these rows."""
        if bound is None:
            return None
        reached = self._reached
        latest = pc.max(rows.column(self._rowtime).cast(pa.int64())).as_py() if rows.num_rows else None
        if latest is not None:
            by_rows = latest // 1000 - self.log.rules.allowed_lateness
            reached = by_rows if reached is None else max(reached, by_rows)
        return bound if reached is None or bound > reached else None


class TableTarget(StoredTarget):
    """A plain table: one commit per step. The commit contains the sender and the number of its batch."""

    def __init__(self, store: Store, entry: Entry, names: Sequence[str], sender: str | None) -> None:
        super().__init__(store.warehouse, entry, names, sender)
        self._store = store

    def last_batch(self) -> LastBatch:
        return LastBatch(tables.last_batch(tables.open_table(self._store, self.entry), self.sender or ""))

    def write_result(self, compute: Callable[[Mapping[str, int]], DataFrame]) -> Written:
        """Writes rows that depend on the table itself. `compute` returns the DataFrame of the rows, computed from the
        given versions of tables, by name. Raises RowtimeError RT0390 if others keep changing the table."""
        for _ in range(ATTEMPTS):
            before = tables.open_table(self._store, self.entry)
            frame = compute({self.entry.name: before.version()})
            assert self._placed is not None
            rows = self._completed(self._placed.in_order(arrow_rows(frame, self._warehouse)))
            if not rows.num_rows or tables.commit_result(self._store, self.entry, before, rows, replaces=False):
                return Written(rows.num_rows, rows.num_rows)
        raise kept_changing(self.entry)

    def _put(self, rows: pa.Table, batch: Batch | None) -> Written:
        if not rows.num_rows:
            return Written(0, 0, is_recorded=False)
        taken = tables.append(self._store, self.entry, rows, self.sender, None if batch is None else batch.sent)
        return Written(rows.num_rows, taken)


def not_insertable(entry: Entry) -> RowtimeError:
    """Returns the error for an object that takes no rows from outside."""
    return error("RT0320", f"Cannot insert into {entry.kind} '{entry.name}'", hint="Insert into a stream or a table")


ATTEMPTS = 10
"""How often a statement that has read the table that it changes is computed, if others change the table meanwhile."""


def kept_changing(entry: Entry) -> RowtimeError:
    """Returns the error for a statement that others did not let finish."""
    return error("RT0390", f"Other sessions kept changing table '{entry.name}'", hint="Run the statement again")


def stored_target(
    launcher: Launcher, entry: Entry, names: Sequence[str], sender: str | None = None, *, clocked: bool = False
) -> StoredTarget:
    """Returns the target for a stream or a table of the warehouse."""
    if is_logged(entry):
        return LogTarget(launcher.log(entry), entry, names, sender, clocked=clocked)
    return TableTarget(launcher.store, entry, names, sender)


_NOTED = "_batches"


class ForeignTarget(Target):
    """A foreign stream or table: its connector writes, and removes duplicates."""

    stored = False
    key: Sequence[str] = ()
    """The columns by which rows replace others; empty if rows are appended."""

    def __init__(self, launcher: Launcher, entry: Entry, names: Sequence[str], sender: str | None) -> None:
        super().__init__(entry, names, sender)
        self._spark = launcher.spark
        self._store = launcher.store
        self._shared = launcher.shared
        self._reached: int | None = None

    def last_batch(self) -> LastBatch:
        from rowtime.foreign.targets import last_batch

        assert self.sender is not None
        said = last_batch(self._spark, self.entry, self.sender, self._folder)
        return said if said.is_known else replace(said, batch=self._noted.last)

    def write(self, rows: DataFrame, batch: Batch | None = None) -> Written:
        # The session of the rows has the settings of their query, such as the time zone in which times become text.
        from rowtime.foreign.connectors import computed_count
        from rowtime.foreign.targets import write_batch, written_folder

        assert self._placed is not None
        written = written_folder(self.entry)
        if written is not None:
            self._shared.check(written, f"the folder of {self.entry.kind.lower()} '{self.entry.name}'")
        rows = self._placed.sorted(rows)
        if batch is None:
            count = write_batch(self._spark, self.entry, rows, folder=self._folder)
        elif is_repeated(batch.sent, self._noted.last, self.label) and batch.content is not None:
            # The target may have forgotten it. Spark needs the state after the batch.
            count = computed_count(rows)
        else:
            count = write_batch(
                self._spark,
                self.entry,
                rows,
                batch.number,
                self.sender,
                content=batch.content,
                bound=lambda: self._further(batch),
                folder=self._folder,
                key=self.key,
            )
            if count:
                self._noted.add(batch.sent)
        # A target need not record a batch without rows.
        return Written(count, count, is_recorded=count > 0)

    @property
    def _folder(self) -> Path:
        from rowtime.sources.foreign import adapter_folder

        return adapter_folder(self._store, self.entry)

    @property
    def _noted(self) -> WrittenBatches:
        """What the warehouse itself knows of the target, which it keeps apart from the checkpoint: for targets that do
        not know their last batch, or may forget it."""
        home = self._folder / _NOTED
        if not home.is_dir():
            with contextlib.suppress(FileNotFoundError):
                # Not the warehouse, which may have been deleted.
                self._folder.parent.mkdir(exist_ok=True)
                self._folder.mkdir(exist_ok=True)
        return WrittenBatches(home / (self.sender or "").replace(":", "-"), self.identity)

    def _further(self, batch: Batch) -> int | None:
        """Returns the bound after a batch, if it is beyond that of earlier ones."""
        bound = batch.bound()
        if bound is None or (self._reached is not None and bound <= self._reached):
            return None
        self._reached = bound
        return bound
