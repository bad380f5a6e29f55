"""The catalog in a database of PostgreSQL, in the schema `rowtime`: for warehouses that several hosts use.

Connections are taken for one statement or one transaction, which needs nothing that lasts longer (no session locks,
prepared statements or settings), so a pooler may be between. If the server goes away, everything waits until it is
back, as long as for a lock. Each change contains a token, by which it is made once, also if the reply to its commit was
lost. (The id of its transaction does not tell: after a crash, the server gives it to another one.)
"""

from __future__ import annotations

import contextlib
import os
import threading
import time
import uuid
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

from rowtime import locks
from rowtime.catalog import MARKER
from rowtime.catalog.belonging import (
    Belonging,
    check_not_embedded,
    of_another_catalog,
    of_another_warehouse,
    read_marker,
    write_marker,
)
from rowtime.catalog.changes import CatalogState, Entry
from rowtime.catalog.database import Changes, Database, Outdated, StateChange, check_not_lost, file_identity
from rowtime.catalog.faults import file_faults, newer_warehouse, warehouse_deleted
from rowtime.catalog.rows import CatalogRows, Result
from rowtime.errors import RowtimeError, error
from rowtime.formats import Written, current, newer
from rowtime.locks import NOTICE_AFTER, WaitControl, timeout

if TYPE_CHECKING:
    import psycopg

CODE = "RT0658"
SCHEMA = "rowtime"
_TABLES = """
CREATE SCHEMA IF NOT EXISTS rowtime;
CREATE TABLE rowtime.meta (one INTEGER PRIMARY KEY CHECK (one = 1), version BIGINT NOT NULL, id TEXT NOT NULL,
                           warehouse TEXT, place TEXT);
CREATE TABLE rowtime.object (position BIGINT GENERATED ALWAYS AS IDENTITY PRIMARY KEY, id TEXT NOT NULL UNIQUE,
                             name TEXT NOT NULL UNIQUE, since BIGINT NOT NULL, definition TEXT NOT NULL,
                             checksum BIGINT NOT NULL);
CREATE TABLE rowtime.lateness (position BIGINT GENERATED ALWAYS AS IDENTITY, view TEXT NOT NULL, col TEXT NOT NULL,
                               value TEXT NOT NULL, checksum BIGINT NOT NULL, PRIMARY KEY (view, col));
CREATE TABLE rowtime.note (id TEXT NOT NULL, key TEXT NOT NULL, value TEXT NOT NULL, checksum BIGINT NOT NULL,
                           PRIMARY KEY (id, key));
CREATE TABLE rowtime.dropped (id TEXT PRIMARY KEY, version BIGINT NOT NULL);
CREATE TABLE rowtime.change (token TEXT PRIMARY KEY, at TIMESTAMPTZ NOT NULL DEFAULT now());
CREATE TABLE rowtime.format (part TEXT PRIMARY KEY, number INTEGER NOT NULL, version TEXT NOT NULL);
"""
_CREATING = 0x726F7774
"""The number of the lock, of one transaction, under which the tables are created."""
_CHANNEL = "rowtime_catalog"
"""The channel on which each change of the objects is notified."""
_FORGET_CHANGES = "DELETE FROM rowtime.change WHERE at < now() - INTERVAL '1 day'"
"""Deletes the tokens of processes that have ended."""
_BEGIN = """
BEGIN ISOLATION LEVEL READ COMMITTED;
SET LOCAL lock_timeout = '20s';
SET LOCAL idle_in_transaction_session_timeout = '30s';
"""
"""A transaction that waits for no other one for long, and lets no other one wait if its process is suspended."""
_IDLE = 4
"""The number of connections that are kept for later."""
_PAUSE = 0.2
"""Seconds between two attempts to reach the server."""
_SETTINGS = {
    "fallback_application_name": "rowtime",
    "client_encoding": "UTF8",
    "connect_timeout": "5",
    "keepalives_idle": "10",
    "keepalives_interval": "5",
    "keepalives_count": "3",
}
"""Settings of a connection, unless the URL has others."""
_EMPTY = CatalogState(0, {}, {})

_T = TypeVar("_T")


def is_postgres(catalog: str) -> bool:
    """Returns whether the URL of a catalog is one of PostgreSQL."""
    return catalog.startswith(("postgresql://", "postgres://"))


class _Connection:
    """A connection, whose tables are in the schema."""

    prefix = f"{SCHEMA}."

    def __init__(self, db: psycopg.Connection[Any]) -> None:
        self.db = db

    def execute(self, sql: str, values: Sequence[Any] = (), /) -> Result:
        # psycopg has its own sign for values; without any, a text may have several statements.
        found: Result = self.db.execute(sql.replace("?", "%s"), values) if values else self.db.execute(sql)
        return found


