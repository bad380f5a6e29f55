"""The catalog of a warehouse, used by any number of threads and processes. Data folders are named by the id of their
object."""

from __future__ import annotations

import contextlib
import os
import random
import threading
import time
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import Any, TypeVar

import msgspec

from rowtime.catalog import catalog_url, is_made, private, warehouse_path
from rowtime.catalog.belonging import check_embedded
from rowtime.catalog.changes import CatalogState, Change, Entry, apply, conflict, system_entries
from rowtime.catalog.database import Changes, Database, NoteChange, Outdated, StateChange
from rowtime.catalog.faults import check_path, file_faults, strange_warehouse, unusable
from rowtime.catalog.postgres import PostgresDatabase, is_postgres
from rowtime.catalog.rows import CREATED
from rowtime.catalog.snapshot import Snapshot
from rowtime.catalog.sqlite import SqliteDatabase
from rowtime.errors import error
from rowtime.formats import Written
from rowtime.locks import WaitControl, timeout
from rowtime.secrets.memory import remember
from rowtime.secrets.urls import masked_url, split_secrets

__all__ = ["CREATED", "Store"]

_LONGEST_PAUSE = 0.1
"""Seconds between two attempts to make a change that others have made outdated."""

_T = TypeVar("_T")


class Store:
    """The catalog of one warehouse. May be used from any thread.

    Raises RowtimeError RT0601 (the warehouse cannot be created, read or written), RT0602 (the catalog is damaged, or is
    none), RT0603 (written by a later version of rowtime), RT0604 (another process holds the write lock), RT0636
    (another user has written it), RT0658 (the database of the catalog cannot be used), RT0659 (it is that of another
    warehouse).
    """

    def __init__(
        self,
        warehouse: str | os.PathLike[str] | None = None,
        *,
        read_only: bool = False,
        catalog: str | None = None,
    ) -> None:
        """`catalog` is the URL of a database of PostgreSQL (default: $ROWTIME_CATALOG); without one, or if it is empty,
        the catalog is a file of the warehouse."""
        place = warehouse_path(warehouse)
        check_path(place)
        self.warehouse = place.absolute()
        self.read_only = read_only
        self.wait_control = WaitControl()
        """How long this process waits for the locks of the warehouse."""
        self._local = threading.local()
        self._cached: Snapshot | None = None
        if not read_only:
            foreign = private.strange_owner(self.warehouse)
            if foreign is not None:
                raise strange_warehouse(self.warehouse, *foreign)
            try:
                private.make_warehouse(self.warehouse)
            except OSError as fault:
                raise unusable(self.warehouse, fault) from fault
        self._database = _database(self.warehouse, catalog_url(catalog), self.wait_control, read_only)
        if not read_only:
            self._add_system_objects()
            # With the catalog there: without one, they would be those of a lost catalog.
            with file_faults(self.warehouse):
                private.make_folders(self.warehouse)

    @staticmethod
    def exists(warehouse: str | os.PathLike[str] | None = None) -> bool:
        """Returns whether the warehouse already has a catalog, in itself or in a database."""
        return is_made(warehouse)

    def close(self) -> None:
        """Closes the connections of all threads. The store is not usable afterwards."""
        self._database.close()

    def __enter__(self) -> Store:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    # --- the catalog -------------------------------------------------------------------------------------------------

    def snapshot(self) -> Snapshot:
        """Returns the current catalog, with its JSON for the planner; the same object as long as nothing changes."""
        draft = self._draft
        if draft is not None and draft.snapshot is not None:
            # For its own thread only: it may yet be undone.
            return draft.snapshot
        cached = self._cached
        found = self._database.state(None if cached is None else cached.state)
        if cached is None or cached.state is not found:
            cached = self._cached = Snapshot(found)
        return cached

    def state(self) -> CatalogState:
        """Returns all objects as they are now, for a MemoryCatalog."""
        return self.snapshot().state

    def commit(self, changes: Iterable[Change], expected_version: int | None = None) -> int:
        """Applies validated changes, all or none, and returns the new version.

        Raises RowtimeError RT0390 if the catalog is no longer at `expected_version`, the version that the changes were
        planned for; plan again then. RT0302, RT0312, RT0391 if a change cannot be applied.
        """
        listed = list(changes)

        def change(draft: _Draft) -> int:
            state = self.state()
            if expected_version is not None and state.version != expected_version:
                raise conflict(expected_version, state.version)
            following = apply(state, listed)
            draft.change(state, following)
            return following.version

        return self._change(change)

    def get(self, name: str) -> Entry | None:
        """Returns the object of that name, exactly as the catalog writes it (upper case unless it was quoted)."""
        draft = self._draft
        if draft is not None and draft.snapshot is not None:
            return draft.snapshot.state.entries.get(name)
        return self._database.entry(name)

    def entries(self) -> list[Entry]:
        """Returns all objects in the order of their creation."""
        return list(self.state().entries.values())

    # --- for the runtime ---------------------------------------------------------------------------------------------

    @contextlib.contextmanager
    def transaction(self) -> Iterator[None]:
        """Makes one change of all that this thread does with the store in the block: written at its end, or not at all
        if an exception leaves it. Blocks nest.

        Raises RowtimeError RT0390 if others have changed the same meanwhile; the embedded catalog lets them wait."""
        try:
            with self._transaction():
                yield
        except Outdated:
            raise conflict() from None

    def note(self, id: str, key: str, default: Any = None) -> Any:
        """Returns the JSON data that the runtime has stored under `key` for the object `id` (or for any name of its
        own)."""
        found = self._note(id, key)
        return default if found is None else msgspec.json.decode(found)

    def set_note(self, id: str, key: str, value: Any) -> None:
        """Stores a note; None removes it. The notes of an object are removed when it is dropped. The version stays the
        same."""
        self._change(lambda draft: draft.set_note(NoteChange(id, key, _encoded(value))))

    def update_note(self, id: str, key: str, change: Callable[[Any], Any]) -> Any:
        """Replaces a note by what `change` returns for it, and returns that; None is a note that does not exist. If
        others change the note at the same time, it is called again with what they have stored."""

        def update(draft: _Draft) -> Any:
            before = self._note(id, key)
            value = change(None if before is None else msgspec.json.decode(before))
            after = _encoded(value)
            if after != before:
                draft.set_note(NoteChange(id, key, after, is_conditional=True, expected=before))
            return value

        return self._change(update)

    def folder(self, id: str, purpose: str = "data") -> Path:
        """Returns the folder for data of an object: `<warehouse>/<purpose>/<id>`. The folder may not exist."""
        return self.warehouse / purpose / id

    def dropped(self) -> list[str]:
        """Returns the ids of dropped objects whose folders may be deleted; `forget` them afterwards."""
        return self._database.dropped()

    def forget(self, id: str) -> None:
        """Records that the folders of a dropped object are deleted."""
        self._change(lambda draft: draft.forgotten.append(id))

    def formats(self) -> dict[str, Written]:
        """Returns the formats of the parts of the warehouse, and the versions of rowtime that wrote them."""
        return self._database.formats()

    def on_change(self, wake: Callable[[], None]) -> None:
        """Calls `wake`, in another thread, soon after objects have changed, if the database tells of changes. SQLite
        does not, so whoever waits for a change also looks from time to time."""
        self._database.on_change(wake)

    def check_exists(self) -> None:
        """Raises RowtimeError RT0609 if the catalog was deleted, moved or replaced."""
        self._database.check_exists()

    # --- inside ------------------------------------------------------------------------------------------------------

    @property
    def _draft(self) -> _Draft | None:
        """What this thread has changed in its transaction."""
        found: _Draft | None = getattr(self._local, "draft", None)
        return found

    @contextlib.contextmanager
    def _transaction(self) -> Iterator[_Draft]:
        """A transaction that raises Outdated at its end."""
        draft = self._draft
        if draft is not None:
            yield draft
            return
        with self._database.turn():
            draft = self._local.draft = _Draft()
            try:
                yield draft
            finally:
                self._local.draft = None
            changes = draft.changes
            if changes != Changes():
                self._database.write(changes)
            if draft.snapshot is not None:
                self._cached = draft.snapshot

    def _change(self, change: Callable[[_Draft], _T]) -> _T:
        """Makes a change: as part of the transaction of this thread, or else in one of its own, and then again if
        others were faster."""
        draft = self._draft
        if draft is not None:
            return change(draft)
        begin = time.monotonic()
        pause = 0.001
        while True:
            try:
                with self._transaction() as draft:
                    return change(draft)
            except Outdated:
                if time.monotonic() - begin > timeout():
                    raise conflict() from None
            time.sleep(pause * random.random())
            pause = min(2 * pause, _LONGEST_PAUSE)

    def _note(self, id: str, key: str) -> str | None:
        draft = self._draft
        if draft is not None and (id, key) in draft.notes:
            return draft.notes[id, key].value
        return self._database.note(id, key)

    def _add_system_objects(self) -> None:
        """Adds the objects that every catalog has, also to catalogs of earlier versions."""
        if {entry.id for entry in system_entries().values()} <= self._database.system_ids():
            return

        def add(draft: _Draft) -> None:
            state = self.state()
            known = {entry.id for entry in state.entries.values()}
            missing = {name: entry for name, entry in system_entries().items() if entry.id not in known}
            # Snapshots are cached by version.
            draft.change(state, CatalogState(state.version + 1, {**state.entries, **missing}, state.lateness))

        self._change(add)


