"""Compares the changes of random queries with the queries themselves: after each step, the changes so far give what
DuckDB returns for the rows so far.

`python tests/generated/changelogs.py FROM TO` runs the queries with these numbers."""

from __future__ import annotations

import os
import random
import sys
import tempfile
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import duckdb

if __name__ == "__main__":
    os.environ.setdefault("ROWTIME_CHECK_CLAIMS", "1")

from rowtime.opening import connect
from rowtime.script.runner import ScriptRunner
from rowtime.splitter import split
from rowtime.streams.start import Start

COLUMNS = "k VARCHAR(10), g INTEGER, v INTEGER"
CHANGES = f"n INTEGER, op TINYINT, {COLUMNS}"
_PAYLOAD = f"CAST(ROW(k, g, v) AS ROW({COLUMNS})) AS payload"
AT_ONCE = 12
"""How many queries read the same rows."""
INSERT, BEFORE, AFTER, DELETE = range(4)


@dataclass(frozen=True)
class Source:
    """Rows that queries read, as a stream and as a table of DuckDB; `made` is a materialized view whose changes are
    read."""

    stream: str
    table: str
    made: str | None = None


STREAM = Source("s", "s")
ROWS = Source(f"FROM_CHANGELOG((SELECT op, {_PAYLOAD} FROM c))", "rows_of_c")
LATEST = Source(
    # Without the column that is the key, which the results do not know of.
    f"(SELECT k || '' AS k, g, v FROM FROM_CHANGELOG((SELECT op, {_PAYLOAD} FROM c), on_key => DESCRIPTOR(k)))",
    "latest_of_c",
)
KEPT = Source(
    "(SELECT k || '' AS k, g, v FROM kept)",
    "latest_of_c",
    "CREATE MATERIALIZED VIEW kept AS SELECT k, g, v "
    f"FROM FROM_CHANGELOG((SELECT op, {_PAYLOAD} FROM c), on_key => DESCRIPTOR(k))",
)
_NOW = "(SELECT max(rowtime) FROM s)"
RECENT = Source("(SELECT k, g, v FROM s WHERE rowtime > NOW() - INTERVAL '2' MINUTE)", "recent_of_s")
DELAYED = Source(
    # There is always a row, as the total of none only comes with the first one.
    "(SELECT k, g, v FROM s WHERE NOW() < rowtime + INTERVAL '1' MINUTE UNION ALL "
    "SELECT k, g, v FROM s WHERE rowtime BETWEEN NOW() - INTERVAL '3' MINUTE AND NOW() - INTERVAL '1' MINUTE)",
    "delayed_of_s",
)
LIVE = Source(
    "(SELECT k || '' AS k, g, v FROM (SELECT k, g, SUM(v) AS v, MAX(rowtime) AS latest FROM s GROUP BY k, g) AS x "
    "WHERE latest >= NOW() - INTERVAL '1' MINUTE)",
    "live_of_s",
)
SOURCES = [STREAM, STREAM, STREAM, ROWS, LATEST, KEPT, RECENT, DELAYED, LIVE]
VIEWS = [
    f"CREATE VIEW recent_of_s AS SELECT k, g, v FROM s WHERE rowtime > {_NOW} - INTERVAL 2 MINUTE",
    f"CREATE VIEW delayed_of_s AS SELECT k, g, v FROM s WHERE {_NOW} < rowtime + INTERVAL 1 MINUTE "
    f"UNION ALL SELECT k, g, v FROM s WHERE rowtime BETWEEN {_NOW} - INTERVAL 3 MINUTE AND {_NOW} - INTERVAL 1 MINUTE",
    "CREATE VIEW live_of_s AS SELECT k, g, v FROM "
    "(SELECT k, g, CAST(SUM(v) AS BIGINT) AS v, MAX(rowtime) AS latest FROM s GROUP BY k, g) AS x "
    f"WHERE latest >= {_NOW} - INTERVAL 1 MINUTE",
    "CREATE VIEW rows_of_c AS SELECT k, g, v FROM c WHERE op IN (0, 2) EXCEPT ALL "
    "SELECT k, g, v FROM c WHERE op IN (1, 3)",
    "CREATE VIEW latest_of_c AS SELECT k, g, v FROM (SELECT op, k, g, v, "
    "row_number() OVER (PARTITION BY k ORDER BY n DESC) AS latest FROM c WHERE op IN (0, 1, 2, 3)) "
    "WHERE latest = 1 AND op IN (0, 2)",
]
"""What FROM_CHANGELOG returns, and conditions on the current time, said in other words: that is the latest ROWTIME."""


