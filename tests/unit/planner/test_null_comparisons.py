"""Comparisons with the literal NULL, which no row meets."""

from __future__ import annotations

import pytest
from planned import Planning


@pytest.mark.parametrize(
    ("condition", "at", "way_out"),
    [
        ("units = NULL", "units", "Write IS NULL, "),
        ("units <> NULL", "units", "Write IS NOT NULL, "),
        ("units > 1 AND NULL >= units", "NULL", "Write IS NULL or IS NOT NULL, "),
    ],
)
def test_a_comparison_with_null_is_a_warning(planning: Planning, condition: str, at: str, way_out: str) -> None:
    sql = f"SELECT STREAM * FROM Orders WHERE {condition}"
    reply = planning.reply(sql)
    assert reply["statement"]
    (warning,) = reply["diagnostics"]
    assert (warning["code"], warning["severity"]) == ("RT0253", "warning")
    assert sql[warning["column"] - 1 :].startswith(at)
    assert warning["hint"].startswith(way_out)


@pytest.mark.parametrize("condition", ["units IS NULL", "units = CAST(NULL AS INTEGER)", "NULLIF(units, 0) = 1"])
def test_a_test_for_null_is_not(planning: Planning, condition: str) -> None:
    reply = planning.reply(f"SELECT STREAM * FROM Orders WHERE {condition}")
    assert reply["statement"]
    assert reply["diagnostics"] == []


@pytest.mark.parametrize(
    "sql",
    [
        "DELETE FROM Products WHERE name = NULL",
        "UPDATE Products SET name = NULL WHERE name = NULL",
        "INSERT INTO Products SELECT * FROM Products WHERE name = NULL",
        "CREATE VIEW nothing AS SELECT * FROM Products WHERE name = NULL",
        "MERGE INTO Products AS t USING Products AS u ON t.name = NULL WHEN MATCHED THEN UPDATE SET name = NULL",
        "CREATE PUMP p AS INSERT INTO LargeOrders SELECT STREAM * FROM Orders WHERE units = NULL",
    ],
)
def test_other_statements_are_warned_of_too(planning: Planning, sql: str) -> None:
    if "LargeOrders" in sql:
        planning.plan(
            "CREATE STREAM LargeOrders (productId INTEGER, orderId INTEGER, units INTEGER, price DECIMAL(10, 2))"
        )
    reply = planning.reply(sql)
    assert reply["statement"], reply["diagnostics"]
    (warning,) = [each for each in reply["diagnostics"] if each["code"] == "RT0253"]
    assert sql[warning["column"] - 1 :].startswith(("name = NULL", "t.name = NULL", "units = NULL"))
