"""Sub-queries and LATERAL over each operator of rowtime, as relations, against DuckDB over that operator's rows."""

# Queries are most readable in one line.
# ruff: noqa: E501

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import duckdb
import pytest

if TYPE_CHECKING:
    from rowtime.session import Session

SCHEMA = """
CREATE TABLE o (k INTEGER, u INTEGER);
CREATE TABLE b (rowtime TIMESTAMP, k INTEGER, w INTEGER, tags INTEGER ARRAY);
CREATE STREAM s (k INTEGER, v INTEGER) OPTIONS (history 'all');
CREATE STREAM p (k INTEGER NOT NULL PRIMARY KEY, w INTEGER) OPTIONS (history 'all');
CREATE VIEW late AS SELECT STREAM rowtime, k, v FROM s;
LATENESS late.rowtime INTERVAL '1' HOUR;
CREATE FUNCTION counted (input TABLE, every_n INTEGER DEFAULT 1) RETURNS TABLE (n BIGINT, latest INTEGER)
  LANGUAGE PYTHON OPTIONS (state_ttl '1 hour') AS 'process_functions:counted';
INSERT INTO o VALUES (1, 0), (1, 1), (1, 2), (2, 1), (2, 2), (3, 1), (3, 3), (4, 1), (CAST(NULL AS INTEGER), 1), (2, CAST(NULL AS INTEGER))
"""

_ROWS = [
    ("10:00:00", 1, 1),
    ("10:04:00", 1, 2),
    ("10:05:00", 2, 1),
    ("10:30:00", 1, 3),
    ("10:31:00", 3, 2),
    ("10:32:00", 1, 1),
    ("10:58:00", 3, 3),
    ("10:59:00", 2, 2),
    ("10:59:30", None, 4),
]

_TEN = "INTERVAL '10' MINUTE"
_TWENTY = "INTERVAL '20' MINUTE"

RELATIONS = {
    "session group": f"SELECT k, COUNT(*) AS c FROM b GROUP BY SESSION(rowtime, {_TEN}), k",
    "session function": f"SELECT k, COUNT(*) AS c FROM SESSION(b, DESCRIPTOR(rowtime), DESCRIPTOR(k), {_TEN}) "
    "GROUP BY window_start, k",
    "session rows": f"SELECT k, w AS c FROM SESSION(b, DESCRIPTOR(rowtime), DESCRIPTOR(k), {_TEN}) "
    f"WHERE window_end > window_start + {_TEN}",
    "hop group": f"SELECT k, COUNT(*) AS c FROM b GROUP BY HOP(rowtime, {_TEN}, {_TWENTY}), k",
    "hop function": f"SELECT k, COUNT(*) AS c FROM HOP(b, DESCRIPTOR(rowtime), {_TEN}, {_TWENTY}) GROUP BY window_start, k",
    "tumble function": f"SELECT k, COUNT(*) AS c FROM TUMBLE(b, DESCRIPTOR(rowtime), {_TEN}) GROUP BY window_start, k",
    "process function": "SELECT k, n AS c FROM counted(TABLE s PARTITION BY k)",
    "asof join": "SELECT s.k, p.w AS c FROM s LEFT ASOF JOIN p MATCH_CONDITION s.rowtime >= p.rowtime ON s.k = p.k",
    "temporal join": "SELECT s.k, v.w AS c FROM s JOIN p FOR SYSTEM_TIME AS OF s.rowtime AS v ON s.k = v.k",
    "windows in FROM": f"SELECT s.k, p.w AS c FROM s OVER (RANGE {_TEN} PRECEDING) JOIN p ON s.k = p.k",
    "view with LATENESS": "SELECT k, v AS c FROM late",
    "analytic call": "SELECT k, ROW_NUMBER() OVER (PARTITION BY k ORDER BY rowtime) AS c FROM b",
    "first rows": "SELECT k, w AS c FROM b ORDER BY rowtime LIMIT 5",
    "unnest": "SELECT b.k, t.x AS c FROM b, UNNEST(b.tags) AS t (x)",
    "snapshot": "SELECT k, v AS c FROM TABLE(SNAPSHOT(s, TIMESTAMP '2015-02-15 10:31:00'))",
    "search key": "SELECT o.k, f.u AS c FROM o, LATERAL SEARCH_KEY(o, DESCRIPTOR(k), o.k) AS f",
    "recursion": "WITH RECURSIVE r (k, c) AS (SELECT 1, 1 UNION ALL SELECT k + 1, c + 1 FROM r WHERE k < 3) SELECT * FROM r",
    "ordered call": "SELECT k, CAST(LISTAGG(CAST(w AS VARCHAR), '') WITHIN GROUP (ORDER BY w DESC) AS BIGINT) AS c FROM b GROUP BY k",
    "grouping sets": "SELECT k, COUNT(w) FILTER (WHERE 0 = 0) + GROUPING(k, x) AS c FROM (SELECT k, w, 1 + 0 AS x FROM b) AS y "
    "GROUP BY ROLLUP (k, x)",
    "grouping sets over IN": "SELECT k, COUNT(w) + GROUPING(k, x) AS c FROM (SELECT k, w, 1 + 0 AS x FROM b "
    "WHERE w IN (SELECT u FROM o WHERE o.k = b.k)) AS y GROUP BY ROLLUP (k, x)",
    "groups over EXISTS": "SELECT k, COUNT(w) AS c FROM b WHERE NOT EXISTS (SELECT 1 FROM o WHERE o.u = b.w AND o.k = b.k) GROUP BY k",
    "union": "SELECT k, w AS c FROM b UNION SELECT k, u FROM o",
}