@dataclass(frozen=True)
class Query:
    """A query whose result changes; `key` are the columns of its unique key if it has one, `upserts` whether its
    changes are read by them. `{}` in `sql` stands for the table."""

    sql: str
    key: tuple[int, ...] | None
    upserts: bool
    source: Source = STREAM

    def stream(self) -> str:
        names = ", ".join(f"c{i}" for i in self.key or ())
        on_key = f", on_key => DESCRIPTOR({names})" if self.upserts else ""
        return f"SELECT STREAM op, payload.* FROM TO_CHANGELOG(({self.sql.replace('{}', self.source.stream)}){on_key})"


def query(chance: random.Random) -> Query:
    """Returns a random query."""
    kind = chance.random()
    if kind < 0.25:
        return _set_operation(chance)
    if kind < 0.5:
        return _first_rows(chance)
    if kind < 0.6:
        return _over(chance)
    if kind < 0.7:
        return _limited(chance)
    below = made = _joined(chance) if chance.random() < 0.5 else _grouped(chance, "{}", ["k", "g"], "v", None)
    for _ in range(chance.choice([0, 0, 1, 1, 2])):
        inner = [f"c{i}" for i in range(below.columns)]
        keys = chance.sample(inner, min(2, below.columns))
        below = made = _grouped(chance, f"({below.sql}) AS i{below.columns}", keys, inner[-1], below)
    sql, columns = made.sql, made.columns
    kept = list(range(columns))
    if chance.random() < 0.4:
        # Another order of columns, and fewer of them: the key may be gone.
        kept = chance.sample(kept, chance.randint(1, columns))
        condition = chance.choice(["", f" WHERE c{kept[0]} IS NOT NULL", f" WHERE c{columns - 1} IS NOT NULL"])
        listed = ", ".join(f"c{old} AS c{new}" for new, old in enumerate(kept))
        sql = f"SELECT {listed} FROM (SELECT * FROM ({sql}) AS r{condition}) AS q"
    known = [] if made.keys is None else [made.keys, *made.others]
    key = next((tuple(kept.index(each) for each in keys) for keys in known if set(keys) <= set(kept)), None)
    return Query(sql, key, bool(key) and chance.random() < 0.4)


def _set_operation(chance: random.Random) -> Query:
    """Returns a set operation of rows, and of results that change, of which another GROUP BY may be made."""
    operations = [
        chance.choice(["UNION", "UNION ALL", "INTERSECT", "INTERSECT ALL", "EXCEPT", "EXCEPT ALL"])
        for _ in range(chance.choice([1, 1, 2]))
    ]
    branches = [
        chance.choice(
            [
                "SELECT g AS c0, v AS c1 FROM {}",
                "SELECT g AS c0, v AS c1 FROM {} WHERE v > 1",
                "SELECT g AS c0, COUNT(*) AS c1 FROM {} GROUP BY g",
                "SELECT v AS c0, MAX(g) AS c1 FROM {} GROUP BY v",
                "SELECT DISTINCT v AS c0, g + 1 AS c1 FROM {}",
                "SELECT c0, COUNT(*) AS c1 FROM (SELECT g AS c0 FROM {} UNION ALL SELECT v FROM {}) AS u GROUP BY c0",
            ]
        )
        for _ in range(len(operations) + 1)
    ]
    sql = branches[0]
    for operation, branch in zip(operations, branches[1:], strict=True):
        sql = f"SELECT c0, c1 FROM ({sql}) AS l {operation} {branch}"
    if chance.random() < 0.3:
        sql = f"SELECT c0, COUNT(*) AS c1, SUM(c1) AS c2 FROM ({sql}) AS t GROUP BY c0"
        return Query(sql, (0,), chance.random() < 0.4)
    key = None if operations[-1].endswith(" ALL") else (0, 1)
    return Query(sql, key, bool(key) and chance.random() < 0.4)


