"""The embedded catalog: one SQLite file in the warehouse, `catalog.db`, used by any number of threads and processes.

Writers take turns: a lock on a file says who writes, which SQLite's own lock does not. Readers never wait (WAL).
"""

from __future__ import annotations

import contextlib
import os
import sqlite3
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TypeVar

from rowtime.catalog import FILE_NAME, private, schema
from rowtime.catalog.changes import CatalogState, Entry
from rowtime.catalog.database import Changes, Database, StateChange, check_not_lost, file_identity
from rowtime.catalog.faults import (
    is_busy,
    newer_warehouse,
    not_a_catalog,
    sqlite_faults,
    unusable,
    warehouse_deleted,
)
from rowtime.catalog.rows import CatalogRows
from rowtime.formats import Written, current, newer
from rowtime.locks import Wait, WaitControl, holder, locked

LOCK_NAME = "catalog.lock"
"""The file that writers lock. It records who holds the lock."""
_READ_TIMEOUT = 10.0
"""Seconds that a reader waits while SQLite recovers or closes its log; `locks` says how long writers wait for one
another."""
_SQLITE_WAIT = 100
"""Milliseconds between two attempts to get SQLite's own write lock, which other programs may hold."""
_EMPTY = CatalogState(0, {}, {})

_T = TypeVar("_T")

# SQLite's own wait polls; threads of one process wait here instead, and are notified.
_process_locks: dict[str, threading.RLock] = {}
_process_locks_guard = threading.Lock()


class SqliteConnection(sqlite3.Connection):
    """A connection to the file, whose tables need no prefix."""

    prefix = ""


class SqliteDatabase(Database):
    """The catalog in the folder of a warehouse. Every thread has its own connection."""

    def __init__(self, warehouse: Path, wait_control: WaitControl, *, read_only: bool) -> None:
        self.warehouse = warehouse
        self.path = warehouse / FILE_NAME
        self.read_only = read_only
        self._wait_control = wait_control
        self._local = threading.local()
        self._connections: dict[threading.Thread, SqliteConnection] = {}
        self._rows = CatalogRows(lambda reason: not_a_catalog(self.path, reason=reason), "rowid")
        self._file: tuple[int, int] | None = None
        if not read_only:
            try:
                private.make_private(self.path)
            except OSError as fault:
                raise unusable(warehouse, fault) from fault
        with _process_locks_guard:
            self._process_lock = _process_locks.setdefault(os.path.realpath(self.path), threading.RLock())
        with sqlite_faults(self.path):
            self._open()
        self._file = file_identity(self.path)

    def check_exists(self) -> None:
        # SQLite goes on using a deleted file, and nobody would ever see what it writes there.
        if self._file is not None and file_identity(self.path) != self._file:
            raise warehouse_deleted(self.warehouse)

    @contextlib.contextmanager
    def turn(self) -> Iterator[None]:
        with self._threads_turn(), contextlib.ExitStack() as held:
            self.check_exists()
            try:
                held.enter_context(locked(self.warehouse / LOCK_NAME, self._what, self._wait_control))
            except OSError as fault:
                raise unusable(self.warehouse, fault) from fault
            yield

    def state(self, known: CatalogState | None = None) -> CatalogState:
        return self._read(lambda db: self._rows.state(db, known))

    def entry(self, name: str) -> Entry | None:
        return self._read(lambda db: self._rows.entry(db, name))

    def system_ids(self) -> set[str]:
        return self._read(self._rows.system_ids)

    def note(self, id: str, key: str) -> str | None:
        return self._read(lambda db: self._rows.note(db, id, key))

    def dropped(self) -> list[str]:
        return self._read(self._rows.dropped)

    def formats(self) -> dict[str, Written]:
        with sqlite_faults(self.path):
            return schema.written_formats(self._connection())

    def write(self, changes: Changes) -> None:
        with sqlite_faults(self.path), self._writing() as db:
            self._rows.write(db, changes)

    def on_change(self, wake: Callable[[], None]) -> None:
        """Does nothing: SQLite tells nobody."""

    def close(self) -> None:
        connections, self._connections = self._connections, {}
        for connection in connections.values():
            connection.close()
        self._local = threading.local()

    # --- inside ------------------------------------------------------------------------------------------------------

    def _read(self, read: Callable[[SqliteConnection], _T]) -> _T:
        """Reads in a read transaction, a consistent view for several SELECTs."""
        with sqlite_faults(self.path):
            self.check_exists()
            db = self._connection()
            db.execute("BEGIN")
            try:
                return read(db)
            finally:
                db.execute("COMMIT")

    @contextlib.contextmanager
    def _writing(self) -> Iterator[SqliteConnection]:
        """A write transaction: committed at the end of the block, rolled back if an exception leaves it."""
        db = self._connection()
        self._begin(db)
        try:
            yield db
            db.execute("COMMIT")
        except BaseException:
            if db.in_transaction:
                db.execute("ROLLBACK")
            raise

    def _begin(self, db: SqliteConnection) -> None:
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

    @contextlib.contextmanager
    def _threads_turn(self) -> Iterator[None]:
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

    def _wait(self) -> Wait:
        return Wait(self._what, lambda: holder(self.warehouse / LOCK_NAME), self._wait_control)

    @property
    def _what(self) -> str:
        return f"the catalog of '{self.warehouse}'"

    def _connection(self) -> SqliteConnection:
        connection: SqliteConnection | None = getattr(self._local, "connection", None)
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

    def _connect(self, *, immutable: bool = False) -> SqliteConnection:
        mode = "mode=ro" if self.read_only else "mode=rwc"
        uri = f"{self.path.as_uri()}?{mode}{'&immutable=1' if immutable else ''}"
        # Closed by close() in any thread; used only by its own thread.
        connection = sqlite3.connect(
            uri,
            uri=True,
            timeout=_READ_TIMEOUT,
            isolation_level=None,
            check_same_thread=False,
            factory=SqliteConnection,
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
            with self.turn(), self._writing():
                schema.upgrade(db)
        self._rows.has_checksums = version >= schema.CHECKSUMS or not self.read_only

    def _create(self, db: SqliteConnection) -> None:
        # The change to WAL does not wait for other connections, whatever the timeout: they may be doing the same.
        for _ in range(100):
            try:
                db.execute("PRAGMA journal_mode = WAL")
                break
            except sqlite3.OperationalError as fault:
                if "locked" not in str(fault):
                    raise
                time.sleep(0.05)
        check_not_lost(self.warehouse, self.path)
        with self.turn(), self._writing():
            if not schema.is_created(db):
                schema.create(db)
                self._rows.write(db, Changes(StateChange(_EMPTY, CatalogState())))
