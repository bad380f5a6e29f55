"""Table functions of the user's own as the planner sees them: columns, order, state, and what does not fit."""

from __future__ import annotations

from typing import Any

import pytest

from .conftest import Planning

COUNTED = (
    "CREATE FUNCTION counted (input TABLE, every_n INTEGER DEFAULT 2, at_least INTERVAL DAY TO SECOND DEFAULT"
    " INTERVAL '1' MINUTE) RETURNS TABLE (n BIGINT, label VARCHAR) LANGUAGE JAVA"
    " OPTIONS (state_ttl '1 hour', delay '10 minutes') AS 'examples.Counted'"
)
WORDS = "CREATE FUNCTION words (line VARCHAR) RETURNS TABLE (word VARCHAR) LANGUAGE PYTHON AS 'texts:words'"


@pytest.fixture
def planning(planner: Any) -> Planning:
    made = Planning(planner)
    for sql in (COUNTED, WORDS, "CREATE STREAM s (k INTEGER, v INTEGER, line VARCHAR) OPTIONS (history 'all')"):
        made.plan(sql)
    return made


def _processes(node: dict[str, Any]) -> list[dict[str, Any]]:
    found = [node] if node["op"] == "process" else []
    return found + [each for below in node["inputs"] for each in _processes(below)]


@pytest.mark.parametrize(
    "call",
    [
        "counted(TABLE s PARTITION BY k)",
        "counted(TABLE s PARTITION BY k ORDER BY rowtime, 2)",
        "TABLE(counted(TABLE s PARTITION BY k, 1 + 1, INTERVAL '60' SECOND))",
        "counted(every_n => 2, input => TABLE s PARTITION BY K)",
        "counted((SELECT * FROM s) PARTITION BY k, DEFAULT)",
    ],
)
def test_forms_of_a_call(planning: Planning, call: str) -> None:
    statement = planning.plan(f"SELECT STREAM * FROM {call}")
    (process,) = _processes(statement["plan"])
    assert statement["notSupported"] == []
    assert [(f["name"], f["type"], f["nullable"]) for f in process["fields"]] == [
        ("ROWTIME", "TIMESTAMP(3)", False),
        ("K", "INTEGER", True),
        ("N", "BIGINT", True),
        ("LABEL", "VARCHAR", True),
    ]
    assert process["fields"][0]["monotonicity"] == "INCREASING"
    assert process["clock"] == [{"fn": "SHIFT", "millis": -600_000}]
    assert (process["state"]["bound"], process["state"]["retention"]) == ("window", "PT1H")
    assert (process["time"], process["delay"], process["stateTtl"]) == (0, 600_000, 3_600_000)
    assert process["inputs"][0]["fields"][process["partition"][0]]["name"] == "K"
    assert process["parameters"] == ["EVERY_N", "AT_LEAST"]
    assert [arg["type"] for arg in process["args"]] == ["INTEGER", "INTERVAL DAY TO SECOND"]


def test_over_a_distinct(planning: Planning) -> None:
    distinct = "SELECT DISTINCT FLOOR(rowtime TO HOUR) AS rowtime, k FROM s"
    statement = planning.plan(f"SELECT STREAM * FROM counted(({distinct}) PARTITION BY k)")
    (process,) = _processes(statement["plan"])
    assert [f["name"] for f in process["inputs"][0]["fields"]] == ["ROWTIME", "K"]
    assert process["clock"] == [{"fn": "FLOOR", "millis": 3_600_000, "offset": 0}, {"fn": "SHIFT", "millis": -600_000}]


def test_without_an_end_the_state_of_every_key_is_a_warning(planning: Planning) -> None:
    planning.plan("CREATE FUNCTION f (input TABLE) RETURNS TABLE (n BIGINT) LANGUAGE JAVA AS 'examples.F'")
    keyed = planning.reply("SELECT STREAM * FROM f(TABLE s PARTITION BY k)")
    assert [(d["severity"], d["code"]) for d in keyed["diagnostics"]] == [("warning", "RT0250")]
    assert _processes(keyed["statement"]["plan"])[0]["state"]["bound"] == "unbounded"
    alone = planning.reply("SELECT STREAM * FROM f(TABLE s)")
    assert alone["diagnostics"] == []
    assert _processes(alone["statement"]["plan"])[0]["state"]["bound"] == "constant"


def test_a_function_for_a_row_is_an_unnest(planning: Planning) -> None:
    statement = planning.plan("SELECT STREAM s.rowtime, w.word FROM s LEFT JOIN LATERAL words(s.line) AS w ON TRUE")
    assert [f["name"] for f in statement["fields"]] == ["ROWTIME", "WORD"]
    unnest = statement["plan"]["inputs"][0]
    assert (unnest["op"], unnest["outer"], unnest["state"]["bound"]) == ("unnest", True, "none")
    assert unnest["exprs"][0]["name"] == "WORDS"


