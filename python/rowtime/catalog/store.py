"""The catalog in the warehouse: one SQLite file, `catalog.db`, used by any number of threads and processes.

Writers are serial: each takes SQLite's write lock when it begins (BEGIN IMMEDIATE) and sees everything committed
before. `exclusive()` gives that lock to a caller that does more under it, such as checking the rows of an append and
numbering them. Readers never wait (WAL). Data folders are named by the id of their object.
"""

from __future__ import annotations

import contextlib
import os
import sqlite3
import threading
import time
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any

import msgspec

from rowtime.catalog import FILE_NAME, private, schema, warehouse_path
from rowtime.catalog.changes import CatalogState, Change, Entry, apply, conflict
from rowtime.catalog.faults import (
    catalog_lost,
    check_path,
    file_faults,
    is_busy,
    newer_warehouse,
    not_a_catalog,
    sqlite_faults,
    strange_warehouse,
    unusable,
    warehouse_deleted,
)
from rowtime.catalog.snapshot import Snapshot
from rowtime.catalog.system import system_objects
from rowtime.formats import Written, current, newer
from rowtime.locks import Wait, WaitControl, holder, locked

LOCK_NAME = "catalog.lock"
"""The file that writers lock. It records who holds the lock, which SQLite's own lock does not."""
CREATED = "created"
"""The note with the creation time of an object (ms since 1970)."""
_READ_TIMEOUT = 10.0
"""Seconds that a reader waits while SQLite recovers or closes its log; `locks` says how long writers wait for one
another."""
_FEW = 500
"""The number of objects that are read by their ids rather than all."""
_SQLITE_WAIT = 100
"""Milliseconds between two attempts to get SQLite's own write lock, which other programs may hold."""

# SQLite's own wait polls; threads of one process wait here instead, and are notified.
_process_locks: dict[str, threading.RLock] = {}
_process_locks_guard = threading.Lock()


