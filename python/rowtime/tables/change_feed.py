"""The changes of a table between two of its versions, by their data files: files that are added, files that are
removed, and rows that deletion vectors mark. Commits that only move rows, such as a compaction, change nothing."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any
from urllib.parse import quote, unquote

import msgspec
from deltalake import DeltaTable
from deltalake.exceptions import DeltaError

from rowtime.catalog.changes import Entry
from rowtime.catalog.store import Store
from rowtime.delta import commits
from rowtime.delta.commits import DataFile
from rowtime.delta.files import files_of, names_of
from rowtime.delta.snapshot import place_of_vector
from rowtime.errors import RowtimeError, error
from rowtime.tables import tables

_ABSENT = "x"
_UNKNOWN = (1 << 63) - 1
_NET, _EACH = "net", "each"
"""Whether most of the rows may come from files that were only written again."""
_Files = dict[str, DataFile]
"""The data files of a version, by their names."""


@dataclass(frozen=True, slots=True)
class FileChange:
    """What happens to the rows of one data file: None before or after if the table does not have it."""

    before: DataFile | None
    after: DataFile | None

    @property
    def rows(self) -> int | None:
        """The number of rows that it adds or removes; None if it is not known."""
        before, after = self.before, self.after
        if before is not None and after is not None:
            return abs(_deleted(before) - _deleted(after))
        file = before or after
        return 0 if file is None else file.live_rows


class ChangeFeed:
    """The versions of one table, as one query reads them one after another."""

    def __init__(self, store: Store, entry: Entry) -> None:
        self._store = store
        self._entry = entry
        self._log = tables.delta_log(store, entry)
        self._known: tuple[int, _Files] = (-1, {})

    def newest(self) -> int:
        """Returns the newest version; creates the table if it has none. Raises RowtimeError RT0312 if the table was
        dropped, RT0605 if commits are lost."""
        now = self._store.get(self._entry.name)
        if now is None or now.id != self._entry.id:
            raise error("RT0312", f"Table '{self._entry.name}', whose changes the query reads, was dropped")
        found = self._log.latest()
        return found if found >= 0 else int(tables.open_table(self._store, self._entry).version())

    def between(self, before: int | None, version: int) -> dict[str, list[FileChange]]:
        """Returns what a `version` changes of the one `before` (None: of an empty table), by the names of files. Raises
        RowtimeError RT0520 if the table no longer has what is needed for it."""
        old = {} if before is None else self._files(before)
        found = None if before is None else self._by_commits(old, before, version)
        if found is None or not self._exist(found):
            # What has come and gone between the two versions may no longer exist, and is not needed.
            found = _differences(old, self._files(version))
        if not self._exist(found):
            raise self._lost(version if before is None else before)
        return found

    def text(self, before: int | None, version: int) -> str:
        """Returns the same in the form that `io.rowtime.log.TableCommits` takes."""
        found, count, lines = self.between(before, version), 0, list[str]()
        for name, changes in found.items():
            for change in changes:
                count = min(_UNKNOWN, count + (_UNKNOWN if change.rows is None else change.rows))
            size = next(file.size for file in (changes[0].before, changes[0].after) if file is not None)
            said = "|".join(f"{self._place(change.before)}>{self._place(change.after)}" for change in changes)
            lines.append(f"{size} {said} {quote(name)}")
        return f"{count} {_NET if _is_rewritten(found) else _EACH}\n" + "\n".join(lines)

    def _place(self, file: DataFile | None) -> str:
        return _ABSENT if file is None else place_of_vector(self._log.folder, file.deleted)

    def _files(self, version: int) -> _Files:
        if self._known[0] != version:
            try:
                with tables.faults(self._store, self._entry):
                    table = DeltaTable(str(self._log.folder), version=version)
                    self._known = version, {file.name: file for file in files_of(self._log, table)}
            except (RowtimeError, DeltaError):
                if self._log.path(version).exists():
                    raise
                raise self._lost(version) from None
        return self._known[1]

    def _by_commits(self, files: _Files, before: int, version: int) -> dict[str, list[FileChange]] | None:
        """Returns the changes commit by commit, and keeps the files of the last one; None if a commit has been
        deleted."""
        files, found = dict(files), dict[str, list[FileChange]]()
        for number in range(before + 1, version + 1):
            try:
                actions = self._log.actions(number)
            except FileNotFoundError:
                return None
            for name, after, changes in _steps(actions):
                change = FileChange(files.get(name), after)
                if after is None:
                    files.pop(name, None)
                else:
                    files[name] = after
                if changes:
                    _add(found.setdefault(name, []), change)
        self._known = version, files
        return {name: changes for name, changes in found.items() if changes}

    def _exist(self, found: Mapping[str, list[FileChange]]) -> bool:
        changed = (change for changes in found.values() for change in changes)
        needed = (file for change in changed for file in (change.before, change.after) if file is not None)
        return all((self._log.folder / name).exists() for name in names_of(self._log, needed))

    def _lost(self, version: int) -> RowtimeError:
        return error(
            "RT0520",
            f"The query has read the changes of table '{self._entry.name}' up to version {version}, and the table no "
            "longer has what it had then, so the changes since then are not known",
        )


def _steps(actions: Iterable[Mapping[str, Any]]) -> Iterator[tuple[str, DataFile | None, bool]]:
    """Yields the files that a commit adds, removes, or gives another deletion vector: the name, what the file is after
    it, and whether it changes the data."""
    removed = {unquote(a["remove"]["path"]): a["remove"] for a in actions if "remove" in a}
    added = {unquote(a["add"]["path"]): a["add"] for a in actions if "add" in a}
    for name, action in {**removed, **added}.items():
        after = commits.data_file(action) if name in added else None
        yield (
            name,
            None if after is None else msgspec.structs.replace(after, name=name),
            bool(action.get("dataChange", True)),
        )


def _add(changes: list[FileChange], change: FileChange) -> None:
    """Adds a change to earlier ones of the same file. One that goes on where the last one ended becomes part of it."""
    if changes and _is_same(changes[-1].after, change.before):
        change = FileChange(changes.pop().before, change.after)
    if not _is_same(change.before, change.after):
        changes.append(change)


def _is_rewritten(found: Mapping[str, list[FileChange]]) -> bool:
    """Returns whether whole files have gone and others have come, as by an UPDATE: they have most rows in common."""
    changes = [change for each in found.values() for change in each]
    return any(change.after is None for change in changes) and any(change.before is None for change in changes)


def _differences(before: _Files, after: _Files) -> dict[str, list[FileChange]]:
    found = {name: FileChange(before.get(name), after.get(name)) for name in {**before, **after}}
    return {name: [change] for name, change in found.items() if not _is_same(change.before, change.after)}


def _is_same(one: DataFile | None, other: DataFile | None) -> bool:
    return (one is None) == (other is None) and (one is None or other is None or one.deleted == other.deleted)


def _deleted(file: DataFile) -> int:
    return 0 if file.deleted is None else file.deleted.cardinality
