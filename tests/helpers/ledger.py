"""The ledger of a warehouse: each row that came has entered, was rejected, or is held.

Each side is counted by itself: what came as it came; what has entered by the rows that lie in the stream's table; what
is held by the rows in its side files; what was rejected by the rows that somebody was told of.
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
    """What does not add up, in words. `told` are the rejected rows that somebody was told of, by stream; None: that is
    not known."""
    found = []
    for entry in session.store.entries():
        log = session.runtime.log(entry) if is_logged(entry) else None
        if log is None or not log.version():
            continue
        state = log.state()
        stored, held = _stored(log), len(log.side.load(state, PendingRows()))
        sides = {
            "received": (state.received, state.entered + state.late + state.held),
            "held": (state.held, held),
            # Of what was cleaned up nobody knows but the count.
            "entered": (state.entered, state.entered if state.cleaned else stored),
        }
        if told is not None and not entry.options.get("system"):
            sides["rejected"] = (state.late, told.get(entry.name, 0))
        found += [
            f"{entry.name}: {name} {count}, but {other}" for name, (count, other) in sides.items() if count != other
        ]
    return found


def _stored(log: StreamLog) -> int:
    """The rows of a stream that lie in its table, control rows aside."""
    count = 0
    for uri in DeltaTable(str(log.folder)).file_uris():
        control = pq.read_table(uri.removeprefix("file://"), columns=[CONTROL])[CONTROL]
        count += control.length() - (pc.sum(control).as_py() or 0)
    return count