class Store:
    """The catalog of one warehouse. May be used from any thread; every thread has its own connection.

    Raises RowtimeError RT0601 (the warehouse cannot be created, read or written), RT0602 (`catalog.db` is damaged or
    not a catalog), RT0603 (written by a later version of rowtime), RT0604 (another process holds the write lock),
    RT0636 (another user has written it).
    """

    def __init__(self, warehouse: str | os.PathLike[str] | None = None, *, read_only: bool = False) -> None:
        location = warehouse_path(warehouse)
        check_path(location)
        self.warehouse = location.absolute()
        self.path = self.warehouse / FILE_NAME
        self.read_only = read_only
        self.waits = WaitControl()
        """How long this process waits for the locks of the warehouse."""
        self._local = threading.local()
        self._connections: dict[threading.Thread, sqlite3.Connection] = {}
        self._cached: Snapshot | None = None
        self._known: Mapping[str, tuple[tuple[int, int], Entry]] = {}
        """The objects at the latest reading by their ids, with their `since` and checksum."""
        self._has_checksums = True
        self._file: tuple[int, int] | None = None
        if not read_only:
            foreign = private.strange_owner(self.warehouse)
            if foreign is not None:
                raise strange_warehouse(self.warehouse, *foreign)
            try:
                private.make_warehouse(self.warehouse)
                private.make_private(self.path)
            except OSError as fault:
                raise unusable(self.warehouse, fault) from fault
        with _process_locks_guard:
            self._process_lock = _process_locks.setdefault(os.path.realpath(self.path), threading.RLock())
        with sqlite_faults(self.path):
            self._open()
        if not read_only:
            # With the catalog there: without one, they would be those of a lost catalog.
            with file_faults(self.warehouse):
                private.make_folders(self.warehouse)
        self._file = self._identity()

    @staticmethod
    def exists(warehouse: str | os.PathLike[str] | None = None) -> bool:
        """Returns whether the warehouse already has a catalog."""
        return (warehouse_path(warehouse) / FILE_NAME).is_file()

    def close(self) -> None:
        """Closes the connections of all threads. The store is not usable afterwards."""
        connections, self._connections = self._connections, {}
        for connection in connections.values():
            connection.close()
        self._local = threading.local()

    def __enter__(self) -> Store:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    # --- the catalog -------------------------------------------------------------------------------------------------

    def snapshot(self) -> Snapshot:
        """Returns the current catalog, with its JSON for the planner; the same object as long as nothing changes."""
        with sqlite_faults(self.path), self._reading() as db:
            return self._current(db)

    def state(self) -> CatalogState:
        """Returns all objects as they are now, for a MemoryCatalog."""
        return self.snapshot().state

    def commit(self, changes: Iterable[Change], expected_version: int | None = None) -> int:
        """Applies validated changes, all or none, and returns the new version.

        Raises RowtimeError RT0390 if the catalog is no longer at `expected_version`, the version that the changes were
        planned for; plan again then. RT0302, RT0312, RT0391 if a change cannot be applied.
        """
        with self.exclusive() as db:
            state = self._current(db).state
            if expected_version is not None and state.version != expected_version:
                raise conflict(expected_version, state.version)
            following = apply(state, changes)
            self._write(db, state, following)
            is_nested = self._depth > 1
        if not is_nested:
            self._cached = Snapshot(following)
        return following.version

    def get(self, name: str) -> Entry | None:
        """Returns the object of that name, exactly as the catalog writes it (upper case unless it was quoted)."""
        with sqlite_faults(self.path), self._reading() as db:
            return next(iter(self._read_entries(db, "WHERE name = ?", name).values()), None)

    def entries(self) -> list[Entry]:
        """Returns all objects in the order of their creation."""
        with sqlite_faults(self.path), self._reading() as db:
            return self._entries(db)

    # --- for the runtime ---------------------------------------------------------------------------------------------

    @contextlib.contextmanager
    def exclusive(self) -> Iterator[sqlite3.Connection]:
        """Holds the write lock of the warehouse, for all threads and processes, and one transaction for everything that
        is done with the store under it: committed at the end of the block, rolled back if an exception leaves it.
        Blocks nest."""
        with self._turn(), sqlite_faults(self.path), contextlib.ExitStack() as held:
            self.check_exists()
            db = self._connection()
            if not self._depth:
                held.enter_context(self._lock())
                self._begin(db)
            self._local.depth = self._depth + 1
            try:
                yield db
            except BaseException:
                self._local.depth -= 1
                # The exception goes on through outer blocks, and the outermost rolls everything back.
                if not self._depth and db.in_transaction:
                    db.execute("ROLLBACK")
                raise
            self._local.depth -= 1
            if not self._depth:
                try:
                    db.execute("COMMIT")
                except sqlite3.Error:
                    if db.in_transaction:
                        db.execute("ROLLBACK")
                    raise

    def note(self, id: str, key: str, default: Any = None) -> Any:
        """Returns the JSON data that the runtime has stored under `key` for the object `id` (or for any name of its
        own)."""
        with sqlite_faults(self.path), self._reading() as db:
            found = self._select(db, "note", "WHERE id = ? AND key = ?", id, key)
            return msgspec.json.decode(found[0][2]) if found else default

    def set_note(self, id: str, key: str, value: Any) -> None:
        """Stores a note; None removes it. The notes of an object are removed when it is dropped. The version stays the
        same."""
        with self.exclusive() as db:
            if value is None:
                db.execute("DELETE FROM note WHERE id = ? AND key = ?", (id, key))
            else:
                schema.insert(db, "note", (id, key, msgspec.json.encode(value).decode()), "INSERT OR REPLACE")

    def folder(self, id: str, purpose: str = "data") -> Path:
        """Returns the folder for data of an object: `<warehouse>/<purpose>/<id>`. The folder may not exist."""
        return self.warehouse / purpose / id

    def dropped(self) -> list[str]:
        """Returns the ids of dropped objects whose folders may be deleted; `forget` them afterwards."""
        with sqlite_faults(self.path), self._reading() as db:
            return [row[0] for row in db.execute("SELECT id FROM dropped ORDER BY version, id")]

    def forget(self, id: str) -> None:
        """Records that the folders of a dropped object are deleted."""
        with self.exclusive() as db:
            db.execute("DELETE FROM dropped WHERE id = ?", (id,))

    # --- inside ------------------------------------------------------------------------------------------------------

    @contextlib.contextmanager
    def _turn(self) -> Iterator[None]:
        """Holds the write lock among the threads of this process."""
        lock = self._process_lock
        if not lock.acquire(blocking=False):
            wait = self._wait()
            while not lock.acquire(timeout=_SQLITE_WAIT / 1000):
                wait.check()
        try:
            yield
        finally:
            lock.release()

    @contextlib.contextmanager
    def _lock(self) -> Iterator[None]:
        """Holds the write lock among all processes."""
        with contextlib.ExitStack() as held:
            try:
                held.enter_context(locked(self.warehouse / LOCK_NAME, self._what, self.waits))
            except OSError as fault:
                raise unusable(self.warehouse, fault) from fault
            yield

    def _begin(self, db: sqlite3.Connection) -> None:
        """Begins a write transaction. Programs that do not know the lock file may hold SQLite's lock."""
        wait = None
        db.execute(f"PRAGMA busy_timeout = {_SQLITE_WAIT}")
        try:
            while True:
                try:
                    db.execute("BEGIN IMMEDIATE")
                    return
                except sqlite3.OperationalError as fault:
                    if not is_busy(fault):
                        raise
                wait = wait or self._wait()
                wait.check()
        finally:
            db.execute(f"PRAGMA busy_timeout = {int(_READ_TIMEOUT * 1000)}")

    def check_exists(self) -> None:
        """Raises RowtimeError RT0609 if the catalog was deleted, moved or replaced: SQLite goes on using a deleted
        file, and nobody would ever see what it writes there."""
        if self._file is not None and self._identity() != self._file:
            raise warehouse_deleted(self.warehouse)

    def _identity(self) -> tuple[int, int] | None:
        try:
            found = os.stat(self.path)
        except OSError:
            return None
        return found.st_dev, found.st_ino

    def _wait(self) -> Wait:
        return Wait(self._what, lambda: holder(self.warehouse / LOCK_NAME), self.waits)

    @property
    def _what(self) -> str:
        return f"the catalog of '{self.warehouse}'"

    @property
    def _depth(self) -> int:
        """The number of open `exclusive` blocks of this thread."""
        return getattr(self._local, "depth", 0)

    def _connection(self) -> sqlite3.Connection:
        connection: sqlite3.Connection | None = getattr(self._local, "connection", None)
        if connection is None:
            connection = self._connect()
            self._local.connection = connection
            self._close_unused()
            self._connections[threading.current_thread()] = connection
        return connection

    def _close_unused(self) -> None:
        """Closes the connections of threads that have ended: each query has a thread, and a connection two files."""
        for thread in list(self._connections):
            if not thread.is_alive():
                ended = self._connections.pop(thread, None)
                if ended is not None:
                    ended.close()

    def _connect(self, *, immutable: bool = False) -> sqlite3.Connection:
        mode = "mode=ro" if self.read_only else "mode=rwc"
        uri = f"{self.path.as_uri()}?{mode}{'&immutable=1' if immutable else ''}"
        # Closed by close() in any thread; used only by its own thread.
        connection = sqlite3.connect(
            uri, uri=True, timeout=_READ_TIMEOUT, isolation_level=None, check_same_thread=False
        )
        try:
            # Numbers of rows that are in a stream already must not be reused after a power failure.
            connection.execute("PRAGMA synchronous = FULL")
            connection.execute("SELECT count(*) FROM sqlite_master").fetchone()
        except sqlite3.OperationalError:
            connection.close()
            if self.read_only and not immutable:
                # A WAL file cannot be read in a folder that accepts no shared-memory file; nobody writes there either.
                return self._connect(immutable=True)
            raise
        return connection

    def _open(self) -> None:
        db = self._connection()
        application, version = schema.header(db)
        if application == 0 and version == 0 and not self.read_only:
            self._create(db)
            application, version = schema.header(db)
        if application != schema.APPLICATION_ID:
            raise not_a_catalog(self.path)
        written = schema.written_formats(db)
        unknown = newer(written)
        if unknown is not None:
            raise newer_warehouse(self.warehouse, unknown, written[unknown])
        schema.check_sound(db, self.path)
        if written != current() and not self.read_only:
            with self.exclusive():
                schema.upgrade(db)
        self._has_checksums = version >= schema.CHECKSUMS or not self.read_only
        if not self.read_only:
            self._add_system_objects(db)

    def _create(self, db: sqlite3.Connection) -> None:
        # The change to WAL does not wait for other connections, whatever the timeout: they may be doing the same.
        for _ in range(100):
            try:
                db.execute("PRAGMA journal_mode = WAL")
                break
            except sqlite3.OperationalError as fault:
                if "locked" not in str(fault):
                    raise
                time.sleep(0.05)
        if any(any((self.warehouse / folder).glob("*")) for folder in ("streams", "tables")):
            # An empty catalog would make it look as if none of this had ever existed.
            raise catalog_lost(self.path)
        with self.exclusive():
            if schema.is_created(db):
                return
            schema.create(db)
            self._add_system_objects(db)

    def formats(self) -> dict[str, Written]:
        """Returns the formats of the parts of the warehouse, and the versions of rowtime that wrote them."""
        with sqlite_faults(self.path):
            return schema.written_formats(self._connection())

    def _select(self, db: sqlite3.Connection, table: str, which: str, *values: Any) -> list[Any]:
        return schema.select(db, self.path, table, which, *values, has_checksums=self._has_checksums)

    def _entries(self, db: sqlite3.Connection) -> list[Entry]:
        """Returns all objects. Reads only those that have changed since the latest reading: the others are the same
        entries."""
        known = self._known if self._has_checksums else {}
        stamp = "since, checksum" if self._has_checksums else "NULL, NULL"
        found = db.execute(f"SELECT id, {stamp} FROM object ORDER BY position").fetchall()
        missing = [id for id, *version in found if id not in known or known[id][0] != tuple(version)]
        if len(missing) > _FEW:
            read = self._read_entries(db, "")
        else:
            read = self._read_entries(db, f"WHERE id IN ({', '.join('?' * len(missing))})", *missing) if missing else {}
        self._known = {id: ((since, checksum), read.get(id) or known[id][1]) for id, since, checksum in found}
        return [entry for _, entry in self._known.values()]

    def _read_entries(self, db: sqlite3.Connection, which: str, *values: Any) -> dict[str, Entry]:
        """Returns objects by their ids."""
        found = self._select(db, "object", which, *values)
        return {id: Entry(id, since, msgspec.json.decode(definition)) for id, _, since, definition in found}

    def _add_system_objects(self, db: sqlite3.Connection) -> None:
        """Adds the objects that every catalog has, also to catalogs of earlier versions."""
        wanted = dict(system_objects())
        found = {row[0] for row in db.execute("SELECT id FROM object WHERE since = 0")}
        missing = {id: definition for id, definition in wanted.items() if id not in found}
        if not missing:
            return
        with self.exclusive():
            for id, definition in missing.items():
                row = (id, definition["name"], 0, msgspec.json.encode(definition).decode())
                schema.insert(db, "object", row, "INSERT OR IGNORE")
            # Snapshots are cached by version.
            db.execute("UPDATE meta SET version = version + 1 WHERE version > 0")

    @contextlib.contextmanager
    def _reading(self) -> Iterator[sqlite3.Connection]:
        """A consistent view for several SELECTs: a read transaction, unless a write transaction is open already."""
        self.check_exists()
        db = self._connection()
        if self._depth:
            yield db
            return
        db.execute("BEGIN")
        try:
            yield db
        finally:
            db.execute("COMMIT")

    def _current(self, db: sqlite3.Connection) -> Snapshot:
        (version,) = db.execute("SELECT version FROM meta").fetchone()
        cached = self._cached
        if cached is not None and cached.version == version:
            return cached
        found = Snapshot(self._state(db))
        if not self._depth:
            # Within a transaction that may yet be rolled back, a snapshot is for its own thread only.
            self._cached = found
        return found

    def _state(self, db: sqlite3.Connection) -> CatalogState:
        (version,) = db.execute("SELECT version FROM meta").fetchone()
        late = self._select(db, "lateness", "ORDER BY rowid")
        return CatalogState(
            version,
            {entry.name: entry for entry in self._entries(db)},
            {(view, column): value for view, column, value in late},
        )

    def _write(self, db: sqlite3.Connection, old: CatalogState, new: CatalogState) -> None:
        before = {entry.id: entry for entry in old.entries.values()}
        after = {entry.id: entry for entry in new.entries.values()}
        for id in before.keys() - after.keys():
            db.execute("DELETE FROM object WHERE id = ?", (id,))
            db.execute("DELETE FROM note WHERE id = ?", (id,))
            db.execute("INSERT INTO dropped VALUES (?, ?)", (id, new.version))
        renamed = [id for id in before.keys() & after.keys() if before[id].name != after[id].name]
        for id in renamed:
            # Names, and ids, are unique: two objects may exchange them.
            db.execute("UPDATE object SET name = ? WHERE id = ?", (f"{id} renamed", id))
        for id in renamed:
            db.execute("UPDATE object SET name = ? WHERE id = ?", (after[id].name, id))
        for id, entry in after.items():
            if before.get(id) is entry:
                continue
            definition = msgspec.json.encode(entry.definition).decode()
            if id not in before:
                schema.insert(db, "object", (id, entry.name, entry.since, definition))
                schema.insert(db, "note", (id, CREATED, str(time.time_ns() // 1_000_000)), "INSERT OR REPLACE")
            elif before[id] != entry:
                checksum = schema.checksum((id, entry.name, entry.since, definition))
                db.execute(
                    "UPDATE object SET since = ?, definition = ?, checksum = ? WHERE id = ?",
                    (entry.since, definition, checksum, id),
                )
        if old.lateness != new.lateness:
            db.execute("DELETE FROM lateness")
            for (view, column), value in new.lateness.items():
                schema.insert(db, "lateness", (view, column, value))
        db.execute("UPDATE meta SET version = ?", (new.version,))
