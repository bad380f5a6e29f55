"""IN and NOT IN with long lists of constants: one node of the plan, also where the list is very long."""

from __future__ import annotations

import json
import time
from typing import Any

import pytest
from planned import Planning

SCHEMA = """CREATE TABLE t (a INTEGER, b VARCHAR, s VARCHAR(3), c DECIMAL(10, 2), d BIGINT, e DATE, f TIMESTAMP(3), x DOUBLE, n INTEGER NOT NULL, h CHAR(4))"""


@pytest.fixture
def lists(planner: Any) -> Planning:
    planning = Planning(planner)
    planning.plan(SCHEMA)
    return planning


def found(lists: Planning, condition: str) -> dict[str, Any]:
    """Returns the condition of a filter."""
    plan = lists.plan(f"SELECT a FROM t WHERE {condition}")["plan"]
    while plan["op"] != "filter":
        (plan,) = plan["inputs"]
    condition_node = plan["condition"]
    assert isinstance(condition_node, dict)
    return condition_node


def many(form: str, count: int = 30) -> str:
    return ", ".join(form.format(i) for i in range(10, 10 + count))


@pytest.mark.parametrize(
    ("value", "form", "expected"),
    [
        ("a", "{}", lambda i: i),
        ("d", "{}", lambda i: i),
        ("a + 1", "-{}", lambda i: -i),
        ("b", "'{}'", str),
        ("b", "'{}  '", lambda i: f"{i}  "),
        ("s", "'{}xyz'", lambda i: f"{i}xyz"),
        ("UPPER(b)", "'{}'", str),
        ("h", "'{}xy'", lambda i: f"{i}xy"),
        ("x", "{}", lambda i: f"{i}.0"),
        ("x", "{}.1", lambda i: f"{i}.1"),
        ("x", "{}E-3", lambda i: str(i / 1000)),
        ("c", "{}.5", lambda i: f"{i}.50"),
        ("c", "{}", lambda i: f"{i}.00"),
        ("e", "DATE '15{}-02-28'", lambda i: f"15{i}-02-28"),
        ("f", "TIMESTAMP '2015-02-15 10:00:{}'", lambda i: f"2015-02-15T10:00:{i}.000"),
        ("RAND_INTEGER(90)", "{}", lambda i: i),
    ],
)
def test_a_list_of_constants_is_one_node(lists: Planning, value: str, form: str, expected: Any) -> None:
    node = found(lists, f"{value} IN ({many(form)})")
    values = [str(one) for one in node["values"]]
    assert node["kind"] == "in" and sorted(values) == sorted(str(expected(i)) for i in range(10, 40))
    negated = found(lists, f"{value} NOT IN ({many(form)})")
    assert negated["op"] == "NOT" and [str(one) for one in negated["args"][0]["values"]] == values


def test_null_in_a_list_is_unknown(lists: Planning) -> None:
    node = found(lists, f"n IN ({many('{}')}, NULL)")
    assert (node["op"], node["args"][1]["value"], node["nullable"]) == ("OR", None, True)
    assert node["args"][0]["kind"] == "in" and not node["args"][0]["nullable"]


@pytest.mark.parametrize("condition", ["a IN ({}, 10000000000)", "c IN ({}, 1.234)", "a IN ({}, 1.5)", "a IN ({}, n)"])
def test_other_lists_are_planned_as_comparisons(lists: Planning, condition: str) -> None:
    text = json.dumps(found(lists, condition.format(many("{}"))))
    assert all(str(i) in text for i in range(10, 40))


@pytest.mark.parametrize(
    "query",
    [
        "SELECT a IN ({0}), COUNT(*) FROM t GROUP BY a IN ({0})",
        "SELECT a, COUNT(*) FROM t GROUP BY a HAVING a IN ({0}) OR COUNT(*) IN ({0})",
        "SELECT DISTINCT a IN ({0}) AS found FROM t ORDER BY a IN ({0})",
        "SELECT CASE WHEN a IN ({0}) THEN 1 END FROM t",
        "SELECT t.a FROM t JOIN t AS u ON t.a = u.a AND t.a IN ({0})",
        "SELECT t.a FROM t LEFT JOIN t AS u ON t.a = u.a AND u.a NOT IN ({0})",
        "SELECT a FROM t WHERE d IN (SELECT d FROM t AS u WHERE u.a = t.a AND u.a IN ({0}))",
        "SELECT SUM(a) FILTER (WHERE a IN ({0})) FROM t",
        "SELECT SUM(a) OVER (PARTITION BY a IN ({0}) ORDER BY f) FROM t",
        "SELECT a FROM t WHERE a IN ({0}) AND a > 25 AND a IN (11, 12, 13)",
    ],
)
def test_wherever_a_list_may_be(lists: Planning, query: str) -> None:
    planned = lists.plan(query.format(many("{}")))
    assert not planned.get("notSupported")
    assert '"kind": "in"' in json.dumps(planned["plan"])


@pytest.mark.parametrize(
    ("value", "texts"), [("s", "'abc', 'x', 'longer'"), ("h", "'abcd', 'x', ''"), ("b", "'', 'x'")]
)
def test_texts_of_several_lengths_are_one_list(lists: Planning, value: str, texts: str) -> None:
    node = found(lists, f"{value} IN ({texts}, {many(chr(39) + '{}' + chr(39))})")
    assert node["kind"] == "in"
    assert set(node["values"]) >= {text.strip("'") for text in texts.split(", ")}


LARGE = {
    "DOUBLE": ("x", "{}.5"),
    "DOUBLE of integers": ("x", "{}"),
    "VARCHAR(3)": ("s", "'{}'"),
    "CHAR(4)": ("h", "'{}'"),
    "rows": ("(a, b)", "({}, 'x')"),
    "rows of DOUBLEs": ("(x, d, a + 1)", "({}.25, 2, {})"),
    "= SOME": ("a = SOME", "{}"),
}


@pytest.mark.parametrize("name", LARGE)
def test_a_hundred_thousand_of_other_types(lists: Planning, name: str) -> None:
    value, form = LARGE[name]
    count = 60_000 if "rows" in name else 100_000
    listed = f"({', '.join(form.replace('{}', str(i)) for i in range(count))})"
    begin = time.process_time()
    for word in [""] if "SOME" in value else ["NOT IN"]:
        node = found(lists, f"{value} {word} {listed}")
        node = node["args"][0] if word == "NOT IN" else node
        assert node["kind"] == "in" and len(node["values"]) == count * len(node["args"])
    assert time.process_time() - begin < 30


def test_a_hundred_thousand_values(lists: Planning) -> None:
    lists.plan(f"SELECT a FROM t WHERE a IN ({many('{}', 1000)})")
    begin = time.process_time()
    assert len(found(lists, f"a IN ({many('{}', 100_000)})")["values"]) == 100_000
    # About a second; each value as a comparison took three times as long.
    assert time.process_time() - begin < 30
    # The expression is converted once, not for each value.
    assert len(found(lists, f"UPPER(LOWER(b)) IN ({many(chr(39) + '{}' + chr(39), 100_000)})")["values"]) == 100_000
