"""Where the shell keeps what was typed: a file in the user's state folder, over all warehouses."""

from __future__ import annotations

import os
import sys
from pathlib import Path

from prompt_toolkit.history import FileHistory, History, InMemoryHistory

from rowtime.catalog.private import open_private
from rowtime.secrets.masking import masked


def state_folder() -> Path:
    """The user's state folder for rowtime: $XDG_STATE_HOME, or what the system uses for it."""
    if os.environ.get("XDG_STATE_HOME"):
        return Path(os.environ["XDG_STATE_HOME"]) / "rowtime"
    if sys.platform == "darwin":
        return Path.home() / "Library" / "Application Support" / "rowtime"
    if os.name == "nt" and os.environ.get("LOCALAPPDATA"):
        return Path(os.environ["LOCALAPPDATA"]) / "rowtime"
    return Path.home() / ".local" / "state" / "rowtime"


def open_history(folder: Path | None = None) -> History:
    """The history of earlier sessions, which this one goes on with; of this one only where no file can be written."""
    file = (folder or state_folder()) / "history"
    try:
        file.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
        open_private(file).close()
    except OSError:
        return InMemoryHistory()
    return _File(str(file))


class _File(FileHistory):
    """Keeps what was typed without the secrets in it, which this session's own memory still has."""

    def store_string(self, string: str) -> None:
        super().store_string(masked(string))
