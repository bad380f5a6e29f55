"""The ledger of a warehouse: each row that arrived has entered, was rejected, or is held.

Each side is counted separately: arrived rows on arrival; entered rows in the stream's table; held rows in its side
files; rejected rows by the reports.
"""

from __future__ import annotations

import pyarrow.compute as pc
import pyarrow.parquet as pq
from deltalake import DeltaTable

from rowtime.session import Session
from rowtime.streams.log import CONTROL, StreamLog
from rowtime.streams.pending import PendingRows
from rowtime.streams.rules import is_logged


def discrepancies(session: Session, told: dict[str, int] | None = None) -> list[str]:
    """Returns the discrepancies, in words. `told` contains the reported rejected rows, by stream; None: unknown."""
    found = []
    for entry in session.store.entries():
        log = session.runtime.log(entry) if is_logged(entry) else None
        if log is None or not log.version():
            continue
        state = log.state()
        stored, held = _table_rows(log), len(log.side.load(state, PendingRows()))
        sides = {
            "received": (state.received, state.entered + state.late + state.held),
            "held": (state.held, held),
            # Of rows that were cleaned up only the count is known.
            "entered": (state.entered, state.entered if state.cleaned else stored),
        }
        if told is not None and not entry.options.get("system"):
            sides["rejected"] = (state.late, told.get(entry.name, 0))
        found += [
            f"{entry.name}: {name} {count}, but {other}" for name, (count, other) in sides.items() if count != other
        ]
    return found


def _table_rows(log: StreamLog) -> int:
    """Returns the number of rows in a stream's table, without control rows."""
    count = 0
    for uri in DeltaTable(str(log.folder)).file_uris():
        control = pq.read_table(uri.removeprefix("file://"), columns=[CONTROL])[CONTROL]
        count += control.length() - (pc.sum(control).as_py() or 0)
    return count
