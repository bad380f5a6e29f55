"""Random windows, as SQL and as their meaning; random rows, and their order of arrival."""

from __future__ import annotations

import random
from dataclasses import dataclass

START = 1_724_000_040_000
"""In milliseconds: the beginning of a minute."""
LATENESS = 5_000
SMALL = ("COUNT", "SUM", "AVG", "MIN", "MAX", "STDDEV_POP", "VAR_SAMP", "FIRST_VALUE", "LAST_VALUE", "NTH_VALUE")
"""Functions that need a constant amount of memory if no row leaves the frame."""


@dataclass(frozen=True)
class Row:
    """`seq` is the position in the order of arrival, `time` is in milliseconds."""

    seq: int
    time: int
    k: str | None
    v: int | None
    d: float | None

    def sql(self) -> str:
        k = "NULL" if self.k is None else f"'{self.k}'"
        values = ["NULL" if x is None else str(x) for x in (self.v, self.d)]
        return f"({timestamp(self.time)}, {self.seq}, {k}, {', '.join(values)})"


@dataclass(frozen=True)
class End:
    """One end of a frame: the number of rows or milliseconds before (below 0) or after the row. None: unbounded;
    `here`: CURRENT ROW."""

    distance: int | None
    here: bool = False


@dataclass(frozen=True)
class Window:
    """`keys` and `minutes` are the PARTITION BY; partitions by minute are complete at some time."""

    keys: tuple[str, ...]
    minutes: bool
    rows: bool
    lower: End
    upper: End
    ordered: bool

    def sql(self, framed: bool) -> str:
        keys = [*self.keys, *(["FLOOR(rowtime TO MINUTE)"] if self.minutes else [])]
        parts = [f"PARTITION BY {', '.join(keys)}"] if keys else []
        parts += ["ORDER BY rowtime"] if self.ordered else []
        if framed:
            ends = f"{_end(self.lower, self.rows, 'PRECEDING')} AND {_end(self.upper, self.rows, 'FOLLOWING')}"
            parts.append(f"{'ROWS' if self.rows else 'RANGE'} BETWEEN {ends}")
        return f"({' '.join(parts)})"


@dataclass(frozen=True)
class Call:
    """`text` is the function in SQL, `name` the model's name for it, `argument` a column, `number` the n of NTH_VALUE,
    LAG, LEAD and NTILE, or a fraction."""

    name: str
    text: str
    argument: str = "v"
    number: float = 0

    @property
    def framed(self) -> bool:
        return self.name not in PLACES


def waits_for_rows(window: Window, call: Call) -> bool:
    """Returns whether a row is emitted when a number of later rows of its partition have arrived, whatever the others
    do."""
    following = window.rows and window.upper.distance is not None and window.upper.distance > 0
    return call.name == "LEAD" or (following and call.framed)


PLACES = ("ROW_NUMBER", "RANK", "DENSE_RANK", "PERCENT_RANK", "CUME_DIST", "NTILE", "LAG", "LEAD")


def calls(chance: random.Random, window: Window) -> Call:
    """Returns a call that the window allows on a stream."""
    n = chance.choice([1, 2, 3])
    found = [
        Call("COUNT_ALL", "COUNT(*)"),
        *(Call(f, f"{f}({x})", x) for f in ("COUNT", "SUM", "AVG", "MIN", "MAX") for x in ("v", "d")),
        Call("MAX", "MAX(k)", "k"),
        Call("STDDEV_POP", "STDDEV_POP(d)", "d"),
        Call("VAR_SAMP", "VAR_SAMP(v)"),
        Call("FIRST_VALUE", "FIRST_VALUE(v)"),
        Call("LAST_VALUE", "LAST_VALUE(k)", "k"),
        Call("NTH_VALUE", f"NTH_VALUE(v, {n})", number=n),
        Call("ROW_NUMBER", "ROW_NUMBER()"),
        Call("RANK", "RANK()"),
        Call("DENSE_RANK", "DENSE_RANK()"),
        Call("LAG", f"LAG(v, {n})", number=n),
    ]
    if window.minutes or window.lower.distance is not None or window.lower.here:
        found += [
            Call("COUNT_DISTINCT", "COUNT(DISTINCT v)"),
            Call("SUM_DISTINCT", "SUM(DISTINCT v)"),
            Call("MEDIAN", "MEDIAN(v)"),
            Call("CONT", "PERCENTILE_CONT(0.3) WITHIN GROUP (ORDER BY v)", number=0.3),
            Call("DISC", "PERCENTILE_DISC(0.7) WITHIN GROUP (ORDER BY d)", "d", 0.7),
            Call("LISTAGG", "LISTAGG(k, '-')", "k"),
            Call("COLLECT", "COLLECT(v)"),
            Call("FILTERED", "SUM(v) FILTER (WHERE d > 4)"),
            Call("EVERY", "EVERY(v > 2)"),
        ]
    if window.minutes:
        found += [
            Call("LEAD", f"LEAD(v, {n})", number=n),
            Call("NTILE", f"NTILE({n})", number=n),
            Call("PERCENT_RANK", "PERCENT_RANK()"),
            Call("CUME_DIST", "CUME_DIST()"),
        ]
    return chance.choice(found)