# Each is of the form that also DuckDB accepts; {r} is the relation.
QUERIES = {
    "NOT IN": "SELECT k, u FROM o WHERE u NOT IN (SELECT c FROM {r} r WHERE r.k = o.k)",
    "IN": "SELECT k, u FROM o WHERE u IN (SELECT c FROM {r} r WHERE r.k = o.k)",
    "NOT EXISTS": "SELECT k, u FROM o WHERE NOT EXISTS (SELECT 1 FROM {r} r WHERE r.k = o.k AND r.c > o.u)",
    "EXISTS, not equal": "SELECT k, u FROM o WHERE EXISTS (SELECT 1 FROM {r} r WHERE r.k < o.k AND r.c > o.u)",
    "EXISTS with IN": "SELECT k, u FROM o WHERE EXISTS (SELECT 1 FROM {r} r WHERE r.k = o.k AND r.c IN (SELECT u FROM o))",
    "scalar": "SELECT k, (SELECT MAX(c) FROM {r} r WHERE r.k = o.k) FROM o",
    "LATERAL": "SELECT o.k, x.n FROM o, LATERAL (SELECT COUNT(*) AS n FROM {r} r WHERE r.k = o.k AND r.c >= o.u) x",
    "LATERAL first": "SELECT o.k, x.c FROM o, LATERAL (SELECT c FROM {r} r WHERE r.k = o.k ORDER BY c LIMIT 1) x",
    "LATERAL rank": "SELECT o.k, x.n FROM o, LATERAL (SELECT ROW_NUMBER() OVER (ORDER BY c) AS n FROM {r} r WHERE r.k = o.k) x",
    "above": "SELECT k, c FROM {r} r WHERE EXISTS (SELECT 1 FROM o WHERE o.k = r.k AND o.u < r.c)",
    "above, scalar": "SELECT k, (SELECT MIN(u) FROM o WHERE o.k = r.k) FROM {r} r",
}

# Each is translated in another way; the others run with --thorough.
SHORT = ("NOT IN", "NOT EXISTS", "scalar", "LATERAL rank", "above")


def _insert(table: str, columns: str, extra: str = "", keys: bool = False) -> str:
    rows = (
        f"(TIMESTAMP '2015-02-15 {at}', {'CAST(NULL AS INTEGER)' if k is None else k}, {w}{extra.format(w=w)})"
        for at, k, w in _ROWS
        if k is not None or not keys
    )
    return f"INSERT INTO {table} ({columns}) VALUES {', '.join(rows)}"


@pytest.fixture
def filled(rt: Session) -> Session:
    for statement in SCHEMA.strip().split(";\n"):
        rt.sql(statement)
    rt.sql(_insert("b", "rowtime, k, w, tags", ", ARRAY[{w}, 2]"))
    rt.sql(_insert("s", "rowtime, k, v"))
    rt.sql(_insert("p", "rowtime, k, w", keys=True))
    return rt


