"""Checks that the checkpoint of a query is complete, before Spark continues from it.

Spark uses whatever files it finds: if the newest file of `offsets` is lost, it plans that micro-batch again with other
rows, and the target, which knows the number of the batch, takes them for rows that it already has. Rows would be lost
without a message, or be repeated. So no query starts from a checkpoint that is behind its target or has lost a file
that Spark relies on. Files of batches completed long ago are not needed, and may be missing.
"""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import msgspec

from rowtime.errors import RowtimeError, error

_NOTHING = "-"
"""Spark's entry for a source that has nothing to read yet."""


def check(folder: Path, what: str, last: int | None, hint: str) -> None:
    """Raises RowtimeError RT0607 if Spark's checkpoint in `folder` is not whole.

    `what` names the query, `last` is the last micro-batch that its target has (None: none, or unknown), and `hint` is
    the way out.
    """
    try:
        _check(folder, -1 if last is None else last)
    except _Broken as fault:
        raise damaged_checkpoint(what, fault.path, fault.what, hint) from None


def damaged_checkpoint(what: str, path: Path, how: str, hint: str | None = None) -> RowtimeError:
    """Returns the error for a file or folder of a checkpoint that is missing or damaged."""
    kind = "what is in the folder" if path.is_dir() else "the file"
    return error(
        "RT0607",
        f"{what} cannot continue from its checkpoint: {kind} '{path}' {how}",
        hint=hint or "Restore the file from a backup, or start a new query",
    )


# The error conditions of Spark for unreadable state, and the files of state.
_NOT_LOADED = re.compile(r"CANNOT_LOAD_STATE_STORE|CANNOT_READ_STREAMING_STATE|\bStateSchema\w*\b")
_PATH = re.compile(r"/[^\s'\"\]]*")
_STATE_FILE = re.compile(r"/[^\s'\"\]]*/state/\d+/(?:\d+|_\w+)/[^\s'\"\],:;)]*\w")
_MISSING = re.compile(r"does not exist|NOT_EXISTS|FileNotFound|NoSuchFile|No such file")
_UNREADABLE = re.compile(r"EOFException|ZipException|[Cc]orrupt|[Cc]hecksum|MalformedInput|UNEXPECTED_FILE|IOException")


def state_fault(said: str, trace: str, what: str, state: Path | None, hint: str | None) -> RowtimeError | None:
    """Returns RT0607 if Spark's message `said` is about a query's saved state that it cannot read; otherwise None.
    `trace` is the full text of the exception, `state` the folder of the state."""
    found = _state_file(said) or _state_file(trace)
    if not (_NOT_LOADED.search(said) or found or _NOT_LOADED.search(trace)) or "OutOfMemoryError" in trace:
        return None
    is_missing = bool(_MISSING.search(said))
    if not is_missing and not _UNREADABLE.search(trace):
        return None
    path = Path(found) if found else state
    if path is None:
        return None
    return damaged_checkpoint(what, path, "is missing" if is_missing else "is damaged", hint)


def _state_file(text: str) -> str | None:
    """Returns the first path of a file of state in a message, which may also quote values of any length."""
    for path in _PATH.finditer(text):
        found = _STATE_FILE.match(path[0])
        if found:
            return found[0]
    return None


def numbers(folder: Path) -> list[int]:
    """Returns the micro-batches that have files in a folder of the checkpoint."""
    try:
        return [int(file.name) for file in folder.iterdir() if file.name.isdigit()]
    except FileNotFoundError:
        return []


class _Broken(Exception):
    def __init__(self, path: Path, what: str) -> None:
        super().__init__(what)
        self.path = path
        self.what = what


def _check(folder: Path, last: int) -> None:
    planned = max(numbers(folder / "offsets"), default=-1)
    done = max(numbers(folder / "commits"), default=-1)
    if max(planned, done, last) < 0:
        return
    known = max(done, last)
    if planned < known:
        raise _Broken(folder / "offsets" / str(known), f"is missing; micro-batch {known} was completed")
    metadata = _json(folder / "metadata", _text(folder / "metadata"))
    if not metadata.get("id"):
        raise _Broken(folder / "metadata", "does not name the query")
    newest = _offsets(folder / "offsets" / str(planned))
    if planned > 0:
        # Spark reads this one too: the batch that it may run again begins there.
        before = _offsets(folder / "offsets" / str(planned - 1))
        if len(before) != len(newest):
            raise _Broken(folder / "offsets" / str(planned), f"names {len(newest)} sources instead of {len(before)}")
    if done >= 0:
        path = folder / "commits" / str(done)
        lines = _lines(path)
        for line in lines[1:2]:
            _json(path, line)
    for number, place in enumerate(newest):
        _check_source(folder / "sources", number, place)


def _check_source(folder: Path, number: int, place: dict[str, Any]) -> None:
    """Spark's file source logs the files that it has read, and would read them again without that log. A source that
    occurs several times in a query has one folder, but an offset each time, so that the folders of those after it have
    lower numbers than their offsets."""
    last = place.get("logOffset")
    if not isinstance(last, int) or last < 0:
        return
    names = [f"{last}{end}" for end in ("", ".compact")]
    if not any((folder / str(n) / name).is_file() for n in range(number + 1) for name in names):
        raise _Broken(folder / str(number) / str(last), "is missing")


def _offsets(path: Path) -> list[dict[str, Any]]:
    """Returns the offset of each source in a file of offsets."""
    lines = _lines(path)
    if lines[0] != "v1":
        # Another format of Spark's, which it reads and checks itself.
        return []
    if len(lines) < 3:
        raise _Broken(path, "is truncated")
    if "batchWatermarkMs" not in _json(path, lines[1]):
        raise _Broken(path, "is damaged")
    return [{} if line == _NOTHING else _json(path, line) for line in lines[2:]]


def _lines(path: Path) -> list[str]:
    lines = _text(path).split("\n")
    if not (lines[0][:1] == "v" and lines[0][1:].isdigit()):
        raise _Broken(path, "is damaged")
    if len(lines) < 2:
        raise _Broken(path, "is truncated")
    return lines


def _json(path: Path, text: str) -> dict[str, Any]:
    try:
        found = msgspec.json.decode(text)
    except msgspec.DecodeError:
        raise _Broken(path, "is truncated or damaged") from None
    # The offset of some sources is a number.
    return found if isinstance(found, dict) else {}


def _text(path: Path) -> str:
    try:
        found = path.read_text(encoding="utf-8")
    except FileNotFoundError:
        raise _Broken(path, "is missing") from None
    except (OSError, UnicodeDecodeError):
        raise _Broken(path, "cannot be read") from None
    if not found.strip():
        raise _Broken(path, "is empty")
    return found
