"""The files that a query has read, by its checkpoint; and the rows that a process had taken from files when it was
killed, and of which it had not told: the files are read again, to count them.
"""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, Protocol

import msgspec

from rowtime.runtime.checkpoint.offsets import OffsetLog
from rowtime.runtime.checkpoint.source_rows import ScanProgress

_LAST = "logOffset"
"""The position of Spark's source of files: the number of the last entry in its log of files."""
_MARK = {"id", "bound"}
"""The position of a source that only accompanies the one before it."""

Count = Callable[[str, Sequence[str]], int]
"""Returns the rows of some files, as a source reads them."""


def with_untold(scans: Sequence[ScanProgress], checkpoint: Path, count: Count) -> list[ScanProgress]:
    """Returns what the scans of a query have taken, up to the last completed micro-batch in its checkpoint. Their
    positions are those of its last report, or None before the first. Files that no longer exist have no rows."""
    places = OffsetLog(checkpoint).completed_places()
    of_scans = [place for place in places if not (isinstance(place, dict) and place.keys() == _MARK)]
    if len(of_scans) != len(scans):
        return list(scans)
    folders = _folders(places, scans)
    found = []
    for scan, place in zip(scans, of_scans, strict=True):
        begin, end = _last(scan.position), _last(place)
        if end is None or (scan.position is not None and begin is None):
            found.append(scan)
            continue
        files = _files(checkpoint / "sources" / str(folders[scan.source]), -1 if begin is None else begin, end)
        rows = count(scan.source, files) if files else 0
        found.append(ScanProgress(scan.source, scan.rows + rows, place))
    return found


def places_read(scans: Sequence[HasSource], checkpoint: Path) -> list[Any]:
    """Returns the positions of the scans of a query after the last completed micro-batch in its checkpoint; for a
    source of files, the files that it has read, however they are divided into micro-batches."""
    places = OffsetLog(checkpoint).completed_places()
    of_scans = [place for place in places if not (isinstance(place, dict) and place.keys() == _MARK)]
    if len(of_scans) != len(scans):
        return places
    folders = _folders(places, scans)
    found: list[Any] = []
    for scan, place in zip(scans, of_scans, strict=True):
        end = _last(place)
        log = checkpoint / "sources" / str(folders[scan.source])
        found.append(place if end is None else frozenset(_files(log, -1, end)))
    return found


class HasSource(Protocol):
    @property
    def source(self) -> str: ...


def _folders(places: Sequence[Any], scans: Sequence[HasSource]) -> dict[str, int]:
    """Returns the number of Spark's folder for each source: one that a query reads several times has one folder, and a
    position each time."""
    found: dict[str, int] = {}
    rest, number, is_new = iter(scans), 0, False
    for place in places:
        if not (isinstance(place, dict) and place.keys() == _MARK):
            name = next(rest).source
            is_new = name not in found
            if is_new:
                found[name] = number
        number += is_new
    return found


def _last(position: Any) -> int | None:
    found = position.get(_LAST) if isinstance(position, dict) else None
    return found if isinstance(found, int) else None


def _files(log: Path, begin: int, end: int) -> list[str]:
    """Returns the files of the entries after `begin`, up to `end`. Each entry is a file of its own, until one that is
    called `compact` has all up to its own number."""
    found: dict[str, None] = {}
    for path in sorted(log.glob("*")):
        number, _, more = path.name.partition(".")
        if not number.isdigit() or more not in ("", "compact") or int(number) <= begin:
            continue
        for line in path.read_text(encoding="utf-8").split("\n")[1:]:
            with contextlib.suppress(msgspec.DecodeError):
                entry = msgspec.json.decode(line)
                if begin < entry["batchId"] <= end:
                    found[entry["path"]] = None
    return list(found)
