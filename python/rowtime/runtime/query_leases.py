"""What a streaming query reads of the logs: from where, up to where, and for how long that is kept for it."""

from __future__ import annotations

import time
from pathlib import Path

from rowtime.catalog.changes import Entry
from rowtime.plan.nodes import Node
from rowtime.runtime.folders import QueryFolder
from rowtime.runtime.launch import Launcher
from rowtime.runtime.start_offsets import StartOffsets, earliest, existing, logged, marked, reached, read_whole

LEASE_SECONDS = 60
"""How long rows are kept for a query of a process that has died."""


def resumed(launcher: Launcher, plan: Node, sources: dict[str, Entry], folder: Path) -> StartOffsets:
    """Where a query goes on that has run in `folder` before; empty where no micro-batch of it is done.

    Spark goes on from its checkpoint whatever is said here; but what is said must exist.
    """
    read = reached(sources, launcher.log, folder)
    if read and launcher.waits(plan):
        # Spark forgets the bounds of the single sources; a mark in each tells it again.
        launcher.mark(plan)
    return existing(read, sources, launcher.log)


class QueryLeases:
    """The places of one query in its logs, up to now. Rows that it has yet to read are kept for it, but not much longer
    than its process lives."""

    def __init__(self, launcher: Launcher, plan: Node, folder: QueryFolder, *, from_earliest: bool) -> None:
        self._launcher = launcher
        self._plan = plan
        self._sources = logged(plan, launcher.store)
        self._whole = read_whole(plan)
        self._folder = folder
        self._reader = f"query:{folder.name}"
        if from_earliest:
            self.places = earliest(self._sources, launcher.log, self._reader, LEASE_SECONDS)
        else:
            self.places = marked(self._sources, launcher.log, self._reader, LEASE_SECONDS, self._whole)
        self._renewed = dict.fromkeys(self.places, time.monotonic())

    def again(self) -> StartOffsets:
        """Where it begins after a restart."""
        return self.places | resumed(self._launcher, self._plan, self._sources, self._folder.path)

    def renew(self) -> None:
        """Tells the logs up to where the query has read them; or from time to time, that it still does."""
        now = time.monotonic()
        read = reached(self._sources, self._launcher.log, self._folder.path)
        for name, version in (self.places | read).items():
            if version != self.places[name] or now - self._renewed[name] > LEASE_SECONDS / 6:
                kept = None if name in self._whole and name not in read else version
                self._launcher.log(self._sources[name]).lease(self._reader, kept, LEASE_SECONDS)
                self.places = self.places | {name: version}
                self._renewed[name] = now

    def release(self) -> None:
        for entry in self._sources.values():
            self._launcher.log(entry).release(self._reader)
