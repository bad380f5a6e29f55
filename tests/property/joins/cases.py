"""Random joins of two streams, as SQL and as what they mean; random rows, and how they come in."""

from __future__ import annotations

import datetime as dt
import random
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

START = 1_724_000_040_000
"""In milliseconds, the beginning of a minute."""
LATENESS = 5_000
WIDEST = 60
"""In seconds, how far rows of one window are apart at the most."""
KINDS = ("INNER", "LEFT", "RIGHT", "FULL", "SEMI", "ANTI")
"""SEMI and ANTI are written as EXISTS and NOT EXISTS."""


@dataclass(frozen=True)
class Row:
    """`n` is the place in the order of arrival at the row's stream, `time` in milliseconds."""

    n: int
    time: int
    k: int | None

    def sql(self) -> str:
        return f"(TIMESTAMP '{text(self.time)}', {self.n}, {'NULL' if self.k is None else self.k})"


Frame = tuple[int, int] | int
"""Of RANGE, from and to so many seconds after the current row; or of ROWS, so many before it."""


@dataclass(frozen=True)
class Join:
    """Left rows A and right rows B.

    With `windows`, the frame of each side; else B is `least` to
    `most` seconds later than A, `strict` at both ends, and with `within` both lie in one window of so many seconds,
    which may be all that is said of their times. `by` is whose ROWTIME the query selects: A, B, or none."""

    kind: str
    keyed: bool
    rest: bool
    by: str
    least: int = 0
    most: int = 0
    strict: bool = False
    windows: tuple[Frame, Frame] | None = None
    within: int = 0

    def sql(self, a: str, b: str) -> str:
        on = ["a.k = b.k"] if self.keyed else []
        on += ["MOD(a.n + b.n, 3) <> 0"] if self.rest else []
        given = [f"{a} AS a", f"{b} AS b"]
        if self.windows is not None:
            given = [f"{name} OVER ({_frame(w)}) AS {x}" for name, x, w in zip((a, b), "ab", self.windows, strict=True)]
        elif self.within:
            on += ["FLOOR(a.rowtime TO MINUTE) = FLOOR(b.rowtime TO MINUTE)"] if self.within == 60 else []
            if self.within != 60:
                on += ["a.window_start = b.window_start"]
                size = f"DESCRIPTOR(rowtime), {_interval(self.within)}"
                given = [f"TUMBLE(TABLE {name}, {size}) AS {x}" for name, x in zip((a, b), "ab", strict=True)]
        if self.windows is None and abs(self.least) + abs(self.most) < 2 * WIDEST:
            less, more = ("<", ">") if self.strict else ("<=", ">=")
            on += [
                f"b.rowtime {more} a.rowtime + {_interval(self.least)}",
                f"b.rowtime {less} a.rowtime + {_interval(self.most)}",
            ]
        if self.kind in ("SEMI", "ANTI"):
            some = f"EXISTS (SELECT 1 FROM {given[1]} WHERE {' AND '.join(on)})"
            selected = "SELECT STREAM a.rowtime, a.n AS an, CAST(NULL AS INTEGER) AS bn"
            return f"{selected} FROM {given[0]} WHERE {'NOT ' if self.kind == 'ANTI' else ''}{some}"
        selected = f"{self.by}.rowtime, " if self.by else ""
        joined = f"{given[0]} {self.kind} JOIN {given[1]} ON {' AND '.join(on) or 'TRUE'}"
        return f"SELECT STREAM {selected}a.n AS an, b.n AS bn FROM {joined}"


def join(chance: random.Random) -> Join:
    kind = chance.choice(KINDS)
    keyed, rest = chance.random() < 0.8, chance.random() < 0.4
    if kind not in ("SEMI", "ANTI") and chance.random() < 0.4:
        return Join(kind, keyed, rest, "", windows=_frames(chance))
    least, most = sorted(chance.choice([-20, -3, -1, 0, 0, 1, 3, 20]) for _ in range(2))
    by = chance.choice({"INNER": ["", "a", "b"], "LEFT": ["", "a"], "RIGHT": ["", "b"], "FULL": [""]}.get(kind, ["a"]))
    within = chance.choice([0, 0, 7, 60])
    if within and chance.random() < 0.6:
        return Join(kind, keyed, rest, by, -WIDEST, WIDEST, within=within)
    return Join(kind, keyed, rest, by, least, most, strict=chance.random() < 0.3, within=within)


