"""What RESET says: from where a pump begins to read again, and what may be lost or written twice on the way."""

from __future__ import annotations

from typing import Any, Literal

import msgspec

from rowtime.catalog.changes import Change, Entry
from rowtime.decoding import Decoder
from rowtime.planner import Feeding

From = Literal["NOW", "EARLIEST", "TIMESTAMP", "POSITION", "OFFSETS", "SAVE"]


class Reset(msgspec.Struct, frozen=True, rename="camel", kw_only=True):
    """The RESET of a statement. `begin`: with the rows that arrive from then on, with all rows that the sources hold,
    with those from the ROWTIME `since` (ms) on, where the pump has stopped, at `offsets` by source (versions of logs,
    offsets of partitions as text), or at the savepoint `save`. `drop_state`: rows of its state, and
    those that it has not read, may be lost. `allow_duplicates`: rows may be written that the target has already."""

    begin: From = msgspec.field(default="NOW", name="from")
    since: int | None = None
    offsets: dict[str, int | str] = {}
    save: str | None = None
    drop_state: bool = False
    allow_duplicates: bool = False

    def begins(self, statement: Feeding) -> From:
        """Returns from where a pump begins to read. The hint FROM_EARLIEST of its statement counts unless RESET says
        something else."""
        return "EARLIEST" if self.begin == "NOW" and statement.from_earliest else self.begin


def reset_in(change: Change) -> Reset | None:
    """Returns the RESET of a change of a pump."""
    return _decoded(change.get("reset"))


def reset_of(entry: Entry) -> Reset | None:
    """Returns the last RESET of a pump."""
    return _decoded(entry.definition.get("reset"))


def begin_of(entry: Entry, statement: Feeding) -> From:
    """Returns from where a pump begins to read that has no checkpoint yet."""
    return (reset_of(entry) or Reset()).begins(statement)


def _decoded(found: Any) -> Reset | None:
    if not found:
        return None
    # An earlier version of rowtime recorded only that there was one.
    return Reset() if found is True else _resets.convert(found)


_resets = Decoder(Reset)
