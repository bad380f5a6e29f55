"""Files and folders that only their owner can read, whatever the umask: they contain passwords, or data that passwords
protect."""

from __future__ import annotations

import contextlib
import os
import stat
from pathlib import Path
from typing import TextIO

from rowtime.catalog import FILE_NAME
from rowtime.lexical.words import words

FOLDER, FILE = 0o700, 0o600

_FOLDERS = words("streams tables pumps queries bad_rows adapters frames owners")
_FILES = words("catalog.lock catalog.json errors.log trace.properties")
"""The folders and files of a warehouse, apart from the catalog and its companions."""
_WRITTEN = words("catalog.lock errors.log")

TRUSTED = "ROWTIME_TRUSTED_OWNERS"
"""The variable with the users, by name or number and separated by commas, whose warehouses may be opened."""


def make_warehouse(folder: Path) -> None:
    """Creates the folder of a warehouse, with its parents; `tighten`s it if it exists."""
    if not folder.is_dir():
        folder.parent.mkdir(parents=True, exist_ok=True)
        with contextlib.suppress(FileExistsError):
            folder.mkdir(mode=FOLDER)
    tighten(folder)


def make_folders(folder: Path) -> None:
    """Where other users can look into the folder of a warehouse, creates rowtime's own folders and files in it, with
    their final permissions: whoever creates them later would give them those of the umask."""
    if stat.S_IMODE(folder.stat().st_mode) & ~FOLDER:
        for name in _FOLDERS:
            (folder / name).mkdir(mode=FOLDER, exist_ok=True)
        for name in _WRITTEN:
            make_private(folder / name)


def strange_owner(folder: Path) -> tuple[Path, str] | None:
    """Returns a part of a warehouse that another user has written, and that user; None if there is none.

    A warehouse contains programs: its pumps run when it is opened, and states and functions are unpickled. So what
    another user has written counts as foreign, except root, who can do everything anyway, and the users in
    $ROWTIME_TRUSTED_OWNERS. For root, every other user is foreign.
    """
    if not hasattr(os, "getuid"):
        return None
    trusted = {name.strip() for name in os.environ.get(TRUSTED, "").split(",")}
    inside: list[Path] = []
    with contextlib.suppress(OSError):
        inside = [path for path in folder.iterdir() if _is_ours(path)]
    if not inside:
        return None
    for path in (folder, *inside):
        with contextlib.suppress(FileNotFoundError):
            owner = path.lstat().st_uid
            # A shared folder, such as /tmp, may be root's; what it contains says whose the warehouse is.
            if owner not in (os.getuid(), 0) and not trusted & {str(owner), _name_of(owner)}:
                return path, _name_of(owner)
    return None


def _name_of(user: int) -> str:
    import pwd

    try:
        return pwd.getpwuid(user).pw_name
    except KeyError:
        return str(user)


def _is_ours(path: Path) -> bool:
    return path.name in _FOLDERS or path.name in _FILES or path.name.startswith(FILE_NAME)


def tighten(folder: Path) -> None:
    """Removes other users' permissions from a warehouse, as far as it is ours.

    A folder that contains other things as well, such as a home folder or /tmp, keeps its own permissions; the files of
    the catalog and rowtime's folders in it do not.
    """
    with contextlib.suppress(OSError):
        inside = list(folder.iterdir())
        ours = [path for path in inside if _is_ours(path)]
        for path in ours if len(ours) < len(inside) else [folder, *ours]:
            _restrict(path)


def make_private(file: Path) -> None:
    """Creates an empty file with its final permissions from the start; leaves an existing one unchanged."""
    with contextlib.suppress(FileExistsError):
        os.close(os.open(file, os.O_CREAT | os.O_EXCL | os.O_WRONLY, FILE))


def open_private(file: Path) -> TextIO:
    """Opens a text file for appending, which no other user can read."""
    opened = open(file, "a", encoding="utf-8", errors="backslashreplace", opener=_opener)  # noqa: SIM115
    _restrict(file)
    return opened


def _opener(path: str, flags: int) -> int:
    return os.open(path, flags, FILE)


def _restrict(path: Path) -> None:
    with contextlib.suppress(OSError):
        status = path.lstat()
        if stat.S_ISLNK(status.st_mode) or status.st_mode & stat.S_ISVTX:
            return
        wanted = FOLDER if stat.S_ISDIR(status.st_mode) else FILE
        if status.st_mode & 0o777 & ~wanted and (not hasattr(os, "getuid") or status.st_uid == os.getuid()):
            path.chmod(stat.S_IMODE(status.st_mode) & wanted)
