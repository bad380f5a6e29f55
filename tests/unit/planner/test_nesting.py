"""Deep statements: refused at once and at the place of what is too deep, whichever way they are deep. Long ones run."""

from __future__ import annotations

import time
from typing import Any

import pytest
from planned import Planning

CALLS = 400
PARENTHESES = 1_000


@pytest.fixture
def planning(planner: Any) -> Planning:
    made = Planning(planner)
    made.plan("CREATE TABLE t (a INTEGER, b VARCHAR)")
    made.plan("SELECT a + 1 FROM t WHERE a IN (SELECT a FROM t) OR b LIKE 'x'")
    return made


def nested(form: str, times: int, inner: str) -> str:
    head, tail = form.split("@")
    return head * times + inner + tail * times


DEEP = {
    "a sum": lambda n: f"SELECT {'+'.join(['a'] * n)} FROM t",
    "||": lambda n: f"SELECT {'||'.join(['b'] * n)} FROM t",
    "a product in a sum": lambda n: f"SELECT {'+'.join(['a*a'] * n)} FROM t",
    "comparisons": lambda n: f"SELECT a FROM t WHERE {'='.join(['a'] * n)}",
    "signs": lambda n: f"SELECT {'- ' * n}a FROM t",
    "NOT": lambda n: f"SELECT a FROM t WHERE {'NOT ' * n}a = 1",
    "IS NULL": lambda n: f"SELECT a FROM t WHERE a {'IS NULL ' * n}",
    "calls": lambda n: f"SELECT {nested('ABS(@)', n, 'a')} FROM t",
    "CASE": lambda n: f"SELECT {nested('CASE WHEN a = 1 THEN 2 ELSE @ END', n, 'a')} FROM t",
    "AND in OR": lambda n: f"SELECT a FROM t WHERE {nested('(a = 1 OR b = b AND @)', n, 'a = 2')}",
    "queries in FROM": lambda n: nested("SELECT * FROM (@)", n, "SELECT a FROM t"),
    "queries in IN": lambda n: nested("SELECT a FROM t WHERE a IN (@)", n, "SELECT a FROM t"),
    "scalar queries": lambda n: nested("SELECT (@) FROM t", n, "SELECT MAX(a) FROM t"),
    "joins": lambda n: "SELECT 1 FROM t " + "CROSS JOIN t " * n,
    "set operations": lambda n: " EXCEPT ALL ".join(["SELECT a FROM t"] * n),
    "WITH": lambda n: (
        "WITH w0 AS (SELECT a FROM t), "
        + ", ".join(f"w{i} AS (SELECT a FROM w{i - 1})" for i in range(1, n))
        + f" SELECT * FROM w{n - 1}"
    ),
}


@pytest.mark.parametrize("name", DEEP)
@pytest.mark.parametrize("times", [1_000, 5_000])
def test_what_is_too_deep(planning: Planning, name: str, times: int) -> None:
    sql = DEEP[name](times)
    begin = time.process_time()
    (error,) = planning.reply(sql)["diagnostics"]
    assert (error["code"], error["message"]) == ("RT0003", "The statement is nested too deeply")
    # Seconds at most on a free machine, with those of the compilers of the JVM; a minute before there was a limit.
    assert time.process_time() - begin < 40
    # A chain of queries begins with the statement.
    assert error["column"] > 1 or name == "set operations"


@pytest.mark.parametrize(
    ("sql", "at"),
    [
        (f"SELECT {'(' * (PARENTHESES + 1)}1{')' * (PARENTHESES + 1)}", len("SELECT ") + PARENTHESES + 1),
        (f"SELECT {'(' * 100_000}1{')' * 100_000}", len("SELECT ") + 100_000),
        (f"SELECT 1, {nested('ABS(@)', CALLS, 'a')} FROM t", len("SELECT 1, ") + len("ABS(") * (CALLS - 1) + 1),
        (f"SELECT a,\n{'NOT ' * 100_000}TRUE FROM t", None),
    ],
    ids=["parentheses", "many parentheses", "calls", "operators"],
)
def test_the_place(planning: Planning, sql: str, at: int | None) -> None:
    (error,) = planning.reply(sql)["diagnostics"]
    assert error["code"] == "RT0003"
    assert error["line"] == (1 if at else 2)
    if at:
        assert error["column"] == at


