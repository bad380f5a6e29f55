"""Side files: rows that have not entered a log, in Arrow files next to its Delta table.

The log's state names them; a file that it does not name is left over and may be deleted. A commit writes at most one
for held rows and one for buffered rows, and merges smaller ones into it, so there are never many: each has about twice
the rows of the next.
"""

from __future__ import annotations

import uuid
from collections.abc import Iterable
from concurrent.futures import Future
from dataclasses import replace
from typing import Any

import msgspec
import numpy as np
import pyarrow as pa
from pyarrow import ipc

from rowtime.delta.commits import content_checksum
from rowtime.delta.state import LogState, SideFile, damaged_log
from rowtime.errors import RowtimeError
from rowtime.storage.interface import Storage
from rowtime.streams import watermark_buffer
from rowtime.streams.pending import BufferedChunk, HeldChunk, PendingRows, Rows, join
from rowtime.streams.rules import Rules
from rowtime.streams.working_state import AttachedProducer, WorkingState
from rowtime.types.columns import conformed, schema_of

FOLDER = "_held"
_ENDING = ".arrow"
_ATTACHMENT, _ARRIVAL, _ROWTIME = "_attachment", "_arrival", "_rowtime"
_NAMES = b"producers"


class SideFiles:
    """The side files of one log, in the storage of its Delta table."""

    def __init__(self, rules: Rules, storage: Storage) -> None:
        self._rules = rules
        self._storage = storage

    # --- writing
    # ---------------------------------------------------------------------------------------------------------

    def save(self, pending: PendingRows) -> tuple[PendingRows, list[Future[None]]]:
        """Saves every chunk in a file. Returns the saved chunks, and futures that complete when they are durable."""
        written: list[Future[None]] = []
        holding, fresh = _merge_from([len(c) for c in pending.holding], [c.name for c in pending.holding])
        held = pending.holding[:holding]
        if fresh:
            rows = join([chunk.remaining() for chunk in pending.holding[holding:]]).sorted()
            held = [*held, HeldChunk(rows, name=self._write(rows, written))]
        waiting, fresh = _merge_from([len(c) for c in pending.waiting], [c.name for c in pending.waiting])
        waits = pending.waiting[:waiting]
        if fresh:
            rows = join([chunk.remaining() for chunk in pending.waiting[waiting:]])
            waits = [*waits, self._buffered_chunk(rows, self._write(rows, written))]
        return PendingRows(held, waits), written

    def write_table(self, table: pa.Table) -> tuple[str, Future[None]]:
        """Writes a table to a side file of its own. Returns its name, which contains the CRC-32 of the content, and a
        future as `save` does."""
        written = pa.BufferOutputStream()
        with ipc.new_file(written, table.schema) as writer:
            writer.write_table(table)
        content = written.getvalue()
        name = f"{uuid.uuid4().hex}-{content_checksum(content)}{_ENDING}"
        self._storage.prepare(FOLDER)
        return name, self._storage.put_new(_file(name), content)

    def _write(self, rows: Rows, written: list[Future[None]]) -> str:
        table = rows.table.append_column(_ATTACHMENT, pa.array(rows.attachment))
        table = table.append_column(_ARRIVAL, pa.array(rows.arrival)).append_column(_ROWTIME, pa.array(rows.rowtime))
        used = {int(one) for one in np.unique(rows.attachment)}
        names = {str(one): rows.names[one] for one in used if one in rows.names}
        name, done = self.write_table(table.replace_schema_metadata({_NAMES: msgspec.json.encode(names)}))
        written.append(done)
        return name

    def _buffered_chunk(self, rows: Rows, name: str) -> BufferedChunk:
        keys = tuple(mark.order.keys(rows.table[mark.order.name]) for mark in self._rules.watermarks)
        return BufferedChunk(rows, keys, np.arange(len(rows)), name)

    # --- reading
    # ---------------------------------------------------------------------------------------------------------

    def load(self, state: LogState, known: PendingRows) -> PendingRows:
        """Returns the chunks that a state names, with the rows that have not entered by then; `known` ones are not read
        again.

        Raises RowtimeError RT0605 if a file is missing.
        """
        if not state.holding and not state.waiting:
            return PendingRows()
        held = {chunk.name: chunk for chunk in known.holding}
        waits = {chunk.name: chunk for chunk in known.waiting}
        pending = PendingRows()
        for side in state.holding:
            chunk = held.get(side.name) or HeldChunk(self._read_rows(side), name=side.name)
            start = 0 if side.mark is None else int(np.searchsorted(chunk.rows.rowtime, side.mark, side="right"))
            pending.holding.append(replace(chunk, start=start, mark=side.mark))
        # Rows that the clocks have released are removed: clocks never go back.
        working = WorkingState.of(self._rules, state, PendingRows())
        sources = {one.id: AttachedProducer(one.id, one.clock, one.explicit_bound) for one in state.producers.values()}
        for side in state.waiting:
            waiting = waits.get(side.name) or self._buffered_chunk(self._read_rows(side), side.name)
            waiting = replace(waiting, left=np.arange(len(waiting.rows)))
            waiting = replace(waiting, left=np.flatnonzero(~watermark_buffer.releasable(working, waiting, sources)))
            pending.waiting.append(waiting)
        chunks: list[HeldChunk | BufferedChunk] = [*pending.holding, *pending.waiting]
        for side, kept in zip((*state.holding, *state.waiting), chunks, strict=True):
            if len(kept) != side.rows:
                raise self._damage_error(side.name, f"has {len(kept):,} of {side.rows:,} rows")
        return pending

    def read_table(self, name: str) -> pa.Table:
        """Reads a side file. Raises FileNotFoundError if it is missing, and RowtimeError RT0605 if it differs from what
        was written."""
        try:
            content = self._storage.get_buffer(_file(name))
            # Files of earlier builds have no checksum in their names.
            _, _, checksum = name.removesuffix(_ENDING).partition("-")
            if checksum and content_checksum(content) != checksum:
                raise self._damage_error(name, "does not match its checksum")
            with ipc.open_file(content) as reader:
                return reader.read_all()
        except FileNotFoundError:
            raise
        except (pa.ArrowException, OSError, ValueError) as fault:
            raise self._damage_error(name, f"cannot be read ({str(fault).splitlines()[0]})") from fault

    def check(self, state: LogState) -> None:
        """Raises RowtimeError RT0605 if a file that the state names differs from what was written."""
        for name in files_of(state):
            self._require_table(name)

    def _require_table(self, name: str) -> pa.Table:
        try:
            return self.read_table(name)
        except FileNotFoundError:
            raise self._damage_error(name, "is missing") from None

    def _damage_error(self, name: str, what: str) -> RowtimeError:
        place = self._storage.place(_file(name))
        return damaged_log(self._rules.name, f"the file '{place}', which contains held rows, {what}")

    def _read_rows(self, side: SideFile) -> Rows:
        table = self._require_table(side.name)
        metadata = table.schema.metadata or {}
        try:
            names = {int(key): name for key, name in msgspec.json.decode(metadata.get(_NAMES, b"{}")).items()}
            attachment, arrival, rowtime = (np.array(table[name]) for name in (_ATTACHMENT, _ARRIVAL, _ROWTIME))
        except (KeyError, ValueError, AttributeError, msgspec.DecodeError) as fault:
            raise self._damage_error(side.name, "is not one of rowtime's") from fault
        table = table.drop_columns([_ATTACHMENT, _ARRIVAL, _ROWTIME]).replace_schema_metadata(None)
        table = conformed(table, schema_of(self._rules.columns))
        return Rows(table, rowtime, attachment, arrival, np.zeros(len(rowtime), bool), names)

    # --- maintenance
    # -----------------------------------------------------------------------------------------------------

    def remove(self, names: Iterable[str]) -> None:
        for name in names:
            self._storage.delete(_file(name))

    def leftovers(self, state: LogState) -> list[str]:
        """Returns files that no commit has named, left by a process that died before its commit."""
        named = files_of(state)
        return [name for name in self._storage.list(FOLDER) if name not in named]


def _file(name: str) -> str:
    """Returns the name of a side file in the log's storage."""
    return f"{FOLDER}/{name}"


def files_of(state: LogState) -> set[str]:
    """Returns the side files that a state names."""
    return {side.name for side in (*state.holding, *state.waiting)} | {one.name for one in state.outgoing}


def side_file_fields(pending: PendingRows) -> dict[str, Any]:
    """Returns the fields of `LogState` that name the side files of saved chunks."""
    return {
        "holding": tuple(SideFile(str(chunk.name), len(chunk), chunk.mark) for chunk in pending.holding),
        "waiting": tuple(SideFile(str(chunk.name), len(chunk)) for chunk in pending.waiting),
    }


def _merge_from(sizes: list[int], names: list[str | None]) -> tuple[int, bool]:
    """Returns the first chunk that goes into a new file with all after it, and whether there is anything to write."""
    first = next((i for i, name in enumerate(names) if name is None), len(names))
    if first == len(names):
        return first, False
    total = sum(sizes[first:])
    while first and sizes[first - 1] <= 2 * total:
        first -= 1
        total += sizes[first]
    return first, True
