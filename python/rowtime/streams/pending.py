"""The rows of a log that have not entered yet: those that wait for a WATERMARK, and those held for the merge.

Both are stored in chunks: immutable Arrow tables with a few numpy columns. A chunk that some rows have left is replaced
by one that shares the table. A commit saves its chunks in side files (`sidefiles`).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np
import numpy.typing as npt
import pyarrow as pa

Ints = npt.NDArray[np.int64]
Mask = npt.NDArray[np.bool_]

ANONYMOUS = 0
"""The attachment of rows whose sender was not attached."""


@dataclass(frozen=True, slots=True)
class Rows:
    """Rows in transit: stored columns, ROWTIME in ms (zeros in tables), the attachment that sent each, its number in
    order of arrival, and whether the current step brought it. `names` are the producers' names by attachment."""

    table: pa.Table
    rowtime: Ints
    attachment: Ints
    arrival: Ints
    own: Mask
    names: Mapping[int, str]

    def __len__(self) -> int:
        return len(self.rowtime)

    def take(self, which: npt.NDArray[Any]) -> Rows:
        """Returns the rows at these indices, or those for which a mask is true."""
        if which.dtype == bool:
            if which.all():
                return self
            which = np.flatnonzero(which)
        return Rows(
            self.table.take(pa.array(which)),
            self.rowtime[which],
            self.attachment[which],
            self.arrival[which],
            self.own[which],
            self.names,
        )

    def part(self, begin: int, end: int) -> Rows:
        if begin == 0 and end == len(self):
            return self
        cut = slice(begin, end)
        table = self.table.slice(begin, end - begin)
        return Rows(table, self.rowtime[cut], self.attachment[cut], self.arrival[cut], self.own[cut], self.names)

    def producers(self) -> list[str | None]:
        return [self.names.get(int(one)) for one in self.attachment]

    def old(self) -> Rows:
        return replace(self, own=np.zeros(len(self), bool)) if self.own.any() else self

    def sorted(self) -> Rows:
        """Returns the rows sorted by (ROWTIME, arrival)."""
        if len(self) < 2 or bool(np.all(self.rowtime[1:] >= self.rowtime[:-1]) and np.all(np.diff(self.arrival) > 0)):
            return self
        return self.take(np.lexsort((self.arrival, self.rowtime)))


def join(parts: Sequence[Rows]) -> Rows:
    """Returns the rows of several parts, one after another."""
    if len(parts) == 1:
        return parts[0]
    names = {key: name for part in parts for key, name in part.names.items()}
    return Rows(
        pa.concat_tables([part.table for part in parts]),
        np.concatenate([part.rowtime for part in parts]),
        np.concatenate([part.attachment for part in parts]),
        np.concatenate([part.arrival for part in parts]),
        np.concatenate([part.own for part in parts]),
        names,
    )


@dataclass(frozen=True, slots=True)
class HeldChunk:
    """Rows that the merge holds, sorted by (ROWTIME, arrival); those before `start` have entered. `name` is that of its
    side file, None if there is none yet; `mark` is the greatest ROWTIME that has entered from it."""

    rows: Rows
    start: int = 0
    name: str | None = None
    mark: int | None = None

    def __len__(self) -> int:
        return len(self.rows) - self.start

    @property
    def least(self) -> int:
        return int(self.rows.rowtime[self.start])

    def enter(self, limit: int | None) -> tuple[Rows | None, HeldChunk]:
        """Returns the rows up to a ROWTIME (None: all), and the remaining chunk."""
        size = len(self.rows)
        end = size if limit is None else int(np.searchsorted(self.rows.rowtime, limit, side="right"))
        if end <= self.start:
            return None, self
        gone = self.rows.part(self.start, end)
        return gone, replace(self, start=end, mark=int(self.rows.rowtime[end - 1]))

    def remaining(self) -> Rows:
        return self.rows.part(self.start, len(self.rows))


@dataclass(frozen=True, slots=True)
class BufferedChunk:
    """Rows that wait for WATERMARK columns, in order of arrival. `keys` are those columns' keys and which of them
    count; `left` are the indices of the rows that still wait."""

    rows: Rows
    keys: tuple[tuple[npt.NDArray[Any], Mask], ...]
    left: npt.NDArray[np.int64]
    name: str | None = None

    def __len__(self) -> int:
        return len(self.left)

    def remaining(self) -> Rows:
        return self.rows if len(self.left) == len(self.rows) else self.rows.take(self.left)


@dataclass(slots=True)
class PendingRows:
    """All chunks of a log."""

    holding: list[HeldChunk] = field(default_factory=list)
    waiting: list[BufferedChunk] = field(default_factory=list)

    def copy(self) -> PendingRows:
        return PendingRows(list(self.holding), list(self.waiting))

    def settle(self) -> None:
        """Ends the step: the remaining rows no longer belong to the current one."""
        self.holding = [replace(c, rows=c.rows.old()) if c.name is None else c for c in self.holding]
        self.waiting = [replace(c, rows=c.rows.old()) if c.name is None else c for c in self.waiting]

    def __len__(self) -> int:
        return sum(map(len, self.holding)) + sum(map(len, self.waiting))

    def enter(self, limit: int | None) -> Rows | None:
        """Removes and returns the held rows up to a ROWTIME (ms; None: all), in order of (ROWTIME, arrival)."""
        if not any(len(chunk) and (limit is None or chunk.least <= limit) for chunk in self.holding):
            return None
        parts, rest = [], []
        for chunk in self.holding:
            gone, stays = chunk.enter(limit)
            if gone is not None:
                parts.append(gone)
            if len(stays):
                rest.append(stays)
        self.holding = rest
        return join(parts).sorted()
