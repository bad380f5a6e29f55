"""The leases of a streaming query on its logs: they keep the rows that it has not read yet, for a limited time."""

from __future__ import annotations

import time
from pathlib import Path

from rowtime.catalog.changes import Entry
from rowtime.plan.nodes import Node
from rowtime.plan.operators import needs_watermark
from rowtime.runtime.checkpoint.start_offsets import (
    StartOffsets,
    append_marks,
    begins_after_nothing,
    earliest_offsets,
    existing_offsets,
    log_entries,
    read_offsets,
    read_whole,
)
from rowtime.runtime.launch.folders import QueryFolder
from rowtime.runtime.launch.launcher import Launcher

LEASE_SECONDS = 60
"""Seconds for which rows are kept for a query after its process has died."""


def restart_offsets(launcher: Launcher, plan: Node, sources: dict[str, Entry], folder: Path) -> StartOffsets:
    """Returns the offsets at which a query that has run in `folder` before continues; empty if it has completed no
    micro-batch.

    Spark continues from its checkpoint in any case, but these versions must exist. Raises RowtimeError RT0605 if the
    query has read commits that a log has lost.
    """
    read = read_offsets(sources, launcher.log, folder)
    for name, version in read.items():
        launcher.log(sources[name]).check_read(version)
    if read and needs_watermark(plan):
        # Spark does not store the bounds of the sources; a mark in each log that the query has not read gives it the
        # bound again.
        launcher.mark(plan, read)
    return existing_offsets(read, sources, launcher.log)


class QueryLeases:
    """The offsets of one query in its logs. Rows that it has not read yet are kept for it, but not much longer than its
    process lives."""

    def __init__(self, launcher: Launcher, plan: Node, folder: QueryFolder, *, from_earliest: bool) -> None:
        self._launcher = launcher
        self._plan = plan
        self._sources = log_entries(plan, launcher.store)
        self._whole = read_whole(plan)
        self._folder = folder
        self._reader = f"query:{folder.name}"
        if from_earliest:
            self.offsets = earliest_offsets(self._sources, launcher.log, self._reader, LEASE_SECONDS)
        else:
            self.offsets = append_marks(self._sources, launcher.log, self._reader, LEASE_SECONDS, self._whole)
        self.begins = begins_after_nothing(self.offsets, self._sources, launcher.log)
        """The offsets at which it begins to read."""
        self._renewed = dict.fromkeys(self.offsets, time.monotonic())

    def restart_offsets(self) -> StartOffsets:
        """Returns the offsets at which it begins after a restart."""
        return self.begins | restart_offsets(self._launcher, self._plan, self._sources, self._folder.path)

    def renew(self) -> None:
        """Renews the leases: when the query has read further, and otherwise at intervals."""
        now = time.monotonic()
        read = read_offsets(self._sources, self._launcher.log, self._folder.path)
        for name, version in (self.offsets | read).items():
            if version != self.offsets[name] or now - self._renewed[name] > LEASE_SECONDS / 6:
                kept = None if name in self._whole and name not in read else version
                self._launcher.log(self._sources[name]).lease(self._reader, kept, LEASE_SECONDS)
                self.offsets = self.offsets | {name: version}
                self._renewed[name] = now

    def release(self) -> None:
        for entry in self._sources.values():
            self._launcher.log(entry).release(self._reader)
