"""Files and folders for their owner alone, whatever the umask: they hold what passwords are for, or passwords."""

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
"""What rowtime puts into a warehouse, beside the catalog and its companions."""


def make_warehouse(folder: Path) -> None:
    """Makes the folder of a warehouse where it is missing, with its parents; one that is there is `tighten`ed."""
    if not folder.is_dir():
        folder.parent.mkdir(parents=True, exist_ok=True)
        with contextlib.suppress(FileExistsError):
            folder.mkdir(mode=FOLDER)
    tighten(folder)


def tighten(folder: Path) -> None:
    """Takes the rights of others from a warehouse, as far as it is ours.

    A folder that holds other things too, such as a home or /tmp, keeps its own rights; the files of the catalog and
    rowtime's folders in it do not.
    """
    with contextlib.suppress(OSError):
        inside = list(folder.iterdir())
        ours = [path for path in inside if path.name in _OF_WAREHOUSE or path.name.startswith(FILE_NAME)]
        for path in ours if len(ours) < len(inside) else [folder, *ours]:
            _restrict(path)


def make_private(file: Path) -> None:
    """Makes an empty file with the rights that it is to have from the beginning on; leaves one that is there."""
    with contextlib.suppress(FileExistsError):
        os.close(os.open(file, os.O_CREAT | os.O_EXCL | os.O_WRONLY, FILE))


def open_private(file: Path) -> TextIO:
    """A text file to append to, which nobody else reads."""
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
