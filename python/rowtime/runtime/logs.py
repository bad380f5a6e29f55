"""The open logs of a session: one object per stream, for all its threads."""

from __future__ import annotations

import threading
from collections.abc import Callable, Collection
from pathlib import Path

from rowtime.catalog.changes import Entry
from rowtime.catalog.store import Store
from rowtime.streams.log import StreamLog


class Logs:
    """Returns the log of a stream, or of a table with an order."""

    def __init__(self, store: Store, on_commit: Callable[[Path], None] = lambda folder: None) -> None:
        """`on_commit` gets the folder of a log that has a new commit."""
        self._store = store
        self._on_commit = on_commit
        self._guard = threading.Lock()
        self._open: dict[str, StreamLog] = {}

    def __call__(self, entry: Entry) -> StreamLog:
        """Returns the same object as long as the definition stays the same."""
        with self._guard:
            found = self._open.get(entry.id)
            if found is None or found.entry.since != entry.since:
                found = self._open[entry.id] = StreamLog(self._store, entry, self)
                found.on_commit = self._on_commit
            return found

    def open_logs(self) -> list[StreamLog]:
        with self._guard:
            return list(self._open.values())

    def forget(self, id: str) -> None:
        """Forgets a dropped object."""
        with self._guard:
            self._open.pop(id, None)

    def keep(self, ids: Collection[str]) -> None:
        """Forgets all other objects."""
        with self._guard:
            self._open = {id: log for id, log in self._open.items() if id in ids}
