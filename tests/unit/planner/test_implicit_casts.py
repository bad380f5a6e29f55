"""A warning for conversions that nobody has written, and that fail for some texts."""

from __future__ import annotations

import pytest
from planned import Planning


@pytest.mark.parametrize(
    ("sql", "at", "said"),
    [
        ("SELECT * FROM Products WHERE name = 17", "name", "VARCHAR is converted to INTEGER here"),
        ("SELECT productId FROM Products WHERE productId > name", "name", "VARCHAR is converted to INTEGER here"),
        ("SELECT * FROM Products WHERE UPPER(name) < 1", "UPPER(name)", "VARCHAR is converted to INTEGER here"),
        ("SELECT * FROM Products WHERE name < CURRENT_DATE", "name", "VARCHAR is converted to DATE here"),
        ("CREATE VIEW few AS SELECT * FROM Products WHERE name = 17", "name", "VARCHAR is converted to INTEGER here"),
        ("DELETE FROM Products WHERE name = 17", "name", "VARCHAR is converted to INTEGER here"),
    ],
)
def test_a_conversion_that_can_fail_is_a_warning(planning: Planning, sql: str, at: str, said: str) -> None:
    reply = planning.reply(sql)
    assert reply["statement"]
    (warning,) = reply["diagnostics"]
    assert (warning["code"], warning["severity"]) == ("RT0254", "warning")
    assert sql[warning["column"] - 1 : warning["endColumn"]] == at
    assert warning["message"].startswith(said)


@pytest.mark.parametrize(
    "condition",
    [
        "CAST(name AS INTEGER) = 17",
        "SAFE_CAST(name AS INTEGER) = 17",
        "name = '17'",
        "productId = '17'",
        "rowtime < '2024-05-01 10:00:00'",
        "name || productId = '17'",
        "productId = 17.5",
    ],
)
def test_others_are_not(planning: Planning, condition: str) -> None:
    reply = planning.reply(f"SELECT * FROM Products WHERE {condition}")
    assert reply["statement"], reply["diagnostics"]
    assert reply["diagnostics"] == []
