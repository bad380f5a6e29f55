"""Admits rows to a log or rejects them: the late record filter, and the counters."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field

import numpy as np

from rowtime.streams.late_filter import LateRecordFilter
from rowtime.streams.pending import Mask, Rows
from rowtime.streams.working_state import AttachedProducer, WorkingState
from rowtime.streams.writes import LATE, NOT_MONOTONIC, RejectedRows


@dataclass(slots=True)
class AppliedStep:
    """The result of a step: `taken` of its rows were not rejected. It has rejected the rows `refused`, whose number is
    `rejections`. `repeated`: its batch had been written before. Then the counts are those of that time, and no row is
    refused again."""

    taken: int = 0
    rejections: int = 0
    refused: list[RejectedRows] = field(default_factory=list)
    repeated: bool = False


class RowAdmission:
    """Admits the rows of one step to the working state. `sources` are the attached producers by attachment."""

    def __init__(self, working: WorkingState, sources: dict[int, AttachedProducer], applied: AppliedStep) -> None:
        self._working = working
        self._sources = sources
        self._applied = applied
        self._late_filter = LateRecordFilter(working.rules, working.clocks, working.last)

    def enter(self, rows: Rows) -> int | None:
        """Filters late rows, and lets the others enter. Returns the greatest ROWTIME (ms) of those."""
        working, rules = self._working, self._working.rules
        if rules.lateness or rules.monotonic:
            timely, ordered = self._late_filter.check(rows.table)
            if not ordered.all():
                self._reject(rows.take(~ordered), np.where(timely, NOT_MONOTONIC, LATE)[~ordered].tolist())
            rows = rows.take(ordered)
        if not len(rows):
            return None
        if working.first is None and rules.rowtime is not None:
            working.first = int(rows.rowtime[0])
        working.entered += len(rows)
        working.entering.append(rows.table)
        return int(rows.rowtime.max())

    def without_late(self, rows: Rows, good: Mask) -> Rows:
        """Rejects the rows that are not `good`, as late. Returns the others."""
        if not good.all():
            late = rows.take(~good)
            self._reject(late, [LATE] * len(late))
        return rows.take(good)

    def _reject(self, rows: Rows, reasons: list[str]) -> None:
        self._applied.taken -= int(rows.own.sum())
        self._applied.rejections += len(rows)
        self._applied.refused.append(RejectedRows(rows.table, reasons, rows.producers()))
        counters = self._working.rejected
        for reason, count in Counter(reasons).items():
            counters[reason] = counters.get(reason, 0) + count
        for id, count in zip(*np.unique(rows.attachment, return_counts=True), strict=True):
            source, name = self._sources.get(int(id)), rows.names.get(int(id))
            if source is not None:
                source.rejected += int(count)
            elif name is not None:
                self._working.count_departed(name, int(count))

    def close(self) -> None:
        """Ends the step."""
        self._late_filter.close()
        self._working.pending.settle()
