"""Records unexpected errors: in `errors.log` in the warehouse if there is one, or else in the user's cache folder; or
on stderr with ROWTIME_DEBUG=1."""

from __future__ import annotations

import datetime
import os
import shlex
import sys
import tempfile
import traceback
from collections.abc import Iterator
from pathlib import Path

from rowtime.catalog import warehouse_path
from rowtime.catalog.private import open_private
from rowtime.jvm.cache import cache_folder
from rowtime.secrets.masking import learn, mask_secrets
from rowtime.secrets.memory import without_secrets


def note(fault: BaseException) -> Path | None:
    """Records an exception with its traceback. Returns the file; None if it went to stderr or nowhere."""
    return note_trace("".join(traceback.format_exception(fault)))


def note_trace(trace: str) -> Path | None:
    """Records a traceback, like `note`."""
    for argument in sys.argv:
        learn(argument)
    trace = without_secrets(trace)
    if os.environ.get("ROWTIME_DEBUG") not in (None, "", "0"):
        print(trace, file=sys.stderr, end="")
        return None
    now = datetime.datetime.now(datetime.timezone.utc).isoformat(timespec="seconds")
    for folder in _folders():
        try:
            folder.mkdir(parents=True, exist_ok=True, mode=0o700)
            with open_private(folder / "errors.log") as log:
                log.write(f"--- {now} {shlex.join(mask_secrets(argument) for argument in sys.argv)}\n{trace}\n")
            return folder / "errors.log"
        except OSError:
            continue
    return None


def _folders() -> Iterator[Path]:
    if warehouse_path().is_dir():
        yield warehouse_path()
    yield cache_folder()
    yield Path(tempfile.gettempdir())
