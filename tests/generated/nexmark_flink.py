"""The results of Nexmark's queries in Flink SQL, over the files that rowtime has read.

Those that append run as streams, behind the same watermark. The others run as batches: files cannot have a result that
changes."""

from __future__ import annotations

import contextlib
import re
import sys
from collections.abc import Iterator, Mapping
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1] / "bench"))

import flink
import pyarrow as pa
import pyarrow.parquet as pq
from flink import Flink, Query

from generated.nexmark_queries import QUERIES, SIDES, STREAMS

APPENDING = ("q0", "q1", "q2", "q5", "q7", "q8", "q10", "q11", "q13", "q14", "q21", "q22")
_ONE_READER = {"parallelism.default": "1", "restart-strategy.type": "none"}
"""Each stream is one file, whose order is that of arrival."""
_TYPES = {pa.int8(): "TINYINT", pa.int32(): "INT", pa.int64(): "BIGINT", pa.float64(): "DOUBLE", pa.string(): "STRING"}
_CHANNEL_ID = "REGEXP_EXTRACT(url, '(?:&|^)channel_id=([^&]*)'"
_SIDES = ", ".join(f"(CAST({number} AS BIGINT), 'said {number}')" for number in range(SIDES))
_OWN_TEXT = {
    "q11": "SELECT window_start, bidder, COUNT(*) FROM TABLE(SESSION(TABLE bid PARTITION BY bidder, "
    "DESCRIPTOR(rowtime), INTERVAL '10' SECOND)) GROUP BY window_start, window_end, bidder",
    "q13": QUERIES["q13"].sql.replace("side S", f"(VALUES {_SIDES}) AS S (id, said)"),
    # The group is the first of the pattern, where rowtime's REGEXP_EXTRACT has it by default.
    "q21": QUERIES["q21"].sql.replace(_CHANNEL_ID, f"{_CHANNEL_ID}, 1"),
    # Numbered from 0, and NULL in place of an empty part beyond the last.
    "q22": re.sub(
        r"SPLIT_PART\(url, '/', (\d)\)",
        lambda found: f"COALESCE(SPLIT_INDEX(url, '/', {int(found[1]) - 1}), '')",
        QUERIES["q22"].sql,
    ),
}


class FlinkResults:
    """Flink over a folder with one file for each stream."""

    def __init__(self, process: Flink, folder: Path) -> None:
        self._process = process
        self._folder = folder

    def rows(self, name: str, sql: str, schema: pa.Schema) -> pa.Table:
        """Returns the result of a query whose columns have these types."""
        columns = ", ".join(f"c{number} {_type(column.type)}" for number, column in enumerate(schema))
        text = re.sub(r"\browtime\b", "`dateTime`", _OWN_TEXT.get(name, sql))
        return self._process.output(Query(columns, text), self._folder, _read, _ONE_READER, batch=name not in APPENDING)


def require_flink() -> str:
    """Returns the Python that has Flink; ends the program if there is none."""
    python = flink.python()
    if python is None:
        raise SystemExit(flink.ABSENT)
    return python


@contextlib.contextmanager
def flink_results(folder: Path, rows: Mapping[str, pa.Table]) -> Iterator[FlinkResults]:
    """Writes the rows of the streams into a folder, in order of arrival, and starts Flink. ROWTIME must be a column."""
    python = require_flink()
    for stream in STREAMS:
        (folder / stream).mkdir(parents=True)
        names = ["dateTime" if name == "rowtime" else name for name in rows[stream].column_names]
        pq.write_table(rows[stream].rename_columns(names), folder / stream / "rows.parquet")
    with flink.flink_process(python) as process:
        yield FlinkResults(process, folder)


def _read(folder: str) -> pa.Table:
    # Files of Flink have no suffix, and a point before the names of those that are under way.
    return pa.concat_tables([pq.read_table(file) for file in Path(folder).rglob("part-*")])


def _type(column: pa.DataType) -> str:
    if pa.types.is_timestamp(column):
        return "TIMESTAMP(3)"
    if pa.types.is_decimal(column):
        return f"DECIMAL({column.precision}, {column.scale})"
    return _TYPES[column]
