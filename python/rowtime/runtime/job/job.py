"""A streaming job: a plan that Spark runs from a checkpoint, between its starts and its ends."""

from __future__ import annotations

import contextlib
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

from rowtime.errors import RowtimeError
from rowtime.plan.nodes import Node
from rowtime.runtime.checkpoint.start_offsets import StartOffsets
from rowtime.runtime.job.feed import RowFeed, TargetFeed
from rowtime.runtime.job.realtime_feed import RealTimeFeed
from rowtime.runtime.launch.batch_writers import BatchWriter
from rowtime.runtime.launch.launcher import Launcher
from rowtime.runtime.launch.progress import InputStatus
from rowtime.streams.start import Start
from rowtime.translate import Translated

if TYPE_CHECKING:
    from pyspark.sql.streaming.query import StreamingQuery as SparkQuery


class Job:
    """The Spark query of a streaming query, an INSERT … SELECT STREAM or a pump. Not thread-safe.

    `id` names its late rows and invalid records; its checkpoint is in `folder`. `as_error` returns the error for what
    has ended it. `feed` gets its micro-batches, unless Spark writes them itself.
    """

    def __init__(
        self,
        launcher: Launcher,
        plan: Node,
        id: str,
        folder: Path,
        as_error: Callable[[BaseException], RowtimeError],
    ) -> None:
        self.plan = plan
        self.id = id
        self.folder = folder
        self.launcher = launcher
        self.bound = launcher.bound(plan, folder)
        self.feed: RowFeed | TargetFeed | RealTimeFeed | None = None
        self.running: SparkQuery | None = None
        """Spark's query, from the first start on; it may have ended."""
        self.was_ended = True
        """Whether `end` was called after the last start."""
        self._as_error = as_error
        self._failed = False

    def launch(
        self,
        partitions: int,
        offsets: StartOffsets,
        start: Start,
        write: Callable[[Translated], BatchWriter],
        *,
        realtime: bool = False,
    ) -> None:
        """Starts Spark's query, or starts it again from its checkpoint; for the arguments see `Launcher.launch`. Raises
        RowtimeError."""
        self.running = self.launcher.launch(
            self.plan, self.id, self.folder, partitions, offsets, write, start, self.bound, realtime=realtime
        )
        self.was_ended = False

    @property
    def is_active(self) -> bool:
        """Whether Spark runs the query."""
        return self.running is not None and bool(self.running.isActive)

    def fault(self) -> RowtimeError | None:
        """Returns the error that has ended Spark's query, or None. A micro-batch that runs during `end` fails; that is
        no failure of the job."""
        if self.feed is not None and self.feed.failure is not None:
            return self._as_error(self.feed.failure)
        if self.running is None or (self.was_ended and not self._failed):
            return None
        fault = self.running.exception()
        return None if fault is None else self._as_error(fault)

    def end(self) -> None:
        """Ends Spark's query between two micro-batches, and frees what is kept for it. The checkpoint stays."""
        if self.feed is not None:
            self.feed.close()
        if self.running is not None and not self.was_ended:
            self._failed = False
            with contextlib.suppress(Exception):
                self._failed = self.running.exception() is not None
                self.running.stop()
            self.was_ended = True
        self.release()

    def forget(self) -> None:
        """Forgets Spark's query, which was ended: its plans take memory."""
        self.running = None

    def release(self) -> None:
        """Frees what is kept for Spark's query, which has ended."""
        self.launcher.release(self.folder)

    def input_status(self) -> InputStatus:
        """Returns its late rows and invalid records."""
        return self.launcher.input_status(self.plan, self.id, self.folder)

    def compact(self) -> None:
        """Limits the space of rows that it has set aside."""
        self.launcher.compact(self.plan, self.id, self.folder)
