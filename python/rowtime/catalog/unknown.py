"""Folders in a warehouse that belong to no object of its catalog.

They exist if the catalog was restored from a backup that is older than a CREATE, or if a process died while it created
or dropped an object. Only what is provably of no use is deleted: a folder whose object was never committed (it holds
the file DRAFT), or was dropped (its name ends with GONE). All other folders stay: restoring a later catalog brings
their objects back.
"""

from __future__ import annotations

import contextlib
import os
import re
import shutil
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import msgspec

from rowtime.catalog.store import Store
from rowtime.locks import WaitControl, locked, locked_if_free
from rowtime.notices import warn

DRAFT = "_draft"
"""The file in the folder of an object that is being created. It is removed once the object is committed."""
GONE = ".gone"
"""The ending of a folder that is being deleted."""

_ID = re.compile(r"[0-9a-f]{32}")
_HOMES = ("streams", "tables", "pumps")
_DATA = (".parquet", ".arrow")
_SHOWN = 3


@dataclass(frozen=True, slots=True)
class UnknownFolder:
    """A folder with data of an object that the catalog does not know: its size, and the columns of its rows (none for a
    pump, whose folder holds its checkpoint)."""

    path: Path
    bytes: int
    columns: tuple[str, ...]


def unknown_folders(store: Store) -> list[UnknownFolder]:
    """Returns the folders with data that belong to no object of the catalog."""
    return [found for path in _unknown(store) if (found := _with_data(path)) is not None]


def warn_of_unknown_folders(store: Store) -> None:
    """Names the folders with data that belong to no object of the catalog in a warning, RT0630."""
    found = unknown_folders(store)
    if not found:
        return
    shown = ", ".join(f"'{one.path.relative_to(store.warehouse)}'" for one in found[:_SHOWN])
    more = f" and {len(found) - _SHOWN} more" if len(found) > _SHOWN else ""
    warn(
        "RT0630",
        f"The warehouse '{store.warehouse}' holds data that its catalog does not know, in {shown}{more}",
        "If the catalog was restored from a backup, restore a later one, and the objects are back. Nothing is deleted; "
        "'rowtime doctor' lists the folders with their columns",
    )


def sweep_folders(store: Store) -> int:
    """Deletes folders of objects that were never committed, or were dropped. Returns how many."""
    for entry in store.entries():
        if entry.is_table:
            # The process that created it was killed right after its commit.
            keep(store.folder(entry.id, "tables"))
    return sum(_sweep(store, path) for path in list(_useless(store)))


@contextlib.contextmanager
def draft(path: Path) -> Iterator[None]:
    """Creates the folder of an object, as a draft until `keep` is called, after the object is committed. Until the end
    of the block, no other process takes it for one that was left behind."""
    while True:
        path.mkdir(parents=True, exist_ok=True)
        with locked(path / DRAFT, f"the folder '{path}'", WaitControl()):
            # Another process may have deleted it before it was locked.
            if (path / DRAFT).exists():
                yield
                return


def make_durable(path: Path) -> None:
    """Makes the names in the folder of an object durable, before the catalog relies on them."""
    descriptor = os.open(path, os.O_RDONLY | os.O_CLOEXEC)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


def keep(path: Path) -> None:
    """Says that the folder of an object is no draft."""
    with contextlib.suppress(OSError):
        (path / DRAFT).unlink()


def remove_folder(path: Path) -> None:
    """Deletes a folder. If this process dies meanwhile, the rest can be recognised as a remain."""
    gone = path if path.name.endswith(GONE) else path.with_name(path.name + GONE)
    if gone != path:
        try:
            path.rename(gone)
        except FileNotFoundError:
            return
        except OSError:
            gone = path
    shutil.rmtree(gone, ignore_errors=True)


def _sweep(store: Store, path: Path) -> bool:
    """Deletes a folder of no use. Returns whether it did: a process may be writing a draft."""
    with locked_if_free(path / DRAFT) as free:
        # The object may have been committed since.
        if not free or path.name in _known_ids(store):
            return False
        remove_folder(path)
    return True


def _useless(store: Store) -> Iterator[Path]:
    for home in _HOMES:
        for path in _folders(store.warehouse / home):
            if path.name.endswith(GONE) and _ID.fullmatch(path.name.removesuffix(GONE)):
                yield path
    for path in _unknown(store):
        if (path / DRAFT).exists():
            yield path


def _unknown(store: Store) -> Iterator[Path]:
    known = _known_ids(store)
    for home in _HOMES:
        for path in _folders(store.warehouse / home):
            if _ID.fullmatch(path.name) and path.name not in known:
                yield path


def _known_ids(store: Store) -> set[str]:
    return {entry.id for entry in store.entries()} | set(store.dropped())


def _folders(home: Path) -> list[Path]:
    try:
        with os.scandir(home) as found:
            return [home / name for name in sorted(entry.name for entry in found if entry.is_dir())]
    except FileNotFoundError:
        return []


def _with_data(path: Path) -> UnknownFolder | None:
    files = [file for file in path.rglob("*") if file.is_file()]
    if path.parent.name == "pumps":
        has_data = any(file.parent.name == "offsets" for file in files)
    else:
        has_data = any(file.suffix in _DATA for file in files)
    return UnknownFolder(path, sum(file.stat().st_size for file in files), _columns(path)) if has_data else None


def _columns(path: Path) -> tuple[str, ...]:
    """Returns the names of the columns in Delta's log, without those of rowtime's own."""
    for commit in sorted((path / "_delta_log").glob("*.json")):
        try:
            for line in commit.read_bytes().splitlines():
                action = msgspec.json.decode(line)
                if "metaData" in action:
                    fields = msgspec.json.decode(action["metaData"]["schemaString"])["fields"]
                    return tuple(str(field["name"]) for field in fields if not field["name"].startswith("_"))
        except (OSError, msgspec.DecodeError, KeyError, TypeError):
            continue
    return ()
