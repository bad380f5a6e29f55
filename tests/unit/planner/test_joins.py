"""Joins of two streams: how far apart conditions and windows let matching rows be, and whose ROWTIME the rows have."""

from __future__ import annotations

import pytest

from .conftest import Planning, nodes

MINUTE = 60_000
FROM = "FROM Orders AS o JOIN Shipments AS s ON o.orderId = s.orderId AND"


def join(planning: Planning, sql: str) -> dict:
    (found,) = nodes(planning.plan(sql)["plan"], "interval_join")
    return found


@pytest.mark.parametrize(
    ("condition", "least", "most"),
    [
        ("s.rowtime BETWEEN o.rowtime AND o.rowtime + INTERVAL '10' MINUTE", 0, 10 * MINUTE),
        ("s.rowtime >= o.rowtime AND (s.rowtime - o.rowtime) MINUTE < INTERVAL '10' MINUTE", 0, 10 * MINUTE - 1),
        ("o.rowtime <= s.rowtime AND o.rowtime >= s.rowtime - INTERVAL '10' MINUTE", 0, 10 * MINUTE),
        (
            "(o.rowtime - s.rowtime) SECOND BETWEEN INTERVAL -'3' MINUTE AND INTERVAL '2' MINUTE",
            -2 * MINUTE,
            3 * MINUTE,
        ),
        ("s.rowtime > o.rowtime AND s.rowtime < o.rowtime + INTERVAL '1' SECOND", 1, 999),
        ("s.rowtime = o.rowtime", 0, 0),
        ("s.rowtime = o.rowtime + INTERVAL '1' HOUR", 60 * MINUTE, 60 * MINUTE),
        ("CEIL(s.rowtime TO HOUR) >= o.rowtime AND s.rowtime <= o.rowtime", 1 - 60 * MINUTE, 0),
        (
            "FLOOR(s.rowtime TO HOUR) = FLOOR(o.rowtime TO HOUR) + INTERVAL '1' HOUR",
            1,
            120 * MINUTE - 1,
        ),
        ("NOT (s.rowtime < o.rowtime) AND NOT (o.rowtime < s.rowtime - INTERVAL '1' MINUTE)", 0, MINUTE),
        ("NOT (s.rowtime NOT BETWEEN o.rowtime AND o.rowtime + INTERVAL '1' MINUTE)", 0, MINUTE),
        (
            "(s.rowtime = o.rowtime OR s.rowtime BETWEEN o.rowtime + INTERVAL '2' MINUTE AND o.rowtime + INTERVAL '3' MINUTE)",
            0,
            3 * MINUTE,
        ),
        ("s.rowtime IN (o.rowtime, o.rowtime + INTERVAL '5' MINUTE)", 0, 5 * MINUTE),
        ("s.rowtime BETWEEN SYMMETRIC o.rowtime AND o.rowtime - INTERVAL '1' MINUTE", -MINUTE, 0),
        ("PERIOD (o.rowtime, o.rowtime + INTERVAL '1' MINUTE) CONTAINS s.rowtime", 0, MINUTE),
        ("(o.rowtime, INTERVAL '1' MINUTE) OVERLAPS (s.rowtime, INTERVAL '2' MINUTE)", -2 * MINUTE, MINUTE),
        ("TIMESTAMPDIFF(SECOND, o.rowtime, s.rowtime) BETWEEN 1 AND 10", 1000, 10_999),
        ("TIMESTAMPDIFF(MINUTE, s.rowtime, o.rowtime) = 0", 1 - MINUTE, MINUTE - 1),
        ("ABS(TIMESTAMPDIFF(SECOND, o.rowtime, s.rowtime)) < 60", 1 - MINUTE, MINUTE - 1),
        ("s.rowtime BETWEEN o.rowtime AND o.rowtime + INTERVAL '2' MONTH", 0, 62 * 1440 * MINUTE),
        ("s.rowtime BETWEEN TIMESTAMPADD(MONTH, -1, o.rowtime) AND o.rowtime", -31 * 1440 * MINUTE, 0),
        ("YEAR(s.rowtime) = YEAR(o.rowtime)", 1 - 366 * 1440 * MINUTE, 366 * 1440 * MINUTE - 1),
        (
            "YEAR(s.rowtime) = YEAR(o.rowtime) AND MONTH(o.rowtime) = MONTH(s.rowtime)",
            1 - 31 * 1440 * MINUTE,
            31 * 1440 * MINUTE - 1,
        ),
    ],
)
def test_conditions_bound_the_time_between_rows(planning: Planning, condition: str, least: int, most: int) -> None:
    # By the ROWTIME of the left row, which is there at that time alone.
    found = join(planning, f"SELECT STREAM o.rowtime, s.weight {FROM} {condition}")
    assert found["leftInterval"] == {"from": 0, "to": 0, "rows": None}
    assert found["rightInterval"] == {"from": -most, "to": -least, "rows": None}
    assert found["rowtime"] == "ROWTIME"


HOUR = {"fn": "FLOOR", "millis": 60 * MINUTE, "offset": 0}


