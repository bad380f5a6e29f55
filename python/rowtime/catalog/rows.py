"""The rows of a catalog in a database of SQL: how its objects, notes and versions are read and written.

The rows of objects, notes and LATENESS have checksums: a database detects damage to its own structure, but not always
to values.
"""

from __future__ import annotations

import time
import zlib
from collections.abc import Callable, Mapping, Sequence
from typing import Any, Protocol

import msgspec

from rowtime.catalog.changes import CatalogState, Entry
from rowtime.catalog.database import Changes, NoteChange, Outdated, StateChange
from rowtime.errors import RowtimeError

CREATED = "created"
"""The note with the creation time of an object (ms since 1970)."""
CHECKED = {
    "object": ("id", "name", "since", "definition"),
    "lateness": ("view", "col", "value"),
    "note": ("id", "key", "value"),
}
"""The columns of each table that have a checksum."""
_FEW = 500
"""The number of objects that are read by their ids rather than all."""


class Result(Protocol):
    """The rows of a statement that was executed, and the number of those that it has changed."""

    @property
    def rowcount(self) -> int: ...

    def fetchall(self) -> list[Any]: ...


class Connection(Protocol):
    """A connection to a database. `prefix` comes before the names of tables; `?` stands for a value."""

    @property
    def prefix(self) -> str: ...

    def execute(self, sql: str, values: Sequence[Any] = (), /) -> Result: ...


class CatalogRows:
    """Reads and writes the rows of one catalog, within transactions of the caller's.

    `damaged` returns the error for rows that are not what was written, of which it gets the reason. `lateness_order` is
    the column by which rows of the table `lateness` have the order in which they were written.
    """

    def __init__(self, damaged: Callable[[str], RowtimeError], lateness_order: str) -> None:
        self.has_checksums = True
        """Whether the tables have checksums: those of the first version of a catalog have none."""
        self._damaged = damaged
        self._lateness_order = lateness_order
        self._known: Mapping[str, tuple[tuple[int, int], Entry]] = {}
        """The objects at the latest reading by their ids, with their `since` and checksum."""

    # --- reading -----------------------------------------------------------------------------------------------------

    def state(self, db: Connection, known: CatalogState | None) -> CatalogState:
        """Returns all objects; `known` if it has the current version."""
        ((version,),) = db.execute(f"SELECT version FROM {db.prefix}meta").fetchall()
        if known is not None and known.version == version:
            return known
        late = self._select(db, "lateness", f"ORDER BY {self._lateness_order}")
        return CatalogState(
            version,
            {entry.name: entry for entry in self._entries(db)},
            {(view, column): value for view, column, value in late},
        )

    def entry(self, db: Connection, name: str) -> Entry | None:
        return next(iter(self._read_entries(db, "WHERE name = ?", name).values()), None)

    def system_ids(self, db: Connection) -> set[str]:
        return {id for (id,) in db.execute(f"SELECT id FROM {db.prefix}object WHERE since = 0").fetchall()}

    def note(self, db: Connection, id: str, key: str) -> str | None:
        found = self._select(db, "note", "WHERE id = ? AND key = ?", id, key)
        return found[0][2] if found else None

    def dropped(self, db: Connection) -> list[str]:
        return [id for (id,) in db.execute(f"SELECT id FROM {db.prefix}dropped ORDER BY version, id").fetchall()]

    # --- writing -----------------------------------------------------------------------------------------------------

    def write(self, db: Connection, changes: Changes) -> None:
        """Writes changes. Raises Outdated, after which the caller rolls back."""
        if changes.state is not None:
            _write_state(db, changes.state)
        for note in changes.notes:
            _write_note(db, note)
        for id in changes.forgotten:
            db.execute(f"DELETE FROM {db.prefix}dropped WHERE id = ?", (id,))

    # --- inside ------------------------------------------------------------------------------------------------------

    def _select(self, db: Connection, table: str, which: str, *values: Any) -> list[Any]:
        """Returns rows of a table that has checksums, without the checksums. Raises the error for damage if one does
        not match."""
        column = "checksum" if self.has_checksums else "NULL"
        sql = f"SELECT {', '.join(CHECKED[table])}, {column} FROM {db.prefix}{table} {which}"
        found = db.execute(sql, values).fetchall()
        for *row, written in found:
            if self.has_checksums and written != checksum(row):
                raise self._damaged(f"a row of its table '{table}' does not match its checksum")
        return [row[:-1] for row in found]

    def _entries(self, db: Connection) -> list[Entry]:
        """Returns all objects. Reads only those that have changed since the latest reading: the others are the same
        entries."""
        known = self._known if self.has_checksums else {}
        stamp = "since, checksum" if self.has_checksums else "NULL, NULL"
        found = db.execute(f"SELECT id, {stamp} FROM {db.prefix}object ORDER BY position").fetchall()
        missing = [id for id, *version in found if id not in known or known[id][0] != tuple(version)]
        if len(missing) > _FEW:
            read = self._read_entries(db, "")
        else:
            marks = ", ".join("?" * len(missing))
            read = self._read_entries(db, f"WHERE id IN ({marks})", *missing) if missing else {}
        self._known = {id: ((since, checksum), read.get(id) or known[id][1]) for id, since, checksum in found}
        return [entry for _, entry in self._known.values()]

    def _read_entries(self, db: Connection, which: str, *values: Any) -> dict[str, Entry]:
        """Returns objects by their ids."""
        found = self._select(db, "object", which, *values)
        return {id: Entry(id, since, msgspec.json.decode(definition)) for id, _, since, definition in found}


