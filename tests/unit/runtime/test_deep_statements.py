"""Deep and long statements also run."""

from __future__ import annotations

import pytest

from rowtime.errors import RowtimeError
from rowtime.session import Session


def nested(form: str, times: int, inner: str) -> str:
    head, tail = form.split("@")
    return head * times + inner + tail * times


STATEMENTS = {
    "a sum": ("SELECT " + "+".join(["a"] * 100) + " FROM t", 100),
    "||": ("SELECT CHAR_LENGTH(" + "||".join(["b"] * 300) + ") FROM t", 300),
    "calls": (f"SELECT {nested('ABS(@)', 100, 'a')} FROM t", 1),
    "CASE": (f"SELECT {nested('CASE WHEN a = 2 THEN 2 ELSE @ END', 150, 'a')} FROM t", 1),
    "queries": (nested("SELECT a FROM (@)", 100, "SELECT a FROM t"), 1),
    "queries in IN": (nested("SELECT a FROM t WHERE a IN (@)", 10, "SELECT a FROM t"), 1),
    "OR": ("SELECT a FROM t WHERE " + " OR ".join(f"a + {n} = 1" for n in range(3_000)), 1),
    "branches": (f"SELECT SUM(c) FROM ({' UNION ALL '.join('SELECT a AS c FROM t' for n in range(100))})", 100),
}


@pytest.mark.parametrize("name", STATEMENTS)
def test_a_deep_statement_runs(rt: Session, interpreted: None, name: str) -> None:
    rt.sql("CREATE TABLE t (a INTEGER, b VARCHAR)")
    rt.sql("INSERT INTO t VALUES (1, 'x')")
    statement, expected = STATEMENTS[name]
    assert [tuple(row) for row in rt.table(statement).collect()] == [(expected,)]


@pytest.mark.parametrize("depth", [200, 330, 395])
def test_what_may_be_too_deep_for_spark(rt: Session, depth: int) -> None:
    """Whether Spark's parser has enough stack depends on what the JVM has compiled: the statement runs, or the
    diagnostic says that it is too deep."""
    rt.sql("CREATE TABLE t (a INTEGER)")
    rt.sql("INSERT INTO t VALUES (1)")
    found: object
    try:
        found = [tuple(row) for row in rt.table(f"SELECT {nested('ABS(@)', depth, 'a')} FROM t").collect()]
    except RowtimeError as fault:
        found = fault.code
    assert found in ([(1,)], "RT0003")
