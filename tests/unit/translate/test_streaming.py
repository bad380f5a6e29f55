"""Streaming plans on Spark: what comes out in which step."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from folder_stream import Folders, Running

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

ORDERS = "CREATE STREAM Orders (productId INTEGER, units INTEGER)"
SHIPMENTS = "CREATE STREAM Shipments (productId INTEGER, units INTEGER)"


def order(time: str, product: int = 10, units: int | None = 1) -> dict[str, Any]:
    return {"ROWTIME": time, "PRODUCTID": product, "UNITS": units}


@pytest.fixture
def run(session: SparkSession, catalog: Any, tmp_path: Path) -> Iterator[Callable[[str], Running]]:
    """Plans and starts a query over ORDERS and SHIPMENTS; its first step sets the bounds to 9:00."""
    catalog.ddl(ORDERS)
    catalog.ddl(SHIPMENTS)
    started: list[Running] = []

    def start(sql: str) -> Running:
        folders = Folders(session, tmp_path / "streams")
        for source in ("ORDERS", "SHIPMENTS"):
            folders.step(source, bound="09:00:00")
        query = Running(folders, catalog.plan(sql), tmp_path / "checkpoint")
        query.query.processAllAvailable()
        started.append(query)
        return query

    yield start
    for query in started:
        query.stop()


def test_a_group_comes_out_when_the_bound_reaches_its_end(run):
    query = run(
        "SELECT STREAM FLOOR(rowtime TO HOUR) AS rowtime, productId, COUNT(*) AS c, SUM(units) AS units "
        "FROM Orders GROUP BY FLOOR(rowtime TO HOUR), productId"
    )
    assert query.step("ORDERS", [order("10:00:00", 10, 2), order("10:30:00", 20, 5)], "10:30:00") == []
    assert query.step("ORDERS", [order("10:59:59.999", 10, 3)], "10:59:59.999") == []
    # the row at the end of the window closes it, and is not in it
    rows = query.step("ORDERS", [order("11:00:00", 10, 7)], "11:00:00")
    assert sorted(rows) == [("10:00:00", "10", "2", "5"), ("10:00:00", "20", "1", "5")]
    # a row equal to the bound is not late
    assert query.step("ORDERS", [order("11:00:00", 10, 1)], "11:00:00.001") == []
    query.restart()
    assert query.step("ORDERS", [order("11:00:00.001", 10, 1)], "11:30:00") == []
    assert query.step("ORDERS", bound="12:00:00") == [("11:00:00", "10", "3", "9")]


def test_an_aggregation_above_another(run):
    query = run(
        "SELECT STREAM FLOOR(rowtime TO DAY) AS rowtime, SUM(c) AS c, MAX(units) AS units FROM ("
        "SELECT STREAM FLOOR(rowtime TO HOUR) AS rowtime, productId, COUNT(*) AS c, SUM(units) AS units "
        "FROM Orders GROUP BY FLOOR(rowtime TO HOUR), productId) GROUP BY FLOOR(rowtime TO DAY)"
    )
    query.step("ORDERS", [order("10:00:00", 10, 2), order("10:30:00", 10, 5)], "11:00:00")
    query.restart()
    assert query.step("ORDERS", [order("23:59:59.999", 20, 1)], "23:59:59.999") == []
    assert query.step("ORDERS", bound="2015-02-16 00:00:00") == [("00:00:00", "3", "7")]


def test_a_finer_window_above_a_coarser_one(run):
    """A minute of an hour's start is complete only when the next hour begins."""
    query = run(
        "SELECT STREAM FLOOR(rowtime TO MINUTE) AS rowtime, SUM(c) AS c FROM ("
        "SELECT STREAM FLOOR(rowtime TO HOUR) AS rowtime, productId, COUNT(*) AS c "
        "FROM Orders GROUP BY FLOOR(rowtime TO HOUR), productId) GROUP BY FLOOR(rowtime TO MINUTE)"
    )
    assert query.step("ORDERS", [order("10:00:00", 10), order("10:30:00", 20)], "10:59:00") == []
    assert query.step("ORDERS", bound="11:00:00") == [("10:00:00", "2")]
    assert query.step("ORDERS", [order("11:00:00", 10)], "12:00:00") == [("11:00:00", "1")]