def checksum(row: Sequence[Any]) -> int:
    """Returns the CRC-32 of the values of a row."""
    return zlib.crc32("\0".join(map(str, row)).encode(errors="surrogatepass"))


def _write_state(db: Connection, change: StateChange) -> None:
    old, new = change.before, change.after
    moved = db.execute(f"UPDATE {db.prefix}meta SET version = ? WHERE version = ?", (new.version, old.version))
    if moved.rowcount != 1:
        raise Outdated
    before = {entry.id: entry for entry in old.entries.values()}
    after = {entry.id: entry for entry in new.entries.values()}
    for id in before.keys() - after.keys():
        db.execute(f"DELETE FROM {db.prefix}object WHERE id = ?", (id,))
        db.execute(f"DELETE FROM {db.prefix}note WHERE id = ?", (id,))
        db.execute(f"INSERT INTO {db.prefix}dropped VALUES (?, ?)", (id, new.version))
    renamed = [id for id in before.keys() & after.keys() if before[id].name != after[id].name]
    for id in renamed:
        # Names, and ids, are unique: two objects may exchange them.
        db.execute(f"UPDATE {db.prefix}object SET name = ? WHERE id = ?", (f"{id} renamed", id))
    for id in renamed:
        db.execute(f"UPDATE {db.prefix}object SET name = ? WHERE id = ?", (after[id].name, id))
    for id, entry in after.items():
        if before.get(id) is entry:
            continue
        definition = msgspec.json.encode(entry.definition).decode()
        row = (id, entry.name, entry.since, definition)
        if id not in before:
            _insert(db, "object", row)
            if entry.since:
                _write_note(db, NoteChange(id, CREATED, str(time.time_ns() // 1_000_000)))
        elif before[id] != entry:
            db.execute(
                f"UPDATE {db.prefix}object SET since = ?, definition = ?, checksum = ? WHERE id = ?",
                (entry.since, definition, checksum(row), id),
            )
    if old.lateness != new.lateness:
        db.execute(f"DELETE FROM {db.prefix}lateness")
        for (view, column), value in new.lateness.items():
            _insert(db, "lateness", (view, column, value))


def _write_note(db: Connection, note: NoteChange) -> None:
    key, row = (note.id, note.key), (note.id, note.key, note.value)
    where = "WHERE id = ? AND key = ?"
    values: tuple[str | None, ...] = key
    if note.is_conditional and note.expected is None:
        if note.value is None:
            changed = 1 - len(db.execute(f"SELECT 1 FROM {db.prefix}note {where}", values).fetchall())
        else:
            changed = _insert(db, "note", row, "ON CONFLICT DO NOTHING")
        if changed != 1:
            raise Outdated
        return
    if not note.is_conditional and note.value is not None:
        either = "ON CONFLICT (id, key) DO UPDATE SET value = excluded.value, checksum = excluded.checksum"
        _insert(db, "note", row, either)
        return
    if note.is_conditional:
        where, values = f"{where} AND value = ?", (*key, note.expected)
    if note.value is None:
        changed = db.execute(f"DELETE FROM {db.prefix}note {where}", values).rowcount
    else:
        update = f"UPDATE {db.prefix}note SET value = ?, checksum = ? {where}"
        changed = db.execute(update, (note.value, checksum(row), *values)).rowcount
    if note.is_conditional and changed != 1:
        raise Outdated


def _insert(db: Connection, table: str, row: Sequence[Any], otherwise: str = "") -> int:
    """Inserts a row into a table that has checksums. Returns how many rows that has changed."""
    marks = "?, " * len(row)
    sql = f"INSERT INTO {db.prefix}{table} ({', '.join(CHECKED[table])}, checksum) VALUES ({marks}?) {otherwise}"
    return db.execute(sql, (*row, checksum(row))).rowcount
