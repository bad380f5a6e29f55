"""A foreign stream or table that takes the rows of a pump one by one, in real time: each at least once."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from rowtime.catalog.changes import Entry
from rowtime.delta.batches import LastBatch
from rowtime.runtime.launch.realtime import RealTimeWriter
from rowtime.runtime.target.targets import ForeignTarget
from rowtime.sparksql.result import OrderKey, Translated

if TYPE_CHECKING:
    from pyspark.sql import DataFrame

    from rowtime.runtime.launch.launcher import Launcher


class RealTimeTarget(ForeignTarget):
    """Its connector writes each row as soon as it comes, and knows nothing of batches. The position of the query is
    recorded once in `commit_millis`; rows that were written since then are written again after a failure."""

    def __init__(
        self, launcher: Launcher, entry: Entry, names: Sequence[str], sender: str | None, commit_millis: int
    ) -> None:
        super().__init__(launcher, entry, names, sender)
        self._commit_millis = commit_millis

    def frame(self, result: Translated, keys: Sequence[OrderKey], extra: Mapping[str, str]) -> DataFrame:
        # Rows go on in the order in which they come.
        return super().frame(result, [], extra)

    def realtime_writer(self, frame: DataFrame) -> RealTimeWriter:
        """Returns what starts a query with the rows of `frame`."""
        from rowtime.foreign.targets import realtime_rows

        return RealTimeWriter(realtime_rows(self._spark, self.entry, frame), self._commit_millis)

    def last_batch(self) -> LastBatch:
        return LastBatch(is_known=False)