_ROWS: list[tuple[str, int, tuple[int, ...] | None]] = [
    ("SELECT k AS c0, g AS c1, v AS c2 FROM {}", 3, None),
    ("SELECT k AS c0, g AS c1, v AS c2 FROM {}", 3, None),
    ("SELECT g AS c0, k AS c1, SUM(v) AS c2 FROM {} GROUP BY g, k", 3, (0, 1)),
    ("SELECT v AS c0, COUNT(*) AS c1, MIN(k) AS c2 FROM {} GROUP BY v", 3, (0,)),
    ("SELECT g AS c0, v AS c1, 1 AS c2 FROM {} UNION ALL SELECT g, COUNT(*), 2 FROM {} GROUP BY g", 3, None),
]
"""Rows, how many columns they have, and their unique key."""
_OVER = [
    *(("SELECT k AS c0, g AS c1, v AS c2 FROM {}", None),) * 2,
    ("SELECT k AS c0, g AS c1, SUM(v) AS c2 FROM {} GROUP BY k, g", (0, 1)),
    ("SELECT g AS c0, COUNT(*) AS c1, MIN(v) AS c2 FROM {} GROUP BY g", (0,)),
    ("SELECT x.k AS c0, x.g AS c1, y.v AS c2 FROM {} AS x JOIN {} AS y ON x.g = y.v", None),
    (
        "SELECT k AS c0, g AS c1, v AS c2 FROM (SELECT k, g, v, ROW_NUMBER() OVER (PARTITION BY k ORDER BY v DESC "
        "NULLS LAST, g NULLS LAST) AS n FROM {}) AS f WHERE n <= 2",
        None,
    ),
]
"""Rows whose last two columns are numbers, and their unique key."""
_FRAMES = [
    "ROWS BETWEEN 2 PRECEDING AND CURRENT ROW",
    "ROWS BETWEEN 1 PRECEDING AND 1 FOLLOWING",
    "ROWS BETWEEN 3 PRECEDING AND 1 PRECEDING",
    "ROWS UNBOUNDED PRECEDING",
    "ROWS BETWEEN CURRENT ROW AND UNBOUNDED FOLLOWING",
    "ROWS BETWEEN UNBOUNDED PRECEDING AND UNBOUNDED FOLLOWING",
]