def _rows(rt: Session, sql: str) -> list[tuple[Any, ...]]:
    return [tuple(row) for row in rt.table(sql).collect()]


def _sorted(rows: list[tuple[Any, ...]]) -> list[tuple[Any, ...]]:
    return sorted(rows, key=lambda row: [(value is not None, value or 0) for value in row])


def _fill(duck: duckdb.DuckDBPyConnection, table: str, columns: str, rows: list[tuple[Any, ...]]) -> None:
    duck.execute(f"CREATE TABLE {table} ({columns})")
    if rows:
        duck.executemany(f"INSERT INTO {table} VALUES (?, ?)", rows)


def test_sub_queries_over_each_operator(filled, interpreted, thorough):
    """All queries over a relation run as one, a UNION ALL of numbered branches."""
    queries = {name: query for name, query in QUERIES.items() if thorough or name in SHORT}
    outer = _rows(filled, "SELECT k, u FROM o")
    for name, relation in RELATIONS.items():
        rows = _rows(filled, relation)
        assert rows, name
        duck = duckdb.connect()
        _fill(duck, "o", "k INTEGER, u INTEGER", outer)
        _fill(duck, "r", "k INTEGER, c BIGINT", rows)
        branches = [f"SELECT {i}, q.* FROM ({query}) AS q" for i, query in enumerate(queries.values())]
        found: dict[int, list[tuple[Any, ...]]] = {i: [] for i in range(len(queries))}
        for number, *values in _rows(filled, " UNION ALL ".join(branches).replace("{r}", f"({relation})")):
            found[number].append(tuple(values))
        for i, (kind, query) in enumerate(queries.items()):
            expected = _sorted(duck.execute(query.replace("{r}", "r")).fetchall())
            assert _sorted(found[i]) == expected, f"{kind} over {name}"


PER_ROW = {
    "session group": (
        f"SELECT o.k, x.c FROM o, LATERAL (SELECT COUNT(*) AS c FROM b WHERE b.k = o.k GROUP BY SESSION(b.rowtime, {_TEN})) x",
        f"SELECT o.k, x.c FROM o JOIN (SELECT k, COUNT(*) AS c FROM b GROUP BY SESSION(rowtime, {_TEN}), k) x ON x.k = o.k",
    ),
    "session group, not equal": (
        f"SELECT o.k, x.c FROM o, LATERAL (SELECT COUNT(*) AS c FROM b WHERE b.w > o.u GROUP BY SESSION(b.rowtime, {_TEN})) x",
        "SELECT o.k, x.c FROM o JOIN (SELECT u, COUNT(*) AS c FROM (SELECT d.u, b.rowtime FROM (SELECT DISTINCT u FROM o) d "
        f"JOIN b ON b.w > d.u) GROUP BY SESSION(rowtime, {_TEN}), u) x ON x.u = o.u",
    ),
    "hop group": (
        f"SELECT o.k, x.c FROM o, LATERAL (SELECT COUNT(*) AS c FROM b WHERE b.k = o.k GROUP BY HOP(b.rowtime, {_TEN}, {_TWENTY})) x",
        f"SELECT o.k, x.c FROM o JOIN (SELECT k, COUNT(*) AS c FROM b GROUP BY HOP(rowtime, {_TEN}, {_TWENTY}), k) x ON x.k = o.k",
    ),
    "analytic call": (
        "SELECT o.k, x.c FROM o, LATERAL (SELECT SUM(w) OVER (ORDER BY rowtime) AS c FROM b WHERE b.k = o.k) x",
        "SELECT o.k, x.c FROM o JOIN (SELECT k, SUM(w) OVER (PARTITION BY k ORDER BY rowtime) AS c FROM b) x ON x.k = o.k",
    ),
}


@pytest.mark.parametrize("kind", PER_ROW)
def test_operators_that_read_the_outer_row(filled, interpreted, kind):
    """What a LATERAL query computes for each row is a join with the same groups by the columns that it reads."""
    lateral, join = PER_ROW[kind]
    expected = _sorted(_rows(filled, join))
    assert expected
    assert _sorted(_rows(filled, lateral)) == expected


