"""Where a streaming query begins to read its streams.

A query that begins now appends a mark to each log that it reads, and begins there: it sees all that comes after the
mark, and the mark tells it the bound that the stream has. All scans of one stream begin at the same place; those whose
plan says so begin with all that the stream still holds.
"""

from __future__ import annotations

from collections.abc import Callable, Collection
from pathlib import Path

from rowtime.catalog.changes import Entry
from rowtime.catalog.store import Store
from rowtime.plan.nodes import Node
from rowtime.plan.operators import stream_scans
from rowtime.runtime.offsets import OffsetLog
from rowtime.streams.log import StreamLog
from rowtime.streams.rules import is_logged

StartOffsets = dict[str, int]
"""By the name of a stream or table with a log: the version from which it is read."""


def logged(plan: Node, store: Store) -> dict[str, Entry]:
    """The streams, and tables with an order, that a streaming plan reads."""
    found = {}
    for scan in stream_scans(plan):
        entry = store.get(scan.source)
        if entry is not None and is_logged(entry):
            found[entry.name] = entry
    return found


def read_whole(plan: Node) -> frozenset[str]:
    """The sources of which a streaming plan reads all that they still hold, wherever it begins."""
    return frozenset(scan.source for scan in stream_scans(plan) if scan.start == "EARLIEST")


def marked(
    entries: dict[str, Entry],
    log: Callable[[Entry], StreamLog],
    reader: str | None = None,
    seconds: float | None = None,
    whole: Collection[str] = (),
) -> StartOffsets:
    """Marks each log; where each mark is. What follows it is kept for the `reader`, if there is one, for so long; of
    the `whole` logs, all that they still hold."""
    places = {name: log(entry).mark(reader, seconds) for name, entry in entries.items()}
    if reader is not None:
        for name in set(whole) & set(entries):
            log(entries[name]).lease(reader, None, seconds)
    return places


def earliest(
    entries: dict[str, Entry], log: Callable[[Entry], StreamLog], reader: str, seconds: float | None
) -> StartOffsets:
    """The beginning of all that the logs still hold, which is kept for the `reader` for so long."""
    return {name: log(entry).lease(reader, None, seconds) for name, entry in entries.items()}


def reached(entries: dict[str, Entry], log: Callable[[Entry], StreamLog], folder: Path) -> StartOffsets:
    """Up to where the query in `folder` has read its logs whole, by the last micro-batch that is done."""
    offsets = OffsetLog(folder / "spark").done()
    if offsets is None:
        return {}
    found = {}
    for name, entry in entries.items():
        version = offsets.versions.get(log(entry).table_id)
        if version is not None:
            found[name] = version
    return found


def existing(places: StartOffsets, entries: dict[str, Entry], log: Callable[[Entry], StreamLog]) -> StartOffsets:
    """Offsets that Delta takes for a beginning: one that has read everything is past the newest version."""
    return {name: min(version, log(entries[name]).version()) for name, version in places.items()}