def _over(chance: random.Random) -> Query:
    """Returns values of OVER, of rows or of results that change, of which a GROUP BY may be made. There are no
    different peers, as for first rows."""
    source, key = chance.choice(_OVER)
    partition = chance.sample(range(3), chance.choice([0, 1, 1]))
    by = f"PARTITION BY {', '.join(f'c{i}' for i in partition)} " if partition else ""
    order = "ORDER BY " + ", ".join(
        f"{name} {chance.choice(['', 'DESC'])} NULLS {chance.choice(['FIRST', 'LAST'])}"
        for name in chance.sample(["c0", "c1", "c2"], 3)
    )
    functions = ["SUM", "SUM", "COUNT", "MIN", "MAX", "FIRST_VALUE", "LAST_VALUE"]
    ranks = ["ROW_NUMBER()", "RANK()", "DENSE_RANK()", "LAG(c1)", "LEAD(c2, 2)", "LAG(c2, 1, 7)"]
    columns = ["c0", "c1", "c2"]
    numbered: int | None = None
    for number in range(3, 3 + chance.choice([1, 1, 2])):
        if chance.random() < 0.3:
            rank = chance.choice(ranks)
            numbered = number if numbered is None and rank == "ROW_NUMBER()" else numbered
            columns.append(f"{rank} OVER ({by}{order}) AS c{number}")
        elif key is not None and chance.random() < 0.3:
            # Rows of a stream would be in order of ROWTIME.
            columns.append(f"SUM(c1) OVER ({by.strip()}) AS c{number}")
        elif chance.random() < 0.25:
            # A distance, which peers have in common.
            frame = "RANGE BETWEEN 2 PRECEDING AND 1 FOLLOWING"
            columns = [*columns[:3], f"SUM(c2) OVER ({by}ORDER BY c1 {frame}) AS c3"]
            numbered = None
            break
        else:
            value = chance.choice(["c1", "c2"])
            frame = chance.choice(_FRAMES)
            columns.append(f"{chance.choice(functions)}({value}) OVER ({by}{order} {frame}) AS c{number}")
    sql = f"SELECT {', '.join(columns)} FROM ({source}) AS t"
    if chance.random() < 0.3:
        sql = f"SELECT c0, COUNT(*) AS c1, SUM(c3) AS c2 FROM ({sql}) AS w GROUP BY c0"
        return Query(sql, (0,), chance.random() < 0.4)
    found = key or ((*partition, numbered) if numbered else None)
    return Query(sql, found, bool(found) and chance.random() < 0.4)


def _first_rows(chance: random.Random) -> Query:
    """Returns the first rows of partitions, of rows or of results that change, of which a GROUP BY may be made. There
    are no different peers, because DuckDB has another order of them."""
    source, columns, key = chance.choice(_ROWS)
    names = [f"c{i}" for i in range(columns)]
    partition = chance.sample(range(columns), chance.choice([0, 1, 1]))
    order = ", ".join(
        f"{name} {chance.choice(['', 'DESC'])} NULLS {chance.choice(['FIRST', 'LAST'])}"
        for name in chance.sample(names, columns)
    )
    function = chance.choice(["ROW_NUMBER", "ROW_NUMBER", "RANK", "DENSE_RANK"])
    by = f"PARTITION BY {', '.join(f'c{i}' for i in partition)} " if partition else ""
    limit = chance.choice([1, 2, 3])
    condition = chance.choice([f"n <= {limit}", f"n < {limit + 1}", f"n = {limit}", f"n BETWEEN 2 AND {limit + 1}"])
    sql = f"SELECT *, {function}() OVER ({by}ORDER BY {order}) AS n FROM ({source}) AS t"
    kept = [*names, "n"] if chance.random() < 0.4 else names
    sql = f"SELECT {', '.join(f'{name} AS r{i}' for i, name in enumerate(kept))} FROM ({sql}) AS u WHERE {condition}"
    if chance.random() < 0.3:
        sql = f"SELECT r0 AS c0, COUNT(*) AS c1, MAX(r1) AS c2 FROM ({sql}) AS w GROUP BY r0"
        return Query(sql, (0,), chance.random() < 0.4)
    sql = f"SELECT {', '.join(f'r{i} AS c{i}' for i in range(len(kept)))} FROM ({sql}) AS w"
    keys = []
    if function == "ROW_NUMBER" and condition in ("n <= 1", "n < 2", "n = 1"):
        keys.append(tuple(partition))
    if function == "ROW_NUMBER" and len(kept) > columns:
        keys.append((*partition, columns))
    if key is not None and set(partition) <= set(key):
        keys.append(key)
    return Query(sql, keys[0] if keys else None, bool(keys and keys[0]) and chance.random() < 0.4)


