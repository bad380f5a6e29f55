"""Operators above and below correlated sub-queries keep their columns when the planner turns the sub-queries into joins."""

from __future__ import annotations

from typing import Any

import pytest
from planned import Planning

ONE_IN = "SELECT s.rowtime, 0 + 0 AS x, s.k AS y FROM s WHERE s.k IN (SELECT p.k FROM p WHERE p.rowtime BETWEEN s.rowtime AND s.rowtime)"
NOT_EXISTS = "SELECT s.rowtime, MOD(s.k, 3) AS x, CHAR_LENGTH('zz') AS y FROM s WHERE NOT EXISTS (SELECT 1 FROM p WHERE p.k = s.k AND p.rowtime BETWEEN s.rowtime AND s.rowtime)"
SETS = (
    "SELECT FLOOR(q.rowtime TO MINUTE) AS rowtime, q.x, q.y, COUNT(0) FILTER (WHERE q.y > 0) AS n, GROUPING(q.x, q.y) AS g,"
    " LISTAGG(CAST(q.y AS VARCHAR), '-') WITHIN GROUP (ORDER BY q.y) AS l FROM ({}) AS q GROUP BY FLOOR(q.rowtime TO MINUTE), {}"
)
GROUPS = "SELECT FLOOR(rowtime TO MINUTE) AS rowtime, MAX(v) AS m, LISTAGG(CAST(v AS VARCHAR), '-') WITHIN GROUP (ORDER BY v) AS l FROM s GROUP BY FLOOR(rowtime TO MINUTE)"
SCALAR = "SELECT q.rowtime, q.l, (SELECT COUNT(t.id) FROM t WHERE t.v = q.m) AS c FROM ({}) AS q"
VERSIONS = "SELECT q.rowtime, v.w FROM ({}) AS q JOIN p FOR SYSTEM_TIME AS OF q.rowtime AS v ON q.c = v.k"
EXISTS = "SELECT s.rowtime, s.k AS c FROM s WHERE EXISTS (SELECT 1 FROM t WHERE t.id = s.k)"
QUERIES = {
    "ROLLUP above IN": SETS.format(ONE_IN, "ROLLUP (q.x, q.y)"),
    "GROUPING SETS above IN": SETS.format(ONE_IN, "GROUPING SETS ((q.x, q.y), ())"),
    "CUBE above NOT EXISTS": SETS.format(NOT_EXISTS, "CUBE (q.x, q.y)"),
    "GROUP BY below a scalar sub-query": SCALAR.format(GROUPS),
    "a constant of DISTINCT above EXISTS": f"SELECT DISTINCT FLOOR(q.rowtime TO DAY) AS rowtime, 1.25 AS a, q.c FROM ({EXISTS}) AS q",
    "versions by the row of a scalar sub-query": VERSIONS.format(
        "SELECT s.rowtime, (SELECT MAX(t.v) FROM t WHERE t.id = s.k) AS c FROM s"
    ),
}


@pytest.fixture
def planning(planner: Any) -> Planning:
    planning = Planning(planner)
    planning.plan("CREATE STREAM s (k INTEGER, v INTEGER) OPTIONS (history 'all')")
    planning.plan("CREATE STREAM p (k INTEGER NOT NULL PRIMARY KEY, w INTEGER) OPTIONS (history 'all')")
    planning.plan("CREATE TABLE t (id INTEGER, v INTEGER)")
    return planning


@pytest.mark.parametrize("name", QUERIES)
def test_it_has_the_types_of_the_query(planning: Planning, name: str) -> None:
    """The validator gives each column a type, and the plan has it."""
    statement = planning.plan(QUERIES[name])
    assert not statement["notSupported"]
    planning.plan(f"CREATE VIEW w AS {QUERIES[name]}")
    declared = next(each for each in planning.catalog["objects"] if each["name"] == "W")["columns"]
    assert [(f["name"], f["type"]) for f in statement["fields"]] == [(c["name"], c["type"]) for c in declared]
