"""The folder for files that are created once per machine and used by every process: archives, and Java homes for
Spark."""

from __future__ import annotations

import os
import sys
from pathlib import Path


def cache_folder() -> Path:
    """Returns the user's cache folder for rowtime: $XDG_CACHE_HOME, or the system's default."""
    if os.environ.get("XDG_CACHE_HOME"):
        return Path(os.environ["XDG_CACHE_HOME"]) / "rowtime"
    if sys.platform == "darwin":
        return Path.home() / "Library" / "Caches" / "rowtime"
    if os.name == "nt":
        return Path(os.environ.get("LOCALAPPDATA", Path.home() / "AppData" / "Local")) / "rowtime"
    return Path.home() / ".cache" / "rowtime"
