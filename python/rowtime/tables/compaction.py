"""Data files of a table become one, so that a table which changes all the time has few, most of whose rows are there.

Files are in levels by their rows, each eight times as many as the one below. Eight files of a level become one, so a
row is written again once for each level: the logarithm of the table's size in steps. A file most of whose rows are
deleted is written again too; those rows have paid for it. This is a commit of its own, which changes no rows: a process
that is killed leaves the table as it was."""

from __future__ import annotations

import time
from collections import defaultdict
from collections.abc import Sequence
from concurrent.futures import Future
from itertools import chain

import pyarrow as pa

from rowtime.delta import commits
from rowtime.delta.commits import DataFile
from rowtime.delta.log import Conflict, DeltaLog
from rowtime.tables import tables
from rowtime.tables.key_index import KeyIndex

_LEVEL = 8
"""How many files of a level become one, and how many times as many rows the next level has."""
_SMALLEST = 1 << 10
"""Rows of the lowest level."""
_FILE_ROWS = 1 << 20
_FILE_BYTES = 32 << 20
"""Files with as many rows, or bytes, are not put together any more."""
_BUDGET = 4
"""How many times the rows of a step are written again after it at most, unless that is less than one file."""
_DELETED = 0.5
"""The part of a file's rows from which on it is written without those that are deleted."""


_Groups = Sequence[Sequence[DataFile]]
"""Files that become one, for each new file."""


def compact(
    log: DeltaLog, version: int, files: Sequence[DataFile], schema: pa.Schema, index: KeyIndex | None, changes: int
) -> None:
    """Puts files of a table together, if there are any to be. The caller holds the table's lock, and has just made its
    `version`, which has the `files`, by as many changes. Raises RowtimeError RT0605, and OSError; the table is
    then as it was."""
    chosen = _affordable(_groups(choose(files)), max(_FILE_ROWS, _BUDGET * changes))
    try:
        if chosen and (added := _replace(log, version + 1, schema, index, chosen)) is not None:
            files = [*set(files).difference(*chosen), *added]
    finally:
        if index is not None:
            index.keep(files)


def choose(files: Sequence[DataFile]) -> list[DataFile]:
    """Returns the files that should be written again, as one or more; the most urgent ones first."""
    levels: dict[int, list[DataFile]] = defaultdict(list)
    chosen = []
    for file in files:
        live, all = file.live_rows, file.rows
        if live is None or all is None:
            continue
        # Small ones wait until there are more of them.
        if live <= all * (1 - _DELETED) and all >= _SMALLEST:
            chosen.append(file)
        elif live < _FILE_ROWS and file.size < _FILE_BYTES:
            levels[level(live)].append(file)
    full = (group for group in levels.values() if len(group) >= _LEVEL)
    return [*chain.from_iterable(full), *chosen]


def level(rows: int) -> int:
    """Returns the level of a file with as many rows."""
    found = 0
    while rows >= _SMALLEST:
        rows //= _LEVEL
        found += 1
    return found


def _replace(
    log: DeltaLog, version: int, schema: pa.Schema, index: KeyIndex | None, groups: _Groups
) -> list[DataFile] | None:
    """Commits a version with new files in place of others, and returns them; None if there is another one by now: then
    the next step tries again."""
    added, written = list[DataFile](), list[Future[None]]()
    try:
        for group in groups:
            rows = pa.concat_tables([log.read(file).select(schema.names).cast(schema) for file in group])
            if not rows.num_rows:
                continue
            file, durable = log.write(version, rows)
            added.append(file)
            written.append(durable)
            if index is not None:
                index.add(file, rows)
        now = time.time_ns() // 1_000_000
        info = {"timestamp": now, "operation": "OPTIMIZE", "operationParameters": {}, tables.BLIND: False}
        log.commit_actions(
            version,
            [
                {"commitInfo": {**info, "readVersion": version - 1}},
                *(commits.remove_action(file, now) for file in chain.from_iterable(groups)),
                *(commits.add_action(file, now, changes=False) for file in added),
            ],
            written,
        )
    except BaseException as fault:
        for file in added:
            (log.folder / file.name).unlink(missing_ok=True)
        if isinstance(fault, Conflict):
            return None
        raise
    return added


def _groups(files: Sequence[DataFile]) -> list[list[DataFile]]:
    """Divides the files into those of the new files."""
    found: list[list[DataFile]] = []
    rows, size = _FILE_ROWS, 0
    for file in files:
        if rows >= _FILE_ROWS or size >= _FILE_BYTES:
            found.append([])
            rows = size = 0
        found[-1].append(file)
        rows += file.live_rows or 0
        size += file.size
    return found


def _affordable(groups: _Groups, rows: int) -> list[Sequence[DataFile]]:
    """Returns the first groups, at least one, up to a number of rows."""
    found = list[Sequence[DataFile]]()
    for group in groups:
        rows -= sum(file.live_rows or 0 for file in group)
        if found and rows < 0:
            break
        found.append(group)
    return found
