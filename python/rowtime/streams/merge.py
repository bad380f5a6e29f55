"""Merges a stream's producers by ROWTIME: which rows wait for which producer, and the stream's bound."""

from __future__ import annotations

import numpy as np

from rowtime.streams import watermark_buffer
from rowtime.streams.pending import ANONYMOUS, HeldChunk, Mask, Rows, join
from rowtime.streams.row_admission import RowAdmission
from rowtime.streams.working_state import AttachedProducer, WorkingState
from rowtime.types.orders import later
from rowtime.types.times import LEAST


def merge(
    working: WorkingState, sources: dict[int, AttachedProducer], admission: RowAdmission, fresh: Rows | None = None
) -> None:
    """Lets rows enter up to the least bound of the attached producers, and moves the stream's bound there. `fresh` are
    rows that have just arrived. If no producer is attached, everything enters."""
    allowed_lateness = working.rules.allowed_lateness
    least = _least(working, sources)
    held = None
    if not sources:
        held = working.pending.enter(None)
    elif least is not None:
        held = working.pending.enter(least + allowed_lateness)
    if sources and fresh is not None and len(fresh):
        mask: Mask = np.zeros(len(fresh), bool) if least is None else fresh.rowtime <= least + allowed_lateness
        if not mask.all():
            working.pending.holding.append(HeldChunk(fresh.take(~mask).sorted()))
        fresh = fresh.take(mask)
    parts = [part for part in (held, fresh) if part is not None and len(part)]
    greatest = None
    if parts:
        rows = join(parts)
        # A LATENESS of ROWTIME allows disorder: rows that are not held enter in order of arrival.
        greatest = admission.enter(rows if working.rules.disorder is not None else rows.sorted())
    if not sources and greatest is not None:
        working.bound = later(working.bound, max(greatest - allowed_lateness, LEAST))
    if least is not None and working.entered:
        working.bound = later(working.bound, least)


def _least(working: WorkingState, sources: dict[int, AttachedProducer]) -> int | None:
    """Returns the least bound of the attached producers; None if one has no bound, or there are no producers."""
    waiting = watermark_buffer.earliest_rowtimes(working) if working.rules.watermarks else {}
    found = []
    for source in sources.values():
        bound = bound_of(working, source, waiting)
        if bound is None:
            return None
        found.append(bound)
    return min(found, default=None)


def bound_of(working: WorkingState, source: AttachedProducer, waiting: dict[int, int]) -> int | None:
    """Returns a producer's bound in the merge: its explicit bound does not count beyond the earliest of its waiting
    rows (`waiting`, by attachment). A producer that detaches in its step waits for nothing."""
    bound = source.bound(working.rules.allowed_lateness)
    if bound is None or source.id == ANONYMOUS:
        return bound
    return min(bound, waiting.get(source.id, bound))