def grouped(name: str, unit: str) -> str:
    """The rows of a stream with their times rounded down to a unit, by a GROUP BY that leaves each row a group."""
    time = f"FLOOR(rowtime TO {unit})"
    return f"(SELECT STREAM {time} AS rowtime, n, k, COUNT(*) AS c FROM {name} GROUP BY {time}, n, k)"


def data(chance: random.Random, count: int, lateness: bool) -> list[Row]:
    """Rows in order of arrival: with ties, NULLs, a key that many have; out of order as far as LATENESS lets them, and
    a few of them further, so that they are late."""
    found, clock = [], START + chance.choice([0, 0, 3_000])
    for n in range(count):
        clock += chance.choice([0, 0, 1, 500, 1000, 1000, 2000, 20_000])
        time = clock - (chance.choice([0, 0, 1000, LATENESS]) if lateness else 0)
        if chance.random() < 0.1:
            time -= chance.choice([1, 1000, LATENESS, LATENESS + 1, 20_000])
        found.append(Row(n, max(time, START), chance.choice([1, 1, 1, 2, 3, None])))
    return found


@dataclass(frozen=True)
class Step:
    """A line of a script, and the rows or the bound, in milliseconds, that it brings to a stream."""

    line: str
    stream: str = ""
    rows: tuple[Row, ...] = ()
    bound: int | None = None


def declared(name: str, late: bool) -> str:
    """A stream of rows."""
    column = "rowtime TIMESTAMP(3) NOT NULL LATENESS INTERVAL '5' SECOND, " if late else ""
    return f"CREATE STREAM {name} ({column}n INTEGER, k INTEGER) OPTIONS (history 'all');\n"


def steps(chance: random.Random, streams: Mapping[str, Sequence[Row]]) -> list[Step]:
    """How the rows of both streams come in; in the end both bounds are past all of them."""
    found: list[Step] = []
    at = dict.fromkeys(streams, 0)
    while any(at[name] < len(rows) for name, rows in streams.items()):
        name = chance.choice(sorted(streams))
        rows, count = streams[name], chance.choice([1, 2, 7, 20])
        some = rows[at[name] : at[name] + count]
        at[name] += count
        if some:
            found.append(inserted(name, some))
            if at[name] < len(rows) and chance.random() < 0.3:
                newest = max(row.time for row in rows[: at[name]])
                found.append(_bound(name, chance.randint(newest, max(newest, rows[at[name]].time))))
        if chance.random() < 0.2:
            found.append(Step("!restart\n"))
    last = max(row.time for rows in streams.values() for row in rows) + 600_000
    return [*found, *(_bound(name, last) for name in sorted(streams))]


def inserted(name: str, rows: Sequence[Row]) -> Step:
    """One INSERT."""
    return Step(f"INSERT INTO {name} VALUES {', '.join(row.sql() for row in rows)};\n", name, tuple(rows))


def _bound(name: str, time: int) -> Step:
    return Step(f"!bound {name} '{text(time)}'\n", name, bound=time)


def text(time: int) -> str:
    when = dt.datetime(1970, 1, 1) + dt.timedelta(milliseconds=time)
    return when.isoformat(" ", "milliseconds")


def _frames(chance: random.Random) -> tuple[Frame, Frame]:
    """What goes together: of ROWS, one row beside any window, and more of them beside single times or other ROWS."""

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


def _interval(seconds: int) -> str:
    return f"INTERVAL '{seconds}' SECOND" if seconds >= 0 else f"INTERVAL -'{-seconds}' SECOND"
