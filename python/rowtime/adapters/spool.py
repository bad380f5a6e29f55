"""Requests that have been received, on disk until all who read them have committed them: one file of SQLite."""

from __future__ import annotations

import contextlib
import sqlite3
import time
import uuid
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from rowtime.locks import WaitControl, locked

ROWS, BOUND = "rows", "bound"
_TIMEOUT = 5.0
"""Seconds that SQLite may take for what it does beside transactions, of which there is one at a time."""

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
    """Requests that a reader has yet to read are not there any more."""


class Spool:
    """The requests in one folder. Any number of threads and processes may use it."""

    def __init__(self, folder: Path) -> None:
        self._file = folder / "requests.db"
        self._waits = WaitControl()

    def leave(self) -> None:
        """The owner is about to end: no wait for another process is to keep it."""
        self._waits.leave()

    def identity(self) -> str:
        """A name of its own."""
        with self._open() as db:
            db.execute("INSERT OR IGNORE INTO facts VALUES ('identity', ?)", (uuid.uuid4().hex,))
            return str(self._fact(db, "identity"))

    # --- receiving ---------------------------------------------------------------------------------------------------

    def add_rows(self, body: str, key: str | None) -> bool:
        """Keeps a request; it is durable on return. False if one with that key came before."""
        now = _now()
        with self._open() as db:
            if key is not None and db.execute("INSERT OR IGNORE INTO keys VALUES (?, ?)", (key, now)).rowcount == 0:
                return False
            db.execute("INSERT INTO requests (kind, received, body) VALUES (?, ?, ?)", (ROWS, now, body))
            return True

    def add_bound(self, micros: int) -> bool:
        """Keeps a bound (microseconds since 1970). False if it would go back."""
        with self._open() as db:
            last = self._fact(db, "bound")
            if last is not None and micros < int(last):
                return False
            if last is None or micros > int(last):
                db.execute("INSERT OR REPLACE INTO facts VALUES ('bound', ?)", (str(micros),))
                db.execute("INSERT INTO requests (kind, received, body) VALUES (?, ?, ?)", (BOUND, _now(), str(micros)))
            return True

    # --- reading -----------------------------------------------------------------------------------------------------

    def begin(self, reader: str, *, earliest: bool) -> int:
        """The number of the request after which a reader begins: where it was, or if it is new, behind the latest one
        or before the earliest."""
        with self._open() as db:
            known = db.execute("SELECT done FROM readers WHERE name = ?", (reader,)).fetchone()
            if known is not None:
                return int(known[0])
            start = self._removed(db) if earliest else self._latest(db)
            db.execute("INSERT INTO readers VALUES (?, ?, ?)", (reader, start, _now()))
            return start

    def latest(self, reader: str, done: int) -> int:
        """The number of the latest request, for a reader that has read up to `done`. Raises Gone."""
        with self._open(writes=False) as db:
            if done < self._removed(db):
                raise RequestsDeleted(f"{reader} was absent for so long that requests it has not read were deleted")
            return max(done, self._latest(db))

    def between(self, start: int, end: int) -> Iterator[Request]:
        """The requests after `start` up to `end`."""
        with self._open(writes=False) as db:
            found = db.execute(
                "SELECT kind, received, body FROM requests WHERE seq > ? AND seq <= ? ORDER BY seq", (start, end)
            ).fetchall()
        for kind, received, body in found:
            yield Request(kind, received, body)

    def commit(self, reader: str, done: int, keep: int) -> None:
        """A reader will not ask again for requests up to `done`. What all readers have committed goes; those that have
        not been seen for `keep` microseconds are forgotten."""
        now = _now()
        with self._open() as db:
            db.execute("INSERT OR REPLACE INTO readers VALUES (?, ?, ?)", (reader, done, now))
            db.execute("DELETE FROM readers WHERE seen < ? AND name <> ?", (now - keep, reader))
            db.execute("DELETE FROM keys WHERE received < ?", (now - keep,))
            least = db.execute("SELECT MIN(done) FROM readers").fetchone()[0]
            db.execute("DELETE FROM requests WHERE seq <= ?", (least,))
            if least > self._removed(db):
                db.execute("INSERT OR REPLACE INTO facts VALUES ('removed', ?)", (str(least),))

    def seen(self, reader: str) -> None:
        """A reader is still there, though nothing has come for it."""
        with self._open() as db:
            db.execute("UPDATE readers SET seen = ? WHERE name = ?", (_now(), reader))

    def count(self) -> int:
        """How many requests are kept."""
        with self._open(writes=False) as db:
            return int(db.execute("SELECT COUNT(*) FROM requests").fetchone()[0])

    # --- inside ------------------------------------------------------------------------------------------------------

    @contextlib.contextmanager
    def _open(self, *, writes: bool = True) -> Iterator[sqlite3.Connection]:
        """A connection in a transaction; what it has written is durable when the block ends. Raises RowtimeError RT0604
        where another process keeps the requests for too long."""
        self._file.parent.mkdir(parents=True, exist_ok=True)
        if not writes and self._file.exists():
            with self._transaction("BEGIN") as db:
                yield db
            return
        # SQLite would wait for another process without a word.
        with (
            locked(self._file.with_name("requests.lock"), "what an adapter has received", self._waits),
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

    def _removed(self, db: sqlite3.Connection) -> int:
        return int(self._fact(db, "removed") or 0)

    def _fact(self, db: sqlite3.Connection, name: str) -> str | None:
        found = db.execute("SELECT value FROM facts WHERE name = ?", (name,)).fetchone()
        return None if found is None else str(found[0])


def _now() -> int:
    return time.time_ns() // 1000
