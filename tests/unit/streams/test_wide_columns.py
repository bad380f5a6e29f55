"""Work on the columns of a table grows with their number, and not with its square."""

from __future__ import annotations

import time

import pyarrow as pa

from rowtime.runtime.target.rows import complete
from rowtime.types.columns import columns, schema_of

COUNT = 10_000


def test_ten_thousand_columns() -> None:
    begin = time.process_time()
    named = columns([{"name": f"C{i}", "type": "INTEGER", "nullable": True} for i in range(COUNT)])
    rows = pa.table([pa.array([1, 2], pa.int32())] * (COUNT // 2), names=[c.stored for c in named[: COUNT // 2]])
    filled = complete("table 'T'", rows, named, None)
    spent = time.process_time() - begin
    assert filled.schema == schema_of(named)
    assert (filled.column(0).to_pylist(), filled.column(COUNT - 1).to_pylist()) == ([1, 2], [None, None])
    # A list of all names for each column took ten times as long.
    assert spent < 3
