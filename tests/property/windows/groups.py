"""Random HOP and SESSION groups, and DuckDB's results."""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import duckdb

from .cases import Row

FUNCTIONS = {
    "COUNT(*)": "count(*)",
    "SUM(v)": "sum(v)",
    "AVG(d)": "avg(d)",
    "MIN(v)": "min(v)",
    "MAX(d)": "max(d)",
    "COUNT(DISTINCT v)": "count(DISTINCT v)",
    "VAR_POP(v)": "var_pop(v)",
}


@dataclass(frozen=True)
class Group:
    """In seconds; `gap` is that of a session, which replaces the others."""

    keyed: bool
    table: bool
    functions: tuple[str, ...]
    gap: int | None = None
    slide: int = 0
    size: int = 0
    offset: int = 0

    def sql(self, source: str) -> str:
        """Returns start, end, key (or NULL), and the functions."""
        key = "k" if self.keyed else "CAST(NULL AS VARCHAR)"
        functions = ", ".join(f"{f} AS f{i}" for i, f in enumerate(self.functions))
        also = ", k" if self.keyed else ""
        if self.table:
            name, lengths = "SESSION" if self.gap else "HOP", self._lengths(table=True)
            by = ", DESCRIPTOR(k)" if self.keyed and self.gap else ""
            rows = f"TABLE({name}(TABLE {source}, DESCRIPTOR(rowtime){by}, {lengths}))"
            columns = f"window_end AS rowtime, window_start AS began, {key} AS k, {functions}"
            return f"SELECT STREAM {columns} FROM {rows} GROUP BY window_start, window_end{also}"
        name, given = "SESSION" if self.gap else "HOP", f"(rowtime, {self._lengths(table=False)})"
        columns = f"{name}_END{given} AS rowtime, {name}_START{given} AS began, {key} AS k, {functions}"
        return f"SELECT STREAM {columns} FROM {source} GROUP BY {name}{given}{also}"

    def _lengths(self, *, table: bool) -> str:
        if self.gap:
            return f"INTERVAL '{self.gap}' SECOND"
        offset = f"INTERVAL '{self.offset}' SECOND" if table else f"TIME '00:00:{self.offset:02}'"
        return f"INTERVAL '{self.slide}' SECOND, INTERVAL '{self.size}' SECOND, {offset}"


def group(chance: random.Random) -> Group:
    functions = tuple(chance.sample(sorted(FUNCTIONS), 3))
    keyed, table = chance.random() < 0.6, chance.random() < 0.4
    if chance.random() < 0.5:
        return Group(keyed, table, functions, gap=chance.choice([1, 2, 10]))
    slide = chance.choice([1, 2, 7, 10, 60])
    return Group(
        keyed, table, functions, None, slide, chance.choice([1, 3, 10, 17, 60]), chance.randrange(min(slide, 60))
    )


def expected(rows: Sequence[Row], group: Group) -> list[tuple[Any, ...]]:
    """Returns (end, start, key, functions), in milliseconds."""
    with duckdb.connect() as db:
        db.execute("CREATE TABLE r (seq INTEGER, time BIGINT, k VARCHAR, v INTEGER, d DOUBLE)")
        db.executemany("INSERT INTO r VALUES (?, ?, ?, ?, ?)", [(r.seq, r.time, r.k, r.v, r.d) for r in rows])
        key = "k" if group.keyed else "NULL::VARCHAR"
        functions = ", ".join(FUNCTIONS[f] for f in group.functions)
        if group.gap:
            gap = group.gap * 1000
            same = "o.k IS NOT DISTINCT FROM a.k" if group.keyed else "true"
            last = f"(SELECT max(o.time) FROM r o WHERE o.time < a.time AND {same})"
            sql = f"""WITH a AS (SELECT *, {key} AS p FROM r),
                b AS (SELECT *, coalesce(a.time - {last} > {gap}, true) AS opens FROM a),
                c AS (SELECT b.* EXCLUDE (opens), (SELECT max(o.time) FROM b o WHERE o.opens AND o.time <= b.time
                    AND o.p IS NOT DISTINCT FROM b.p) AS began FROM b)
                SELECT max(time) + {gap}, began, p, {functions} FROM c GROUP BY began, p"""
            return db.execute(sql).fetchall()
        slide, size, offset = group.slide * 1000, group.size * 1000, group.offset * 1000
        first, end = min(r.time for r in rows) - size - slide, max(r.time for r in rows)
        sql = f"""WITH w AS (SELECT ({first} // {slide} + i) * {slide} + {offset} AS began
                FROM range(({end} - {first}) // {slide} + 2) t(i))
            SELECT began + {size}, began, {key} AS p, {functions}
            FROM w JOIN r ON time >= began AND time < began + {size} GROUP BY began, p"""
        return db.execute(sql).fetchall()