class PostgresDatabase(Database):
    """The catalog at a URL `postgresql://user@host/database`, of a warehouse in a folder that all hosts share.

    Raises RowtimeError RT0658 (the server cannot be used), RT0659 (the warehouse or the catalog belongs to another
    one), RT0601 (no catalog, which is not created to read it).
    """

    def __init__(self, url: str, warehouse: Path, wait_control: WaitControl, *, read_only: bool) -> None:
        self.url = url
        self.warehouse = warehouse
        self.read_only = read_only
        self._wait_control = wait_control
        self._driver = _driver()
        self.place = _place(self._driver, url)
        self._idle: list[_Connection] = []
        self._guard = threading.Lock()
        self._known_tokens: list[str] = []
        """The tokens of changes whose replies have come, and which nobody will ask for."""
        self._closed = False
        self._patient = False
        self._rows = CatalogRows(self._damaged, "position")
        self._file: tuple[int, int] | None = None
        self._listener: _Listener | None = None
        try:
            self._open()
        except BaseException:
            self.close()
            raise
        self._patient = True
        self._file = file_identity(self.warehouse / MARKER)

    def check_exists(self) -> None:
        if self._file is not None and file_identity(self.warehouse / MARKER) != self._file:
            raise warehouse_deleted(self.warehouse)

    def turn(self) -> contextlib.AbstractContextManager[None]:
        self.check_exists()
        return contextlib.nullcontext()

    def state(self, known: CatalogState | None = None) -> CatalogState:
        self.check_exists()

        def read(db: _Connection) -> CatalogState:
            if known is not None:
                ((version,),) = db.execute(f"SELECT version FROM {db.prefix}meta").fetchall()
                if version == known.version:
                    return known
            db.execute("BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY")
            found = self._rows.state(db, known)
            db.execute("COMMIT")
            return found

        return self._run(read)

    def entry(self, name: str) -> Entry | None:
        self.check_exists()
        return self._run(lambda db: self._rows.entry(db, name))

    def system_ids(self) -> set[str]:
        return self._run(self._rows.system_ids)

    def note(self, id: str, key: str) -> str | None:
        self.check_exists()
        return self._run(lambda db: self._rows.note(db, id, key))

    def dropped(self) -> list[str]:
        self.check_exists()
        return self._run(self._rows.dropped)

    def formats(self) -> dict[str, Written]:
        return self._run(_formats)

    def write(self, changes: Changes) -> None:
        token = uuid.uuid4().hex
        with self._guard:
            known, self._known_tokens = self._known_tokens, []

        def change(db: _Connection) -> None:
            insert = f"INSERT INTO {db.prefix}change (token) VALUES (?) ON CONFLICT DO NOTHING"
            if db.execute(insert, (token,)).rowcount == 0:
                # It was made before, and the reply was lost. If that was still under way, the server has waited for it.
                return
            if known:
                db.execute(f"DELETE FROM {db.prefix}change WHERE token IN ({', '.join('?' * len(known))})", known)
            self._rows.write(db, changes)
            if changes.state is not None:
                db.execute(f"NOTIFY {_CHANNEL}")

        try:
            self._transaction(change)
        except BaseException:
            with self._guard:
                self._known_tokens += known
            raise
        with self._guard:
            self._known_tokens.append(token)

    def on_change(self, wake: Callable[[], None]) -> None:
        if self._listener is None:
            self._listener = _Listener(self._connect)
        self._listener.wakes.append(wake)

    def close(self) -> None:
        self._closed = True
        if self._listener is not None:
            self._listener.stop()
        self._close_idle()

    # --- opening -----------------------------------------------------------------------------------------------------

    def _open(self) -> None:
        check_not_embedded(self.warehouse)
        marker = read_marker(self.warehouse)
        if not self._run(_is_created):
            if self.read_only:
                raise error(
                    "RT0601",
                    f"The warehouse '{self.warehouse}' cannot be used: the database {self.place} has no catalog",
                    hint="Name another database with --catalog or ROWTIME_CATALOG",
                )
            if marker is not None:
                raise of_another_catalog(self.warehouse, marker, self.place)
            self._transaction(self._create)
        written = self.formats()
        unknown = newer(written)
        if unknown is not None:
            raise newer_warehouse(self.warehouse, unknown, written[unknown])
        self._check_belonging(marker)
        if written != current() and not self.read_only:
            self._transaction(_record_formats)
        if not self.read_only:
            self._run(lambda db: db.execute(_FORGET_CHANGES))

    def _create(self, db: _Connection) -> None:
        db.execute(f"SELECT pg_advisory_xact_lock({_CREATING})")
        if _is_created(db):
            # Another process was faster.
            return
        db.execute(_TABLES)
        db.execute(f"INSERT INTO {db.prefix}meta (one, version, id) VALUES (1, 0, ?)", (uuid.uuid4().hex,))
        _record_formats(db)
        self._rows.write(db, Changes(StateChange(_EMPTY, CatalogState())))

    def _check_belonging(self, marker: Belonging | None) -> None:
        """Checks that the warehouse and the catalog belong together. Joins them if both are new."""
        catalog, owner, place = self._owner()
        if marker is None and owner is not None:
            # Another process may have joined them: first it writes the file.
            marker = read_marker(self.warehouse)
        if marker is None and owner is not None:
            raise of_another_warehouse(self.warehouse, self.place, place)
        if marker is None and self.read_only:
            raise error(
                "RT0601",
                f"The warehouse '{self.warehouse}' cannot be used: it has no catalog ('{MARKER}')",
                hint="Name another folder with --warehouse or ROWTIME_WAREHOUSE",
            )
        made = None
        if marker is None:
            check_not_lost(self.warehouse, self.warehouse / MARKER)
            made = Belonging(uuid.uuid4().hex, catalog, self.place)
            with file_faults(self.warehouse):
                marker = write_marker(self.warehouse, made)
        if marker.catalog != catalog:
            raise of_another_catalog(self.warehouse, marker, self.place)
        if owner is None and not self.read_only:
            claim = f"UPDATE {SCHEMA}.meta SET warehouse = ?, place = ? WHERE warehouse IS NULL"
            self._run(lambda db: db.execute(claim, (marker.warehouse, str(self.warehouse))))
            catalog, owner, place = self._owner()
        if owner != marker.warehouse:
            if marker == made:
                (self.warehouse / MARKER).unlink(missing_ok=True)
            raise of_another_warehouse(self.warehouse, self.place, place)

    def _owner(self) -> tuple[str, str | None, str | None]:
        """Returns the id of the catalog, that of its warehouse, and where that was."""
        found = self._run(lambda db: db.execute(f"SELECT id, warehouse, place FROM {db.prefix}meta").fetchall())
        if len(found) != 1:
            raise self._damaged("its table 'meta' has no row")
        id, warehouse, place = found[0]
        return id, warehouse, place

    # --- statements --------------------------------------------------------------------------------------------------

    def _transaction(self, change: Callable[[_Connection], object]) -> None:
        """Makes a change in a transaction; again, if the server went away. Raises Outdated if another transaction has
        changed the same."""

        def make(db: _Connection) -> None:
            db.execute(_BEGIN)
            change(db)
            db.execute("COMMIT")

        try:
            self._run(make)
        except (self._driver.errors.SerializationFailure, self._driver.errors.DeadlockDetected) as fault:
            raise Outdated from fault

    def _run(self, work: Callable[[_Connection], _T]) -> _T:
        """Does something over a connection, and again over another one if the server was away."""
        begin, noticed = time.monotonic(), False
        while True:
            try:
                with self._faults(), self._connected() as db:
                    return work(db)
            except _Away as away:
                # Those that wait for later are of no use either.
                self._close_idle()
                now = time.monotonic()
                waited = now - begin
                if not self._patient or waited >= timeout() or self._wait_control.is_over(begin, now):
                    raise away.error from away.__cause__
                if waited >= NOTICE_AFTER and not noticed:
                    noticed = True
                    locks.on_wait(f"Waiting for the catalog in {self.place}, which does not answer; Ctrl-C cancels")
            time.sleep(_PAUSE)

    @contextlib.contextmanager
    def _connected(self) -> Iterator[_Connection]:
        """A connection for the block, outside a transaction. It is closed if an exception leaves the block."""
        with self._guard:
            db = self._idle.pop() if self._idle else None
        db = db or _Connection(self._connect())
        try:
            yield db
        except BaseException:
            # A transaction that has failed, or that was left, is undone; the connection is still good.
            with contextlib.suppress(self._driver.Error):
                if db.db.info.transaction_status != self._driver.pq.TransactionStatus.IDLE:
                    db.db.execute("ROLLBACK")
            raise
        finally:
            with self._guard:
                keep = not self._closed and not db.db.closed and len(self._idle) < _IDLE
                if keep:
                    self._idle.append(db)
            if not keep:
                db.db.close()

    def _close_idle(self) -> None:
        with self._guard:
            idle, self._idle = self._idle, []
        for each in idle:
            each.db.close()

    def _connect(self) -> psycopg.Connection[Any]:
        settings = {**_SETTINGS, **self._driver.conninfo.conninfo_to_dict(self.url)}
        found: psycopg.Connection[Any] = self._driver.connect(autocommit=True, prepare_threshold=None, **settings)
        return found

    @contextlib.contextmanager
    def _faults(self) -> Iterator[None]:
        """Turns exceptions of the driver inside the block into RowtimeError, or _Away."""
        errors = self._driver.errors
        try:
            yield
        except (errors.SerializationFailure, errors.DeadlockDetected):
            raise
        except (errors.LockNotAvailable, errors.IdleInTransactionSessionTimeout) as fault:
            raise error(
                "RT0604",
                f"The catalog in {self.place} is locked by another process; nothing was changed",
                hint="Wait until it has finished, or stop it, and try again",
            ) from fault
        except (
            errors.UndefinedTable,
            errors.UndefinedColumn,
            errors.InvalidSchemaName,
            errors.DuplicateTable,
        ) as fault:
            raise self._damaged(_first_line(fault)) from fault
        except (errors.DiskFull, errors.InsufficientPrivilege, errors.ReadOnlySqlTransaction) as fault:
            raise _unusable(self.place, _first_line(fault)) from fault
        except (self._driver.OperationalError, self._driver.InterfaceError) as fault:
            raise _Away(_unusable(self.place, _first_line(fault))) from fault
        except self._driver.Error as fault:
            raise _unusable(self.place, _first_line(fault)) from fault

    def _damaged(self, reason: str) -> RowtimeError:
        return error(
            "RT0602",
            f"The schema '{SCHEMA}' of {self.place} is not a rowtime catalog, or it is damaged: {reason}",
            hint="Restore it from a backup, or name another database with --catalog or ROWTIME_CATALOG",
        )