@pytest.mark.parametrize(
    ("condition", "least", "most", "window", "retention"),
    [
        ("FLOOR(s.rowtime TO HOUR) = FLOOR(o.rowtime TO HOUR)", 1 - 60 * MINUTE, 60 * MINUTE - 1, HOUR, "PT1H"),
        # The shortest of them; and what else is said of the times.
        (
            "FLOOR(s.rowtime TO HOUR) = FLOOR(o.rowtime TO HOUR) AND FLOOR(o.rowtime TO DAY) = FLOOR(s.rowtime TO DAY) "
            "AND s.rowtime BETWEEN o.rowtime AND o.rowtime + INTERVAL '10' MINUTE",
            0,
            10 * MINUTE,
            HOUR,
            "PT10M",
        ),
        (
            "CEIL(s.rowtime - INTERVAL '1' MINUTE TO HOUR) = CEIL(o.rowtime - INTERVAL '1' MINUTE TO HOUR)",
            1 - 60 * MINUTE,
            60 * MINUTE - 1,
            {**HOUR, "offset": MINUTE + 1},
            "PT1H",
        ),
        (
            "FLOOR(s.rowtime TO MONTH) = FLOOR(o.rowtime TO MONTH)",
            1 - 31 * 1440 * MINUTE,
            31 * 1440 * MINUTE - 1,
            {"fn": "FLOOR", "unit": "MONTH"},
            "PT744H",
        ),
    ],
)
def test_equal_windows(planning: Planning, condition: str, least: int, most: int, window: dict, retention: str) -> None:
    found = join(planning, f"SELECT STREAM o.rowtime, s.weight {FROM} {condition}")
    assert found["leftInterval"] == {"from": 0, "to": 0, "rows": None}
    assert found["rightInterval"] == {"from": -most, "to": -least, "rows": None, "window": window}
    assert found["state"]["retention"] == retention


def test_rows_of_equal_windows_are_in_order_of_their_windows(planning: Planning) -> None:
    tumbled = [f"TUMBLE(TABLE {name}, DESCRIPTOR(rowtime), INTERVAL '5' MINUTE)" for name in ("Orders", "Shipments")]
    found = join(
        planning,
        f"SELECT STREAM o.window_end AS rowtime, o.units FROM {tumbled[0]} AS o JOIN {tumbled[1]} AS s "
        "ON o.orderId = s.orderId AND o.window_start = s.window_start AND o.window_end = s.window_end",
    )
    assert found["condition"] is None
    assert len(found["leftKeys"]) == 1
    assert found["clock"] == found["inputs"][0]["clock"] == found["inputs"][1]["clock"] == []
    window = {"fn": "FLOOR", "millis": 5 * MINUTE, "offset": 0}
    stay = {"from": 0, "to": 5 * MINUTE - 1, "rows": None, "window": window}
    assert found["leftInterval"] == found["rightInterval"] == stay


@pytest.mark.parametrize(
    ("selected", "left", "right", "ahead"),
    [
        ("o.rowtime", (0, 0), (-10, 0), 10),
        ("s.rowtime", (0, 10), (0, 0), 0),
        ("o.units", (0, 10), (0, 0), 0),
        ("s.rowtime + INTERVAL '1' MINUTE AS rowtime", (0, 10), (0, 0), 0),
        ("s.rowtime AS shipped, o.rowtime", (0, 0), (-10, 0), 10),
        ("COUNT(*) OVER (ORDER BY o.rowtime RANGE INTERVAL '1' HOUR PRECEDING) AS c", (0, 0), (-10, 0), 10),
        ("FLOOR(o.rowtime TO HOUR) AS rowtime, COUNT(*) AS c", (0, 0), (-10, 0), 10),
    ],
)
def test_the_query_says_whose_rowtime(
    planning: Planning, selected: str, left: tuple[int, int], right: tuple[int, int], ahead: int
) -> None:
    by = " GROUP BY FLOOR(o.rowtime TO HOUR)" if "FLOOR" in selected else ""
    found = join(
        planning,
        f"SELECT STREAM {selected} {FROM} s.rowtime BETWEEN o.rowtime AND o.rowtime + INTERVAL '10' MINUTE{by}",
    )
    assert found["leftInterval"] == {"from": left[0] * MINUTE, "to": left[1] * MINUTE, "rows": None}
    assert found["rightInterval"] == {"from": right[0] * MINUTE, "to": right[1] * MINUTE, "rows": None}
    # The shipments have to be so much further than the orders for the join to be as far as these.
    assert found["clock"] == found["inputs"][0]["clock"] == []
    assert found["inputs"][1]["clock"] == ([{"fn": "SHIFT", "millis": ahead * MINUTE}] if ahead else [])
    assert found["state"]["retention"] == "PT10M"


def test_conditions_of_where_are_the_joins(planning: Planning) -> None:
    found = join(
        planning,
        "SELECT STREAM o.rowtime, s.weight FROM Orders o, Shipments s WHERE o.units > 5 AND o.orderId = s.orderId "
        "AND s.rowtime BETWEEN o.rowtime AND o.rowtime + INTERVAL '1' HOUR AND s.weight <> CAST(o.productId AS DOUBLE)",
    )
    assert len(found["leftKeys"]) == len(found["rightKeys"]) == 1
    # What reads both sides stays with the join; what reads one is below it; the times are in the intervals.
    assert found["condition"]["op"] == "<>"
    assert found["inputs"][0]["op"] == "filter"