def test_ceil_includes_its_end(run):
    query = run(
        "SELECT STREAM CEIL(rowtime TO HOUR) AS rowtime, COUNT(*) AS c FROM Orders GROUP BY CEIL(rowtime TO HOUR)"
    )
    rows = [order("10:00:00"), order("10:00:00.001"), order("10:30:00")]
    assert query.step("ORDERS", rows, "10:30:00") == [("10:00:00", "1")]
    assert query.step("ORDERS", [order("11:00:00")], "11:00:00") == []
    assert query.step("ORDERS", bound="11:00:00.001") == [("11:00:00", "3")]


def test_groups_of_an_instant(run):
    query = run("SELECT STREAM rowtime, COUNT(*) AS c FROM Orders GROUP BY rowtime")
    assert query.step("ORDERS", [order("10:00:00"), order("10:00:00")], "10:00:00") == []
    assert query.step("ORDERS", [order("10:00:00"), order("10:00:05")], "10:00:00.001") == [("10:00:00", "3")]
    assert query.step("ORDERS", bound="10:00:06") == [("10:00:05", "1")]


def test_calendar_units_and_weeks(run):
    query = run(
        "SELECT STREAM FLOOR(rowtime TO MONTH) AS m, COUNT(*) AS c FROM Orders GROUP BY FLOOR(rowtime TO MONTH)"
    )
    assert query.step("ORDERS", [order("10:00:00")], "2015-02-28 23:59:59.999") == []
    assert query.step("ORDERS", bound="2015-03-01 00:00:00") == [("2015-02-01 00:00:00", "1")]


def test_tumble_with_an_offset(run):
    query = run(
        "SELECT STREAM TUMBLE_START(rowtime, INTERVAL '1' HOUR, TIME '00:12:00') AS s, "
        "TUMBLE_END(rowtime, INTERVAL '1' HOUR, TIME '00:12:00') AS e, COUNT(*) AS c "
        "FROM Orders GROUP BY TUMBLE(rowtime, INTERVAL '1' HOUR, TIME '00:12:00')"
    )
    assert query.step("ORDERS", [order("10:11:59.999"), order("10:12:00")], "10:12:00") == [
        ("09:12:00", "10:12:00", "1")
    ]
    assert query.step("ORDERS", bound="11:12:00") == [("10:12:00", "11:12:00", "1")]


def test_distinct_filter_and_averages(run):
    query = run(
        "SELECT STREAM FLOOR(rowtime TO HOUR) AS rowtime, COUNT(DISTINCT productId) AS p, SUM(DISTINCT units) AS s, "
        "COUNT(*) FILTER (WHERE units > 2) AS many, AVG(units) AS a, COUNT(units) AS known "
        "FROM Orders GROUP BY FLOOR(rowtime TO HOUR)"
    )
    rows = [order("10:00:00", 10, 1), order("10:01:00", 10, 4), order("10:02:00", 20, 4), order("10:03:00", 20, None)]
    assert query.step("ORDERS", rows, "10:30:00") == []
    query.restart()
    assert query.step("ORDERS", [order("10:40:00", 20, 1)], "11:00:00") == [
        ("10:00:00", "2", "5", "2", "2.500000", "4")
    ]


def test_select_distinct(run):
    query = run("SELECT STREAM DISTINCT FLOOR(rowtime TO HOUR) AS rowtime, productId FROM Orders")
    query.step("ORDERS", [order("10:00:00"), order("10:01:00"), order("10:02:00", 20)], "10:30:00")
    assert sorted(query.step("ORDERS", bound="11:00:00")) == [("10:00:00", "10"), ("10:00:00", "20")]


def test_having_and_projection_above(run):
    query = run(
        "SELECT STREAM FLOOR(rowtime TO HOUR) AS rowtime, productId, SUM(units) * 2 AS twice FROM Orders "
        "GROUP BY FLOOR(rowtime TO HOUR), productId HAVING COUNT(*) > 1 OR SUM(units) > 5"
    )
    query.step("ORDERS", [order("10:00:00", 10, 1), order("10:01:00", 10, 1), order("10:02:00", 20, 1)], "10:30:00")
    assert query.step("ORDERS", [order("10:40:00", 30, 6)], "11:00:00") == [
        ("10:00:00", "10", "4"),
        ("10:00:00", "30", "12"),
    ] or sorted(query.batches[0]) == [("10:00:00", "10", "4"), ("10:00:00", "30", "12")]


