"""Where a catalog is stored: what a `Store` asks of a database, whichever it is.

A change is optimistic: it is made from what was read, and is written whole if that is still so, or else refused as
`Outdated`. So nothing is locked while a change is made. A database that can let writers take turns at no cost does so,
by which fewer changes are refused; no change relies on it.
"""

from __future__ import annotations

import contextlib
import os
from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

from rowtime.catalog.changes import CatalogState, Entry
from rowtime.catalog.faults import catalog_lost
from rowtime.formats import Written


def file_identity(path: Path) -> tuple[int, int] | None:
    """Returns what tells a file from one that replaces it; None if there is none."""
    try:
        found = os.stat(path)
    except OSError:
        return None
    return found.st_dev, found.st_ino


def check_not_lost(warehouse: Path, file: Path) -> None:
    """Raises RowtimeError RT0602 if a warehouse without the file that says what is in it has folders of rows: with an
    empty catalog, it would look as if none of them had ever existed."""
    if any(any((warehouse / folder).glob("*")) for folder in ("streams", "tables")):
        raise catalog_lost(file)


class Outdated(Exception):
    """The catalog is no longer as it was when a change was made; nothing was written."""


@dataclass(frozen=True, slots=True)
class NoteChange:
    """A note of an object, or of any name, that gets a value (JSON text), or is removed (None)."""

    id: str
    key: str
    value: str | None
    is_conditional: bool = False
    """Whether it is only written if the note still has the value `expected`; None: if there is none."""
    expected: str | None = None


@dataclass(frozen=True, slots=True)
class StateChange:
    """The objects before and after a change. It is only written if the catalog has the version of `before`."""

    before: CatalogState
    after: CatalogState


@dataclass(frozen=True, slots=True)
class Changes:
    """What is written as a whole, or not at all. `forgotten` are the ids of dropped objects without folders."""

    state: StateChange | None = None
    notes: Sequence[NoteChange] = ()
    forgotten: Sequence[str] = ()


class Database(ABC):
    """The database of one catalog. May be used from any thread. All methods raise RowtimeError with the codes that
    `Store` lists."""

    @abstractmethod
    def check_exists(self) -> None:
        """Raises RowtimeError RT0609 if the catalog was deleted, moved or replaced."""

    @abstractmethod
    def turn(self) -> contextlib.AbstractContextManager[None]:
        """Waits until other writers have finished, if the database knows of them, and lets later ones wait."""

    @abstractmethod
    def state(self, known: CatalogState | None = None) -> CatalogState:
        """Returns all objects, in the order of their creation: `known` itself if its version is the current one."""

    @abstractmethod
    def entry(self, name: str) -> Entry | None:
        """Returns the object of that name."""

    @abstractmethod
    def system_ids(self) -> set[str]:
        """Returns the ids of the objects that the catalog has had from the beginning."""

    @abstractmethod
    def note(self, id: str, key: str) -> str | None:
        """Returns the value of a note."""

    @abstractmethod
    def dropped(self) -> list[str]:
        """Returns the ids of dropped objects that were not forgotten, in the order in which they were dropped."""

    @abstractmethod
    def formats(self) -> dict[str, Written]:
        """Returns the formats of the parts of the warehouse, and the versions of rowtime that wrote them."""

    @abstractmethod
    def write(self, changes: Changes) -> None:
        """Writes changes durably. Raises Outdated if others have changed what they were made from."""

    @abstractmethod
    def on_change(self, wake: Callable[[], None]) -> None:
        """Calls `wake`, in another thread, soon after objects have changed, if the database tells of changes."""

    @abstractmethod
    def close(self) -> None:
        """Ends all connections. The database is not usable afterwards."""
