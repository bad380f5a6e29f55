"""The buffer of rows that wait for WATERMARK columns: when they leave it, and in which order."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

import numpy as np

from rowtime.streams.pending import BufferedChunk, Mask, Rows, join
from rowtime.streams.rules import ROWTIME
from rowtime.streams.working_state import AttachedProducer, WorkingState
from rowtime.types.orders import largest, later


def add(working: WorkingState, rows: Rows) -> None:
    """Adds rows to the buffer. Their values advance the columns' clocks."""
    if not len(rows):
        return
    keys = tuple(mark.order.keys(rows.table[mark.order.name]) for mark in working.rules.watermarks)
    for mark, (values, known) in zip(working.rules.watermarks, keys, strict=True):
        reached = later(working.watermarks.get(mark.order.name), largest(values, known))
        if reached is not None:
            working.watermarks[mark.order.name] = reached
    working.pending.waiting.append(BufferedChunk(rows, keys, np.arange(len(rows))))


def release(working: WorkingState, sources: Mapping[int, AttachedProducer]) -> Rows | None:
    """Removes the rows whose columns' clocks have advanced far enough, or that are below a bound of their producer, in
    order of (first WATERMARK column, arrival). `sources` are the attached producers by attachment."""
    parts, orders, rest = [], [], []
    for chunk in working.pending.waiting:
        free = releasable(working, chunk, sources)
        if not free.any():
            rest.append(chunk)
            continue
        gone = chunk.left[free]
        parts.append(chunk.rows.take(gone))
        keys, known = chunk.keys[0]
        orders.append((keys[gone], known[gone]))
        if not free.all():
            rest.append(replace(chunk, left=chunk.left[~free]))
    if not parts:
        return None
    working.pending.waiting = rest
    rows = join(parts)
    keys, known = (np.concatenate(values) for values in zip(*orders, strict=True))
    # NULL waits for nothing in that column, so it comes first.
    by_arrival = np.argsort(rows.arrival, kind="stable")
    missing = by_arrival[~known[by_arrival]]
    present = by_arrival[known[by_arrival]]
    present = present[np.argsort(keys[present], kind="stable")]
    rows = rows.take(np.concatenate((missing, present)))
    # As if they had just arrived.
    rows = replace(rows, arrival=np.arange(working.arrivals, working.arrivals + len(rows), dtype=np.int64))
    working.arrivals += len(rows)
    return rows


def releasable(working: WorkingState, chunk: BufferedChunk, sources: Mapping[int, AttachedProducer]) -> Mask:
    """Returns which of a chunk's waiting rows can leave the buffer."""
    free = np.ones(len(chunk.left), bool)
    for mark, (keys, known) in zip(working.rules.watermarks, chunk.keys, strict=True):
        clock = working.watermarks.get(mark.order.name)
        met = ~known[chunk.left]
        if clock is not None:
            met |= np.asarray(keys[chunk.left] <= clock - mark.value, dtype=bool)
        if mark.order.column.name == ROWTIME and working.rules.rowtime is not None:
            met |= _below_explicit_bound(working, chunk, sources)
        free &= met
    return free


def _below_explicit_bound(working: WorkingState, chunk: BufferedChunk, sources: Mapping[int, AttachedProducer]) -> Mask:
    """Returns which rows are not above the explicit bound of their producer, or of any producer if theirs has
    detached."""
    rowtime = chunk.rows.rowtime[chunk.left]
    attachment = chunk.rows.attachment[chunk.left]
    found = np.zeros(len(rowtime), bool)
    alone = np.ones(len(rowtime), bool)
    for id, source in sources.items():
        own = attachment == id
        alone &= ~own
        if source.explicit_bound is not None:
            found |= own & (rowtime <= source.explicit_bound)
    if working.explicit_bound is not None:
        found |= alone & (rowtime <= working.explicit_bound)
    return found


def earliest_rowtimes(working: WorkingState) -> dict[int, int]:
    """Returns the earliest ROWTIME (ms) that waits, by attachment; only for attached producers."""
    found: dict[int, int] = {}
    for chunk in working.pending.waiting if working.producers else ():
        rowtime, attachment = chunk.rows.rowtime[chunk.left], chunk.rows.attachment[chunk.left]
        for id in np.unique(attachment):
            least = int(rowtime[attachment == id].min())
            found[int(id)] = min(least, found.get(int(id), least))
    return found
