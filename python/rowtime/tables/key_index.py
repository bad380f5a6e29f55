"""Where the keys of a table lie: for each data file, the hashes of its keys in order, each with the position of the row
and the key itself.

Data files never change, so what is known about one stays true whatever happens to the table: an index can be missing,
but never be too old. Which rows are still there, the table says. Files that somebody else has added are read once. An
index is a file of the folder `_keys` of the table, with a checksum; one that is lost or damaged is made again. It is
mapped into memory, and a look-up touches a page or two for each key, so its size does not matter much."""

from __future__ import annotations

import os
import uuid
import zlib
from collections.abc import Collection, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
import pyarrow as pa
import pyarrow.parquet as pq

from rowtime.delta.commits import DataFile
from rowtime.delta.log import DeltaLog
from rowtime.tables import key_hash
from rowtime.tables.key_hash import Hashes

FOLDER = "_keys"
_HASH, _ROW = "$hash", "$row"
_CHECK_BYTES = 4

Positions = npt.NDArray[np.uint32]


class _FileKeys:
    """The keys of one data file."""

    def __init__(self, sorted: pa.Table) -> None:
        self.hashes: Hashes = _numbers(sorted, _HASH)
        self.rows: Positions = _numbers(sorted, _ROW)
        self.keys = sorted.drop_columns([_HASH, _ROW])

    def find(self, hashes: Hashes, keys: pa.Table) -> Positions:
        """Returns the positions of the rows that have one of some keys, in order. Their `hashes` are in order."""
        if not len(self.hashes):
            return self.rows
        first = np.searchsorted(self.hashes, hashes)
        asked = np.flatnonzero(self.hashes[np.minimum(first, len(self.hashes) - 1)] == hashes)
        first = first[asked]
        counts = np.searchsorted(self.hashes, hashes[asked], "right") - first
        asked = np.repeat(asked, counts)
        places = np.repeat(first - np.concatenate(([0], np.cumsum(counts)[:-1])), counts) + np.arange(len(asked))
        same = key_hash.equal(keys.take(asked), self.keys.take(places))
        return np.unique(self.rows[places[same]])


_known: dict[Path, _FileKeys] = {}
"""What this process has mapped, by its path."""


class KeyIndex:
    """The index of one table by the columns `key` (stored names), at least one. Only who holds the lock of the table
    may use it."""

    def __init__(self, log: DeltaLog, key: Sequence[str], schema: pa.Schema) -> None:
        self._log = log
        self._folder = log.folder / FOLDER
        self._schema = pa.schema([schema.field(name) for name in key])

    def find(self, files: Sequence[DataFile], keys: pa.Table) -> dict[DataFile, Positions]:
        """Returns the files that have rows with one of some keys, and the positions of these rows, deleted or not."""
        hashes = key_hash.hashes(keys)
        order = np.argsort(hashes, kind="stable")
        hashes, keys = hashes[order], keys.take(order)
        found = {file: self._of(file).find(hashes, keys) for file in files}
        return {file: rows for file, rows in found.items() if len(rows)}

    def add(self, file: DataFile, rows: pa.Table) -> None:
        """Adds a new data file with these rows."""
        keys = rows.select(self._schema.names).cast(self._schema)
        hashes = key_hash.hashes(keys)
        order = np.argsort(hashes, kind="stable")
        sorted = keys.take(order)
        sorted = sorted.append_column(_HASH, pa.array(hashes[order])).append_column(
            _ROW, pa.array(order.astype(np.uint32))
        )
        self._write(self._path(file), sorted)

    def keep(self, files: Collection[DataFile]) -> None:
        """Removes all others than these data files."""
        kept = {self._path(file).name for file in files}
        try:
            names = os.listdir(self._folder)
        except FileNotFoundError:
            return
        for name in set(names) - kept:
            (self._folder / name).unlink(missing_ok=True)
        # Another process may have removed some.
        for path in [path for path in _known if path.parent == self._folder and path.name not in kept]:
            _known.pop(path, None)

    def _of(self, file: DataFile) -> _FileKeys:
        path = self._path(file)
        known = _known.get(path)
        if known is not None and known.keys.schema == self._schema:
            return known
        read = self._read(path)
        if read is None or read.num_rows != file.rows:
            self.add(file, pq.read_table(self._log.folder / file.name, schema=self._schema))
            read = self._read(path)
            assert read is not None
        found = _FileKeys(read)
        _known[path] = found
        return found

    def _path(self, file: DataFile) -> Path:
        return self._folder / f"{Path(file.name).name}.keys"

    def _read(self, path: Path) -> pa.Table | None:
        """Returns what a file contains; None if there is none, if it is damaged, or if it has other types."""
        try:
            with pa.memory_map(str(path)) as mapped:
                content = mapped.read_buffer()
            body = content.slice(0, content.size - _CHECK_BYTES)
            if zlib.crc32(body) != int.from_bytes(content.slice(body.size).to_pybytes(), "big"):
                return None
            found = pa.ipc.open_stream(body).read_all()
        except (OSError, pa.ArrowException, ValueError):
            return None
        return found if found.schema.names[:-2] == self._schema.names and self._has_types(found) else None

    def _has_types(self, found: pa.Table) -> bool:
        return all(found.schema.field(field.name).type == field.type for field in self._schema)

    def _write(self, path: Path, sorted: pa.Table) -> None:
        sink = pa.BufferOutputStream()
        with pa.ipc.new_stream(sink, sorted.schema) as writer:
            writer.write_table(sorted.combine_chunks())
        body = sink.getvalue()
        self._folder.mkdir(exist_ok=True)
        draft = self._folder / f"{uuid.uuid4().hex}.tmp"
        try:
            with open(draft, "wb") as file:
                file.write(body)
                file.write(zlib.crc32(body).to_bytes(_CHECK_BYTES, "big"))
            draft.replace(path)
        finally:
            draft.unlink(missing_ok=True)


def _numbers(table: pa.Table, name: str) -> Any:
    column = table.column(name)
    return column.chunk(0).to_numpy() if column.num_chunks else column.to_numpy()