def query(chance: random.Random) -> list[tuple[Window, Call]]:
    """Returns calls over one to three windows. Those that wait for rows have the same partitions."""
    while True:
        windows = [window(chance) for _ in range(chance.choice([1, 2, 3]))]
        found = [(w, calls(chance, w)) for w in windows for _ in range(2)]
        if len({(w.keys, w.minutes) for w, c in found if waits_for_rows(w, c)}) < 2:
            return found


def window(chance: random.Random) -> Window:
    keys = chance.choice([(), ("k",), ("k", "v")])
    minutes, rows = chance.random() < 0.4, chance.random() < 0.4
    unit = 1 if rows else 1000
    back = chance.choice([0, 1, 2, 5, 30])
    lower = chance.choice([End(None), End(0, here=True), End(-back * unit), End(-back * unit)])
    uppers = [End(0, here=True), End(0, here=True), End(-min(back, 1) * unit)]
    if not rows:
        uppers += [End(0), End(chance.choice([1, 2, 30]) * unit)]
    if minutes:
        uppers += [End(2 * unit), End(None)]
    upper = chance.choice(uppers)
    if lower.here and upper.distance is not None and upper.distance <= 0 and not upper.here:
        lower = End(upper.distance)
    return Window(keys, minutes, rows, lower, upper, chance.random() < 0.7)


def data(chance: random.Random, count: int, lateness: bool) -> list[Row]:
    """Returns rows in order of arrival: with ties and NULLs, and out of order as far as LATENESS allows."""
    found, clock = [], START
    for seq in range(count):
        clock += chance.choice([0, 0, 1, 500, 1000, 1000, 2000, 20_000])
        time = clock - chance.choice([0, 0, 1000, LATENESS]) if lateness else clock
        k = chance.choice(["a", "b", None])
        v = chance.choice([None, *range(5)])
        found.append(Row(seq, max(time, START), k, v, chance.choice([None, 0.25, 4.5, 7.75, -3.0])))
    return found


def steps(chance: random.Random, rows: list[Row], lateness: bool) -> list[str]:
    """Returns the lines of a script that insert the rows; the last one moves the bound past all of them."""
    found, at = [], 0
    while at < len(rows):
        count = chance.choice([1, 2, 7, 20])
        some = rows[at : at + count]
        found.append(f"INSERT INTO {{0}} VALUES {', '.join(row.sql() for row in some)};\n")
        at += count
        if chance.random() < 0.3:
            found.append("!restart\n")
        if at < len(rows) and not lateness and chance.random() < 0.3:
            bound = chance.randint(some[-1].time, rows[at].time)
            found.append(f"!bound {{0}} '{text(bound)}'\n")
    found.append(f"!bound {{0}} '{text(rows[-1].time + 600_000)}'\n")
    return found


def text(time: int) -> str:
    import datetime as dt

    when = dt.datetime(1970, 1, 1) + dt.timedelta(milliseconds=time)
    return when.isoformat(" ", "milliseconds")


def timestamp(time: int) -> str:
    return f"TIMESTAMP '{text(time)}'"


def _end(end: End, rows: bool, unlimited: str) -> str:
    if end.here:
        return "CURRENT ROW"
    if end.distance is None:
        return f"UNBOUNDED {unlimited}"
    side = "FOLLOWING" if end.distance > 0 else "PRECEDING"
    away = abs(end.distance)
    return f"{away} {side}" if rows else f"INTERVAL '{away // 1000}' SECOND {side}"
