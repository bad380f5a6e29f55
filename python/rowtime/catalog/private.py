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

_OF_WAREHOUSE = words(
    "streams tables pumps queries bad_rows adapters frames owners catalog.lock errors.log trace.properties"
)
"""The files and folders of a warehouse, apart from the catalog and its companions."""


def make_warehouse(folder: Path) -> None:
    """Creates the folder of a warehouse, with its parents; `tighten`s it if it exists."""
    if not folder.is_dir():
        folder.parent.mkdir(parents=True, exist_ok=True)
        with contextlib.suppress(FileExistsError):
            folder.mkdir(mode=FOLDER)
    tighten(folder)


def tighten(folder: Path) -> None:
    """Removes other users' permissions from a warehouse, as far as it is ours.

    A folder that contains other things as well, such as a home folder or /tmp, keeps its own permissions; the files of
    the catalog and rowtime's folders in it do not.
    """
    with contextlib.suppress(OSError):
        inside = list(folder.iterdir())
        ours = [path for path in inside if path.name in _OF_WAREHOUSE or path.name.startswith(FILE_NAME)]
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
