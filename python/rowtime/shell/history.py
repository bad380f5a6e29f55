"""Stores what was typed in the shell: in a file in the user's state folder, for all warehouses."""

from __future__ import annotations

import contextlib
import os
import sys
from pathlib import Path

from prompt_toolkit.history import FileHistory, History, InMemoryHistory

from rowtime.catalog.private import open_private
from rowtime.secrets.masking import mask_secrets


def state_folder() -> Path:
    """Returns the user's state folder for rowtime: $XDG_STATE_HOME, or the system's default."""
    if os.environ.get("XDG_STATE_HOME"):
        return Path(os.environ["XDG_STATE_HOME"]) / "rowtime"
    if sys.platform == "darwin":
        return Path.home() / "Library" / "Application Support" / "rowtime"
    if os.name == "nt" and os.environ.get("LOCALAPPDATA"):
        return Path(os.environ["LOCALAPPDATA"]) / "rowtime"
    return Path.home() / ".local" / "state" / "rowtime"


def open_history(folder: Path | None = None) -> History:
    """Returns the history of earlier sessions, which this session continues; only that of this session if no file can
    be written."""
    file = (folder or state_folder()) / "history"
    try:
        file.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
        open_private(file).close()
    except OSError:
        return InMemoryHistory()
    return _File(str(file))


class _File(FileHistory):
    """Stores what was typed without its secrets, which only this session's memory keeps; it keeps all of it if the disk
    is full."""

    def store_string(self, string: str) -> None:
        with contextlib.suppress(OSError):
            super().store_string(mask_secrets(string))
