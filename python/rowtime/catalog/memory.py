"""A catalog in memory, for `validate` and `explain`. Its DDL affects only the script that owns it."""

from __future__ import annotations

from collections.abc import Iterable

from rowtime.catalog.changes import CatalogState, Change, Entry, apply, conflict
from rowtime.catalog.snapshot import Snapshot


class MemoryCatalog:
    """Starts empty, or with the current objects of another catalog."""

    def __init__(self, state: CatalogState | None = None) -> None:
        self._state = state or CatalogState()
        self._snapshot: Snapshot | None = None

    @property
    def state(self) -> CatalogState:
        """Returns all objects as they are now."""
        return self._state

    def snapshot(self) -> Snapshot:
        if self._snapshot is None:
            self._snapshot = Snapshot(self._state)
        return self._snapshot

    def commit(self, changes: Iterable[Change], expected_version: int | None = None) -> int:
        """Applies validated changes. Returns the new version. Raises RowtimeError (RT0302, RT0312, RT0390, RT0391)."""
        if expected_version is not None and expected_version != self._state.version:
            raise conflict(expected_version, self._state.version)
        self._state = apply(self._state, map(_unexecuted, changes))
        self._snapshot = None
        return self._state.version

    def get(self, name: str) -> Entry | None:
        return self._state.entries.get(name)

    def entries(self) -> list[Entry]:
        return list(self._state.entries.values())


def _unexecuted(change: Change) -> Change:
    """Returns a change of a pump that never runs: REPLACE WITH is done at once, and there is no row to skip."""
    if change["action"] != "pump":
        return change
    if change["verb"] == "REPLACE":
        return {**change, "action": "takeover", "written": 0}
    return {key: value for key, value in change.items() if key != "skip"}
