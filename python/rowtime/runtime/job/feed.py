"""The functions that take micro-batches: for a query whose rows go to a sink, and for one whose rows go into a target
(an INSERT … SELECT STREAM, or a pump)."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from rowtime.delta.batches import GENERATION, RowCounts, SentBatch, WrittenBatches
from rowtime.display.values import Row
from rowtime.runtime.checkpoint.bounds import OutputBound
from rowtime.runtime.checkpoint.checkpoints import damaged_checkpoint
from rowtime.runtime.faults import query_fault
from rowtime.runtime.launch.batch_writers import PickledRows
from rowtime.runtime.launch.output import RowSortKey, merge_pieces, sort_rows
from rowtime.runtime.sinks import GradualSink, RowSink
from rowtime.runtime.target.targets import Batch, Target, Written
from rowtime.runtime.target.written import WRITTEN, content_of
from rowtime.storage.smallfiles import write_whole

if TYPE_CHECKING:
    import pyarrow as pa
    from pyspark.sql import DataFrame


LARGE_BATCH = 8 << 20
"""The size of a batch, in bytes, above which a sink that can takes its rows gradually."""


class EmittedBatches:
    """Records, next to the checkpoint, the last batch that a sink received. After a restart, Spark runs a batch again
    if it had not recorded its commit."""

    def __init__(self, checkpoint: Path) -> None:
        self._file = checkpoint / "emitted"
        self._last = -1
        try:
            self._last = int(self._file.read_text())
        except FileNotFoundError:
            pass
        except ValueError as fault:
            raise damaged_checkpoint("The query", self._file, "is truncated or damaged") from fault

    @property
    def last(self) -> int | None:
        """The last batch; None before the first one."""
        return self._last if self._last >= 0 else None

    def has(self, batch: int) -> bool:
        return batch <= self._last

    def add(self, batch: int) -> None:
        self._last = batch
        write_whole(self._file, str(batch).encode())


class RowFeed:
    """Passes the rows of each micro-batch to a sink, in order. `check` raises if a batch must not run."""

    def __init__(
        self,
        sink: RowSink,
        width: int,
        order: Sequence[RowSortKey],
        checkpoint: Path,
        check: Callable[[], None],
        count: int = 0,
    ) -> None:
        self.sink = sink
        self.count = count
        self._width = width
        self._order = order
        self._check = check
        self._emitted = EmittedBatches(checkpoint)
        self.failure: BaseException | None = None

    def check(self) -> None:
        """Raises if a batch must not run."""
        try:
            self._check()
        except BaseException as fault:
            # py4j would only pass on the text.
            self.failure = query_fault(fault, "The query")
            raise

    def __call__(self, rows: PickledRows, number: int) -> None:
        if self._emitted.has(number):
            # It was delivered before a crash; Spark needed its state.
            return
        what, before = "The query", self.count
        try:
            if rows.size > LARGE_BATCH and isinstance(self.sink, GradualSink):
                self.sink.write_gradually(self._ordered(rows), number)
            else:
                # Python may not have the value, such as a time after the year 9999.
                made = list(rows)
                what = "The query's sink"
                self._write(made)
        except BaseException as fault:
            self.count = before
            self.failure = query_fault(fault, what)
            raise
        self._emitted.add(number)

    def _write(self, rows: list[Row]) -> None:
        if rows:
            if self._order:
                rows = sort_rows(rows, self._order)
            if len(rows[0]) > self._width:
                rows = [row[: self._width] for row in rows]
            self.sink.write(rows)
            self.count += len(rows)

    def _ordered(self, rows: PickledRows) -> Iterator[Row]:
        for row in merge_pieces(list(rows.pieces()), rows.rows, self._order):
            yield row[: self._width]
            self.count += 1

    def close(self) -> None:
        """Waits for a write of the sink that has begun, and allows no other."""


class TargetFeed:
    """Writes each micro-batch into the target, with the bound of the query after it.

    `folder` is that of the query, `on_written` gets the result of each write; `check` raises if a batch must not run.
    It is called again before rows are written: on one machine, nobody calls it before. After `close` nothing is written
    any more: if Spark's query is stopped in the middle of a batch, the call of this function continues regardless."""

    def __init__(
        self,
        target: Target,
        folder: Path,
        bound: OutputBound | None,
        generation: int,
        on_written: Callable[[Written], None],
        check: Callable[[], None],
    ) -> None:
        self.failure: BaseException | None = None
        self.batches = 0
        self.last = time.monotonic()
        self._target = target
        self._checkpoint = folder / "spark"
        self._written = WrittenBatches(folder / WRITTEN, target.identity)
        # The counts continue those of earlier processes. One that was killed may have written the next batch, and not
        # counted its rows: they count when Spark repeats it.
        self.count, self.rejected = self._written.rows
        self._counted = self._written.last
        self._bound = bound
        self._first = generation * GENERATION
        self._on_written = on_written
        self._check = check
        self._guard = threading.Lock()
        self._closed = False

    def check(self) -> None:
        """Raises if a batch must not run."""
        try:
            self._check()
        except BaseException as fault:
            # py4j would only pass on the text.
            self.failure = fault
            raise

    def __call__(self, rows: DataFrame | pa.Table, number: int) -> None:
        with self._guard:
            if self._closed:
                raise InterruptedError("the query is being stopped")
            try:
                self._check()
                sent = SentBatch(number, content_of(self._checkpoint, number))
                batch = Batch(self._first + number, lambda: self._after(number), sent.content)
                written = self._target.write(rows, batch)
                if written.is_recorded and sent != self._counted:
                    counts = RowCounts(self.count + written.taken, self.rejected + written.rejections)
                    self._written.add(sent, counts)
                    self._counted = sent
                    self.count, self.rejected = counts
            except BaseException as fault:
                self.failure = fault
                raise
            self.batches += 1
            self.last = time.monotonic()
        if written.has_refused:
            self._on_written(written)

    def _after(self, number: int) -> int | None:
        return None if self._bound is None else self._bound.after(number)

    def close(self) -> None:
        """Waits for a batch that is being written, and allows no other."""
        with self._guard:
            self._closed = True
