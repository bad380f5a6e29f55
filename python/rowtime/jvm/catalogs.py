"""Which catalog snapshots a planner has, so that a request contains only what has changed."""

from __future__ import annotations

from collections.abc import Callable
from threading import Lock
from typing import Any, Protocol

import msgspec

_UNKNOWN = '{"unknownCatalog":true}'
"""The reply of a planner that needs the whole catalog."""
_REMEMBERED = 8
"""The planner keeps more than these."""


class Catalog(Protocol):
    """A catalog snapshot. `key` stands for its content, and for no other in the life of this process."""

    @property
    def key(self) -> str: ...

    @property
    def text(self) -> str:
        """Returns the whole catalog as a JSON object."""
        ...

    def changes_since(self, earlier: Any) -> str | None:
        """Returns what has changed, as a JSON object; None if that is too much, or if the order has changed."""
        ...


class SentCatalogs:
    """The snapshots that one planner got last. Safe for use from several threads."""

    def __init__(self) -> None:
        self._latest: tuple[Catalog, ...] = ()
        self._lock = Lock()

    def request(self, send: Callable[[str], str], catalog: Catalog | str) -> str:
        """Returns the reply to a request that depends on `catalog`, a snapshot or the JSON of all of it. `send` sends
        it, with the JSON that describes the catalog to the planner."""
        if isinstance(catalog, str):
            return send(catalog)
        reply = send(self._brief(catalog))
        if reply == _UNKNOWN:
            reply = send(catalog.text)
        with self._lock:
            others = (each for each in self._latest if each.key != catalog.key)
            self._latest = (catalog, *others)[:_REMEMBERED]
        return reply

    def _brief(self, catalog: Catalog) -> str:
        latest = self._latest
        if not any(each.key == catalog.key for each in latest):
            for each in latest:
                changes = catalog.changes_since(each)
                if changes is not None:
                    return changes
        return msgspec.json.encode({"key": catalog.key}).decode()
