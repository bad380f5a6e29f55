"""Stores received requests on disk until all their readers have committed them, in one SQLite file."""

from __future__ import annotations

import contextlib
import sqlite3
import time
import uuid
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from rowtime.locks import WaitControl, locked
from rowtime.streams.ages import Ages

ROWS, BOUND = "rows", "bound"
_TIMEOUT = 5.0
"""Seconds that SQLite may take for work outside transactions, which run one at a time."""

_TABLES = """
CREATE TABLE IF NOT EXISTS requests (
    seq INTEGER PRIMARY KEY AUTOINCREMENT, kind TEXT NOT NULL, received INTEGER NOT NULL, body TEXT NOT NULL);
CREATE TABLE IF NOT EXISTS keys (key TEXT PRIMARY KEY, received INTEGER NOT NULL);
CREATE TABLE IF NOT EXISTS readers (name TEXT PRIMARY KEY, done INTEGER NOT NULL, seen INTEGER NOT NULL);
CREATE TABLE IF NOT EXISTS facts (name TEXT PRIMARY KEY, value TEXT NOT NULL);
"""


@dataclass(frozen=True)
class Request:
    """`received` is when, in microseconds since 1970; `kind` is ROWS or BOUND."""

    kind: str
    received: int
    body: str


class RequestsDeleted(Exception):
    """Requests that a reader has not read yet have been deleted."""


class Spool:
    """The requests in one folder. Any number of threads and processes may use it."""

    def __init__(self, folder: Path) -> None:
        self._file = folder / "requests.db"
        self._wait_control = WaitControl()
        self._ages = Ages(folder)

    def leave(self) -> None:
        """Ends all waits for other processes: the owner is about to exit."""
        self._wait_control.leave()

    def identity(self) -> str:
        """Returns a unique name of this spool."""
        with self._open() as db:
            db.execute("INSERT OR IGNORE INTO facts VALUES ('identity', ?)", (uuid.uuid4().hex,))
            return str(self._setting(db, "identity"))

    # --- receiving ---------------------------------------------------------------------------------------------------

    def add_rows(self, body: str, key: str | None) -> bool:
        """Stores a request durably. Returns False if an earlier request has the same key."""
        now = _now()
        with self._open() as db:
            if key is not None and db.execute("INSERT OR IGNORE INTO keys VALUES (?, ?)", (key, now)).rowcount == 0:
                return False
            db.execute("INSERT INTO requests (kind, received, body) VALUES (?, ?, ?)", (ROWS, now, body))
            return True

    def add_bound(self, micros: int) -> bool:
        """Stores a bound, in microseconds since 1970. Returns False if it is earlier than the latest one."""
        with self._open() as db:
            last = self._setting(db, "bound")
            if last is not None and micros < int(last):
                return False
            if last is None or micros > int(last):
                db.execute("INSERT OR REPLACE INTO facts VALUES ('bound', ?)", (str(micros),))
                db.execute("INSERT INTO requests (kind, received, body) VALUES (?, ?, ?)", (BOUND, _now(), str(micros)))
            return True

    # --- reading -----------------------------------------------------------------------------------------------------

    def begin(self, reader: str, *, earliest: bool) -> int:
        """Returns the number of the request after which a reader begins: its last position, or if it is new, the end of
        the spool or its beginning (`earliest`)."""
        with self._open() as db:
            known = db.execute("SELECT done FROM readers WHERE name = ?", (reader,)).fetchone()
            if known is not None:
                return int(known[0])
            start = self._last_deleted(db) if earliest else self._latest(db)
            db.execute("INSERT INTO readers VALUES (?, ?, ?)", (reader, start, _now()))
            return start

    def latest(self, reader: str, done: int) -> int:
        """Returns the number of the latest request, for a reader that has read up to `done`. Raises RequestsDeleted."""
        with self._open(writes=False) as db:
            if done < self._last_deleted(db):
                raise RequestsDeleted(f"{reader} was absent for so long that requests it has not read were deleted")
            return max(done, self._latest(db))

    def between(self, start: int, end: int) -> Iterator[Request]:
        """Yields the requests after `start` up to `end`."""
        with self._open(writes=False) as db:
            found = db.execute(
                "SELECT kind, received, body FROM requests WHERE seq > ? AND seq <= ? ORDER BY seq", (start, end)
            ).fetchall()
        for kind, received, body in found:
            yield Request(kind, received, body)

    def commit(self, reader: str, done: int, keep: int) -> None:
        """Records that a reader has read up to `done`. Deletes what all readers have committed, and forgets readers
        that have not been seen for `keep` microseconds, during which the clock was not set."""
        now = _now()
        with self._open() as db:
            db.execute("INSERT OR REPLACE INTO readers VALUES (?, ?, ?)", (reader, done, now))
            if self._ages.believed() >= keep / 1_000_000:
                db.execute("DELETE FROM readers WHERE seen < ? AND name <> ?", (now - keep, reader))
                db.execute("DELETE FROM keys WHERE received < ?", (now - keep,))
            least = db.execute("SELECT MIN(done) FROM readers").fetchone()[0]
            db.execute("DELETE FROM requests WHERE seq <= ?", (least,))
            if least > self._last_deleted(db):
                db.execute("INSERT OR REPLACE INTO facts VALUES ('removed', ?)", (str(least),))

    def keep_alive(self, reader: str) -> None:
        """Records that a reader is still active, though it has committed nothing."""
        with self._open() as db:
            db.execute("UPDATE readers SET seen = ? WHERE name = ?", (_now(), reader))

    def count(self) -> int:
        """Returns the number of stored requests."""
        with self._open(writes=False) as db:
            return int(db.execute("SELECT COUNT(*) FROM requests").fetchone()[0])

    # --- inside ------------------------------------------------------------------------------------------------------

    @contextlib.contextmanager
    def _open(self, *, writes: bool = True) -> Iterator[sqlite3.Connection]:
        """A connection in a transaction. Its changes are durable when the block ends. Raises RowtimeError RT0604 if
        another process locks the file for too long."""
        self._file.parent.mkdir(parents=True, exist_ok=True)
        if not writes and self._file.exists():
            with self._transaction("BEGIN") as db:
                yield db
            return
        # SQLite would wait for another process without a message.
        with (
            locked(self._file.with_name("requests.lock"), "what an adapter has received", self._wait_control),
            self._transaction("BEGIN IMMEDIATE") as db,
        ):
            yield db

    @contextlib.contextmanager
    def _transaction(self, begin: str) -> Iterator[sqlite3.Connection]:
        db = sqlite3.connect(self._file, timeout=_TIMEOUT, isolation_level=None)
        try:
            db.execute("PRAGMA synchronous = FULL")
            if db.execute("PRAGMA user_version").fetchone()[0] == 0:
                db.execute("PRAGMA journal_mode = WAL")
                db.executescript(f"BEGIN IMMEDIATE; {_TABLES} PRAGMA user_version = 1; COMMIT")
            db.execute(begin)
            yield db
            db.execute("COMMIT")
        finally:
            db.close()

    def _latest(self, db: sqlite3.Connection) -> int:
        found = db.execute("SELECT seq FROM sqlite_sequence WHERE name = 'requests'").fetchone()
        return 0 if found is None else int(found[0])

    def _last_deleted(self, db: sqlite3.Connection) -> int:
        return int(self._setting(db, "removed") or 0)

    def _setting(self, db: sqlite3.Connection, name: str) -> str | None:
        found = db.execute("SELECT value FROM facts WHERE name = ?", (name,)).fetchone()
        return None if found is None else str(found[0])


def _now() -> int:
    return time.time_ns() // 1000
