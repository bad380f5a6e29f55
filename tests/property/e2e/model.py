"""A model of a named stream in a few dozen lines: the rows and bounds that follow from the actions of its producers.

Times are milliseconds. A row is (rowtime, n), where n says which row it is.
"""

from __future__ import annotations

import itertools
from dataclasses import dataclass, field

Row = tuple[int, int]

_arrivals = itertools.count()


class BoundGoesBack(Exception):
    pass


@dataclass
class Stream:
    """A stream whose ROWTIME has no LATENESS (None), or the given one."""

    lateness: int | None = None
    bound: int | None = None
    rows: list[tuple[int, Row]] = field(default_factory=list)
    """The rows that have entered, in order, each with its position in the order of all rows that have entered any
    stream."""
    held: list[Row] = field(default_factory=list)
    producers: dict[str, int | None] = field(default_factory=dict)

    def step(
        self, producer: str | None, rows: list[Row] | None = None, bound: int | None = None, leaves: bool = False
    ) -> list[Row]:
        """Applies one step; returns the rejected rows."""
        name = producer or "nobody"
        allowed = self.lateness or 0
        promised = self.producers.get(name, self.bound)
        if bound is not None and promised is not None and bound < promised:
            raise BoundGoesBack
        late: list[Row] = []
        fresh: list[Row] = []
        reached = promised
        for row in rows or []:
            if promised is not None and row[0] < promised:
                late.append(row)
                continue
            fresh.append(row)
            reached = _greatest(reached, row[0] - allowed)
            if self.lateness is None:
                # Row by row; with LATENESS, the clock moves after the step.
                promised = reached
        self.producers[name] = _greatest(reached, bound)
        self._merge(fresh)
        if leaves or producer is None:
            del self.producers[name]
            self._merge([])
        return late

    def _merge(self, fresh: list[Row]) -> None:
        """Lets rows enter up to the least bound of the attached producers; all of them if there is none."""
        bounds = list(self.producers.values())
        least = None if None in bounds else min((each for each in bounds if each is not None), default=None)
        allowed = self.lateness or 0

        def enters(row: Row) -> bool:
            return not bounds or (least is not None and row[0] <= least + allowed)

        held = sorted(filter(enters, self.held), key=lambda row: row[0])
        entering = held + list(filter(enters, fresh))
        self.held = [row for row in self.held + fresh if not enters(row)]
        if self.lateness is None:
            entering = sorted(entering, key=lambda row: row[0])
        self.rows += [(next(_arrivals), row) for row in entering]
        if self.rows:
            self.bound = _greatest(self.bound, least)
        if entering and not bounds:
            self.bound = _greatest(self.bound, max(row[0] for row in entering) - allowed)


@dataclass
class Plain:
    """SELECT STREAM * FROM a stream."""

    source: Stream
    given: int = 0

    @property
    def bound(self) -> int | None:
        return self.source.bound

    def step(self) -> list[Row]:
        fresh = [row for _, row in self.source.rows[self.given :]]
        self.given = len(self.source.rows)
        return fresh


@dataclass
class Union:
    """UNION ALL of streams: rows are emitted in order of rowtime, those of equal rowtime in order of arrival."""

    sources: list[Stream]
    given: set[int] = field(default_factory=set)

    @property
    def bound(self) -> int | None:
        found = [each.bound for each in self.sources]
        return None if None in found else min(each for each in found if each is not None)

    def step(self) -> list[Row]:
        bound = self.bound
        if bound is None:
            return []
        every = [each for source in self.sources for each in source.rows if each[0] not in self.given]
        fresh = sorted((each for each in every if each[1][0] <= bound), key=lambda each: (each[1][0], each[0]))
        self.given |= {arrival for arrival, _ in fresh}
        return [row for _, row in fresh]


@dataclass
class Tumbling:
    """GROUP BY FLOOR(rowtime TO MINUTE): (start, number of rows) of each complete window."""

    source: Stream
    until: int = 0

    MINUTE = 60_000

    @property
    def bound(self) -> int | None:
        return None if self.source.bound is None else self.source.bound // self.MINUTE * self.MINUTE

    def step(self) -> list[Row]:
        if self.bound is None:
            return []
        counts: dict[int, int] = {}
        for _, (rowtime, _) in self.source.rows:
            start = rowtime // self.MINUTE * self.MINUTE
            counts[start] = counts.get(start, 0) + 1
        fresh = [each for each in sorted(counts.items()) if self.until <= each[0] < self.bound]
        self.until = self.bound
        return fresh


@dataclass
class EveryOther:
    """The function `counted` over a stream: each second row, in order of rowtime, those of equal rowtime in order of
    arrival."""

    source: Stream
    given: set[int] = field(default_factory=set)

    @property
    def bound(self) -> int | None:
        return self.source.bound

    def step(self) -> list[Row]:
        bound = self.bound
        if bound is None:
            return []
        waiting = [each for each in self.source.rows if each[0] not in self.given and each[1][0] <= bound]
        fresh = []
        for arrival, row in sorted(waiting, key=lambda each: (each[1][0], each[0])):
            self.given.add(arrival)
            if len(self.given) % 2 == 0:
                fresh.append(row)
        return fresh


@dataclass
class TenSeconds:
    """The function `window_counts` over a stream: (end, number of rows) of every ten seconds with rows, by a timer that
    is due when the bound reaches the end."""

    source: Stream
    until: int = 0

    SIZE = 10_000

    @property
    def bound(self) -> int | None:
        return self.source.bound

    def step(self) -> list[Row]:
        if self.bound is None:
            return []
        counts: dict[int, int] = {}
        for _, (rowtime, _) in self.source.rows:
            end = (rowtime // self.SIZE + 1) * self.SIZE
            counts[end] = counts.get(end, 0) + 1
        fresh = [each for each in sorted(counts.items()) if self.until < each[0] <= self.bound]
        self.until = self.bound
        return fresh


def _greatest(*bounds: int | None) -> int | None:
    return max((each for each in bounds if each is not None), default=None)
