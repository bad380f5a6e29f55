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
        # The end of a window says as much as its start.
        "SELECT STREAM TUMBLE_END(rowtime, INTERVAL '10' SECOND) AS rowtime, orderId FROM Orders "
        "GROUP BY orderId, TUMBLE(rowtime, INTERVAL '10' SECOND)",
        "SELECT STREAM FLOOR(rowtime TO HOUR) + INTERVAL '1' HOUR AS rowtime, orderId FROM Orders "
        "GROUP BY FLOOR(rowtime TO HOUR), orderId",
        "SELECT STREAM window_end AS rowtime, orderId FROM TABLE(TUMBLE(TABLE Orders, DESCRIPTOR(rowtime), INTERVAL '1' HOUR)) "
        "GROUP BY window_start, window_end, orderId",
        "SELECT STREAM DISTINCT TIMESTAMPADD(MINUTE, 5, FLOOR(rowtime TO HOUR)) AS rowtime, orderId FROM Orders",
        "SELECT STREAM rowtime, CAST(orderId AS BIGINT) - 1 AS orderId FROM ("
        + GROUPED.format("orderId", "Orders", "orderId")
        + ")",
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
        # So do they here: half of an INTEGER, and times plus a month.
        "SELECT STREAM rowtime, orderId, units / 2 AS half FROM ("
        + GROUPED.format("orderId, units", "Orders", "orderId, units")
        + ")",
        "SELECT STREAM rowtime, orderId, d + INTERVAL '1' MONTH AS m FROM ("
        + GROUPED.format(
            "orderId, d", "(SELECT STREAM rowtime, orderId, CAST(rowtime AS DATE) AS d FROM Orders)", "orderId, d"
        )
        + ")",
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


NOT_LISTED = """
SELECT STREAM o.orderId FROM
  (SELECT STREAM {columns}, orderId FROM {first} GROUP BY {keys}, orderId) AS o
  JOIN (SELECT STREAM {columns}, orderId FROM {second} GROUP BY {keys}, orderId) AS s
  ON o.orderId = s.orderId AND o.w = s.w
"""


@pytest.mark.parametrize(
    ("columns", "keys"),
    [
        ("FLOOR(rowtime TO HOUR) AS w", "FLOOR(rowtime TO HOUR)"),
        ("FLOOR(rowtime TO HOUR) + INTERVAL '1' HOUR AS w", "FLOOR(rowtime TO HOUR)"),
        ("TUMBLE_START(rowtime, INTERVAL '1' HOUR) AS w", "TUMBLE(rowtime, INTERVAL '1' HOUR)"),
        ("TUMBLE_END(rowtime, INTERVAL '1' HOUR) AS w", "TUMBLE(rowtime, INTERVAL '1' HOUR)"),
        ("CEIL(rowtime TO HOUR) AS w", "CEIL(rowtime TO HOUR)"),
    ],
)
def test_the_rowtime_of_a_group_need_not_be_listed(planning: Planning, columns: str, keys: str) -> None:
    sql = NOT_LISTED.format(columns=columns, keys=keys, first="Orders", second="Shipments")
    assert planned(planning, sql) == (True, True, 0)


def test_a_window_of_the_table_function_may_drop_its_start(planning: Planning) -> None:
    windows = "TABLE(TUMBLE(TABLE {}, DESCRIPTOR(rowtime), INTERVAL '1' HOUR))"
    sql = NOT_LISTED.format(
        columns="window_end AS w",
        keys="window_start, window_end",
        first=windows.format("Orders"),
        second=windows.format("Shipments"),
    )
    assert planned(planning, sql) == (True, True, 0)
