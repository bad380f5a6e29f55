"""Random joins of two streams, as SQL and as what they mean; random rows, and how they come in."""

from __future__ import annotations

import datetime as dt
import random
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

START = 1_724_000_040_000
"""In milliseconds, the beginning of a minute."""
LATENESS = 5_000
WIDEST = 60
"""The maximum distance between rows of one window, in seconds."""
SEMI = ("EXISTS", "IN")
ANTI = ("NOT EXISTS", "NOT IN")
KINDS = ("INNER", "INNER", "LEFT", "LEFT", "RIGHT", "FULL", "FULL", *SEMI, *ANTI)
LAST = -1
"""`n` of a row far behind all others, which ends a stream without a bound."""


@dataclass(frozen=True)
class Row:
    """`place` is that in the order of arrival at the row's stream, `n` the same, unless the row repeats the one before
    it; `time` in milliseconds."""

    place: int
    n: int
    time: int
    k: int | None

    def sql(self) -> str:
        return f"(TIMESTAMP '{text(self.time)}', {self.n}, {'NULL' if self.k is None else self.k})"


Frame = tuple[int, int] | int
"""For RANGE, how many seconds after the current row it begins and ends; for ROWS, how many rows before it."""


@dataclass(frozen=True)
class Join:
    """Left rows A and right rows B.

    With `windows`, the frame of each side; else B is `least` to
    `most` seconds later than A, `strict` at both ends, and with `within` both lie in one window of so many seconds,
    which may be all that is said of their times. `by` is whose ROWTIME the query selects: A, B, or that of the join."""

    kind: str
    keyed: bool
    rest: bool
    by: str
    least: int = 0
    most: int = 0
    strict: bool = False
    windows: tuple[Frame, Frame] | None = None
    within: int = 0

    @property
    def filters(self) -> bool:
        """Whether the result consists of left rows only, each at most once."""
        return self.kind in (*SEMI, *ANTI)

    @property
    def by_rows(self) -> bool:
        return self.windows is not None and any(isinstance(frame, int) for frame in self.windows)

    @property
    def ordered(self) -> bool:
        """Whether the query can select its ROWTIME: in a filter, ROWTIME is that of the left row."""
        return not self.filters or self.windows is None or self.windows[0] == (0, 0)

    def equal(self, a: Row, b: Row) -> bool:
        """Whether the keys match. For IN and NOT IN, an unknown result is not a match."""
        if self.kind == "NOT IN":
            return a.k is None or b.k is None or a.k == b.k
        return not self.keyed or (a.k is not None and a.k == b.k)

    def can_match(self, row: Row) -> bool:
        """Whether a row can match this one, by its key."""
        return row.k is not None or not self.keyed or self.kind == "NOT IN"

    def sql(self, a: str, b: str, timed: bool = True) -> str:
        """`timed`: selects ROWTIME, if the query can."""
        on = ["a.k = b.k"] if self.keyed and "IN" not in self.kind.split() else []
        on += ["MOD(a.n + b.n, 3) <> 0"] if self.rest else []
        given = [f"{a} AS a", f"{b} AS b"]
        if self.windows is not None:
            given = [f"{name} OVER ({_frame(w)}) AS {x}" for name, x, w in zip((a, b), "ab", self.windows, strict=True)]
        elif self.within:
            on += ["FLOOR(a.rowtime TO MINUTE) = FLOOR(b.rowtime TO MINUTE)"] if self.within == 60 else []
            if self.within != 60:
                on += ["a.window_start = b.window_start"]
                size = f"DESCRIPTOR(rowtime), {interval(self.within)}"
                given = [f"TUMBLE(TABLE {name}, {size}) AS {x}" for name, x in zip((a, b), "ab", strict=True)]
        if self.windows is None and abs(self.least) + abs(self.most) < 2 * WIDEST:
            less, more = ("<", ">") if self.strict else ("<=", ">=")
            on += [
                f"b.rowtime {more} a.rowtime + {interval(self.least)}",
                f"b.rowtime {less} a.rowtime + {interval(self.most)}",
            ]
        condition = " AND ".join(on) or "TRUE"
        time = (f"{self.by}.rowtime, " if self.by else "ROWTIME, ") if timed and self.ordered else ""
        if not self.filters:
            return (
                f"SELECT STREAM {time}a.n AS an, b.n AS bn FROM {given[0]} {self.kind} JOIN {given[1]} ON {condition}"
            )
        asked = f"{self.kind} (SELECT 1 FROM {given[1]} WHERE {condition})"
        if self.kind in ("IN", "NOT IN"):
            asked = f"a.k {self.kind} (SELECT b.k FROM {given[1]} WHERE {condition})"
        return f"SELECT STREAM {time}a.n AS an, CAST(NULL AS INTEGER) AS bn FROM {given[0]} WHERE {asked}"


def join(chance: random.Random) -> Join:
    kind = chance.choice(KINDS)
    keyed, rest = "IN" in kind.split() or chance.random() < 0.8, chance.random() < 0.4
    filters = kind in (*SEMI, *ANTI)
    if chance.random() < 0.4:
        frames = _frames(chance)
        if filters and chance.random() < 0.5:
            frames = ((0, 0), frames[1])
        return Join(kind, keyed, rest, "a" if filters else "", windows=frames)
    least, most = sorted(chance.choice([-20, -3, -1, 0, 0, 1, 3, 20]) for _ in range(2))
    by = chance.choice({"INNER": ["", "a", "b"], "LEFT": ["", "a"], "RIGHT": ["", "b"], "FULL": [""]}.get(kind, ["a"]))
    within = chance.choice([0, 0, 7, 60])
    if within and chance.random() < 0.6:
        return Join(kind, keyed, rest, by, -WIDEST, WIDEST, within=within)
    return Join(kind, keyed, rest, by, least, most, strict=chance.random() < 0.3, within=within)


