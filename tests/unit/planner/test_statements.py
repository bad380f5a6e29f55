"""No statement is forgotten where statements are told apart: each has a type, a layout, and words that are proposed."""

from __future__ import annotations

import ast
import re
from pathlib import Path
from typing import get_args

import pytest
from planned import Planning

from rowtime import planner as planned_types
from rowtime.editing.words import STARTS
from rowtime.formatting.script import format_script
from rowtime.planner import PlannedStatement, _statements

ROOT = Path(__file__).parents[3]
STATEMENTS = ROOT / "java" / "planner" / "src" / "io" / "rowtime" / "statement" / "Statements.java"
PUMP = "CREATE PUMP p AS INSERT INTO Shipments SELECT STREAM rowtime, orderId, 0.5 FROM Orders"

SAMPLES: dict[str, tuple[str, type]] = {
    "SqlCreateRelation": ("CREATE TABLE t (a INTEGER)", planned_types.Define),
    "SqlCreateView": ("CREATE VIEW v AS SELECT name FROM Products", planned_types.Define),
    "SqlCreateMaterializedView": (
        "CREATE MATERIALIZED VIEW m AS SELECT STREAM productId, COUNT(*) AS n FROM Orders GROUP BY productId",
        planned_types.Define,
    ),
    "SqlCreatePump": (PUMP, planned_types.Define),
    "SqlCreateFunction": (
        "CREATE FUNCTION f(x INTEGER) RETURNS INTEGER LANGUAGE PYTHON AS 'm:f'",
        planned_types.Define,
    ),
    "SqlAlterRelation": ("ALTER TABLE Products ADD COLUMN more INTEGER", planned_types.Define),
    "SqlAlterPump": ("ALTER PUMP p STOP", planned_types.Define),
    "SqlDropObject": ("DROP TABLE Products", planned_types.Define),
    "SqlLateness": ("LATENESS w.level 5", planned_types.Define),
    "SqlInsert": ("INSERT INTO Shipments (orderId, weight) VALUES (1, 2)", planned_types.Insert),
    "SqlShow": ("SHOW TABLES LIKE 'p%'", planned_types.Show),
    "SqlShowSaves": ("SHOW SAVES", planned_types.Show),
    "SqlDescribeObject": ("DESCRIBE Products", planned_types.Describe),
    "SqlExplainStatement": ("EXPLAIN PLAN FOR SELECT * FROM Products", planned_types.Explain),
    "SqlDelete": ("DELETE FROM Products WHERE productId = 1", planned_types.ChangeRows),
    "SqlUpdate": ("UPDATE Products SET name = 'a'", planned_types.ChangeRows),
    "SqlMergeInto": (
        "MERGE INTO Products AS p USING Readings AS r ON p.productId = r.sensor WHEN MATCHED THEN UPDATE SET name = 'a'",
        planned_types.ChangeRows,
    ),
    "SELECT": ("SELECT STREAM * FROM Orders", planned_types.Select),
}
"""A statement of each class of the parser that the planner tells apart."""

REFUSED = {"SqlTransaction"}
"""Statements that the planner refuses."""

DOORS = ("rowtime/session.py", "rowtime/script/runner.py", "rowtime/serve/statements.py")
"""Where planned statements are told apart."""


def test_every_statement_has_a_sample() -> None:
    told_apart = set(re.findall(r"instanceof (Sql\w+) ", STATEMENTS.read_text()))
    assert told_apart - REFUSED == set(SAMPLES) - {"SELECT"}


@pytest.mark.parametrize("name", SAMPLES)
def test_each_is_planned_formatted_and_proposed(planning: Planning, name: str) -> None:
    sql, type_ = SAMPLES[name]
    if name != "SqlCreatePump":
        planning.plan(PUMP)
    planning.plan("CREATE VIEW w AS SELECT STREAM rowtime, units AS level FROM Orders")
    assert type(_statements.convert(planning.plan(sql))) is type_
    written = format_script(f"{sql};\n")
    assert written.split() == f"{sql};".split()
    assert format_script(written) == written
    assert any(sql.upper().startswith(f"{start} ") or sql.upper() == start for start in STARTS), (
        f"{sql} is not proposed"
    )


@pytest.mark.parametrize("door", DOORS)
def test_a_door_tells_all_types_apart(door: str) -> None:
    """The last case of a `match` that lacks a type would be silent."""
    types = {each.__name__ for each in get_args(PlannedStatement)}
    matches = [
        node for node in ast.walk(ast.parse((ROOT / "python" / door).read_text())) if isinstance(node, ast.Match)
    ]
    told = [_classes(match) for match in matches]
    assert [types - each for each in told if each & types] == [set()]


def _classes(match: ast.Match) -> set[str]:
    patterns = (node for case in match.cases for node in ast.walk(case.pattern))
    return {node.cls.id for node in patterns if isinstance(node, ast.MatchClass) and isinstance(node.cls, ast.Name)}
