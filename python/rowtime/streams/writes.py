"""A step, the unit that is written into a log atomically, and its outcome."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, NamedTuple

import pyarrow as pa

from rowtime.delta.state import LogState
from rowtime.processes import process_name

LATE = "late"
NOT_MONOTONIC = "not monotonic"


@dataclass(frozen=True, slots=True, kw_only=True)
class WriteRequest:
    """One INSERT, one commit of a producer, or one micro-batch of a pump; it is applied completely or not at all.

    `rows` are in the stored columns of the log; a NULL ROWTIME of a stream becomes the system clock, or the producer's
    bound if that is later. Rows are checked in the given order, or with `sort` by (ROWTIME, given order). `producer` is
    attached with its first step; None attaches for this step only. Then `bound` (ms) is set: no later row of the
    producer is earlier. Then `detach` ends the attachment.

    A step with `batch` is skipped if the producer (or `sender`, a name that is not attached) has sent that number or a
    later one before. With `content`, which says what the batch was made of, it fails (RT0607) if the number is not that
    of the last batch, or the last one had another content. `forget` makes the log forget the producer's (or sender's)
    numbers instead. `timeout` (ms, None: indefinitely) is how long the attachment outlives the process `owner`.
    """

    rows: pa.Table | None = None
    producer: str | None = None
    bound: int | None = None
    detach: bool = False
    batch: int | None = None
    content: int | None = None
    sender: str | None = None
    sort: bool = False
    timeout: int | None = None
    owner: str = field(default_factory=process_name)
    forget: bool = False

    @property
    def name(self) -> str | None:
        """The name under which batches are counted."""
        return self.sender if self.sender is not None else self.producer


class Rejected(NamedTuple):
    """A row that did not enter: its stored values by column name (timestamps in microseconds since 1970), the reason
    (`late`, `not monotonic`), and its producer (None: it was not attached)."""

    row: dict[str, Any]
    reason: str
    producer: str | None


@dataclass(frozen=True, slots=True)
class RejectedRows:
    """Rows rejected together: a table under the columns' stored names, the reason of each, and its producer."""

    table: pa.Table
    reasons: list[str]
    producers: list[str | None]


@dataclass(frozen=True)
class WriteOutcome:
    """The outcome of a step. `taken` of its rows have entered, or are held; `refused` are all rows that were rejected
    because of the step, including rows of others that it released, and `rejections` is their number. `state` is the
    log's after the commit, `repeated` means that its batch had been written before and was skipped: its rows count as
    they did then, but none of them is refused again. `position` counts the steps of one commit."""

    taken: int
    rejections: int
    refused: tuple[RejectedRows, ...]
    state: LogState
    names: tuple[str, ...] = ()
    repeated: bool = False
    position: int = 0

    @cached_property
    def rejected(self) -> list[Rejected]:
        """The rejected rows one by one; creates a dictionary for each."""
        return [
            Rejected(dict(zip(self.names, values, strict=True)), reason, producer)
            for part in self.refused
            for values, reason, producer in zip(stored_rows(part.table), part.reasons, part.producers, strict=True)
        ]


def stored_rows(table: pa.Table) -> list[tuple[Any, ...]]:
    """Returns the rows of a table of stored columns, as stored values: timestamps are microseconds."""
    plain = [
        (column.cast(pa.int64()) if pa.types.is_timestamp(column.type) else column).to_pylist()
        for column in table.columns
    ]
    return list(zip(*plain, strict=True))
