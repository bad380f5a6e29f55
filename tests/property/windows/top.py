"""Random Top-N over partitions that end, as SQL and as ranks in DuckDB."""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import duckdb

from .cases import Row

MINUTE = 60_000


@dataclass(frozen=True)
class Top:
    """The rows of a partition whose `function` is at most `most`, or (BEST, WORST) whose `v` is largest or smallest.
    Windows of `size` minutes begin at every minute; `form`: how the condition is written."""

    function: str
    most: int
    keys: tuple[str, ...]
    order: str
    size: int
    form: str

    def sql(self, stream: str) -> str:
        source = stream
        window = "FLOOR(rowtime TO MINUTE)"
        starts = window
        if self.size > 1:
            source = (
                f"TABLE(HOP(TABLE {stream}, DESCRIPTOR(rowtime), INTERVAL '1' MINUTE, INTERVAL '{self.size}' MINUTE))"
            )
            window, starts = "window_start, window_end", "window_start"
        partition = f"PARTITION BY {', '.join([window, *self.keys])}"
        columns = f"rowtime, {starts} AS starts, seq"
        if self.function in ("BEST", "WORST"):
            call = f"{'MAX' if self.function == 'BEST' else 'MIN'}(v)"
            whole = f"OVER ({partition} ROWS BETWEEN UNBOUNDED PRECEDING AND UNBOUNDED FOLLOWING)"
            return f"SELECT STREAM {columns}, v FROM {source} QUALIFY v = {call} {whole}"
        ranked = f"{self.function}() OVER ({partition} ORDER BY {self.order})"
        if self.form == "WHERE":
            return (
                f"SELECT STREAM * FROM (SELECT STREAM {columns}, {ranked} AS n FROM {source}) WHERE n < {self.most + 1}"
            )
        # The rank is computed once; selected, it is the one of the condition.
        return f"SELECT STREAM {columns}, {ranked} AS n FROM {source} QUALIFY n BETWEEN 1 AND {self.most}"


def top(chance: random.Random) -> Top:
    directed = [
        f"{column} {direction}{nulls}"
        for column in ("v", "d", "k")
        for direction in ("ASC", "DESC")
        for nulls in (" NULLS FIRST", " NULLS LAST")
    ]
    return Top(
        function=chance.choice(["ROW_NUMBER", "ROW_NUMBER", "RANK", "DENSE_RANK", "BEST", "WORST"]),
        most=chance.choice([0, 1, 2, 3, 10]),
        keys=chance.choice([(), (), ("k",), ("k", "d")]),
        order=", ".join(chance.sample(directed, chance.choice([1, 1, 2]))),
        size=chance.choice([1, 1, 2, 3]),
        form=chance.choice(["WHERE", "QUALIFY"]),
    )


def expected(rows: Sequence[Row], top: Top) -> list[tuple[Any, ...]]:
    """Returns the start of the window in milliseconds, `seq`, and the rank or value of each row."""
    keys = ", ".join(["start", *top.keys])
    if top.function in ("BEST", "WORST"):
        call = f"{'max' if top.function == 'BEST' else 'min'}(v) OVER (PARTITION BY {keys})"
        query = f"SELECT start, seq, v FROM w QUALIFY v = {call}"
    else:
        # Of peers the earlier ones come first.
        order = f"{top.order}, time, seq" if top.function == "ROW_NUMBER" else top.order
        call = f"{top.function}() OVER (PARTITION BY {keys} ORDER BY {order})"
        query = f"SELECT start, seq, {call} AS n FROM w QUALIFY n <= {top.most}"
    windows = f"SELECT *, (time // {MINUTE} - i) * {MINUTE} AS start FROM r, range({top.size}) AS s(i)"
    with duckdb.connect() as db:
        db.execute("CREATE TABLE r (seq INTEGER, time BIGINT, k VARCHAR, v INTEGER, d DOUBLE)")
        db.executemany("INSERT INTO r VALUES (?, ?, ?, ?, ?)", [(r.seq, r.time, r.k, r.v, r.d) for r in rows])
        return db.execute(f"WITH w AS ({windows}) {query}").fetchall()
