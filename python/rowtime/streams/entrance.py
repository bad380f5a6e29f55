"""How rows enter a log, and how they are rejected: the last room, and the counters."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field

import numpy as np

from rowtime.streams.draft import AttachedProducer, Draft
from rowtime.streams.late_filter import LateRecordFilter
from rowtime.streams.pending import Mask, Rows
from rowtime.streams.writes import LATE, NOT_MONOTONIC, Refusal


@dataclass(slots=True)
class Admission:
    """`taken` of the step's rows were not rejected; `repeated`: the step was a batch that had been there before."""

    taken: int = 0
    refused: list[Refusal] = field(default_factory=list)
    repeated: bool = False


class Entrance:
    """Takes the rows of one step into the draft. `sources` are the attached producers by attachment."""

    def __init__(self, draft: Draft, sources: dict[int, AttachedProducer], verdict: Admission) -> None:
        self._draft = draft
        self._sources = sources
        self._verdict = verdict
        self._gate = LateRecordFilter(draft.rules, draft.clocks, draft.last)

    def enter(self, rows: Rows) -> int | None:
        """Rows pass the last room; the greatest ROWTIME (ms) of those that have entered."""
        draft, rules = self._draft, self._draft.rules
        if rules.lateness or rules.monotonic:
            timely, ordered = self._gate.judge(rows.table)
            if not ordered.all():
                self._refuse(rows.take(~ordered), np.where(timely, NOT_MONOTONIC, LATE)[~ordered].tolist())
            rows = rows.take(ordered)
        if not len(rows):
            return None
        if draft.first is None and rules.rowtime is not None:
            draft.first = int(rows.rowtime[0])
        draft.entered += len(rows)
        draft.out.append(rows.table)
        return int(rows.rowtime.max())

    def in_time(self, rows: Rows, good: Mask) -> Rows:
        """The rows without those that come too late, which are rejected."""
        if not good.all():
            late = rows.take(~good)
            self._refuse(late, [LATE] * len(late))
        return rows.take(good)

    def _refuse(self, rows: Rows, reasons: list[str]) -> None:
        self._verdict.taken -= int(rows.own.sum())
        self._verdict.refused.append(Refusal(rows.table, reasons, rows.producers()))
        counters = self._draft.rejected
        for reason, count in Counter(reasons).items():
            counters[reason] = counters.get(reason, 0) + count
        for id, count in zip(*np.unique(rows.attachment, return_counts=True), strict=True):
            source, name = self._sources.get(int(id)), rows.names.get(int(id))
            if source is not None:
                source.rejected += int(count)
            elif name is not None:
                self._draft.blame(name, int(count))

    def close(self) -> None:
        """The step is over."""
        self._gate.close()
        self._draft.pending.settle()