class _Away(Exception):
    """The server did not answer."""

    def __init__(self, error: RowtimeError) -> None:
        super().__init__()
        self.error = error


class _Listener:
    """Wakes readers when the catalog changes. Readers also look by themselves: notifications do not come through every
    pooler."""

    def __init__(self, connect: Callable[[], psycopg.Connection[Any]]) -> None:
        self.wakes: list[Callable[[], None]] = []
        self._connect = connect
        self._stopped = threading.Event()
        threading.Thread(target=self._listen, name="rowtime-catalog-changes", daemon=True).start()

    def stop(self) -> None:
        self._stopped.set()

    def _listen(self) -> None:
        while not self._stopped.is_set():
            with contextlib.suppress(Exception), self._connect() as db:
                db.execute(f"LISTEN {_CHANNEL}")
                # There may have been changes before it listened.
                self._wake()
                while not self._stopped.is_set():
                    for _ in db.notifies(timeout=1.0, stop_after=1):
                        self._wake()
            self._stopped.wait(1.0)

    def _wake(self) -> None:
        for wake in self.wakes:
            wake()


def _driver() -> Any:
    try:
        import psycopg
    except ImportError as fault:
        raise error(
            CODE,
            f"A catalog in PostgreSQL cannot be used: the driver psycopg cannot be loaded ({fault})",
            hint="pip install 'rowtime[postgres]'",
        ) from fault
    return psycopg


