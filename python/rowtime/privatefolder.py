"""Folders for temporary files of this process that no other user can read, open or foresee."""

from __future__ import annotations

import atexit
import os
import shutil
import stat
import tempfile
import threading
from pathlib import Path

_guard = threading.Lock()
_made: dict[tuple[int, str | None], Path] = {}


def private_folder(parent: str | None = None) -> Path:
    """Returns a folder of this process in the folder for temporary files, or in `parent`. Its mode is 0700, and it is
    deleted when the process ends."""
    with _guard:
        key = (os.getpid(), parent)
        if key not in _made or not _made[key].is_dir():
            _made[key] = Path(tempfile.mkdtemp(prefix="rowtime-", dir=parent))
            atexit.register(_remove, *key)
        return _made[key]


def temporary_folders() -> list[Path]:
    """Returns the folders in which this process and Spark have their temporary files."""
    return [Path(tempfile.gettempdir()), *map(Path, filter(None, os.environ.get("SPARK_LOCAL_DIRS", "").split(",")))]


def remove_folders() -> None:
    """Deletes the folders of this process at once: for one that ends without its usual clean-up."""
    for process, parent in list(_made):
        _remove(process, parent)


def is_private(folder: Path) -> bool:
    """Returns whether a folder belongs to this user, or to root, and no other user can change what is in it."""
    try:
        status = folder.lstat()
    except OSError:
        return False
    if os.name == "nt":
        return stat.S_ISDIR(status.st_mode)
    return stat.S_ISDIR(status.st_mode) and status.st_uid in (os.getuid(), 0) and not status.st_mode & 0o022


def _remove(process: int, parent: str | None) -> None:
    # A child process has not made it.
    if process == os.getpid():
        shutil.rmtree(_made[process, parent], ignore_errors=True)