def test_filter_and_projection_keep_the_order_of_arrival(run):
    query = run("SELECT STREAM productId, units FROM Orders WHERE units > 1")
    rows = [order("10:02:00", 1, 5), order("10:01:00", 2, 1), order("10:01:00", 3, 2), order("10:01:00", 4, 2)]
    # ROWTIME is not listed, and orders the rows all the same
    assert query.step("ORDERS", rows, "10:30:00") == [("3", "2"), ("4", "2"), ("1", "5")]


def test_union_merges_by_rowtime(run):
    query = run(
        "SELECT STREAM rowtime, productId FROM Orders UNION ALL SELECT STREAM rowtime, productId FROM Shipments"
    )
    assert query.step("ORDERS", [order("10:00:00", 1), order("10:06:00", 2)], "10:06:00") == []
    assert query.step("SHIPMENTS", [order("10:02:00", 3), order("10:04:00", 4)], "10:04:00") == [
        ("10:00:00", "1"),
        ("10:02:00", "3"),
        ("10:04:00", "4"),
    ]
    assert query.step("SHIPMENTS", bound="10:06:00") == [("10:06:00", "2")]


def test_union_of_windows_and_windows_of_unions(run):
    query = run(
        "SELECT STREAM FLOOR(rowtime TO HOUR) AS rowtime, COUNT(*) AS c FROM ("
        "SELECT STREAM rowtime, productId FROM Orders UNION ALL SELECT STREAM rowtime, productId FROM Shipments) "
        "GROUP BY FLOOR(rowtime TO HOUR)"
    )
    query.step("ORDERS", [order("10:00:00", 1), order("11:06:00", 2)], "12:06:00")
    assert query.step("SHIPMENTS", [order("10:02:00", 3)], "10:59:00") == []
    assert query.step("SHIPMENTS", bound="11:00:00") == [("10:00:00", "2")]


def test_time_sort(run):
    query = run("SELECT STREAM rowtime, productId FROM Orders ORDER BY FLOOR(rowtime TO HOUR), productId DESC")
    rows = [order("10:00:00", 1), order("10:30:00", 3), order("10:40:00", 2)]
    assert query.step("ORDERS", rows, "10:59:00") == []
    assert query.step("ORDERS", [order("11:00:00", 9)], "11:00:00") == [
        ("10:30:00", "3"),
        ("10:40:00", "2"),
        ("10:00:00", "1"),
    ]


def test_a_shifted_rowtime(run):
    query = run(
        "SELECT STREAM FLOOR(rowtime TO HOUR) AS rowtime, COUNT(*) AS c FROM ("
        "SELECT STREAM rowtime + INTERVAL '10' MINUTE AS rowtime, productId FROM Orders) "
        "GROUP BY FLOOR(rowtime TO HOUR)"
    )
    assert query.step("ORDERS", [order("10:00:00"), order("10:49:59.999")], "10:49:59.999") == []
    assert query.step("ORDERS", bound="10:50:00") == [("10:00:00", "2")]


def test_no_column_of_a_result_is_tagged_as_event_time(run):
    query = run(
        "SELECT STREAM FLOOR(rowtime TO HOUR) AS rowtime, COUNT(*) AS c FROM Orders GROUP BY FLOOR(rowtime TO HOUR)"
    )
    assert all(f.metadata == {} for f in query.translated.df.schema.fields)


def test_hopping_windows_come_out_one_by_one(run):
    query = run(
        "SELECT STREAM HOP_END(rowtime, INTERVAL '1' HOUR, INTERVAL '7007' SECOND(4)) AS rowtime, COUNT(*) AS c, "
        "SUM(units) AS units FROM Orders GROUP BY HOP(rowtime, INTERVAL '1' HOUR, INTERVAL '7007' SECOND(4))"
    )
    # 7,007 seconds are 1:56:47: the windows that begin at 9:00 and 10:00 hold 10:30, the latter alone 10:56:47
    assert query.step("ORDERS", [order("10:30:00", 10, 2), order("10:56:47", 20, 5)], "10:56:46.999") == []
    assert query.step("ORDERS", bound="10:56:47") == [("10:56:47", "1", "2")]
    query.restart()
    assert query.step("ORDERS", [order("11:10:00", 10, 3)], "11:56:47") == [("11:56:47", "3", "10")]
    assert query.step("ORDERS", bound="12:56:46.999") == []
    assert query.step("ORDERS", bound="12:56:47") == [("12:56:47", "1", "3")]


