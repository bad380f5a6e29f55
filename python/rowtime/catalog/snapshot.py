"""The catalog as the planner gets it: the whole, or what has changed since another snapshot."""

from __future__ import annotations

import uuid
from collections.abc import Iterable
from functools import cached_property
from itertools import chain, count
from typing import Any

import msgspec

from rowtime.catalog.changes import CatalogState, Entry
from rowtime.catalog.definitions import Definition

_MAX_CHANGES = 100
"""With more changes than these, the whole catalog costs no more."""
_process = uuid.uuid4().hex
_numbers = count(1)


class Snapshot:
    """The catalog at one version. `key` names its content for the planner; no other snapshot has the same."""

    def __init__(self, state: CatalogState) -> None:
        self.state = state
        self.key = f"{_process}-{next(_numbers)}"

    @property
    def version(self) -> int:
        return self.state.version

    @cached_property
    def text(self) -> str:
        """Returns the whole catalog as JSON."""
        whole = {"version": self.version, "objects": _definitions(self.state.entries.values()), "lateness": self._late}
        return self._encode(**whole)

    def changes_since(self, earlier: Snapshot) -> str | None:
        """Returns the difference from another snapshot as JSON: the names of objects that are `removed`, and the
        `objects` that are new or changed. Returns None if that is too much, or if other objects have moved."""
        old, new = earlier.state.entries, self.state.entries
        removed = [name for name in old if name not in new]
        changed = [entry for name, entry in new.items() if _differs(old.get(name), entry)]
        if len(removed) + len(changed) > _MAX_CHANGES:
            return None
        names = [entry.name for entry in changed]
        if not _is_order(new, (name for name in old if name in new), names):
            # A replaced object has moved to the end.
            removed += [name for name in names if name in old]
            kept = set(old).difference(removed)
            if not _is_order(new, (name for name in old if name in kept), names):
                return None
        late = {} if self.state.lateness == earlier.state.lateness else {"lateness": self._late}
        return self._encode(base=earlier.key, removed=removed, objects=_definitions(changed), **late)

    @property
    def _late(self) -> list[dict[str, str]]:
        return [{"view": view, "column": col, "value": value} for (view, col), value in self.state.lateness.items()]

    def _encode(self, **parts: Any) -> str:
        return msgspec.json.encode({"key": self.key, **parts}).decode()


def _definitions(entries: Iterable[Entry]) -> list[Definition]:
    return [entry.definition for entry in entries]


def _differs(old: Entry | None, new: Entry) -> bool:
    return old is not new and (old is None or old.definition != new.definition)


def _is_order(wanted: Iterable[str], kept: Iterable[str], added: Iterable[str]) -> bool:
    """Returns whether names in order of `kept`, and then of `added`, if they are new, are in order of `wanted`."""
    return list(wanted) == list(dict.fromkeys(chain(kept, added)))