@dataclass(frozen=True)
class _Grouped:
    """A GROUP BY or a join: which of its columns are a unique key (None: there is none), how many columns it has,
    whether it has rows whatever the rows of the table are, and what else is a unique key."""

    sql: str
    keys: list[int] | None
    columns: int
    has_rows: bool
    others: list[list[int]] = field(default_factory=list)


def _grouped(chance: random.Random, table: str, keys: Sequence[str], value: str, below: _Grouped | None) -> _Grouped:
    """Returns a GROUP BY over a table, or over the result of `below`. The total of no rows is a row, but its change
    comes with the first row: there is always one where totals are computed."""
    filled = below is None or below.has_rows
    grouped = chance.sample(list(keys), chance.randint(0 if filled else 1, len(keys)))
    sets = bool(grouped) and filled and chance.random() < 0.2
    calls = ["COUNT(*)", f"COUNT({value})", f"COUNT(*) FILTER (WHERE {value} IS NOT NULL)"]
    calls += [f"SUM({value})", f"SUM({value}) FILTER (WHERE {value} > 1)", f"SUM({value} * 2 + 1)"]
    calls += [f"COUNT(DISTINCT {value})", f"SUM(DISTINCT {value})", f"COUNT(DISTINCT {keys[0]})"]
    calls += [f"COUNT(DISTINCT {value}) FILTER (WHERE {value} > 1)"]
    calls += [f"MIN({value})", f"MAX({value})", f"MAX({keys[0]})", f"MIN({keys[-1]})"]
    made = chance.sample(calls, chance.randint(0 if grouped else 1, 2)) + ["COUNT(*)"] * bool(
        grouped and chance.random() < 0.3
    )
    if not made and not grouped:
        made = ["COUNT(*)"]
    made.append(f"SUM({value})")
    columns = [*grouped, *made]
    listed = ", ".join(f"{each} AS c{i}" for i, each in enumerate(columns))
    where = chance.choice(["", "", f" WHERE {value} > 0", f" WHERE {keys[0]} IS NOT NULL"]) if grouped else ""
    having = chance.choice(["", "", f" HAVING SUM({value}) > 2", " HAVING COUNT(*) > 1"]) if grouped else ""
    names = ", ".join(grouped)
    by = f" GROUP BY ROLLUP ({names})" if sets else f" GROUP BY {names}" if grouped else ""
    if sets:
        where = ""
    sql = f"SELECT {listed} FROM {table}{where}{by}{having}"
    return _Grouped(sql, None if sets else list(range(len(grouped))), len(columns), filled and not where and not having)


_SIDES = {
    "{}": None,
    "(SELECT k, COUNT(*) AS g, SUM(v) AS v FROM {} GROUP BY k)": "k",
    "(SELECT MAX(k) AS k, g, SUM(v) AS v FROM {} GROUP BY g HAVING COUNT(*) < 4)": "g",
    "(SELECT k, g, MIN(v) AS v FROM {} WHERE v > 0 GROUP BY k, g)": "kg",
    "(SELECT x.k, y.g, x.v FROM {} AS x JOIN {} AS y ON x.g = y.v)": None,
}
"""Inputs of joins, all with the same columns, and their unique keys."""