def _database(warehouse: Path, url: str | None, wait_control: WaitControl, read_only: bool) -> Database:
    if url is None:
        check_embedded(warehouse)
        return SqliteDatabase(warehouse, wait_control, read_only=read_only)
    remember(split_secrets(url)[1])
    if not is_postgres(url):
        raise error(
            "RT0658",
            f"The catalog '{masked_url(url)}' is not one of PostgreSQL",
            hint="Write postgresql://user@host:port/database, or name none: then it is a file of the warehouse",
        )
    return PostgresDatabase(url, warehouse, wait_control, read_only=read_only)


class _Draft:
    """What a thread has changed, before it is written."""

    def __init__(self) -> None:
        self.snapshot: Snapshot | None = None
        """The catalog after the changes of its objects; None: they are as they were."""
        self.notes: dict[tuple[str, str], NoteChange] = {}
        self.forgotten: list[str] = []
        self._before: CatalogState | None = None

    def change(self, before: CatalogState, after: CatalogState) -> None:
        """Replaces the objects. `before` is their state in this draft."""
        self._before = self._before or before
        self.snapshot = Snapshot(after)

    def set_note(self, note: NoteChange) -> None:
        """Changes a note, which is judged by what it was before the draft."""
        earlier = self.notes.get((note.id, note.key))
        if earlier is not None:
            note = NoteChange(note.id, note.key, note.value, earlier.is_conditional, earlier.expected)
        self.notes[note.id, note.key] = note

    @property
    def changes(self) -> Changes:
        state = None
        if self._before is not None and self.snapshot is not None:
            state = StateChange(self._before, self.snapshot.state)
        return Changes(state, tuple(self.notes.values()), tuple(self.forgotten))


def _encoded(value: Any) -> str | None:
    return None if value is None else msgspec.json.encode(value).decode()
