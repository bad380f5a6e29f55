"""The offsets at which a streaming query begins to read its streams.

A query that begins now appends a mark to each log that it reads, and begins there: it sees all rows after the mark, and
the mark contains the bound of the stream. All scans of one stream begin at the same offset. If its plan says so, a scan
begins with the earliest row that the stream still has.
"""

from __future__ import annotations

from collections.abc import Callable, Collection
from pathlib import Path

from rowtime.catalog.changes import Entry
from rowtime.catalog.store import Store
from rowtime.plan.nodes import Node
from rowtime.plan.operators import stream_scans
from rowtime.runtime.checkpoint.offsets import OffsetLog
from rowtime.streams.log import StreamLog
from rowtime.streams.rules import is_logged

StartOffsets = dict[str, int]
"""The version from which each log is read, by the name of its stream or table."""


def log_entries(plan: Node, store: Store) -> dict[str, Entry]:
    """Returns the catalog entries of the logs that a streaming plan reads: streams, and tables with an order."""
    found = {}
    for scan in stream_scans(plan):
        entry = store.get(scan.source)
        if entry is not None and is_logged(entry):
            found[entry.name] = entry
    return found


def held_sources(plan: Node) -> list[str]:
    """Returns the foreign streams of a streaming plan whose rows wait for a watermark in the state of the query."""
    return sorted({scan.source for scan in stream_scans(plan) if scan.holds_rows})


def read_whole(plan: Node) -> frozenset[str]:
    """Returns the sources that a streaming plan reads from their earliest row, wherever the query begins."""
    return frozenset(scan.source for scan in stream_scans(plan) if scan.start == "EARLIEST")


def append_marks(
    entries: dict[str, Entry],
    log: Callable[[Entry], StreamLog],
    reader: str | None = None,
    seconds: float | None = None,
    whole: Collection[str] = (),
    least: StartOffsets | None = None,
) -> StartOffsets:
    """Marks the present in each log. Returns the version of the mark by stream name: that in `least`, or a later one.
    The rows after it are kept for the `reader`, if there is one, for `seconds` (None: indefinitely); in the logs in
    `whole`, all rows that still exist are."""
    least = least or {}
    offsets = {name: log(entry).mark(reader, seconds, least.get(name, 0)) for name, entry in entries.items()}
    if reader is not None:
        for name in set(whole) & set(entries):
            log(entries[name]).lease(reader, None, seconds)
    return offsets


def earliest_offsets(
    entries: dict[str, Entry], log: Callable[[Entry], StreamLog], reader: str, seconds: float | None
) -> StartOffsets:
    """Returns the offsets of the earliest rows that the logs still have. They are kept for the `reader` for
    `seconds`."""
    return {name: log(entry).lease(reader, None, seconds) for name, entry in entries.items()}


def begins_after_nothing(
    offsets: StartOffsets, entries: dict[str, Entry], log: Callable[[Entry], StreamLog]
) -> StartOffsets:
    """Returns the offsets at which a query begins that may start to read at `offsets`: after the commits that exist if
    none of them has a row or a bound. Its first micro-batch then has rows, instead of nothing.

    Pumps begin at the commits themselves: a takeover, a savepoint and KEEP POSITION go by what a pump has read, and a
    pump that has completed no micro-batch has read nothing.
    """

    def begin(log: StreamLog, offset: int) -> int:
        newest = log.version()
        return newest + 1 if offset <= newest and log.is_empty(newest) else offset

    return {name: begin(log(entries[name]), offset) for name, offset in offsets.items()}


def read_offsets(
    entries: dict[str, Entry], log: Callable[[Entry], StreamLog], folder: Path, written: int | None = None
) -> StartOffsets:
    """Returns the offsets up to which the query in `folder` has read its logs, by its last completed micro-batch, or by
    the batch that its target has (`written`), if that is later."""
    offsets = OffsetLog(folder / "spark").latest_completed(written)
    if offsets is None:
        return {}
    found = {}
    for name, entry in entries.items():
        version = offsets.versions.get(log(entry).table_id)
        if version is not None:
            found[name] = version
    return found


def existing_offsets(
    offsets: StartOffsets, entries: dict[str, Entry], log: Callable[[Entry], StreamLog]
) -> StartOffsets:
    """Returns the offsets, but not after the newest versions: Delta refuses to begin after them if a query has read
    everything."""
    return {name: min(version, log(entries[name]).version()) for name, version in offsets.items()}
