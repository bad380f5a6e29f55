"""Random GROUPING SETS within minutes, with functions that depend on an order, and DuckDB's results."""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import duckdb

from .cases import Row

FUNCTIONS = {
    "COUNT(*)": "count(*)",
    "SUM(v) FILTER (WHERE d > 4)": "sum(v) FILTER (WHERE d > 4)",
    "MAX(k)": "max(k)",
    "COUNT(DISTINCT v)": "count(DISTINCT v)",
    "AVG(DISTINCT v)": "avg(DISTINCT v)",
    "LISTAGG(k, '-') WITHIN GROUP (ORDER BY d DESC, seq)": "string_agg(k, '-' ORDER BY d DESC NULLS FIRST, seq)",
    # Without NULLs, and an empty array of nothing.
    "ARRAY_AGG(v ORDER BY k NULLS LAST, seq DESC)": "coalesce(list(v ORDER BY k NULLS LAST, seq DESC) "
    "FILTER (WHERE v IS NOT NULL), [])",
    "PERCENTILE_CONT(0.3) WITHIN GROUP (ORDER BY d DESC)": "quantile_cont(d, 0.7)",
    "PERCENTILE_DISC(0.7) WITHIN GROUP (ORDER BY v)": "quantile_disc(v, 0.7)",
    "GROUPING(k)": "grouping(k)",
    "GROUPING(v, k)": "grouping(v, k)",
}
SETS = ("ROLLUP (k, v)", "CUBE (k, v)", "GROUPING SETS ((k), (v))", "GROUPING SETS ((v, k), (), ())")


@dataclass(frozen=True)
class Sets:
    """`sets` are those in addition to the time, `having` is a condition on one of them."""

    sets: str
    functions: tuple[str, ...]
    having: bool

    def sql(self, source: str) -> str:
        """The minute, the keys, and the functions."""
        functions = ", ".join(f"{f} AS f{i}" for i, f in enumerate(self.functions))
        minute = "FLOOR(rowtime TO MINUTE)"
        having = " HAVING GROUPING(k) = 1 OR COUNT(*) > 1" if self.having else ""
        return (
            f"SELECT STREAM {minute} AS rowtime, k, v, {functions} FROM {source} GROUP BY {minute}, {self.sets}{having}"
        )


def sets(chance: random.Random) -> Sets:
    return Sets(chance.choice(SETS), tuple(chance.sample(sorted(FUNCTIONS), 4)), chance.random() < 0.3)


def expected(rows: Sequence[Row], one: Sets) -> list[tuple[Any, ...]]:
    """(minute in milliseconds, k, v, functions)"""
    with duckdb.connect() as db:
        db.execute("CREATE TABLE r (seq INTEGER, time BIGINT, k VARCHAR, v INTEGER, d DOUBLE)")
        db.executemany("INSERT INTO r VALUES (?, ?, ?, ?, ?)", [(r.seq, r.time, r.k, r.v, r.d) for r in rows])
        functions = ", ".join(FUNCTIONS[f] for f in one.functions)
        having = "HAVING grouping(k) = 1 OR count(*) > 1" if one.having else ""
        minutes = "(SELECT *, time // 60000 * 60000 AS t FROM r)"
        return db.execute(f"SELECT t, k, v, {functions} FROM {minutes} GROUP BY t, {one.sets} {having}").fetchall()
