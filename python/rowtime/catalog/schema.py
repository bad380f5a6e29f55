"""The tables of `catalog.db`: creates and upgrades them. `rows` reads and writes their rows."""

from __future__ import annotations

import sqlite3
from pathlib import Path

from rowtime.catalog.faults import not_a_catalog
from rowtime.catalog.rows import CHECKED, checksum
from rowtime.formats import NUMBERS, Written, current

PART = "catalog"
VERSION = NUMBERS[PART]
"""2 added checksums, 3 the formats; earlier catalogs get them when they are opened for writing."""
CHECKSUMS = 2
APPLICATION_ID = 0x726F7774  # "rowt", in the header of the file

_TABLES = """
CREATE TABLE meta (one INTEGER PRIMARY KEY CHECK (one = 1), version INTEGER NOT NULL);
INSERT INTO meta VALUES (1, 0);
CREATE TABLE object (position INTEGER PRIMARY KEY, id TEXT NOT NULL UNIQUE, name TEXT NOT NULL UNIQUE,
                     since INTEGER NOT NULL, definition TEXT NOT NULL, checksum INTEGER);
CREATE TABLE lateness (view TEXT NOT NULL, col TEXT NOT NULL, value TEXT NOT NULL, checksum INTEGER,
                       PRIMARY KEY (view, col));
CREATE TABLE note (id TEXT NOT NULL, key TEXT NOT NULL, value TEXT NOT NULL, checksum INTEGER, PRIMARY KEY (id, key));
CREATE TABLE dropped (id TEXT PRIMARY KEY, version INTEGER NOT NULL);
"""
_FORMATS = "CREATE TABLE format (part TEXT PRIMARY KEY, number INTEGER NOT NULL, version TEXT NOT NULL)"
"""The formats of the warehouse's parts. All later versions keep this table as it is: an earlier one reads it to say who
has written the warehouse."""


def header(db: sqlite3.Connection) -> tuple[int, int]:
    """Returns the application id of the file and the version of its tables; 0 and 0 for a new file."""
    (application,), (version,) = (db.execute(f"PRAGMA {p}").fetchone() for p in ("application_id", "user_version"))
    return application, version


def is_created(db: sqlite3.Connection) -> bool:
    """Returns whether the file has a version, or any table."""
    (version,) = db.execute("PRAGMA user_version").fetchone()
    (tables,) = db.execute("SELECT count(*) FROM sqlite_master").fetchone()
    return bool(version or tables)


def create(db: sqlite3.Connection) -> None:
    """Creates the tables, within a transaction of the caller."""
    for statement in _TABLES.split(";"):
        db.execute(statement)
    db.execute(_FORMATS)
    record_formats(db)
    db.execute(f"PRAGMA application_id = {APPLICATION_ID}")
    db.execute(f"PRAGMA user_version = {VERSION}")


def upgrade(db: sqlite3.Connection) -> None:
    """Upgrades a catalog of an earlier version, within a transaction of the caller."""
    _, version = header(db)
    if version < CHECKSUMS:
        _add_checksums(db)
    if version < VERSION:
        db.execute(_FORMATS)
    record_formats(db)
    db.execute(f"PRAGMA user_version = {VERSION}")


def _add_checksums(db: sqlite3.Connection) -> None:
    for table, columns in CHECKED.items():
        db.execute(f"ALTER TABLE {table} ADD COLUMN checksum INTEGER")
        for key, *values in db.execute(f"SELECT rowid, {', '.join(columns)} FROM {table}").fetchall():
            db.execute(f"UPDATE {table} SET checksum = ? WHERE rowid = ?", (checksum(values), key))


def record_formats(db: sqlite3.Connection) -> None:
    """Records that this version of rowtime writes the warehouse, within a transaction of the caller."""
    for part, (number, version) in current().items():
        db.execute("INSERT OR REPLACE INTO format VALUES (?, ?, ?)", (part, number, version))


def written_formats(db: sqlite3.Connection) -> dict[str, Written]:
    """Returns the formats of the parts of the warehouse. Catalogs before version 3 record only their own."""
    _, version = header(db)
    found = {PART: Written(version, None)}
    if db.execute("SELECT count(*) FROM sqlite_master WHERE name = 'format'").fetchone() != (0,):
        rows = db.execute("SELECT part, number, version FROM format").fetchall()
        found |= {part: Written(number, by) for part, number, by in rows}
        # The header counts: whoever changes the tables sets it.
        found[PART] = Written(version, found[PART].version)
    return found


def check_sound(db: sqlite3.Connection, path: Path) -> None:
    """Raises RowtimeError RT0602 if the file is damaged: a damaged index would hide objects."""
    found = [row[0] for row in db.execute("PRAGMA integrity_check(1)")]
    if found != ["ok"]:
        raise not_a_catalog(path, reason=str(found[0]).splitlines()[-1])
