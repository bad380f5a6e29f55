"""The data files of a version of a Delta table with their deletion vectors, which Delta's library does not list."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any
from urllib.parse import unquote

import msgspec
import numpy as np
import numpy.typing as npt
import pyarrow as pa
import pyarrow.dataset as ds
import pyarrow.parquet as pq
from deltalake import DeltaTable
from pyarrow.fs import LocalFileSystem

from rowtime.delta import commits, deletion_vectors
from rowtime.delta.commits import DataFile
from rowtime.delta.log import DeltaLog

_ADDED = ("path", "size", "stats", "tags", "deletionVector")


def has_vectors(table: DeltaTable) -> bool:
    """Returns whether files of the table may have deletion vectors."""
    return deletion_vectors.FEATURE in (table.protocol().reader_features or ())


def files_of(log: DeltaLog, table: DeltaTable) -> list[DataFile]:
    """Returns the data files of a table in the version that it was opened at. Raises RowtimeError RT0605."""
    if not has_vectors(table):
        added = pa.table(table.get_add_actions()).select(["path", "size_bytes", "num_records"])
        columns = added.to_pydict().values()
        return [DataFile(unquote(path), size, rows) for path, size, rows in zip(*columns, strict=True)]
    found: dict[str, DataFile] = {}
    for actions in _history(log, int(table.version())):
        # Within a commit, a file may get another vector: its old form is removed, the new one added, in any order.
        for action in actions:
            if "remove" in action:
                found.pop(action["remove"]["path"], None)
        for action in actions:
            if "add" in action:
                found[action["add"]["path"]] = commits.data_file(action["add"])
    return [msgspec.structs.replace(file, name=unquote(file.name)) for file in found.values()]


def counted(log: DeltaLog, file: DataFile) -> DataFile:
    """Returns a data file with the number of its rows, which a writer need not put into the log."""
    if file.rows is not None:
        return file
    return msgspec.structs.replace(file, rows=pq.read_metadata(log.folder / file.name).num_rows)


def rows_at(log: DeltaLog, file: DataFile, places: npt.NDArray[np.uint32], schema: pa.Schema) -> pa.Table:
    """Returns the rows of a data file at some places, which are in order. Reads only their row groups."""
    path = str(log.folder / file.name)
    metadata = pq.read_metadata(path)
    sizes = [metadata.row_group(i).num_rows for i in range(metadata.num_row_groups)]
    ends = np.cumsum(sizes)
    groups = np.unique(np.searchsorted(ends, places, "right"))
    fragment = ds.ParquetFileFormat().make_fragment(path, LocalFileSystem(), row_groups=groups.tolist())
    # The rows of the groups before a place that are not read.
    skipped = np.cumsum(np.where(np.isin(np.arange(len(sizes)), groups), 0, sizes))
    found = fragment.to_table(schema=schema)
    return found.take(pa.array(places - skipped[np.searchsorted(ends, places, "right")]))


def names_of(log: DeltaLog, files: Iterable[DataFile]) -> set[str]:
    """Returns the names of the files in the table's folder that are needed to read some data files: also of those that
    contain their deletion vectors."""
    found = set()
    for file in files:
        found.add(file.name)
        vector = None if file.deleted is None else file.deleted.file(log.folder)
        if vector is not None and vector.is_relative_to(log.folder):
            found.add(str(vector.relative_to(log.folder)))
    return found


def _history(log: DeltaLog, version: int) -> Iterator[list[dict[str, Any]]]:
    """Yields the actions that make up a version: those of the last checkpoint before it, then commit by commit."""
    checkpoints = [(made, file) for made, file in log.checkpoints() if made <= version]
    begin = max((made for made, _ in checkpoints), default=-1)
    for made, file in checkpoints:
        if made == begin:
            content = pa.BufferReader(log.storage.get_buffer(file))
            added = pq.ParquetFile(content).read([f"add.{name}" for name in _ADDED]).column("add")
            yield [{"add": action} for action in added.drop_null().to_pylist() if action["path"] is not None]
    for number in range(begin + 1, version + 1):
        try:
            yield log.actions(number)
        except FileNotFoundError:
            raise log.missing(number) from None
