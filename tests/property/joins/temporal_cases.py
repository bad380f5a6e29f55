"""Random joins of a stream with versions, as SQL and as loops over all rows."""

from __future__ import annotations

import itertools
import math
import random
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from .cases import Row

IDENTITIES = 4
Found = tuple[int, int, int | None]
"""ROWTIME in milliseconds, `n` of the left row, `n` of the version."""


@dataclass(frozen=True)
class Version(Row):
    """A row with a unique number, and whether it deletes its key."""

    def sql(self) -> str:
        return f"{super().sql()[:-1]}, {self.n % IDENTITIES}, {_deletes(self)})"


def _deletes(row: Row) -> bool:
    return row.n % 5 == 2


@dataclass(frozen=True)
class Temporal:
    """Left rows A and versions B. `by`: a version is that of its KEY; of a ROW with a number of its own, whose key may
    change; the latest row of its key, by ASOF JOIN; or there is none, but the NEXT row of its key within so many
    seconds. `shift` in seconds."""

    by: Literal["KEY", "ROW", "ASOF", "NEXT"]
    left: bool
    keyed: bool
    rest: bool
    shift: int
    inclusive: bool
    lateral: bool
    deletes: bool
    within: int = 0

    def versions(self, name: str, lateness: bool) -> str:
        column = "rowtime TIMESTAMP(3) NOT NULL LATENESS INTERVAL '5' SECOND, " if lateness else ""
        key = {"KEY": ", PRIMARY KEY (k)", "ROW": ", PRIMARY KEY (i)", "ASOF": "", "NEXT": ""}[self.by]
        columns = f"{column}n INTEGER, k INTEGER, i INTEGER, gone BOOLEAN{key}"
        deletes = ", delete_column 'gone'" if self.deletes else ""
        return f"CREATE STREAM {name} ({columns}) OPTIONS (history 'all'{deletes});\n"

    def identity(self, row: Row) -> object:
        return row.n % IDENTITIES if self.by == "ROW" else row.k

    def sql(self, a: str, b: str) -> str:
        time = (
            "a.rowtime" if self.shift == 0 else f"a.rowtime {'+-'[self.shift < 0]} INTERVAL '{abs(self.shift)}' SECOND"
        )
        kind = "LEFT " if self.left else ""
        on = ["a.k = b.k"] if self.keyed else []
        on += ["MOD(a.n + b.n, 3) <> 0"] if self.rest else []
        selected = f"SELECT STREAM a.rowtime, a.n AS an, b.n AS bn FROM {a} AS a"
        if self.by == "ASOF":
            comparison = ">=" if self.inclusive else ">"
            return f"{selected} {kind}ASOF JOIN {b} AS b MATCH_CONDITION {time} {comparison} b.rowtime ON a.k = b.k"
        if self.by == "NEXT":
            comparison = "<=" if self.inclusive else "<"
            near = f"{b} OVER (RANGE INTERVAL '{self.within}' SECOND FOLLOWING) AS b"
            return f"{selected} {kind}ASOF JOIN {near} MATCH_CONDITION {time} {comparison} b.rowtime ON a.k = b.k"
        versions = f"LATERAL SNAPSHOT({b}, {time}) AS b" if self.lateral else f"{b} FOR SYSTEM_TIME AS OF {time} AS b"
        if self.left or not self.lateral:
            return f"{selected} {kind}JOIN {versions} ON {' AND '.join(on) or 'TRUE'}"
        return f"{selected}, {versions}{' WHERE ' if on else ''}{' AND '.join(on)}"

    def expected(self, lefts: Sequence[Row], rights: Sequence[Row]) -> list[Found]:
        found: list[Found] = []
        for a in lefts:
            if self.by == "NEXT":
                following = self._next(a, rights)
                if following is not None or self.left:
                    found.append((a.time, a.n, None if following is None else following.n))
                continue
            time = a.time + self.shift * 1000
            latest: dict[object, Row] = {}
            for b in sorted(rights, key=lambda row: (row.time, row.place)):
                if b.time < time or (b.time == time and self.inclusive):
                    latest[self.identity(b)] = b
            met = [b for b in latest.values() if self._matches(a, b)]
            found += [(a.time, a.n, b.n) for b in met]
            if self.left and not met:
                found.append((a.time, a.n, None))
        return sorted(found, key=lambda row: row[0])

    def due(self, lefts: Sequence[Row], rights: Sequence[Row], bounds: tuple[int | None, int | None]) -> list[Found]:
        """What has to be out once those rows have come and the streams have those bounds, on one partition: a row waits
        for the bound of the versions to pass the time it asks for, unless its key is NULL, and for the rows before it.
        """
        left, right = (-math.inf if bound is None else bound for bound in bounds)

        def is_known(row: Row) -> bool:
            time = row.time + self.shift * 1000
            if self.by == "NEXT":
                following = self._next(row, [b for b in rights if b.time <= right])
                return row.k is None or (row.time + self.within * 1000 if following is None else following.time) < right
            return (self.keyed and row.k is None) or (time < right if self.inclusive else time <= right)

        come = sorted((row for row in lefts if row.time <= left), key=lambda row: row.time)
        known = list(itertools.takewhile(is_known, come))
        return self.expected(known, [row for row in rights if row.time <= right])

    def _next(self, a: Row, rights: Sequence[Row]) -> Row | None:
        """Returns the earliest row of the key of `a` after it; of rows of the same time, the last to arrive."""
        first = a.time if self.inclusive else a.time + 1
        near = [b for b in rights if a.k is not None and a.k == b.k and first <= b.time <= a.time + self.within * 1000]
        return min(near, key=lambda b: (b.time, -b.place), default=None)

    def _matches(self, a: Row, b: Row) -> bool:
        if self.deletes and _deletes(b):
            return False
        if self.keyed and (a.k is None or a.k != b.k):
            return False
        return not (self.rest and (a.n + b.n) % 3 == 0)


def temporal(chance: random.Random, by: str) -> Temporal:
    asof = by in ("ASOF", "NEXT")
    return Temporal(
        by=by,  # type: ignore[arg-type]
        left=chance.random() < 0.5,
        keyed=asof or chance.random() < 0.8,
        rest=not asof and chance.random() < 0.4,
        # MATCH_CONDITION compares columns.
        shift=0 if asof else chance.choice([0, 0, 0, -3, 3]),
        inclusive=not asof or chance.random() < 0.5,
        lateral=chance.random() < 0.5,
        deletes=not asof and chance.random() < 0.4,
        within=chance.choice([1, 3, 20]),
    )