def test_hop_as_a_table_function_shows_each_row_in_each_window(run):
    query = run(
        "SELECT STREAM rowtime, units, window_start, window_end FROM TABLE(HOP(TABLE Orders, DESCRIPTOR(rowtime), "
        "INTERVAL '30' MINUTE, INTERVAL '1' HOUR))"
    )
    rows = query.step("ORDERS", [order("10:10:00", 10, 2)], "10:10:00")
    assert sorted(rows) == [
        ("10:10:00", "2", "09:30:00", "10:30:00"),
        ("10:10:00", "2", "10:00:00", "11:00:00"),
    ]


def test_panes_give_what_the_rows_of_a_window_give(run):
    hop = "HOP(rowtime, INTERVAL '20' MINUTE, INTERVAL '1' HOUR)"
    query = run(
        f"SELECT STREAM HOP_START(rowtime, INTERVAL '20' MINUTE, INTERVAL '1' HOUR) AS rowtime, productId, COUNT(*), "
        f"COUNT(units), SUM(units), MIN(units), MAX(units), AVG(CAST(units AS DOUBLE)), "
        f"SUM(units) FILTER (WHERE units > 2) FROM Orders WHERE productId < 30 GROUP BY {hop}, productId"
    )
    rows = [
        order("10:05:00", 10, 4),
        order("10:25:00", 10, None),
        order("10:30:00", 10, 1),
        order("10:45:00", 20, 2),
        order("10:50:00", 30, 100),
    ]
    out = query.step("ORDERS", rows, "10:59:59.999")
    query.restart()
    out += query.step("ORDERS", [order("11:10:00", 10, 7)], "11:10:00")
    out += query.step("ORDERS", bound="13:00:00")
    assert sorted(out) == [
        ("09:20:00", "10", "1", "1", "4", "4", "4", "4.0", "4"),
        ("09:40:00", "10", "3", "2", "5", "1", "4", "2.5", "4"),
        ("10:00:00", "10", "3", "2", "5", "1", "4", "2.5", "4"),
        ("10:00:00", "20", "1", "1", "2", "2", "2", "2.0", None),
        ("10:20:00", "10", "3", "2", "8", "1", "7", "4.0", "7"),
        ("10:20:00", "20", "1", "1", "2", "2", "2", "2.0", None),
        ("10:40:00", "10", "1", "1", "7", "7", "7", "7.0", "7"),
        ("10:40:00", "20", "1", "1", "2", "2", "2", "2.0", None),
        ("11:00:00", "10", "1", "1", "7", "7", "7", "7.0", "7"),
    ]


def test_a_session_ends_when_nothing_has_come_for_the_gap(run):
    session = "rowtime, INTERVAL '10' MINUTE"
    query = run(
        f"SELECT STREAM SESSION_END({session}) AS rowtime, SESSION_START({session}) AS began, productId, "
        f"COUNT(*) AS c, SUM(units) AS units FROM Orders GROUP BY SESSION({session}), productId"
    )
    rows = [order("10:00:00", 10, 2), order("10:05:00", 20, 5), order("10:10:00", 10, 3)]
    # 10:10 is exactly ten minutes after 10:00, and of one session with it; 20 may go on at 10:15
    assert query.step("ORDERS", rows, "10:15:00") == []
    assert query.step("ORDERS", bound="10:15:00.001") == [("10:15:00", "10:05:00", "20", "1", "5")]
    query.restart()
    assert query.step("ORDERS", [order("10:20:00", 10, 1)], "10:20:00") == []
    # As rows come in order, this one says as much as a bound.
    out = query.step("ORDERS", [order("10:30:00.001", 10, 7)], "10:30:00")
    assert out == [("10:30:00", "10:00:00", "10", "3", "6")]
    assert query.step("ORDERS", bound="10:30:00.001") == []
    assert query.step("ORDERS", bound="11:00:00") == [("10:40:00.001", "10:30:00.001", "10", "1", "7")]