def test_what_reads_a_function_goes_by_its_rowtime(planning: Planning) -> None:
    planning.plan("CREATE VIEW v AS SELECT STREAM * FROM counted(TABLE s PARTITION BY k)")
    statement = planning.plan(
        "SELECT STREAM FLOOR(rowtime TO HOUR) AS rowtime, COUNT(*) AS c FROM v GROUP BY FLOOR(rowtime TO HOUR)"
    )
    assert statement["plan"]["clock"] == [
        {"fn": "SHIFT", "millis": -600_000},
        {"fn": "FLOOR", "millis": 3_600_000, "offset": 0},
    ]
    assert planning.error("DROP FUNCTION counted")[0] == "RT0314"
    assert planning.error(COUNTED.replace("CREATE", "CREATE OR REPLACE").replace("label", "other"))[0] == "RT0303"


@pytest.mark.parametrize(
    ("sql", "code", "message"),
    [
        ("counted(TABLE s PARTITION BY nope)", "RT0112", "Column 'NOPE' not found in the table"),
        ("counted(TABLE s PARTITION BY k, k)", "RT0112", "Column 'K' not found in any table"),
        ("counted(TABLE s PARTITION BY k + 1)", "RT0001", ""),
        ("counted(TABLE s PARTITION BY rowtime)", "RT0120", "ROWTIME cannot be a PARTITION BY column"),
        ("counted((SELECT k AS n, rowtime FROM s) PARTITION BY n)", "RT0120", "COUNTED gives a column 'N' as well"),
        ("counted(TABLE s ORDER BY v)", "RT0120", "A function processes rows in the order of ROWTIME"),
        ("counted(every_n => 2)", "RT0120", "COUNTED needs a table to process"),
        ("counted(TABLE s, nth => 2)", "RT0120", "COUNTED has no parameter 'NTH'"),
        ("counted(TABLE s, 2, INTERVAL '1' MINUTE, 4)", "RT0120", "COUNTED takes at most 3 arguments"),
        ("counted(TABLE s, RAND_INTEGER(4))", "RT0120", "The argument 'EVERY_N' of COUNTED must be the same"),
        ("counted(TABLE nope)", "RT0111", "Object 'NOPE' not found"),
        ("nothing(TABLE s)", "RT0114", "'NOTHING' is not a table function"),
        ("s, LATERAL words()", "RT0120", "WORDS needs an argument for 'LINE'"),
    ],
)
def test_what_does_not_fit_is_named(planning: Planning, sql: str, code: str, message: str) -> None:
    found = planning.error(f"SELECT STREAM * FROM {sql}")
    assert found[0] == code
    assert message in found[1]


@pytest.mark.parametrize(
    ("sql", "code"),
    [
        ("CREATE FUNCTION f (a TABLE, b TABLE) RETURNS TABLE (n INTEGER) LANGUAGE JAVA AS 'a.B'", "RT0328"),
        ("CREATE FUNCTION f (a TABLE) RETURNS TABLE (rowtime TIMESTAMP(3)) LANGUAGE JAVA AS 'a.B'", "RT0328"),
        ("CREATE FUNCTION f (a INTEGER DEFAULT 1) RETURNS INTEGER LANGUAGE JAVA AS 'a.B'", "RT0328"),
        ("CREATE FUNCTION f (a INTEGER) RETURNS TABLE (n INTEGER, N INTEGER) LANGUAGE JAVA AS 'a.B'", "RT0305"),
        ("CREATE FUNCTION f (a BIGINT DEFAULT COUNT(*)) RETURNS TABLE (n INTEGER) LANGUAGE JAVA AS 'a.B'", "RT0307"),
        (
            "CREATE FUNCTION f (a INTEGER) RETURNS TABLE (n INTEGER) LANGUAGE JAVA OPTIONS (delay '1 day') AS 'a.B'",
            "RT0310",
        ),
        (
            "CREATE FUNCTION f (a TABLE) RETURNS TABLE (n INTEGER) LANGUAGE JAVA OPTIONS (ttl '1 day') AS 'a.B'",
            "RT0310",
        ),
        (
            "CREATE FUNCTION f (a TABLE) RETURNS TABLE (n INTEGER) LANGUAGE JAVA OPTIONS (delay 'soon') AS 'a.B'",
            "RT0311",
        ),
    ],
)
def test_definitions_that_do_not_fit(planning: Planning, sql: str, code: str) -> None:
    assert planning.error(sql)[0] == code
