"""Which column is the clock of a query, and what LATENESS, WATERMARK and MONOTONIC make of columns (seed 000)."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

from rowtime.plan.rex_text import rex_text

PICKUP = """CREATE TABLE pickup ("WHEN" TIMESTAMP NOT NULL LATENESS INTERVAL '1:00' HOURS TO MINUTES, place VARCHAR)"""
SAMPLES = """CREATE STREAM samples (
    sensor INTEGER, taken TIMESTAMP NOT NULL LATENESS INTERVAL '1' MINUTE, number BIGINT NOT NULL MONOTONIC)"""


@pytest.fixture
def planning(planning: Any) -> Any:
    planning.plan(PICKUP)
    planning.plan(SAMPLES)
    return planning


def nodes(plan: dict[str, Any]) -> Iterator[dict[str, Any]]:
    yield plan
    for child in plan["inputs"]:
        yield from nodes(child)


def only(plan: dict[str, Any], op: str) -> dict[str, Any]:
    (found,) = [node for node in nodes(plan) if node["op"] == op]
    return found


def test_a_stream_goes_by_rowtime(planning: Any) -> None:
    plan = planning.plan("SELECT STREAM FLOOR(rowtime TO HOUR), COUNT(*) FROM samples GROUP BY FLOOR(rowtime TO HOUR)")
    assert only(plan["plan"], "scan")["bound"] == "ROWTIME"


def test_a_query_that_groups_by_another_time_goes_by_that(planning: Any) -> None:
    plan = planning.plan("SELECT STREAM FLOOR(taken TO HOUR), COUNT(*) FROM samples GROUP BY FLOOR(taken TO HOUR)")
    assert plan["notSupported"] == []
    assert only(plan["plan"], "scan")["bound"] == "TAKEN"
    assert only(plan["plan"], "aggregate")["closes"] is not None
    assert only(plan["plan"], "aggregate")["state"]["retention"] == "PT1H1M"


def test_each_source_of_a_query_may_bring_a_clock_of_its_own(planning: Any) -> None:
    sql = """SELECT STREAM FLOOR(rowtime TO HOUR) AS h, COUNT(*) AS n FROM samples GROUP BY FLOOR(rowtime TO HOUR)
        UNION ALL SELECT STREAM FLOOR(taken TO HOUR), COUNT(*) FROM samples GROUP BY FLOOR(taken TO HOUR)"""
    plan = planning.plan(sql)
    assert [node["bound"] for node in nodes(plan["plan"]) if node["op"] == "scan"] == ["ROWTIME", "TAKEN"]
    assert plan["notSupported"] == []


CLOSINGS = {
    "number": "K",
    "number / 10": "CASE WHEN K >= 0 THEN K * 10 + 9 ELSE K * 10 END",
    "number / -10": "CASE WHEN K <= 0 THEN K * -10 + 9 ELSE K * -10 END",
    "-3 * number + 1": "(K - 1) / -3",
    "5 - number": "5 - K",
    "CAST(number AS BIGINT) * 2": "K / 2",
}
"""The last number of each key in the group of K."""


@pytest.mark.parametrize("key", CLOSINGS)
def test_a_number_is_a_clock(planning: Any, key: str) -> None:
    plan = planning.plan(f"SELECT STREAM {key} AS k, COUNT(*) AS c FROM samples GROUP BY {key}")
    assert plan["notSupported"] == []
    assert only(plan["plan"], "scan")["bound"] == "NUMBER"
    aggregate = only(plan["plan"], "aggregate")
    assert aggregate["rowtime"] is None
    last = f"TIMES_INTERVAL(INTERVAL '0.001' SECOND, {CLOSINGS[key]})"
    closes = f"TIMESTAMP '1970-01-01 00:00:00.000' + {last} + INTERVAL '0.001' SECOND"
    assert rex_text(aggregate["closes"], ["K"]) == closes


@pytest.mark.parametrize(
    ("key", "closes"),
    [
        (
            "EXTRACT(YEAR FROM rowtime)",
            "TIMESTAMP '1970-01-01 00:00:00.000' + TIMES_INTERVAL(INTERVAL '1' YEAR, K - 1969)",
        ),
        (
            "EXTRACT(EPOCH FROM rowtime)",
            "TIMESTAMP '1970-01-01 00:00:00.000' + TIMES_INTERVAL(INTERVAL '1' SECOND, K + 1)",
        ),
        ("CAST(rowtime AS DATE)", "CAST(K AS TIMESTAMP(3)) + INTERVAL '1' DAY"),
    ],
)
def test_a_part_of_the_time_is_over_with_it(planning: Any, key: str, closes: str) -> None:
    plan = planning.plan(f"SELECT STREAM {key} AS k, COUNT(*) AS c FROM samples GROUP BY {key}")
    aggregate = only(plan["plan"], "aggregate")
    assert plan["notSupported"] == [] and only(plan["plan"], "scan")["bound"] == "ROWTIME"
    assert rex_text(aggregate["closes"], ["K"]) == closes


@pytest.mark.parametrize("key", ["number + EXTRACT(YEAR FROM rowtime)", "number / 10 + number"])
def test_what_cannot_be_undone_is_no_clock(planning: Any, key: str) -> None:
    plan = planning.plan(f"SELECT STREAM {key} AS k, COUNT(*) FROM samples GROUP BY {key}")
    assert plan["notSupported"] == [
        "grouping a stream by a monotonic expression that cannot be traced back to the clock of its rows"
    ]


def test_one_query_has_one_clock(planning: Any) -> None:
    sql = """SELECT STREAM FLOOR(rowtime TO HOUR) AS rowtime, SUM(c) FROM (
        SELECT STREAM number, rowtime, COUNT(*) AS c FROM samples GROUP BY number, rowtime)
        GROUP BY FLOOR(rowtime TO HOUR)"""
    assert only(planning.plan(sql)["plan"], "scan")["bound"] == "ROWTIME"


def test_a_table_is_a_stream_by_its_lateness(planning: Any) -> None:
    plan = planning.plan(
        """SELECT STREAM FLOOR("WHEN" TO HOUR) AS h, COUNT(*) FROM pickup GROUP BY FLOOR("WHEN" TO HOUR)"""
    )
    scan = only(plan["plan"], "scan")
    assert (scan["mode"], scan["bound"], scan["rowtime"]) == ("stream", "WHEN", None)
    assert scan["fields"][0]["disorder"] == "PT1H"
    assert plan["plan"]["rowtime"] == "H"


def test_a_union_gives_in_order_what_came_out_of_order(planning: Any) -> None:
    planning.plan("CREATE STREAM late (rowtime TIMESTAMP LATENESS INTERVAL '1' HOUR, x INTEGER)")
    sql = "SELECT STREAM rowtime, x FROM late UNION ALL SELECT STREAM rowtime, sensor FROM samples"
    plan = planning.plan(sql)
    assert "disorder" not in plan["fields"][0]
    assert plan["fields"][0]["monotonicity"] == "INCREASING"


def test_lateness_of_a_view_makes_its_column_a_clock(planning: Any) -> None:
    planning.plan("CREATE VIEW shifted AS SELECT sensor, rowtime + INTERVAL '1' SECOND * number AS due FROM samples")
    planning.plan("LATENESS shifted.due INTERVAL '10' MINUTE")
    sql = "SELECT STREAM FLOOR(due TO HOUR) AS h, COUNT(*) FROM shifted GROUP BY FLOOR(due TO HOUR)"
    plan = planning.plan(sql)
    assert plan["notSupported"] == []
    assert only(plan["plan"], "lateness")["bound"] == "DUE"
    assert only(plan["plan"], "scan")["bound"] is None
    assert only(plan["plan"], "aggregate")["state"]["retention"] == "PT1H10M"


def test_lateness_does_nothing_to_rows_that_are_there(planning: Any) -> None:
    planning.plan("CREATE STREAM kept (x INTEGER) OPTIONS (history 'all')")
    planning.plan("CREATE VIEW v AS SELECT rowtime AS r, x FROM kept")
    planning.plan("LATENESS v.x 5")
    assert [node["op"] for node in nodes(planning.plan("SELECT x FROM v")["plan"]) if node["op"] == "lateness"] == []


@pytest.mark.parametrize(
    ("type", "clause", "value"),
    [
        ("TIMESTAMP", "INTERVAL '1:00' HOURS TO MINUTES", {"millis": 3_600_000}),
        ("TIMESTAMP", "INTERVAL 1 HOUR", {"millis": 3_600_000}),
        ("DATE", "INTERVAL '2' DAY", {"millis": 172_800_000}),
        ("BIGINT", "2 * 50", {"number": "100"}),
        ("DECIMAL(10, 2)", "0.25", {"number": "0.25"}),
    ],
)
def test_what_a_lateness_amounts_to_is_in_the_catalog(planning: Any, type: str, clause: str, value: object) -> None:
    reply = planning.reply(f"CREATE TABLE t (c {type} LATENESS {clause} WATERMARK {clause})")
    (column,) = reply["statement"]["changes"][0]["object"]["columns"]
    assert (column["latenessValue"], column["watermarkValue"]) == (value, value)


@pytest.mark.parametrize("amount", ["-1", "1 - 2"])
def test_a_negative_lateness_is_refused(planning: Any, amount: str) -> None:
    (found,) = planning.reply(f"CREATE TABLE t (c BIGINT LATENESS {amount})")["diagnostics"]
    assert found["code"] == "RT0307"