def _joined(chance: random.Random) -> _Grouped:
    """Returns a join of the table, or results over it, with each other."""
    (left, left_key), (right, right_key) = chance.choice(list(_SIDES.items())), chance.choice(list(_SIDES.items()))
    equal = chance.choice([["kk"], ["gg"], ["kk", "gg"], ["vg"], ["gv"]])
    conditions = [f"l.{each[0]} = r.{each[1]}" for each in equal]
    conditions += chance.choice([[], [], ["l.v < r.v"], ["l.v + r.v > 1"], ["r.v > 0"], ["l.k IS NOT NULL"]])
    kind = chance.choice(["INNER", "LEFT", "RIGHT", "FULL", "EXISTS", "NOT EXISTS", "IN", "scalar"])
    if kind == "FULL":
        # DuckDB returns wrong rows where a condition reads one side only.
        conditions = [each for each in conditions if "l." in each and "r." in each]
    condition = " AND ".join(conditions)
    lefts = None if left_key is None else ["kgv".index(each) for each in left_key]
    listed = "l.k AS c0, l.g AS c1, l.v AS c2"
    if kind in ("EXISTS", "NOT EXISTS"):
        sql = f"SELECT {listed} FROM {left} AS l WHERE {kind} (SELECT 1 FROM {right} AS r WHERE {condition})"
        return _Grouped(sql, lefts, 3, has_rows=False)
    if kind == "IN":
        return _Grouped(
            f"SELECT {listed} FROM {left} AS l WHERE l.k IN (SELECT k FROM {right})", lefts, 3, has_rows=False
        )
    if kind == "scalar":
        value = f"(SELECT MAX(r.v) FROM {right} AS r WHERE {' AND '.join(conditions[: len(equal)])})"
        return _Grouped(f"SELECT {listed}, {value} AS c3 FROM {left} AS l", lefts, 4, has_rows=False)
    rights = None if right_key is None else [3 + "kgv".index(each) for each in right_key]
    keys: list[list[int]] = []
    if kind in ("INNER", "LEFT") and right_key is not None and set(right_key) <= {each[1] for each in equal} and lefts:
        keys.append(lefts)
    if kind in ("INNER", "RIGHT") and left_key is not None and set(left_key) <= {each[0] for each in equal} and rights:
        keys.append(rights)
    # Without a match on either side, all of these may be NULL.
    if kind != "FULL" and lefts and rights:
        keys.append(lefts + rights)
    listed += ", r.k AS c3, r.g AS c4, r.v AS c5"
    sql = f"SELECT {listed} FROM {left} AS l {kind} JOIN {right} AS r ON {condition}"
    return _Grouped(sql, keys[0] if keys else None, 6, has_rows=False, others=keys[1:])


def _limited(chance: random.Random) -> Query:
    """Returns a join of two streams whose condition says when a row has had its last match."""
    ends = f"rowtime + v * INTERVAL '{chance.choice((1, 2))}' MINUTE AS ends"
    left, right = (f"(SELECT rowtime, k, g, v, {ends} FROM {chance.choice('sc')})" for _ in range(2))
    conditions = [chance.choice(("l.k = r.k", "l.g = r.g", "l.v = r.g"))]
    conditions += chance.choice(
        (
            ["r.rowtime >= l.rowtime"],
            ["r.rowtime > l.rowtime - INTERVAL '1' MINUTE"],
            ["r.rowtime BETWEEN l.rowtime AND l.ends"],
            ["l.rowtime <= r.rowtime", "r.rowtime < l.ends"],
            ["l.ends >= r.rowtime"],
            ["r.ends > l.rowtime", "l.ends > r.rowtime"],
        )
    )
    conditions += chance.choice(([], [], ["l.v < r.v"]))
    condition, listed = " AND ".join(conditions), "l.k AS c0, l.g AS c1, l.v AS c2"
    kind = chance.choice(("INNER", "INNER", "LEFT", "RIGHT", "FULL", "EXISTS", "NOT EXISTS"))
    if kind in ("EXISTS", "NOT EXISTS"):
        made = _Grouped(
            f"SELECT {listed} FROM {left} AS l WHERE {kind} (SELECT 1 FROM {right} AS r WHERE {condition})",
            None,
            3,
            has_rows=False,
        )
    else:
        sql = (
            f"SELECT {listed}, r.k AS c3, r.g AS c4, r.v AS c5 FROM {left} AS l {kind} JOIN {right} AS r ON {condition}"
        )
        made = _Grouped(sql, None, 6, has_rows=False)
    if chance.random() < 0.4:
        made = _grouped(chance, f"({made.sql}) AS i", ["c0", "c1"], "c2", made)
    return Query(made.sql, None if made.keys is None else tuple(made.keys), False)


