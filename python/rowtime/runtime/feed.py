"""What `foreachBatch` calls for a query whose rows go into a target: an INSERT … SELECT STREAM, or a pump."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from typing import TYPE_CHECKING

from rowtime.runtime.bounds import OutputBound
from rowtime.runtime.targets import Batch, Target, Written

if TYPE_CHECKING:
    from pyspark.sql import DataFrame

GENERATION = 1 << 40
"""START RESET of a pump restarts the numbers of micro-batches at 0, but not the numbers that targets see."""


class TargetFeed:
    """Writes each micro-batch into the target, with the bound of the query after it.

    `on_written` gets what was written; `check` raises where a batch must not run. After `close` nothing is written any
    more: Spark's query may be stopped in the middle of a batch, whose call here goes on regardless."""

    def __init__(
        self,
        target: Target,
        bound: OutputBound | None,
        generation: int,
        on_written: Callable[[Written], None],
        check: Callable[[], None],
    ) -> None:
        self.failure: BaseException | None = None
        self.count = 0
        self.rejected = 0
        self.batches = 0
        self.last = time.monotonic()
        self._target = target
        self._bound = bound
        self._first = generation * GENERATION
        self._on_written = on_written
        self._check = check
        self._guard = threading.Lock()
        self._closed = False

    def __call__(self, rows: DataFrame, number: int) -> None:
        with self._guard:
            if self._closed:
                raise InterruptedError("the query is being stopped")
            try:
                self._check()
                written = self._target.write(rows, Batch(self._first + number, lambda: self._after(number)))
            except BaseException as fault:
                # py4j would carry only the text of it.
                self.failure = fault
                raise
            self.count += written.taken
            self.rejected += written.rejections
            self.batches += 1
            self.last = time.monotonic()
        if written.rejections:
            self._on_written(written)

    def _after(self, number: int) -> int | None:
        return None if self._bound is None else self._bound.after(number)

    def close(self) -> None:
        """Waits for a batch that is being written, and lets none begin."""
        with self._guard:
            self._closed = True
