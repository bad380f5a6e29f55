"""Tells when what a query reads is altered: a query that is no pump goes on with its plan."""

from __future__ import annotations

from rowtime import notices
from rowtime.catalog.changes import Entry
from rowtime.catalog.store import Store
from rowtime.plan.nodes import Node
from rowtime.plan.operators import scans
from rowtime.runtime.pump.fit import NOTICE


class ReadDefinitions:
    """The definitions of the objects that one query reads, from when it was planned."""

    def __init__(self, store: Store, plan: Node) -> None:
        self._store = store
        read = (store.get(name) for name in dict.fromkeys(scan.source for scan in scans(plan)))
        self._entries = [entry for entry in read if entry is not None]
        self._version = store.state().version

    def check(self) -> None:
        """Tells, once for each definition, that the query does not follow it, whichever process has altered it."""
        version = self._store.state().version
        if version == self._version:
            return
        self._version = version
        self._entries = [self._checked(entry) for entry in self._entries]

    def _checked(self, known: Entry) -> Entry:
        entry = self._store.get(known.name)
        if entry is None or entry.id != known.id or entry.definition == known.definition:
            return known
        what = f"{entry.kind.lower()} '{entry.name}'"
        said = f"A query goes on with {what} as it was before it was altered: start it again to read the new definition"
        notices.tell(NOTICE, said)
        return entry