def _place(driver: Any, url: str) -> str:
    """Returns where a catalog is, without user, password and parameters."""
    try:
        found = driver.conninfo.conninfo_to_dict(url)
    except driver.Error as fault:
        raise error(
            CODE,
            "The address of the catalog is not one of PostgreSQL: it cannot be read",
            hint="Write postgresql://user@host:port/database, with signs in names and passwords escaped as in %40",
        ) from fault
    host = found.get("host") or os.environ.get("PGHOST") or "localhost"
    port = found.get("port") or os.environ.get("PGPORT")
    return (
        f"postgresql://{host}{f':{port}' if port else ''}/{found.get('dbname') or os.environ.get('PGDATABASE') or ''}"
    )


def _unusable(place: str, reason: str) -> RowtimeError:
    return error(
        CODE,
        f"The catalog in {place} cannot be used: {reason}",
        hint="Check the server, the address, the user and the password (in the address, PGPASSWORD or ~/.pgpass)",
    )


def _is_created(db: _Connection) -> bool:
    # Not to_regclass: it may not see what another transaction has just created.
    found = db.execute(f"SELECT 1 FROM pg_catalog.pg_tables WHERE schemaname = '{SCHEMA}' AND tablename = 'meta'")
    return bool(found.fetchall())


def _formats(db: _Connection) -> dict[str, Written]:
    rows = db.execute(f"SELECT part, number, version FROM {db.prefix}format").fetchall()
    return {part: Written(number, by) for part, number, by in rows}


def _record_formats(db: _Connection) -> None:
    either = "ON CONFLICT (part) DO UPDATE SET number = excluded.number, version = excluded.version"
    for part, (number, version) in current().items():
        db.execute(f"INSERT INTO {db.prefix}format VALUES (?, ?, ?) {either}", (part, number, version))


def _first_line(fault: Exception) -> str:
    lines = str(fault).strip().splitlines()
    return lines[0].removeprefix("connection failed: ") if lines else type(fault).__name__