_LISTED = "LISTAGG(CAST(w AS VARCHAR), '-') WITHIN GROUP (ORDER BY {})"
_ORDERED = "STRING_AGG(CAST(w AS VARCHAR), '-' ORDER BY {})"
# Each is accepted by DuckDB too, apart from the ordered calls. Customers without rows have a row of the empty set.
AGGREGATES = {
    "ordered call": "SELECT k, u, (SELECT {l} FROM b WHERE b.k = o.k) FROM o",
    "ordered call, not equal": "SELECT k, u, (SELECT {l} FROM b WHERE b.k > o.k AND b.w >= o.u) FROM o",
    "ordered call with FILTER": "SELECT o.k, u, x.m, x.l FROM o, LATERAL (SELECT MIN(w) AS m, {l} FILTER (WHERE w > 1) AS l FROM b WHERE b.k <= o.k) AS x",
    "ordered call of groups": "SELECT o.k, u, x.l FROM o, LATERAL (SELECT w > 1 AS big, {l} AS l FROM b WHERE b.k <= o.k GROUP BY w > 1) AS x",
    "percentile": "SELECT k, u, (SELECT PERCENTILE_DISC(0.5) WITHIN GROUP (ORDER BY w DESC) FROM b WHERE b.k = o.k) FROM o",
    "constant key": "SELECT o.k, u, x.c FROM o, LATERAL (SELECT a, w, COUNT(*) AS c FROM (SELECT k, w, 7 AS a FROM b) AS y WHERE y.k = o.k GROUP BY a, w) AS x",
    "constant keys": "SELECT o.k, u, x.a, x.w, x.c FROM o, LATERAL (SELECT a, w, z, COUNT(*) AS c FROM (SELECT k, w, 7 AS a, 'z' AS z FROM b) AS y WHERE y.k < o.k GROUP BY a, w, z) AS x",
    "ROLLUP": "SELECT o.k, u, x.* FROM o, LATERAL (SELECT w, COUNT(*) AS c, SUM(w) AS s, GROUPING(w) AS g FROM b WHERE b.k = o.k GROUP BY ROLLUP (w)) AS x",
    "ROLLUP by the column of the condition": "SELECT o.k, u, x.* FROM o, LATERAL (SELECT k AS l, COUNT(*) AS c FROM b WHERE b.k = o.k GROUP BY ROLLUP (k)) AS x",
    "CUBE, not equal": "SELECT o.k, u, x.* FROM o, LATERAL (SELECT k AS l, w, COUNT(*) AS c, GROUPING(k, w) AS g FROM b WHERE b.w > o.u GROUP BY CUBE (k, w)) AS x",
    "GROUPING SETS of a constant": "SELECT o.k, u, x.* FROM o, LATERAL (SELECT a, w, COUNT(*) AS c, GROUPING(a, w) AS g FROM (SELECT k, w, 7 AS a FROM b) AS y WHERE y.k = o.k GROUP BY GROUPING SETS ((a, w), (a), ())) AS x",
    "IN of sets": "SELECT k, u FROM o WHERE u IN (SELECT COUNT(*) FROM b WHERE b.k = o.k GROUP BY ROLLUP (w))",
    "EXISTS of an empty set": "SELECT k, u FROM o WHERE EXISTS (SELECT COUNT(*) FROM b WHERE b.k = o.k GROUP BY GROUPING SETS ((w), ()))",
    "scalar over sets": "SELECT k, u, (SELECT MAX(c) FROM (SELECT COUNT(*) AS c FROM b WHERE b.k = o.k GROUP BY ROLLUP (w)) AS x) FROM o",
}


def _text(value: object) -> str:
    return "" if value is None else str(value)


def test_aggregates_of_the_rows_of_an_outer_row(filled, interpreted):
    """Calls with an order, constant keys and grouping sets, against DuckDB."""
    duck = duckdb.connect()
    _fill(duck, "o", "k INTEGER, u INTEGER", _rows(filled, "SELECT k, u FROM o"))
    _fill(duck, "b", "k INTEGER, w INTEGER", [(k, w) for _, k, w in _ROWS])
    different = {}
    for name, query in AGGREGATES.items():
        order = "w DESC" if "groups" in name else "w"
        found = _rows(filled, query.replace("{l}", _LISTED.format(order)))
        expected = duck.execute(query.replace("{l}", _ORDERED.format(order))).fetchall()
        assert expected, name
        one, other = (sorted(tuple(map(_text, row)) for row in rows) for rows in (found, expected))
        if one != other:
            different[name] = (one, other)
    assert not different