@dataclass
class Applied:
    """The result that the changes of a query give."""

    query: Query
    rows: Counter[tuple[Any, ...]] = field(default_factory=Counter)
    replaced: tuple[Any, ...] | None = None

    def apply(self, change: tuple[Any, ...]) -> str | None:
        """Applies a change; returns what is wrong with it."""
        op, row = change[0], tuple(change[1:])
        key = self.query.key
        before = None if key is None else next((each for each in self.rows if self._key(each) == self._key(row)), None)
        if (op == AFTER) != (self.replaced is not None) and not self.query.upserts:
            return f"{change}: a row that replaces another comes right after it"
        replaced, self.replaced = self.replaced, None
        if op in (BEFORE, AFTER) and key is None:
            return f"{change}: without a key, no row replaces another"
        if op == AFTER and self.query.upserts:
            if before is None or before == row:
                return f"{change}: replaces {before}"
            self._remove(before)
        if op == AFTER and replaced is not None and (self._key(replaced) != self._key(row) or replaced == row):
            return f"{change}: replaces {replaced}"
        if op == INSERT and before is not None:
            return f"{change}: its key is there, {before}"
        if op in (BEFORE, DELETE):
            if self.rows[row] < 1:
                return f"{change}: no such row is there"
            self._remove(row)
            self.replaced = row if op == BEFORE else None
            return "upserts have no earlier rows" if op == BEFORE and self.query.upserts else None
        self.rows[row] += 1
        return None

    def _key(self, row: tuple[Any, ...]) -> tuple[Any, ...]:
        return tuple(row[i] for i in self.query.key or ())

    def _remove(self, row: tuple[Any, ...]) -> None:
        self.rows[row] -= 1
        if not self.rows[row]:
            del self.rows[row]


class _Printer:
    """Keeps the rows of each query."""

    def __init__(self) -> None:
        self.made: dict[int, list[tuple[Any, ...]]] = {}
        self.errors: list[str] = []

    def rows(self, query: int, step: int, columns: Any, rows: Sequence[tuple[Any, ...]]) -> None:
        self.made.setdefault(query, []).extend(rows)

    def ended(self, query: int, count: int) -> None: ...

    def answer(self, kind: str, columns: Any, rows: Any) -> None: ...

    def changed(self, told: str) -> None: ...

    def rejected(self, *rejected: Any, **more: Any) -> None:
        self.errors.append(f"rejected: {rejected}")

    def problems(self, diagnostics: Sequence[Any]) -> None:
        self.errors += [str(each) for each in diagnostics if each.is_error]


def compare(spark: Any, warehouse: Path, numbers: Sequence[int], seed: int = 1) -> list[str]:
    """Returns what is wrong with the changes of the queries with these numbers, which read the same rows."""
    chance = random.Random(f"{seed} {numbers[0]}")
    queries = [
        replace(
            query(random.Random(f"{seed} {number}")),
            source=random.Random(f"{seed} {number} source").choice(SOURCES),
        )
        for number in numbers
    ]
    steps = []
    for minute in range(chance.randint(3, 6)):
        rows = [_row(chance, minute) for _ in range(chance.randint(1, 9))]
        # There is always a row, since the total of no rows only comes with the first one.
        first = [] if minute else ["(TIMESTAMP '2015-02-15 10:00:00', -1, 0, 'z', 9, 9)"]
        changes = first + [_change(chance, minute, 100 * minute + n) for n in range(chance.randint(1, 9))]
        inserts = [f"INSERT INTO {name} VALUES {', '.join(each)};" for name, each in (("s", rows), ("c", changes))]
        steps.append((minute > 0 and chance.random() < 0.3, inserts))
    return follow(spark, warehouse, {"s": COLUMNS, "c": CHANGES}, queries, steps, views=VIEWS)


