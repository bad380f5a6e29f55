"""Several scans of one folder of files in a query."""

from __future__ import annotations

import json
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from rowtime.plan.parts import Field
from rowtime.session import Session

# Both counts are of the same rows, whatever has arrived.
QUERY = """
    SELECT STREAM * FROM TO_CHANGELOG((
      SELECT a.k, a.n, b.n AS m
      FROM (SELECT k, COUNT(*) AS n FROM f GROUP BY k) AS a
      JOIN (SELECT k, COUNT(*) AS n FROM f GROUP BY k) AS b ON a.k = b.k))
"""


class Rows:
    """Records the payloads of a changelog."""

    def __init__(self) -> None:
        self.found: list[Any] = []

    def open(self, fields: Sequence[Field]) -> None: ...

    def write(self, rows: list[Any]) -> None:
        self.found += [tuple(row[1]) for row in rows]


def test_they_find_the_same_files(rt: Session, tmp_path: Path) -> None:
    folder, count = tmp_path / "f", 40
    folder.mkdir()
    rt.sql(f"CREATE FOREIGN STREAM f (k INTEGER) OPTIONS (connector 'files', path '{folder}', format 'json')")
    sink = Rows()
    query = rt.submit(QUERY, sink)
    for number in range(count):
        draft = tmp_path / "draft"
        draft.write_text(json.dumps({"ROWTIME": "2024-05-01 10:00:00", "K": 1}) + "\n")
        draft.rename(folder / f"{number:03}.json")
        time.sleep(0.02)
    rt.runtime.settle([query])
    query.stop()
    assert (1, count, count) in sink.found
    assert [row for row in sink.found if row[1] != row[2]] == []
