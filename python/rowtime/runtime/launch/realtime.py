"""Starts queries in Spark's real-time mode: a task reads a partition for as long as a batch lasts, and each row goes on
as soon as it comes. Spark records the position when the batch has ended."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from rowtime.jvm.py4j import java_class
from rowtime.runtime.checkpoint.offsets import OffsetLog

if TYPE_CHECKING:
    from pyspark.sql import SparkSession
    from pyspark.sql.streaming.query import StreamingQuery as SparkQuery

    from rowtime.foreign.connectors import RealTimeRows

_BATCHES = "io.rowtime.kafka.RealTimeBatches"
_PATIENCE = 5.0
"""Seconds to the end of a batch, whose tasks notice in a tenth of a second. Those in other processes do not."""
_LISTENING = 1.0
"""Seconds without a row after which a batch counts as one that has found all rows."""


@dataclass(frozen=True, slots=True)
class RealTimeWriter:
    """Starts a query whose rows go to a sink one by one; its position is recorded once in `commit_millis`."""

    rows: RealTimeRows
    commit_millis: int

    def start(self, checkpoint: Path, logs: Sequence[Path]) -> SparkQuery:
        from pyspark.sql.streaming.query import StreamingQuery

        writer = self.rows.df.writeStream.format(self.rows.format).options(**self.rows.options)
        writer = writer.option("checkpointLocation", str(checkpoint)).outputMode("update")
        query = writer.trigger(realTime=f"{self.commit_millis} milliseconds").start()  # type: ignore[call-overload]
        batches = Batches(self.rows.df.sparkSession, checkpoint)

        class RealTimeQuery(StreamingQuery):
            def processAllAvailable(self) -> None:
                # Spark's own waits for a query that has nothing to do, which this one never is.
                batches.settle(lambda: self.isActive)
                fault = self.exception()
                if fault is not None:
                    raise fault

            def stop(self) -> None:
                batches.finish()
                super().stop()

        return RealTimeQuery(query._jsq)


class Batches:
    """The batches of a query in real-time mode, whose only source is the first in its `checkpoint`."""

    def __init__(self, spark: SparkSession, checkpoint: Path) -> None:
        self._java = java_class(spark, _BATCHES)
        self._source = str(checkpoint / "sources" / "0")
        self._offsets = OffsetLog(checkpoint)

    def finish(self) -> None:
        """Ends the batch that runs, and lets none begin, so that no row is written again later. If that takes too long,
        the rows since the last one are."""
        self._java.finish(self._source, int(_PATIENCE * 1000))

    def settle(self, is_active: Callable[[], bool]) -> None:
        """Waits until all rows that have arrived are written: until a batch has ended without one."""
        before = self._offsets.latest_completed()
        while is_active():
            time.sleep(_LISTENING)
            self._java.next(self._source)
            while is_active():
                found = self._offsets.latest_completed()
                if found is not None and (before is None or found.batch > before.batch):
                    break
                time.sleep(0.02)
            if before is not None and found is not None and found.topics == before.topics:
                return
            before = found
