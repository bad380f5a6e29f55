"""CREATE FUNCTION as the planner sees it: types are checked, the plan says where the function is."""

from __future__ import annotations

import pytest

from .conftest import Planning

COMMON = "CREATE FUNCTION common (a INTEGER, b INTEGER) RETURNS BIGINT LANGUAGE PYTHON AS 'math:gcd'"


@pytest.fixture
def planning(planner) -> Planning:
    made = Planning(planner)
    made.plan(COMMON)
    made.plan("CREATE STREAM pairs (a INTEGER, b INTEGER)")
    return made


def _calls(plan, found):
    if isinstance(plan, dict):
        if plan.get("kind") == "function":
            found.append(plan)
        for value in plan.values():
            _calls(value, found)
    elif isinstance(plan, list):
        for value in plan:
            _calls(value, found)
    return found


def test_a_call_says_where_the_function_is(planning):
    statement = planning.plan("SELECT STREAM common(a, b) AS c FROM pairs")
    (call,) = _calls(statement["plan"], [])
    assert (call["name"], call["language"], call["body"]) == ("COMMON", "PYTHON", "math:gcd")
    assert call["deterministic"]
    assert call["type"] == "BIGINT"
    assert [f["monotonicity"] for f in statement["fields"]] == ["NOT_MONOTONIC"]


def test_arguments_are_cast_to_the_parameters(planning):
    statement = planning.plan("SELECT STREAM common('12', NULL) AS c FROM pairs")
    (call,) = _calls(statement["plan"], [])
    assert [a["type"] for a in call["args"]] == ["INTEGER", "INTEGER"]


def test_wrong_arguments_are_refused(planning):
    code, _, at = planning.error("SELECT STREAM common(a) FROM pairs")
    assert (code, at) == ("RT0114", "common(a)")


def test_what_uses_a_function_keeps_it(planning):
    planning.plan("CREATE VIEW v AS SELECT STREAM common(a, b) AS c FROM pairs")
    assert planning.error("DROP FUNCTION common")[0] == "RT0314"
    planning.plan("DROP FUNCTION common CASCADE")
    assert [o["name"] for o in planning.catalog["objects"]] == ["PAIRS"]


def test_a_function_is_no_table(planning):
    assert planning.error("SELECT * FROM common")[0] == "RT0111"


def test_functions_of_sql_stay_what_they_are(planning):
    code, message, _ = planning.error("CREATE FUNCTION soundex (s VARCHAR) RETURNS VARCHAR LANGUAGE PYTHON AS 'a:b'")
    assert (code, message) == ("RT0317", "'SOUNDEX' is a built-in function")


@pytest.mark.parametrize(
    ("sql", "code"),
    [
        ("CREATE FUNCTION f (a INTEGER, A INTEGER) RETURNS INTEGER LANGUAGE PYTHON AS 'a:b'", "RT0305"),
        ("CREATE FUNCTION f () RETURNS INTEGER LANGUAGE PERL AS 'a:b'", "RT0318"),
        ("CREATE FUNCTION f () RETURNS INTEGER LANGUAGE PYTHON AS 'a'", "RT0318"),
        ("CREATE FUNCTION f () RETURNS INTEGER LANGUAGE JAVA AS 'a b'", "RT0318"),
        ("CREATE FUNCTION pairs () RETURNS INTEGER LANGUAGE JAVA AS 'a.B'", "RT0302"),
    ],
)
def test_what_is_wrong_with_a_definition(planning, sql, code):
    assert planning.error(sql)[0] == code
