"""Savepoints of a pump: named copies of its checkpoint, with its state and its positions, in a folder beside it.

A checkpoint that was copied while no query ran from it is like that of a process that was killed: the micro-batch that
had begun last is repeated. In the copy that a pump continues from, micro-batches keep the numbers that the target
knows, as long as the target has nothing later; see `restored_saves`.
"""

from __future__ import annotations

import contextlib
import hashlib
import os
import shutil
import uuid
from pathlib import Path
from typing import Any

import msgspec

from rowtime.catalog.changes import Entry
from rowtime.catalog.store import Store
from rowtime.catalog.unknown import remove_folder
from rowtime.decoding import Decoder
from rowtime.errors import error
from rowtime.runtime.checkpoint.checkpoints import damaged_checkpoint
from rowtime.storage.smallfiles import make_folder, sync, write_whole

UNKNOWN = "RT0560"
_FILE = "save.json"
_CHECKPOINT = "checkpoint"
_NUMBERING = "numbering"
_RESTORED = "restored"
_ORIGIN = "origin"
"""In a checkpoint that goes back to a savepoint: the generation in which its state began. Copies keep it."""


class Savepoint(msgspec.Struct, frozen=True, kw_only=True):
    """A savepoint, `made` at a time (ms). `batch` is the last micro-batch that had begun, `numbering` how often the
    pump had been reset when targets got to know the first number of that series. `places` are the versions of logs that
    are read next, by the name of the source; `positions` are those of all sources, as in `ScanProgress`. `taken` are
    the rows that its target had taken."""

    name: str
    made: int
    batch: int
    numbering: int
    places: dict[str, int]
    positions: dict[str, Any]
    taken: int


_saves = Decoder(Savepoint)


def saves(store: Store, entry: Entry) -> list[Savepoint]:
    """Returns the savepoints of a pump, the earliest first."""
    found = []
    with contextlib.suppress(FileNotFoundError):
        for home in _folder(store, entry).iterdir():
            if (home / _FILE).exists():
                found.append(_read(entry, home / _FILE))
    return sorted(found, key=lambda save: (save.made, save.name))


def exists(store: Store, entry: Entry, name: str) -> bool:
    return (_home(store, entry, name) / _FILE).exists()


def find(store: Store, entry: Entry, name: str) -> Savepoint:
    """Returns a savepoint. Raises RowtimeError RT0560 if there is none of that name."""
    if exists(store, entry, name):
        return _read(entry, _home(store, entry, name) / _FILE)
    known = ", ".join(f"'{save.name}'" for save in saves(store, entry))
    raise error(
        UNKNOWN,
        f"{entry.label} has no savepoint '{name}'",
        hint=f"It has {known}" if known else f"ALTER PUMP {entry.name} SAVE '{name}' makes one",
    )


def checkpoint_of(store: Store, entry: Entry, name: str) -> Path:
    """Returns the folder with the copy of the pump's checkpoint."""
    return _home(store, entry, name) / _CHECKPOINT


def write(store: Store, entry: Entry, save: Savepoint, folder: Path) -> None:
    """Makes a savepoint of the checkpoint in `folder`, from which no query runs. It is there as a whole, or not at
    all."""
    home = _home(store, entry, save.name)
    remove_folder(home)
    make_folder(home)
    _copy(folder, home / _CHECKPOINT)
    # Last: without it, the rest is the remains of a process that was killed.
    write_whole(home / _FILE, msgspec.json.encode(save))


def remove(store: Store, entry: Entry, name: str) -> None:
    """Deletes a savepoint."""
    home = _home(store, entry, name)
    (home / _FILE).unlink(missing_ok=True)
    remove_folder(home)


def restore(store: Store, entry: Entry, name: str, folder: Path) -> None:
    """Makes `folder` a checkpoint that continues from a savepoint, unless it is there already: another process may do
    the same. Raises RowtimeError RT0560."""
    if folder.exists():
        return
    save = find(store, entry, name)
    home = _home(store, entry, name)
    draft = home / f"{uuid.uuid4().hex}.new"
    try:
        _copy(home / _CHECKPOINT, draft)
        write_whole(draft / _RESTORED, msgspec.json.encode(save))
        write_whole(draft / _ORIGIN, str(origin(home / _CHECKPOINT, save.numbering)).encode())
        with contextlib.suppress(OSError):
            # It exists if another process was faster.
            draft.rename(folder)
            sync(folder.parent)
    finally:
        shutil.rmtree(draft, ignore_errors=True)


def restored(entry: Entry, folder: Path) -> Savepoint | None:
    """Returns the savepoint from which the checkpoint in `folder` was made, until it is known how its micro-batches are
    numbered."""
    file = folder / _RESTORED
    return _read(entry, file) if file.exists() else None


def number(folder: Path, numbering: int) -> None:
    """Records how the micro-batches of a checkpoint that was restored are numbered."""
    write_whole(folder / _NUMBERING, str(numbering).encode())
    (folder / _RESTORED).unlink(missing_ok=True)


def numbering(folder: Path, generation: int) -> int:
    """Returns which series of numbers the micro-batches of a pump's checkpoint belong to: that of the `generation`,
    unless it continues an earlier one."""
    return _number(folder / _NUMBERING, generation)


def origin(folder: Path, generation: int) -> int:
    """Returns in which generation the state of a pump's checkpoint began: after the last RESET that it has seen. That
    is `generation`, unless it continues from a savepoint."""
    return _number(folder / _ORIGIN, generation)


def _number(file: Path, generation: int) -> int:
    try:
        return int(file.read_text())
    except FileNotFoundError:
        return generation
    except ValueError as fault:
        raise damaged_checkpoint("The pump", file, "is truncated or damaged") from fault


def _folder(store: Store, entry: Entry) -> Path:
    return store.folder(entry.id, "pumps") / "saves"


def _home(store: Store, entry: Entry, name: str) -> Path:
    # Names are any text, and never become paths.
    return _folder(store, entry) / hashlib.blake2b(name.encode(), digest_size=16).hexdigest()


def _read(entry: Entry, file: Path) -> Savepoint:
    try:
        return _saves.decode(file.read_bytes())
    except (OSError, msgspec.MsgspecError) as fault:
        raise damaged_checkpoint(f"A savepoint of {entry.label.lower()}", file, "is truncated or damaged") from fault


def _copy(source: Path, target: Path) -> None:
    """Copies a folder durably. Files may vanish meanwhile: the JVM deletes old state that no query needs."""
    for home, _, names in os.walk(source):
        place = target / Path(home).relative_to(source)
        place.mkdir(parents=True, exist_ok=True)
        for name in names:
            if not name.endswith(".tmp"):
                with contextlib.suppress(FileNotFoundError):
                    shutil.copyfile(Path(home) / name, place / name)
                    sync(place / name)
        sync(place)