def grouped(name: str, unit: str) -> str:
    """Rounds the times of a stream's rows down to a unit, by a GROUP BY with one row in each group."""
    time = f"FLOOR(rowtime TO {unit})"
    return f"(SELECT STREAM {time} AS rowtime, n, k, COUNT(*) AS c FROM {name} GROUP BY {time}, n, k)"


def data(chance: random.Random, count: int, lateness: bool, twins: bool = True) -> list[Row]:
    """Returns rows in order of arrival: with ties, NULLs and a frequent key; out of order as far as LATENESS allows, a
    few of them further, so that they are late. With `twins` some rows occur twice, equal in all columns."""
    found: list[Row] = []
    clock = START + chance.choice([0, 0, 3_000])
    for n in range(count):
        if twins and found and chance.random() < 0.1:
            found.append(replace(found[-1], place=n))
            continue
        clock += chance.choice([0, 0, 1, 500, 1000, 1000, 2000, 20_000])
        time = clock - (chance.choice([0, 0, 1000, LATENESS]) if lateness else 0)
        if chance.random() < 0.1:
            time -= chance.choice([1, 1000, LATENESS, LATENESS + 1, 20_000])
        found.append(Row(n, n, max(time, START), chance.choice([1, 1, 1, 2, 3, None])))
    return found


@dataclass(frozen=True)
class Step:
    """A line of a script, and the rows or the bound (in milliseconds) that a stream gets from it."""

    line: str
    stream: str = ""
    rows: tuple[Row, ...] = ()
    bound: int | None = None


def declared(name: str, late: bool) -> str:
    """A stream and its rows."""
    column = "rowtime TIMESTAMP(3) NOT NULL LATENESS INTERVAL '5' SECOND, " if late else ""
    return f"CREATE STREAM {name} ({column}n INTEGER, k INTEGER) OPTIONS (history 'all');\n"


def steps(chance: random.Random, streams: Mapping[str, Sequence[Row]], bounded: bool = True) -> list[Step]:
    """Returns the steps that insert the rows; in the end all bounds have passed all rows. Not `bounded`: only rows
    advance the bounds, and the last row of each stream is far behind all others; its key is NULL."""
    found: list[Step] = []
    at = dict.fromkeys(streams, 0)
    while any(at[name] < len(rows) for name, rows in streams.items()):
        name = chance.choice(sorted(streams))
        rows, count = streams[name], chance.choice([1, 2, 7, 20])
        some = rows[at[name] : at[name] + count]
        at[name] += count
        if some:
            found.append(inserted(name, some))
            if bounded and at[name] < len(rows) and chance.random() < 0.3:
                newest = max(row.time for row in rows[: at[name]])
                found.append(_bound(name, chance.randint(newest, max(newest, rows[at[name]].time))))
        if chance.random() < 0.2:
            found.append(Step("!restart\n"))
    last = max(row.time for rows in streams.values() for row in rows) + 600_000
    if bounded:
        return [*found, *(_bound(name, last) for name in sorted(streams))]
    return [
        *found,
        *(
            inserted(name, [replace(rows[-1], place=len(rows), n=LAST, time=last, k=None)])
            for name, rows in sorted(streams.items())
        ),
    ]


def inserted(name: str, rows: Sequence[Row]) -> Step:
    """Returns one INSERT."""
    return Step(f"INSERT INTO {name} VALUES {', '.join(row.sql() for row in rows)};\n", name, tuple(rows))


def _bound(name: str, time: int) -> Step:
    return Step(f"!bound {name} '{text(time)}'\n", name, bound=time)


def text(time: int) -> str:
    when = dt.datetime(1970, 1, 1) + dt.timedelta(milliseconds=time)
    return when.isoformat(" ", "milliseconds")


def interval(seconds: int) -> str:
    """Returns an interval as SQL."""
    return f"INTERVAL '{seconds}' SECOND" if seconds >= 0 else f"INTERVAL -'{-seconds}' SECOND"


def _frames(chance: random.Random) -> tuple[Frame, Frame]:
    """Whether two windows can be combined: ROWS with one row and any window, ROWS with more rows and single times or
    other ROWS."""

    def times() -> Frame:
        one, other = sorted(chance.choice([-20, -3, -1, 0, 0, 1, 3, 20]) for _ in range(2))
        return one, other

    def rows() -> Frame:
        return chance.choice([0, 0, 1, 3])

    pair = chance.choice([(times(), times()), (times(), times()), (0, times()), (rows(), rows()), (rows(), (0, 0))])
    return pair if chance.random() < 0.5 else (pair[1], pair[0])


def _frame(frame: Frame) -> str:
    if isinstance(frame, int):
        return f"ROWS {frame} PRECEDING" if frame else "ROWS CURRENT ROW"
    return f"RANGE BETWEEN {_end(frame[0])} AND {_end(frame[1])}"


def _end(seconds: int) -> str:
    if seconds == 0:
        return "CURRENT ROW"
    return f"INTERVAL '{abs(seconds)}' SECOND {'FOLLOWING' if seconds > 0 else 'PRECEDING'}"