LONG = {
    "OR": " OR ".join(f"a = {n} - a" for n in range(20_000)),
    "AND": " AND ".join(f"a <> {n}" for n in range(20_000)),
    "AND in OR": " OR ".join("a = 1 AND b = 'x' AND a BETWEEN 1 AND a" for _ in range(3_000)),
    "BETWEEN": " AND ".join(
        "a BETWEEN 1 OR 2 AND 3" if n < 0 else f"a NOT BETWEEN {n} AND {n + 1}" for n in range(3_000)
    ),
    "two ANDs": f"{' AND '.join(['a > 1'] * 5_000)} OR {' AND '.join(['a < 1'] * 5_000)}",
}


@pytest.mark.parametrize("name", LONG)
def test_long_conditions(planning: Planning, name: str) -> None:
    begin = time.process_time()
    assert planning.plan(f"SELECT a FROM t WHERE {LONG[name]}")["plan"] is not None
    assert time.process_time() - begin < 30


def operands(condition: dict[str, Any], operator: str) -> list[dict[str, Any]]:
    if condition.get("op") != operator:
        return [condition]
    return [operand for arg in condition["args"] for operand in operands(arg, operator)]


def found(planning: Planning, condition: str, operator: str) -> list[dict[str, Any]]:
    (node,) = planning.plan(f"SELECT a, b FROM t WHERE {condition}")["plan"]["inputs"]
    return operands(node["condition"], operator)


def test_long_conditions_mean_the_same(planning: Planning) -> None:
    """A long chain has the operands of short ones, whose trees are Calcite's."""
    for operator, other in (("OR", "AND"), ("AND", "OR")):
        form = [
            "a + a > {}",
            "b NOT BETWEEN 'x{}' AND b",
            "NOT a > {} * a",
            f"(a > a + {{}} {other} a < -{{}})",
            "b LIKE '{}%'",
        ]
        short = [f" {operator} ".join(form).replace("{}", str(n)) for n in range(2, 42)]
        each = [operand for condition in short for operand in found(planning, condition, operator)]
        assert len(each) >= 200
        assert found(planning, f" {operator} ".join(short), operator) == each


def test_many_branches(planning: Planning) -> None:
    union = " UNION ALL ".join(f"SELECT a + {n} AS c{n} FROM t" for n in range(1_000))
    plan = planning.plan(union)["plan"]
    assert [field["name"] for field in plan["fields"]] == ["C0"]
    planning.plan(f"CREATE VIEW v AS {union}")
    assert planning.plan("SELECT c0 FROM v")["plan"] is not None
    recursive = " UNION ALL ".join(["SELECT 1"] * 200) + " UNION ALL SELECT n + 1 FROM r WHERE n < 3"
    assert planning.plan(f"WITH RECURSIVE r (n) AS ({recursive}) SELECT * FROM r")["plan"] is not None


@pytest.mark.parametrize("levels", [20, 60])
def test_queries_of_with_that_are_read_twice(planning: Planning, levels: int) -> None:
    parts = ", ".join(f"w{i} AS (SELECT x.a FROM w{i - 1} AS x, w{i - 1} AS y)" for i in range(1, levels))
    begin = time.process_time()
    (error,) = planning.reply(f"WITH w0 AS (SELECT a FROM t), {parts} SELECT * FROM w{levels - 1}")["diagnostics"]
    assert error["code"] == "RT0421" and "read more than 1,000 times in all" in error["message"]
    assert time.process_time() - begin < 60
