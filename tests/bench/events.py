"""Nexmark's streams as Parquet files, the same rows laid out for either kind of file source; `generator.py` makes the rows."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import generator
import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq

READERS = 2


@dataclass(frozen=True, slots=True)
class Events:
    """Folders with one folder for each of the streams, and the number of rows of each stream.

    `slices`: one file for each slice of event time, in the order in which Spark's file source takes them. The last row
    is far in the future (with ids of its own), so that the clock passes all others, as it does at the end of Flink's input.
    As many files of each stream cover the same time.
    `readers`: without that row, one file for each of two readers, with a row group for each slice, as Flink's file
    source does not say in which order it takes several files.
    """

    slices: Path
    readers: Path
    rows: Mapping[str, int]


def write_events(folder: Path, events: int, streams: Sequence[str]) -> Events:
    """Writes these streams with this many events to `folder`, unless they exist."""
    slices, readers = folder / "slices", folder / "readers"
    rows = {}
    for stream in streams:
        # Next to the folders: everything in them is data.
        done = folder / f"{stream}.rows"
        if not done.exists():
            count = _write(stream, slices / stream, readers / stream, events // generator.EVENTS_A_SLICE)
            done.write_text(str(count))
        rows[stream] = int(done.read_text())
    return Events(slices, readers, rows)


def _write(stream: str, slices: Path, readers: Path, files: int) -> int:
    """Writes a stream in both forms; returns the number of its rows."""
    slices.mkdir(parents=True, exist_ok=True)
    readers.mkdir(parents=True, exist_ok=True)
    far = generator.far(stream)
    writers = [pq.ParquetWriter(readers / f"reader-{i}.parquet", far.schema) for i in range(READERS)]
    count = 0
    for number in range(files):
        rows = generator.SLICES[stream](number)
        count += len(rows)
        for i, writer in enumerate(writers):
            writer.write_table(rows.take(np.arange(i, len(rows), READERS)))
        if number == files - 1:
            rows = pa.concat_tables([rows, far])
        path = slices / f"part-{number:05}.parquet"
        pq.write_table(rows, path)
        # The source reads files in order of modification time.
        os.utime(path, (generator.START_MILLIS / 1000 + number, generator.START_MILLIS / 1000 + number))
    for writer in writers:
        writer.close()
    return count
