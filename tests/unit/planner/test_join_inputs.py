"""GROUP BY without functions below a join of streams: the join drops the duplicates itself, where that gives the same rows."""

from __future__ import annotations

import pytest

from .conftest import Planning, nodes

GROUPED = "SELECT STREAM FLOOR(rowtime TO HOUR) AS rowtime, {} FROM {} GROUP BY FLOOR(rowtime TO HOUR), {}"
JOIN = "SELECT STREAM o.rowtime, s.orderId FROM ({}) AS o JOIN ({}) AS s ON o.orderId = s.orderId AND o.rowtime = s.rowtime"
SHIPMENTS = GROUPED.format("orderId", "Shipments", "orderId")


def planned(planning: Planning, sql: str) -> tuple[bool, bool, int]:
    """Returns whether duplicates on the left and on the right of the join count once, and the number of aggregations."""
    plan = planning.plan(sql)["plan"]
    (found,) = nodes(plan, "interval_join")
    return found["leftDistinct"], found["rightDistinct"], len(nodes(plan, "aggregate"))


@pytest.mark.parametrize(
    "orders",
    [
        GROUPED.format("orderId", "Orders", "orderId"),
        "SELECT STREAM DISTINCT FLOOR(rowtime TO HOUR) AS rowtime, orderId FROM Orders",
        "SELECT STREAM TUMBLE_START(rowtime, INTERVAL '10' SECOND) AS rowtime, orderId FROM Orders "
        "GROUP BY orderId, TUMBLE(rowtime, INTERVAL '10' SECOND)",
        "SELECT STREAM rowtime, 1 AS i, orderId FROM ("
        + GROUPED.format("orderId", "Orders", "orderId")
        + ") WHERE orderId > 5",
    ],
)
def test_the_join_drops_duplicates(planning: Planning, orders: str) -> None:
    shipments = orders.replace("Orders", "Shipments")
    assert planned(planning, JOIN.format(orders, shipments)) == (True, True, 0)


@pytest.mark.parametrize(
    "orders",
    [
        # They are counted.
        GROUPED.format("orderId, COUNT(*) AS c", "Orders", "orderId"),
        # Rows that differ look alike above.
        GROUPED.format("orderId", "Orders", "orderId, units"),
        # Equal numbers may be other bytes.
        GROUPED.format(
            "orderId, w", "(SELECT STREAM rowtime, orderId, CAST(units AS DOUBLE) AS w FROM Orders)", "orderId, w"
        ),
    ],
)
def test_the_aggregation_stays(planning: Planning, orders: str) -> None:
    assert planned(planning, JOIN.format(orders, SHIPMENTS)) == (False, True, 1)


def test_windows_of_rows_count_groups(planning: Planning) -> None:
    orders = GROUPED.format("orderId", "Orders", "orderId")
    sql = (
        f"WITH o AS ({orders}), s AS ({SHIPMENTS}) SELECT STREAM o.orderId FROM o OVER (ROWS CURRENT ROW) AS o "
        "JOIN s OVER (ROWS CURRENT ROW) AS s ON o.orderId = s.orderId"
    )
    assert planned(planning, sql) == (False, False, 2)


def test_all_columns_say_which_rows_are_equal(planning: Planning) -> None:
    orders = GROUPED.format("orderId, units", "Orders", "orderId, units")
    (found,) = nodes(planning.plan(JOIN.format(orders, SHIPMENTS))["plan"], "interval_join")
    assert found["reads"] == [[0, 1, 2], [0, 1]]
