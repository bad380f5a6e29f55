"""Counts the rows that a query has skipped, invalid and late ones, and limits their space on disk.

Each task of a micro-batch writes a file of JSON lines. Its name begins with the batch (or `adapter`) and ends with the
number of its rows. The newest files of a folder are kept, up to `LIMIT` bytes. Another file in the folder records how
many rows the files of completed batches have, and which of these files still exist, so the count stays exact whenever
the process dies.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path

import msgspec

from rowtime.decoding import Decoder
from rowtime.storage.smallfiles import write_whole

LIMIT = 16 << 20
"""Bytes that one query keeps of each kind of skipped rows (invalid records, NULLs, late rows)."""
_BLOCK = 4096
"""The smallest space that a file takes on disk."""
_COUNTED = "counted.json"
LATE, NULLS = "late", "nulls"

Count = Callable[[Sequence[Path]], int]


class _RecordedCount(msgspec.Struct, frozen=True):
    """`rows` is the count; the files with these `names`, which it includes, may still exist."""

    rows: int = 0
    names: frozenset[str] = frozenset()


_decoder = Decoder(_RecordedCount)


def records(folder: Path) -> int:
    """Returns the number of invalid records in a folder. A batch that ran again has written the same files again, and a
    piece of input counts once if several scans of one source have read it, also in different batches."""
    return _total(folder, count_records)


def late_rows(folder: Path) -> int:
    """Returns the number of late rows in a folder. Rows of a batch that ran again count once, and so do rows that
    several scans of one source have read."""
    return _total(folder, count_late)


def count_records(files: Sequence[Path]) -> int:
    return sum(int(piece.rsplit("-", 1)[1]) for piece in {_piece(file.stem) for file in files})


def count_late(files: Sequence[Path]) -> int:
    batches: dict[str, dict[str, list[Path]]] = {}
    for file in files:
        batch, _, run, _, _ = file.stem.split("-")
        batches.setdefault(batch, {}).setdefault(run, []).append(file)
    return sum(_rows_of_batch(runs) for runs in batches.values())


def compact(folder: Path, limit: int = LIMIT) -> None:
    """Limits the space of a query's invalid records, and of its folders for late rows and NULLs. Only the process that
    runs the query may call this, from one thread at a time."""
    for place, count in ((folder, count_records), (folder / LATE, count_late), (folder / LATE / NULLS, count_late)):
        compact_one(place, count, limit)


def compact_one(folder: Path, count: Count, limit: int = LIMIT) -> None:
    """Limits the space of the files of one folder."""
    files = _files(folder)
    if not files:
        return
    counted = _read_count(folder)
    new = _uncounted(files, counted)
    # The last batch may run again, and write again.
    last = max([0, *(_batch(file) for file in new)])
    done = [file for file in new if _batch(file) < last]
    sizes = {file: _size(file) for file in files}
    if sum(sizes.values()) <= limit:
        return
    names = frozenset(file.name for file in {*files}.difference(new).union(done))
    if done:
        write_whole(folder / _COUNTED, msgspec.json.encode(_RecordedCount(counted.rows + count(done), names)))
    # Deletes to a little below the limit, so that this is not necessary after every batch.
    room = limit * 3 // 4 - sum(size for file, size in sizes.items() if file.name not in names)
    for file in sorted((file for file in files if file.name in names), key=_written, reverse=True):
        room -= sizes[file]
        if room < 0:
            file.unlink(missing_ok=True)


def _total(folder: Path, count: Count) -> int:
    # The files first: rows that are counted and removed meanwhile are then in the recorded count.
    files = _files(folder)
    counted = _read_count(folder)
    return counted.rows + count(_uncounted(files, counted))


def _uncounted(files: Sequence[Path], counted: _RecordedCount) -> list[Path]:
    """Returns the files whose rows are not in the recorded count."""
    pieces = {_piece(name) for name in counted.names}
    return [file for file in files if _piece(file.name) not in pieces]


def _piece(name: str) -> str:
    """Returns the part of a file's name that identifies its rows: without the batch if any batch may read the same
    piece of input."""
    rest = name.partition("-")[2]
    return rest if rest.startswith("piece-") else name


def _files(folder: Path) -> list[Path]:
    return [file for file in folder.glob("*.jsonl") if not file.name.startswith(".")]


def _read_count(folder: Path) -> _RecordedCount:
    try:
        return _decoder.decode((folder / _COUNTED).read_bytes())
    except FileNotFoundError:
        return _RecordedCount()


def _batch(file: Path) -> int:
    """Returns the batch that wrote the file; -1 for an adapter, whose files are named after their contents alone."""
    batch = file.name.partition("-")[0]
    return int(batch) if batch.isdigit() else -1


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


def _rows_of_batch(runs: dict[str, list[Path]]) -> int:
    """Returns the rows of one batch: a run of it that was completed has all of them, and one that was ended a part."""
    counts: dict[tuple[str, str], int] = {}
    for run, files in runs.items():
        for file in files:
            _, node, _, _, count = file.stem.split("-")
            counts[run, node] = counts.get((run, node), 0) + int(count)
    return max(counts.values())