def test_windows_say_when_rows_are_there(planning: Planning) -> None:
    found = join(
        planning,
        "SELECT STREAM o.units FROM Orders OVER (RANGE BETWEEN INTERVAL '2' MINUTE PRECEDING AND INTERVAL '1' MINUTE "
        "FOLLOWING) AS o JOIN Shipments OVER (RANGE INTERVAL '5' MINUTE FOLLOWING) AS s ON o.orderId = s.orderId",
    )
    assert found["leftInterval"] == {"from": -MINUTE, "to": 2 * MINUTE, "rows": None}
    assert found["rightInterval"] == {"from": -5 * MINUTE, "to": 0, "rows": None}
    assert found["clock"] == [{"fn": "SHIFT", "millis": -MINUTE}]
    assert found["inputs"][1]["clock"] == [{"fn": "SHIFT", "millis": 4 * MINUTE}]
    assert found["rowtime"] is None


def test_numbers_of_two_types_are_keys(planning: Planning) -> None:
    found = join(
        planning,
        "SELECT STREAM o.rowtime, s.weight FROM Orders o JOIN Shipments s "
        "ON CAST(o.orderId AS BIGINT) = s.orderId AND o.rowtime = s.rowtime",
    )
    assert [key["type"] for key in (*found["leftKeys"], *found["rightKeys"])] == ["BIGINT", "BIGINT"]
    assert found["condition"] is None


def test_a_target_changes_nothing(planning: Planning) -> None:
    # Alone, the hour would allow for more than the minute does.
    query = (
        f"SELECT STREAM o.rowtime, o.orderId, s.weight {FROM} FLOOR(s.rowtime TO HOUR) = FLOOR(o.rowtime TO HOUR) "
        "AND s.rowtime BETWEEN o.rowtime AND o.rowtime + INTERVAL '1' MINUTE"
    )
    alone = join(planning, query)
    into = join(planning, f"INSERT INTO Shipments (rowtime, orderId, weight) {query}")
    assert alone["rightInterval"] == {"from": -MINUTE, "to": 0, "rows": None, "window": HOUR}
    assert into["rightInterval"] == alone["rightInterval"]
    assert into["leftKeys"] == alone["leftKeys"]
    assert len(into["leftKeys"]) == 1


@pytest.mark.parametrize(
    ("sql", "words"),
    [
        (
            "SELECT STREAM * FROM Orders OVER (RANGE INTERVAL '1' HOUR PRECEDING) AS o JOIN Shipments AS s "
            "ON o.orderId = s.orderId",
            "PT1H behind",
        ),
        (
            f"SELECT STREAM s.rowtime, o.units {FROM.replace(' JOIN', ' LEFT JOIN')} s.rowtime = o.rowtime",
            "is NULL in unmatched rows",
        ),
        (
            f"SELECT STREAM o.units + 1 AS rowtime {FROM} s.rowtime = o.rowtime",
            "the expression given",
        ),
        (
            "SELECT STREAM s.rowtime, COUNT(*) OVER (ORDER BY o.rowtime RANGE INTERVAL '1' HOUR PRECEDING) AS c "
            f"{FROM} s.rowtime BETWEEN o.rowtime AND o.rowtime + INTERVAL '10' MINUTE",
            "PT10M behind",
        ),
        (
            "SELECT STREAM o.rowtime FROM Orders OVER (ROWS CURRENT ROW) AS o JOIN Shipments AS s ON o.orderId = s.orderId",
            "window of ROWS",
        ),
    ],
)
def test_rowtime_must_be_in_order(planning: Planning, sql: str, words: str) -> None:
    (found,) = planning.errors(sql)
    assert found["code"] == "RT0209"
    assert words in found["message"]
    assert "AS ordered_at" in found["hint"]


def test_rows_and_a_range_that_spans_time_do_not_go_together(planning: Planning) -> None:
    (found,) = planning.errors(
        "SELECT STREAM o.units FROM Orders OVER (ROWS 3 PRECEDING) AS o"
        " JOIN Shipments OVER (RANGE INTERVAL '1' MINUTE FOLLOWING) AS s ON o.orderId = s.orderId"
    )
    assert found["code"] == "RT0900"
    assert "several ROWS beside one of RANGE" in found["message"]


def test_texts_of_two_lengths_are_keys(planning: Planning) -> None:
    planning.plan("CREATE STREAM a_texts (name VARCHAR(3))")
    planning.plan("CREATE STREAM b_texts (name VARCHAR(8))")
    found = join(
        planning, "SELECT STREAM a.name FROM a_texts a JOIN b_texts b ON a.name = b.name AND a.rowtime = b.rowtime"
    )
    assert [key["type"] for key in (*found["leftKeys"], *found["rightKeys"])] == ["VARCHAR(8)"] * 2
    assert found["condition"] is None
