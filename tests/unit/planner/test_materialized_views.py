"""CREATE MATERIALIZED VIEW: the table that its query needs, and what identifies the result."""

from __future__ import annotations

from typing import Any

import pytest

from .conftest import Planning


def _created(planning: Planning, query: str) -> tuple[dict[str, Any], dict[str, Any]]:
    """Returns the object and the target of a materialized view."""
    planned = planning.plan(f"CREATE MATERIALIZED VIEW mv AS {query}")
    (change,) = planned["changes"]
    return change["object"], planned["target"]


@pytest.mark.parametrize(
    ("query", "mode", "key"),
    [
        ("SELECT productId, COUNT(*) AS c FROM Orders GROUP BY productId", "upsert", ["PRODUCTID"]),
        ("SELECT COUNT(*) AS c FROM Orders", "upsert", []),
        ("SELECT STREAM FLOOR(rowtime TO HOUR) AS h, COUNT(*) AS c FROM Orders GROUP BY FLOOR(rowtime TO HOUR)", "append", []),
        ("SELECT units FROM Orders WHERE units > 1 UNION ALL SELECT STREAM orderId FROM Orders", "append", []),
        ("WITH o AS (SELECT * FROM Orders) SELECT DISTINCT units FROM o", "upsert", ["UNITS"]),
    ],
)  # fmt: skip
def test_a_result_that_changes_has_a_key(planning: Planning, query: str, mode: str, key: list[str]) -> None:
    view, target = _created(planning, query)
    assert (target.get("mode", "append"), target.get("key", []), view["primaryKey"]) == (mode, key, key)
    assert (view["kind"], view["started"], view["uses"]) == ("MATERIALIZED VIEW", True, ["ORDERS"])
    # What the runtime plans when it starts it is the same.
    again = planning.plan(view["query"])
    assert (again["target"], again["fromEarliest"], again["streaming"]) == (target, True, True)


def test_one_meaning_is_one_result(planning: Planning) -> None:
    def meaning(query: str) -> str:
        found = str(_created(planning, query)[1]["meaning"])
        planning.plan("DROP MATERIALIZED VIEW mv")
        return found

    one = meaning("SELECT units AS u, orderId FROM Orders WHERE units > 1")
    assert meaning("SELECT STREAM units, orderId AS o FROM (SELECT * FROM Orders WHERE 1 < units)") == one
    others = [
        "SELECT units, orderId FROM Orders WHERE units > 2",
        "SELECT orderId, units FROM Orders WHERE units > 1",
        "SELECT units + 1, orderId FROM Orders WHERE units > 1",
        "SELECT CAST(units AS BIGINT), orderId FROM Orders WHERE units > 1",
    ]
    assert len({one, *(meaning(each) for each in others)}) == 5


def test_a_view_may_have_the_name_of_a_column_but_not_read_itself(planning: Planning) -> None:
    planning.plan("CREATE OR REPLACE MATERIALIZED VIEW units AS SELECT units FROM Orders")
    (found,) = planning.errors(
        "CREATE OR REPLACE MATERIALIZED VIEW units AS SELECT o.units FROM Orders AS o JOIN units AS u ON o.units = u.units"
    )
    assert (found["code"], found["message"]) == ("RT0302", "Materialized view 'UNITS' reads itself")
