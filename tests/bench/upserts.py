"""Steps of a pump that upserts: the time of each, and what it writes, as the table grows. Rows change at random
places."""

from __future__ import annotations

import resource
import statistics
import tempfile
import time
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
import pyarrow as pa
from printing import say

if TYPE_CHECKING:
    from rowtime.catalog.changes import Entry
    from rowtime.catalog.store import Store

SIZES = (500_000, 2_000_000, 5_000_000)
STEPS = 20
_CHANGED = 100
"""One row of so many changes in a step; then always as many as in the smallest table."""
_LOAD = 500_000
"""Rows that a step inserts, until the table has all."""


def measure(*, brief: bool) -> None:
    """Measures the target of the pump alone, without Spark."""
    print("steps of a pump that upserts, 1 % of the rows each, then 5,000 (goal: as fast in a large table)")
    for size in (20_000,) if brief else SIZES:
        with tempfile.TemporaryDirectory() as folder:
            _measure(Path(folder), size, 3 if brief else STEPS)


def _measure(folder: Path, size: int, steps: int) -> None:
    from rowtime.catalog.store import Store

    random = np.random.default_rng(7)
    with Store(folder) as store:
        columns = [("ID", "BIGINT"), ("NAME", "VARCHAR(20)"), ("N", "BIGINT"), ("AMOUNT", "DOUBLE")]
        made = [{"name": name, "type": type, "nullable": True} for name, type in columns]
        definition = {"name": "T", "kind": "TABLE", "columns": made, "options": {}, "primaryKey": ["ID"]}
        store.commit([{"action": "create", "object": definition}])
        entry = store.get("T")
        assert entry is not None
        batch = 0
        for begin in range(0, size, _LOAD):
            _apply(store, entry, np.arange(begin, min(begin + _LOAD, size)), batch)
            batch += 1
        for changed in (size // _CHANGED, min(SIZES[0], size) // _CHANGED):
            spent, written = [], []
            for _ in range(steps):
                ids = random.choice(size, changed, replace=False)
                before, begin_time = _bytes(folder), time.perf_counter()
                _apply(store, entry, ids, batch)
                spent.append(time.perf_counter() - begin_time)
                written.append(sum(bytes for path, bytes in _bytes(folder).items() if path not in before))
                batch += 1
            _report(f"{size:,} rows, {changed:,} of them change", spent, written)


def _report(what: str, spent: list[float], written: list[int]) -> None:
    say(
        what,
        f"{statistics.median(spent):.2f} s (mean {statistics.mean(spent):.2f}, slowest {max(spent):.2f}), "
        f"{statistics.mean(written) / 1e6:.1f} MB (median {statistics.median(written) / 1e6:.1f}), "
        f"at most {resource.getrusage(resource.RUSAGE_SELF).ru_maxrss >> 10:,} MB of memory",
    )


def _apply(store: Store, entry: Entry, ids: np.ndarray, batch: int) -> None:
    from rowtime.delta.batches import SentBatch
    from rowtime.tables import tables, upserts
    from rowtime.types.columns import schema_of

    schema = schema_of(tables.table_columns(entry))
    names = pa.array(ids).cast(pa.string())
    values = [pa.array(ids), names, pa.array(np.full(len(ids), batch)), pa.array(ids * 0.5 + batch)]
    rows = pa.Table.from_arrays(values, schema=schema)
    upserts.apply(store, entry, ["ID"], rows, rows.slice(len(ids)).select(["ID"]), "bench", SentBatch(batch))


def _bytes(folder: Path) -> dict[str, int]:
    return {str(path): path.stat().st_size for path in folder.rglob("*") if path.is_file()}
