"""Queries that mean the same have the same operators, however they are written: each rewrite finds all forms."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

from .conftest import Planning

MINUTE = "INTERVAL '1' MINUTE"
TUMBLED = f"TUMBLE(TABLE {{}}, DESCRIPTOR(rowtime), {MINUTE})"
S, T = TUMBLED.format("s"), TUMBLED.format("t")
WITHIN = f"t.rowtime BETWEEN s.rowtime AND s.rowtime + {MINUTE}"

GROUPS = [
    f"SELECT STREAM TUMBLE_START(rowtime, {MINUTE}) AS rowtime, k, COUNT(*) AS c FROM s GROUP BY TUMBLE(rowtime, {MINUTE}), k",
    f"SELECT STREAM TUMBLE_END(rowtime, {MINUTE}) AS rowtime, k, COUNT(*) AS c FROM s GROUP BY TUMBLE(rowtime, {MINUTE}), k",
    f"SELECT STREAM TUMBLE_START(rowtime, {MINUTE}) AS rowtime, TUMBLE_END(rowtime, {MINUTE}) AS ends, k, COUNT(*) AS c FROM s "
    f"GROUP BY k, TUMBLE(rowtime, {MINUTE})",
    "SELECT STREAM FLOOR(rowtime TO MINUTE) AS rowtime, k, COUNT(*) AS c FROM s GROUP BY FLOOR(rowtime TO MINUTE), k",
    "SELECT STREAM FLOOR(rowtime TO MINUTE) AS rowtime, k, COUNT(*) AS c FROM s GROUP BY 1, 2",
    f"SELECT STREAM FLOOR(rowtime TO MINUTE) + {MINUTE} AS rowtime, k, COUNT(*) AS c FROM s GROUP BY FLOOR(rowtime TO MINUTE), k",
    "SELECT STREAM CEIL(rowtime TO MINUTE) AS rowtime, k, COUNT(*) AS c FROM s GROUP BY CEIL(rowtime TO MINUTE), k",
    "SELECT STREAM DATE_TRUNC('minute', rowtime) AS rowtime, k, COUNT(*) AS c FROM s GROUP BY DATE_TRUNC('minute', rowtime), k",
    "SELECT STREAM m AS rowtime, k, COUNT(*) AS c FROM (SELECT STREAM FLOOR(rowtime TO MINUTE) AS m, k FROM s) GROUP BY m, k",
    "WITH x AS (SELECT STREAM v, rowtime, k FROM s) SELECT STREAM FLOOR(rowtime TO MINUTE) AS rowtime, k, COUNT(*) AS c FROM x "
    "GROUP BY FLOOR(rowtime TO MINUTE), k",
    f"SELECT STREAM window_start AS rowtime, k, COUNT(*) AS c FROM TABLE({S}) GROUP BY window_start, window_end, k",
    f"SELECT STREAM window_start AS rowtime, k, COUNT(*) AS c FROM {S} GROUP BY window_start, k",
    f"SELECT STREAM window_end AS rowtime, k, COUNT(*) AS c FROM {S} GROUP BY k, window_end",
]
DISTINCT = [
    "SELECT STREAM DISTINCT FLOOR(rowtime TO MINUTE) AS rowtime, k FROM s",
    f"SELECT STREAM DISTINCT FLOOR(rowtime TO MINUTE) + {MINUTE} AS rowtime, k FROM s",
    "SELECT STREAM FLOOR(rowtime TO MINUTE) AS rowtime, k FROM s GROUP BY FLOOR(rowtime TO MINUTE), k",
    f"SELECT STREAM TUMBLE_END(rowtime, {MINUTE}) AS rowtime, k FROM s GROUP BY TUMBLE(rowtime, {MINUTE}), k",
    f"SELECT STREAM window_start AS rowtime, k FROM {S} GROUP BY window_start, k",
    f"SELECT STREAM DISTINCT window_end AS rowtime, window_start, k FROM {S}",
]


def _first_rows(rank: str) -> Iterator[str]:
    windows = ("window_start, window_end", "window_start", "window_end")
    sources = [*((S, f"PARTITION BY {columns} ORDER BY v DESC") for columns in windows)]
    sources.append(("s", "PARTITION BY FLOOR(rowtime TO MINUTE) ORDER BY v DESC"))
    for rows, window in sources:
        call = f"{rank} OVER ({window})"
        for condition in (f"{call} <= 3", f"{call} < 4", f"3 >= {call}", f"NOT {call} > 3", f"{call} BETWEEN 1 AND 3"):
            yield f"SELECT STREAM rowtime, k, v FROM {rows} QUALIFY {condition}"
        yield f"SELECT STREAM rowtime, k, v FROM {rows} QUALIFY {rank} OVER w <= 3 WINDOW w AS ({window})"
        yield f"SELECT STREAM rowtime, k, v FROM (SELECT STREAM *, {call} AS r FROM {rows}) WHERE r <= 3"
        yield f"WITH x AS (SELECT STREAM *, {call} AS r FROM {rows}) SELECT STREAM rowtime, k, v FROM x WHERE r <= 3"


JOINS = [
    f"SELECT STREAM s.rowtime, s.v, t.w FROM s JOIN t ON s.k = t.k AND {WITHIN}",
    f"SELECT STREAM s.rowtime, s.v, t.w FROM s JOIN t ON s.k = t.k WHERE {WITHIN}",
    f"SELECT STREAM s.rowtime, s.v, t.w FROM s JOIN t USING (k) WHERE {WITHIN}",
    f"SELECT STREAM s.rowtime, s.v, t.w FROM s, t WHERE s.k = t.k AND {WITHIN}",
    f"SELECT STREAM s.rowtime, s.v, t.w FROM s CROSS JOIN t WHERE {WITHIN} AND t.k = s.k",
    f"SELECT STREAM s.rowtime, t.w, s.v FROM s JOIN t ON s.k = t.k AND s.rowtime <= t.rowtime AND t.rowtime <= s.rowtime + {MINUTE}",
    f"SELECT STREAM s.rowtime, s.v, t.w FROM s JOIN t ON s.k = t.k AND s.rowtime BETWEEN t.rowtime - {MINUTE} AND t.rowtime",
    f"SELECT STREAM s.rowtime, s.v, t.w FROM s JOIN t ON s.k = t.k AND (t.rowtime - s.rowtime) SECOND BETWEEN INTERVAL '0' SECOND AND {MINUTE}",
    f"WITH x AS (SELECT STREAM rowtime, v, k AS z FROM s) SELECT STREAM x.rowtime, x.v, y.w FROM x JOIN (SELECT STREAM w, k, rowtime FROM t) AS y "
    f"ON x.z = y.k AND y.rowtime BETWEEN x.rowtime AND x.rowtime + {MINUTE}",
]
EQUAL_TIMES = [
    "SELECT STREAM s.rowtime, s.v, t.w FROM s JOIN t ON s.k = t.k AND s.rowtime = t.rowtime",
    "SELECT STREAM t.rowtime, s.v, t.w FROM s, t WHERE s.k = t.k AND t.rowtime BETWEEN s.rowtime AND s.rowtime",
    "SELECT STREAM s.rowtime, s.v, t.w FROM s JOIN t USING (rowtime, k)",
    "SELECT STREAM rowtime, v, w FROM s JOIN t USING (k, rowtime)",
    "SELECT STREAM rowtime, v, w FROM s NATURAL JOIN t",
    "SELECT STREAM * FROM s NATURAL JOIN t",
]
WINDOWED = [
    f"SELECT STREAM x.window_start AS rowtime, x.v, y.w FROM {S} AS x JOIN {T} AS y ON x.k = y.k AND x.window_start = y.window_start",
    f"SELECT STREAM x.window_end AS rowtime, x.v, y.w FROM {S} AS x JOIN {T} AS y ON x.k = y.k AND x.window_end = y.window_end",
    f"SELECT STREAM x.window_start AS rowtime, x.v, y.w FROM {S} AS x, {T} AS y WHERE x.k = y.k AND x.window_start = y.window_start "
    "AND x.window_end = y.window_end",
    f"SELECT STREAM window_start AS rowtime, x.v, y.w FROM {S} AS x JOIN {T} AS y USING (k, window_start, window_end)",
]
SEMI = [
    f"SELECT STREAM s.rowtime, s.v FROM s WHERE EXISTS (SELECT * FROM t WHERE s.k = t.k AND {WITHIN})",
    f"SELECT STREAM s.rowtime, s.v FROM s WHERE s.k IN (SELECT t.k FROM t WHERE {WITHIN})",
    f"SELECT STREAM s.rowtime, s.v FROM s WHERE s.k = ANY (SELECT t.k FROM t WHERE {WITHIN})",
    f"SELECT STREAM s.rowtime, s.v FROM s WHERE EXISTS (SELECT 1 FROM t WHERE t.k = s.k AND s.rowtime <= t.rowtime AND t.rowtime - {MINUTE} <= s.rowtime)",
]
FRAMES = [
    f"SELECT STREAM rowtime, k, SUM(v) OVER (PARTITION BY k ORDER BY rowtime RANGE {MINUTE} PRECEDING) AS x FROM s",
    f"SELECT STREAM rowtime, k, SUM(v) OVER (PARTITION BY k RANGE {MINUTE} PRECEDING) AS x FROM s",
    f"SELECT STREAM rowtime, k, SUM(v) OVER w AS x FROM s WINDOW w AS (PARTITION BY k ORDER BY rowtime RANGE {MINUTE} PRECEDING)",
    "SELECT STREAM rowtime, k, SUM(v) OVER (w RANGE INTERVAL '60' SECOND PRECEDING) AS x FROM s WINDOW w AS (PARTITION BY k ORDER BY rowtime)",
    f"SELECT STREAM * FROM (SELECT STREAM rowtime, k, SUM(v) OVER (PARTITION BY k ORDER BY rowtime RANGE {MINUTE} PRECEDING) AS x FROM s)",
]
VERSIONS = [
    "SELECT STREAM s.rowtime, s.v, r.rate FROM s JOIN r FOR SYSTEM_TIME AS OF s.rowtime AS r ON s.k = r.k",
    "SELECT STREAM s.rowtime, s.v, r.rate FROM s JOIN LATERAL SNAPSHOT(r, s.rowtime) AS r ON s.k = r.k",
    "SELECT STREAM s.rowtime, s.v, r.rate FROM s, LATERAL SNAPSHOT(r, s.rowtime) AS r WHERE s.k = r.k",
    "SELECT STREAM s.rowtime, s.v, r.rate FROM s, LATERAL TABLE(SNAPSHOT(TABLE r, s.rowtime)) AS r WHERE r.k = s.k",
]
LOOKUPS = [
    "SELECT STREAM s.rowtime, s.v, d.name FROM s JOIN d ON s.k = d.k",
    "SELECT STREAM s.rowtime, s.v, d.name FROM d JOIN s USING (k)",
    "SELECT STREAM s.rowtime, s.v, d.name FROM s NATURAL JOIN d",
    "SELECT STREAM s.rowtime, s.v, d.name FROM s, d WHERE s.k = d.k",
]
# Each side has a key once in each minute: the join itself drops the duplicates.
ONCE_A_MINUTE = [
    ("SELECT STREAM {1} AS rowtime, k FROM {0} GROUP BY {2}, k", start, by)
    for start, by in (
        (f"TUMBLE_START(rowtime, {MINUTE})", f"TUMBLE(rowtime, {MINUTE})"),
        (f"TUMBLE_END(rowtime, {MINUTE})", f"TUMBLE(rowtime, {MINUTE})"),
        ("FLOOR(rowtime TO MINUTE)", "FLOOR(rowtime TO MINUTE)"),
        (f"FLOOR(rowtime TO MINUTE) + {MINUTE}", "FLOOR(rowtime TO MINUTE)"),
        (f"FLOOR(rowtime TO MINUTE) + {MINUTE}", f"FLOOR(rowtime TO MINUTE) + {MINUTE}"),
        ("CEIL(rowtime TO MINUTE)", "CEIL(rowtime TO MINUTE)"),
    )
]


def _distinct_sides() -> Iterator[str]:
    forms = [text.replace("{1}", start).replace("{2}", by) for text, start, by in ONCE_A_MINUTE]
    forms += ["SELECT STREAM DISTINCT FLOOR(rowtime TO MINUTE) AS rowtime, k FROM {0}"]
    for form in forms:
        left, right = form.format("s"), form.format("t")
        yield f"WITH x AS ({left}), y AS ({right}) SELECT STREAM x.rowtime, x.k FROM x JOIN y ON x.k = y.k AND x.rowtime = y.rowtime"
        yield f"SELECT STREAM x.rowtime, x.k FROM ({left}) AS x, ({right}) AS y WHERE x.rowtime = y.rowtime AND x.k = y.k"
        yield f"SELECT STREAM rowtime, k FROM ({left}) JOIN ({right}) USING (rowtime, k)"


@pytest.fixture(scope="module")
def streams(planner: Any) -> Planning:
    planning = Planning(planner)
    for definition in (
        "CREATE STREAM s (k INTEGER, v INTEGER)",
        "CREATE STREAM t (k INTEGER, w INTEGER)",
        "CREATE STREAM r (k INTEGER PRIMARY KEY, rate INTEGER)",
        "CREATE TABLE d (k INTEGER, name VARCHAR(10))",
    ):
        planning.plan(definition)
    return planning


@pytest.mark.parametrize(
    ("operator", "queries"),
    [
        ("aggregate", GROUPS),
        ("aggregate", DISTINCT),
        ("top_n", [*_first_rows("ROW_NUMBER()")]),
        ("top_n", [*_first_rows("RANK()")]),
        ("interval_join", JOINS),
        ("interval_join", EQUAL_TIMES),
        ("interval_join", WINDOWED),
        ("interval_join", SEMI),
        ("interval_join", [*_distinct_sides()]),
        ("window", FRAMES),
        ("temporal_join", VERSIONS),
        ("lookup_join", LOOKUPS),
    ],
    ids=[
        "groups",
        "distinct",
        "first rows",
        "ranks",
        "joins",
        "equal times",
        "windows",
        "semi-joins",
        "distinct sides",
        "frames",
        "versions",
        "lookups",
    ],
)
def test_the_same_operators(streams: Planning, operator: str, queries: list[str]) -> None:
    first = _operators(streams, queries[0])
    assert operator in [node["op"] for node in first]
    for query in queries[1:]:
        assert _operators(streams, query) == first, query


_DECIDED = (
    "op",
    "joinType",
    "leftInterval",
    "rightInterval",
    "leftDistinct",
    "rightDistinct",
    "needs",
    "changes",
    "limit",
)


def _operators(planning: Planning, sql: str) -> list[dict[str, Any]]:
    """Returns what the planner has decided about each operator but projections, which differ in their columns."""
    found = [{key: node[key] for key in _DECIDED if key in node} for node in _nodes(planning.plan(sql)["plan"])]
    return [node for node in found if node["op"] != "project"]


def _nodes(plan: dict[str, Any]) -> Iterator[dict[str, Any]]:
    yield plan
    for child in plan["inputs"]:
        yield from _nodes(child)