def follow(
    spark: Any,
    warehouse: Path,
    streams: Mapping[str, str],
    queries: Sequence[Query],
    steps: Sequence[tuple[bool, Sequence[str]]],
    macros: Sequence[str] = (),
    views: Sequence[str] = (),
) -> list[str]:
    """Returns what is wrong with the changes of queries.

    `streams`: the columns of each stream besides ROWTIME. `steps`: whether a restart comes first, and the INSERT
    statements, which become one step of each stream. `macros` and, over the streams, `views` define for DuckDB what it
    lacks."""
    applied = [Applied(each) for each in queries]
    duck = duckdb.connect()
    for macro in macros:
        duck.execute(macro)
    wrong: list[str] = []
    printer = _Printer()
    session = connect(spark, warehouse)
    runner = ScriptRunner(session, printer, Start())  # type: ignore[arg-type]

    def perform(text: str) -> None:
        for step in split(text).steps:
            if not runner.perform(step):
                wrong.append(f"{text}: {printer.errors}")

    try:
        for name, columns in streams.items():
            duck.execute(f"CREATE TABLE {name} (rowtime TIMESTAMP, {columns})")
            perform(f"CREATE STREAM {name} (rowtime TIMESTAMP NOT NULL, {columns});")
        for view in views:
            duck.execute(view)
        for made in {each.source.made for each in queries} - {None}:
            perform(f"{made};")
        for each in queries:
            perform(f"{each.stream()};")
        for number, (restarts, statements) in enumerate(steps):
            if restarts:
                perform("!restart")
            for statement in statements:
                duck.execute(statement)
                perform(statement)
            wrong += _differences(duck, printer, applied, number)
    finally:
        runner.close()
        session.close()
    return wrong


def _differences(
    duck: duckdb.DuckDBPyConnection, printer: _Printer, applied: Sequence[Applied], step: int
) -> list[str]:
    wrong = []
    for number, result in enumerate(applied, 1):
        sql = result.query.sql
        changes = printer.made.pop(number, [])
        wrong += [f"{sql}\nstep {step}: {found}" for change in changes if (found := result.apply(change))]
        expected = Counter(duck.execute(sql.replace("{}", result.query.source.table)).fetchall())
        if result.rows != expected:
            wrong.append(f"{sql}\nstep {step}: {result.rows - expected} for {expected - result.rows}")
    return wrong


def _row(chance: random.Random, minute: int) -> str:
    k = chance.choice(["'a'", "'b'", "'c'", "NULL"])
    g = chance.choice(["0", "1", "2", "NULL"])
    v = chance.choice(["NULL", *map(str, range(-4, 7))])
    return f"(TIMESTAMP '2015-02-15 10:{minute:02}:00', {k}, {g}, {v})"


def _change(chance: random.Random, minute: int, number: int) -> str:
    """Returns a change, whether the row that it retracts is there or not."""
    values = [
        chance.choice(["'a'", "'b'", "NULL"]),
        chance.choice(["0", "1", "NULL"]),
        chance.choice(["NULL", "1", "2"]),
    ]
    op = chance.choice(["0", "0", "0", "1", "2", "2", "3", "3", "7"])
    return f"(TIMESTAMP '2015-02-15 10:{minute:02}:00', {number}, {op}, {', '.join(values)})"


def main() -> None:
    from rowtime.runtime.cluster.spark import start_spark

    first, last = int(sys.argv[1]), int(sys.argv[2])
    spark, count = start_spark(), 0
    for begin in range(first, last, AT_ONCE):
        with tempfile.TemporaryDirectory() as folder:
            numbers = range(begin, min(last, begin + AT_ONCE))
            found = compare(spark, Path(folder) / "warehouse", numbers)
            count += len(numbers)
            print(f"{count} queries, {len(found)} faults in the last {len(numbers)}", *found, sep="\n", flush=True)


if __name__ == "__main__":
    main()
