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
