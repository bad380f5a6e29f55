"""Rows that a query has set aside, bad ones and late ones: how many they are, and how much room they take.

Each task of a micro-batch writes a file of JSON lines, whose name begins with the batch and ends with the number of
rows that it counts. Of the files of one folder the newest are kept, up to `LIMIT` bytes. How many rows were counted
in files of batches that are done stands in a file beside them, with the names of those that are still there, so that no
row is lost from the count, or counted twice, whenever the process dies.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from pathlib import Path

import msgspec

from rowtime.decoding import Decoder
from rowtime.streams.smallfiles import write_whole

LIMIT = 16 << 20
"""Bytes of the rows that one query keeps of each kind (bad records, NULLs, late rows)."""
_BLOCK = 4096
"""What a file takes on disk at least."""
_COUNTED = "counted.json"
LATE, NULLS = "late", "nulls"

Count = Callable[[Sequence[Path]], int]


class _Counted(msgspec.Struct, frozen=True):
    """`rows` were counted in files of which those by these `names` may still be there."""

    rows: int = 0
    names: frozenset[str] = frozenset()


_decoder = Decoder(_Counted)


def records(folder: Path) -> int:
    """How many bad records a folder has counted. A batch that ran again has written the same files again."""
    return _total(folder, count_records)


def late_rows(folder: Path) -> int:
    """How many late rows a folder has counted. Those of a batch that ran again count once, and so do those that several
    scans of one source have met."""
    return _total(folder, count_late)


def count_records(files: Sequence[Path]) -> int:
    return sum(int(file.stem.rsplit("-", 1)[1]) for file in files)


def count_late(files: Sequence[Path]) -> int:
    batches: dict[str, dict[str, list[Path]]] = {}
    for file in files:
        batch, _, run, _, _ = file.stem.split("-")
        batches.setdefault(batch, {}).setdefault(run, []).append(file)
    return sum(_latest(runs) for runs in batches.values())


def compact(folder: Path, limit: int = LIMIT) -> None:
    """Keeps the bad rows of a query within their room, and so those in its folders for late rows and NULLs. Only the
    process that runs the query may do so, one thread at a time."""
    for place, count in ((folder, count_records), (folder / LATE, count_late), (folder / LATE / NULLS, count_late)):
        compact_one(place, count, limit)


def compact_one(folder: Path, count: Count, limit: int = LIMIT) -> None:
    """The same for the files of one folder."""
    files = _files(folder)
    if not files:
        return
    counted = _read(folder)
    new = [file for file in files if file.name not in counted.names]
    # The last batch may run again, and write again.
    last = max((_batch(file) for file in new), default=0)
    done = [file for file in new if _batch(file) < last]
    sizes = {file: _size(file) for file in files}
    if sum(sizes.values()) <= limit:
        return
    names = frozenset(file.name for file in files if file.name in counted.names) | {file.name for file in done}
    if done:
        write_whole(folder / _COUNTED, msgspec.json.encode(_Counted(counted.rows + count(done), names)))
    # A little less than there is room for: so this is not to be done after every batch.
    room = limit * 3 // 4 - sum(size for file, size in sizes.items() if file.name not in names)
    for file in sorted((file for file in files if file.name in names), key=_written, reverse=True):
        room -= sizes[file]
        if room < 0:
            file.unlink(missing_ok=True)


def _total(folder: Path, count: Count) -> int:
    # The files first: what is counted meanwhile, and taken away, stands in the count then.
    files = _files(folder)
    counted = _read(folder)
    return counted.rows + count([file for file in files if file.name not in counted.names])


def _files(folder: Path) -> list[Path]:
    return [file for file in folder.glob("*.jsonl") if not file.name.startswith(".")]


def _read(folder: Path) -> _Counted:
    try:
        return _decoder.decode((folder / _COUNTED).read_bytes())
    except FileNotFoundError:
        return _Counted()


def _batch(file: Path) -> int:
    return int(file.name.partition("-")[0])


def _size(file: Path) -> int:
    try:
        return max(file.stat().st_size, _BLOCK)
    except FileNotFoundError:
        return 0


def _written(file: Path) -> int:
    try:
        return file.stat().st_mtime_ns
    except FileNotFoundError:
        return 0


def _latest(runs: dict[str, list[Path]]) -> int:
    files: Iterable[Path] | None = None
    if len(runs) > 1:
        files = max(runs.values(), key=lambda files: max(_written(file) for file in files))
    counts: dict[str, int] = {}
    for file in files or next(iter(runs.values())):
        _, node, _, _, count = file.stem.split("-")
        counts[node] = counts.get(node, 0) + int(count)
    return max(counts.values())
