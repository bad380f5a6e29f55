"""The waiting room of WATERMARK columns: when rows may leave it, and in which order."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

import numpy as np

from rowtime.streams.draft import AttachedProducer, Draft
from rowtime.streams.orders import largest, later
from rowtime.streams.pending import Mask, Rows, Waiting, join
from rowtime.streams.rules import ROWTIME


def wait(draft: Draft, rows: Rows) -> None:
    """Takes rows into the room; their values move the columns' clocks."""
    if not len(rows):
        return
    keys = tuple(mark.order.keys(rows.table[mark.order.name]) for mark in draft.rules.watermarks)
    for mark, (values, known) in zip(draft.rules.watermarks, keys, strict=True):
        reached = later(draft.watermarks.get(mark.order.name), largest(values, known))
        if reached is not None:
            draft.watermarks[mark.order.name] = reached
    draft.pending.waiting.append(Waiting(rows, keys, np.arange(len(rows))))


def release(draft: Draft, sources: Mapping[int, AttachedProducer]) -> Rows | None:
    """Takes out the rows whose columns' clocks have gone far enough, or whose producer has promised that nothing
    earlier comes, in order of (first WATERMARK column, arrival). `sources` are the attached producers by attachment."""
    parts, orders, rest = [], [], []
    for chunk in draft.pending.waiting:
        free = ready(draft, chunk, sources)
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
    draft.pending.waiting = rest
    rows = join(parts)
    keys, known = (np.concatenate(values) for values in zip(*orders, strict=True))
    # NULL waits for nothing of that column, so it comes first.
    by_arrival = np.argsort(rows.arrival, kind="stable")
    missing = by_arrival[~known[by_arrival]]
    present = by_arrival[known[by_arrival]]
    present = present[np.argsort(keys[present], kind="stable")]
    rows = rows.take(np.concatenate((missing, present)))
    # As if they had just arrived.
    rows = replace(rows, arrival=np.arange(draft.arrivals, draft.arrivals + len(rows), dtype=np.int64))
    draft.arrivals += len(rows)
    return rows


def ready(draft: Draft, chunk: Waiting, sources: Mapping[int, AttachedProducer]) -> Mask:
    """Which of a chunk's waiting rows may leave."""
    free = np.ones(len(chunk.left), bool)
    for mark, (keys, known) in zip(draft.rules.watermarks, chunk.keys, strict=True):
        clock = draft.watermarks.get(mark.order.name)
        met = ~known[chunk.left]
        if clock is not None:
            met |= np.asarray(keys[chunk.left] <= clock - mark.value, dtype=bool)
        if mark.order.column.name == ROWTIME and draft.rules.rowtime is not None:
            met |= _promised(draft, chunk, sources)
        free &= met
    return free


def _promised(draft: Draft, chunk: Waiting, sources: Mapping[int, AttachedProducer]) -> Mask:
    """Rows that nothing earlier can follow: their producer has said so, or it has left and anyone has."""
    rowtime = chunk.rows.rowtime[chunk.left]
    attachment = chunk.rows.attachment[chunk.left]
    found = np.zeros(len(rowtime), bool)
    alone = np.ones(len(rowtime), bool)
    for id, source in sources.items():
        own = attachment == id
        alone &= ~own
        if source.promised is not None:
            found |= own & (rowtime <= source.promised)
    if draft.promised is not None:
        found |= alone & (rowtime <= draft.promised)
    return found


def earliest(draft: Draft) -> dict[int, int]:
    """The earliest ROWTIME (ms) that waits, by attachment; of attached producers only."""
    found: dict[int, int] = {}
    for chunk in draft.pending.waiting if draft.producers else ():
        rowtime, attachment = chunk.rows.rowtime[chunk.left], chunk.rows.attachment[chunk.left]
        for id in np.unique(attachment):
            least = int(rowtime[attachment == id].min())
            found[int(id)] = min(least, found.get(int(id), least))
    return found
