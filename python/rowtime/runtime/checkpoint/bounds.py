"""The bound of a query's output: the time up to which its result is complete.

A query without state has emitted the results of all rows that it has read, so its bound is that of its source at the
offset up to which it has read. The bound of a query with state is the watermark by which its operators have released
rows. The plan's clock maps both. The bound of a micro-batch may only be announced after its rows.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from rowtime.catalog.changes import Entry
from rowtime.catalog.store import Store
from rowtime.plan.clock import ClockStep
from rowtime.plan.nodes import Node, Scan
from rowtime.plan.operators import stream_scans
from rowtime.runtime.checkpoint.offsets import OffsetLog, Offsets
from rowtime.sources.foreign import Foreign
from rowtime.streams.log import StreamLog


class OutputBound:
    """The bound of one query. `folder` is the query's folder; Spark's checkpoint is in its sub-folder `spark`.
    `forward` maps a bound of the sources by a clock. `by_watermark`: its rows wait for the watermark of a micro-batch,
    not for what its sources have then. `announced` is called with each bound that is returned (ms), and the micro-batch
    before it."""

    def __init__(
        self,
        plan: Node,
        folder: Path,
        store: Store,
        log: Callable[[Entry], StreamLog],
        foreign: Foreign,
        forward: Callable[[list[ClockStep], int], int],
        *,
        by_watermark: bool,
        announced: Callable[[int, int], None] | None = None,
    ) -> None:
        self._plan = plan
        self._folder = folder
        self._store = store
        self._log = log
        self._foreign = foreign
        self._map = forward
        self._by_watermark = by_watermark
        self._announced = announced
        self._offsets = OffsetLog(folder / "spark")
        self.has_rowtime = True
        """Whether rows of the query have a ROWTIME; otherwise the bound has no meaning."""

    def after(self, batch: int) -> int | None:
        """Returns the bound (ms) after the rows of that micro-batch; None if there is none yet."""
        offsets = self._offsets.batch(batch)
        return None if offsets is None else self._forward(offsets)

    def now(self) -> int | None:
        """Returns the bound (ms) after the last completed micro-batch."""
        offsets = self._offsets.latest_completed()
        return None if offsets is None else self._forward(offsets)

    def _forward(self, offsets: Offsets) -> int | None:
        clock = self._plan.clock
        if not self.has_rowtime or clock is None:
            return None
        source = offsets.watermark if self._by_watermark else self._of_sources(offsets)
        if source is None:
            return None
        bound = self._map(clock, source)
        if self._announced is not None:
            self._announced(offsets.batch, bound)
        return bound

    def _of_sources(self, offsets: Offsets) -> int | None:
        found = [self._of_source(scan, offsets) for scan in stream_scans(self._plan)]
        known = [bound for bound in found if bound is not None]
        return min(known) if known and len(known) == len(found) else None

    def _of_source(self, scan: Scan, offsets: Offsets) -> int | None:
        """Returns the bound of the source by the clock of the query."""
        entry = self._store.get(scan.source)
        if entry is None or scan.mode == "changes":
            return None
        if entry.kind.startswith("FOREIGN"):
            known = self._foreign.bound(self._folder, scan, offsets.batch)
            return None if known is None else known - scan.ahead
        log = self._log(entry)
        version = offsets.versions.get(log.table_id)
        if version is None or version == 0 or scan.bound is None:
            return None
        bound = log.bounds(version - 1).get(scan.bound)
        return None if bound is None else bound - scan.ahead
