"""Deletes the data of dropped objects once nobody reads it any more, in a session that may run for months."""

from __future__ import annotations

import contextlib
from pathlib import Path

from rowtime.catalog.store import Store
from rowtime.catalog.unknown import remove_folder
from rowtime.locks import is_free
from rowtime.runtime.logs import Logs
from rowtime.runtime.lookup.change_feeds import needed_versions
from rowtime.runtime.lookup.lookups import pinned_versions
from rowtime.storage.local import LocalStorage
from rowtime.streams.leases import Leases

_PURPOSES = ("streams", "tables", "bad_rows", "pumps", "adapters")


class DroppedObjects:
    """The dropped objects of a warehouse, for one session, whose open logs are `logs`."""

    def __init__(self, store: Store, logs: Logs) -> None:
        self._store = store
        self._logs = logs
        self._seen: set[str] = set()

    def sweep(self) -> None:
        """Deletes the data of objects that were already dropped at the last sweep: a SELECT may still read it for some
        time. Forgets the logs of all that were dropped, here or by another process."""
        self._logs.keep({entry.id for entry in self._store.entries()})
        found = self._store.dropped()
        self._delete([id for id in found if id in self._seen])
        self._seen = set(found)

    def delete(self) -> None:
        """Deletes the data of all dropped objects, at the end of the session."""
        self._delete(self._store.dropped())

    def _delete(self, ids: list[str]) -> None:
        read = (
            set(pinned_versions(self._store.warehouse)) | set(needed_versions(self._store.warehouse)) if ids else set()
        )
        for id in ids:
            if id in read or self._is_used(id):
                continue
            for purpose in _PURPOSES:
                remove_folder(self._store.folder(id, purpose))
            self._logs.forget(id)
            self._store.forget(id)

    def _is_used(self, id: str) -> bool:
        """Whether a process runs it, or a query of any process reads its rows."""
        if not is_free(self._store.folder(id, "pumps") / "lock"):
            return True
        return any(self._has_leases(self._store.folder(id, purpose)) for purpose in ("streams", "tables"))

    def _has_leases(self, folder: Path) -> bool:
        with contextlib.suppress(FileNotFoundError):
            return bool(Leases(LocalStorage(folder), self._store.warehouse).all())
        return False
