"""Top-N: which conditions above a window ask for its first rows, and which do not."""

from __future__ import annotations

import json
from typing import Any

import pytest

from .conftest import Planning, nodes

MINUTE = "FLOOR(rowtime TO MINUTE)"
OF_ORDERS = "SELECT STREAM rowtime, productId FROM orders QUALIFY {}"
NUMBER = f"ROW_NUMBER() OVER (PARTITION BY {MINUTE} ORDER BY price DESC)"
WHOLE = "ROWS BETWEEN UNBOUNDED PRECEDING AND UNBOUNDED FOLLOWING"


def found(planning: Planning, sql: str) -> list[dict[str, Any]]:
    return nodes(planning.plan(sql)["plan"], "top_n")


def limit(planning: Planning, condition: str) -> tuple[str, int] | None:
    top = found(planning, OF_ORDERS.format(condition))
    return (top[0]["function"], top[0]["limit"]) if top else None


@pytest.mark.parametrize(
    ("condition", "most"),
    [
        ("{} <= 3", 3),
        ("{} < 3", 2),
        ("{} = 1", 1),
        ("3 >= {}", 3),
        ("3 > {}", 2),
        ("1 = {}", 1),
        ("{} BETWEEN 1 AND 4", 4),
        ("{} IN (1, 5)", 5),
        (f"{{}} IN ({', '.join(map(str, range(1, 26)))})", 25),
        (f"{{}} IN (NULL, {', '.join(map(str, range(1, 26)))})", 25),
        (f"{{}} IN ({', '.join(map(str, range(1, 26)))}) OR {{}} = 30", 30),
        (f"CAST({{}} AS DECIMAL(20, 1)) IN ({', '.join(f'{n}.5' for n in range(1, 26))})", 25),
        ("{} <= 3 OR {} = 5", 5),
        ("{} <= 2.5", 2),
        ("{} < 2.5", 2),
        ("{} = 1 OR {} = 7", 7),
        ("{} <= 3 AND {} <= 5", 3),
        ("{} <= 3 AND units > 10", 3),
        ("{} <= 3 AND (units > 10 OR price < 5)", 3),
        ("CAST({} AS DECIMAL(20, 0)) <= 3", 3),
        ("{} < 1", 0),
        ("{} <= 0", 0),
        ("{} = -5", 0),
    ],
)
def test_conditions_that_limit_a_rank(planning: Planning, condition: str, most: int) -> None:
    assert limit(planning, condition.replace("{}", NUMBER)) == ("ROW_NUMBER", most)


@pytest.mark.parametrize(
    "condition",
    [
        "{} > 3",
        "{} <> 1",
        "NOT {} <= 3",
        f"{{}} NOT IN ({', '.join(map(str, range(1, 26)))})",
        "{} <= 3 OR units > 10",
        "{} <= units",
        "{} <= 3000000000",
        "MOD({}, 2) = 1",
    ],
)
def test_conditions_that_do_not(planning: Planning, condition: str) -> None:
    assert limit(planning, condition.replace("{}", NUMBER)) is None


@pytest.mark.parametrize(
    "sql",
    [
        f"SELECT STREAM * FROM (SELECT STREAM rowtime, price, {NUMBER} AS n FROM orders) WHERE n <= 3",
        f"SELECT STREAM rowtime FROM (SELECT STREAM rowtime, {NUMBER} - 1 + 1 AS m, {NUMBER} AS n FROM orders) AS t WHERE t.n <= 3",
        f"SELECT STREAM rowtime, price FROM orders WHERE {NUMBER} <= 3",
        f"SELECT STREAM rowtime, {NUMBER} AS n FROM orders QUALIFY n <= 3",
        f"WITH r AS (SELECT STREAM rowtime, {NUMBER} AS n, units FROM orders) SELECT STREAM rowtime FROM r WHERE n <= 3 AND units > 5",
        f"SELECT STREAM rowtime FROM (SELECT STREAM rowtime, n, units FROM (SELECT STREAM rowtime, {NUMBER} AS n, units FROM orders) "
        "WHERE units > 5) WHERE n <= 3",
    ],
)
def test_forms_of_a_query(planning: Planning, sql: str) -> None:
    (top,) = found(planning, sql)
    assert (top["function"], top["limit"]) == ("ROW_NUMBER", 3)
    assert top["state"]["bound"] == "window"
    assert top["state"]["retention"] == "PT1M"
    assert top["needs"] == ["WATERMARK", "STATE_STORE"]
    assert not nodes(planning.plan(sql)["plan"], "window")


def test_a_view(planning: Planning) -> None:
    planning.plan(f"CREATE VIEW ranked AS SELECT STREAM rowtime, price, {NUMBER} AS n FROM orders")
    (top,) = found(planning, "SELECT STREAM rowtime, price FROM ranked WHERE n <= 3")
    assert top["limit"] == 3


@pytest.mark.parametrize(
    ("condition", "order"),
    [
        (f"price = MAX(price) OVER (PARTITION BY {MINUTE} {WHOLE})", "DESC"),
        (f"MIN(units) OVER (PARTITION BY {MINUTE}, productId {WHOLE}) = units", "ASC"),
        (f"units * 2 = MAX(units * 2) OVER (PARTITION BY {MINUTE} {WHOLE}) AND units > 3", "DESC"),
        (f"rowtime = MIN(rowtime) OVER (PARTITION BY {MINUTE} {WHOLE})", "ASC"),
    ],
)
def test_the_best_of_a_window(planning: Planning, condition: str, order: str) -> None:
    (top,) = found(planning, OF_ORDERS.format(condition))
    assert (top["function"], top["limit"], top["ranks"]) == ("RANK", 1, [])
    assert [(key["direction"], key["nulls"]) for key in top["order"]] == [(order, "LAST")]


@pytest.mark.parametrize(
    "condition",
    [
        f"price = MAX(price) OVER (PARTITION BY {MINUTE})",
        f"price < MAX(price) OVER (PARTITION BY {MINUTE} {WHOLE})",
        f"units = MAX(price) OVER (PARTITION BY {MINUTE} {WHOLE})",
        f"price = SUM(price) OVER (PARTITION BY {MINUTE} {WHOLE})",
        f"price = MAX(price) OVER (PARTITION BY {MINUTE} ROWS BETWEEN UNBOUNDED PRECEDING AND 1 FOLLOWING)",
        f"price = MAX(price) OVER (PARTITION BY {MINUTE} {WHOLE}) OR units > 5",
        f"price = MAX(price) OVER (PARTITION BY {MINUTE} {WHOLE}) AND units = MIN(units) OVER (PARTITION BY {MINUTE} {WHOLE})",
        # In order of arrival a row's number is known at once.
        f"ROW_NUMBER() OVER (PARTITION BY {MINUTE} ORDER BY rowtime) = 1",
        # The sum needs all rows.
        f"{NUMBER} <= 3 AND SUM(units) OVER (PARTITION BY {MINUTE} ORDER BY price DESC) < 10",
        f"{NUMBER} <= 3 AND RANK() OVER (PARTITION BY {MINUTE} ORDER BY units) <= 3",
    ],
)
def test_windows_that_stay(planning: Planning, condition: str) -> None:
    assert limit(planning, condition) is None
    assert nodes(planning.plan(OF_ORDERS.format(condition))["plan"], "window")


def test_ranks_over_one_order_are_one_node(planning: Planning) -> None:
    over = f"OVER (PARTITION BY {MINUTE} ORDER BY price DESC)"
    (top,) = found(
        planning,
        f"SELECT STREAM rowtime, RANK() {over} AS r, ROW_NUMBER() {over} AS n, DENSE_RANK() {over} AS d FROM orders "
        "QUALIFY r <= 3 AND d <= 3",
    )
    assert (top["function"], top["limit"]) == ("RANK", 3)
    assert sorted(top["ranks"]) == ["DENSE_RANK", "RANK", "ROW_NUMBER"]


@pytest.mark.parametrize(
    ("window", "retention"),
    [
        ("TUMBLE(TABLE orders, DESCRIPTOR(rowtime), INTERVAL '10' SECOND)", "PT10S"),
        ("HOP(TABLE orders, DESCRIPTOR(rowtime), INTERVAL '5' SECOND, INTERVAL '10' SECOND)", "PT10S"),
    ],
)
def test_window_functions_in_from(planning: Planning, window: str, retention: str) -> None:
    over = "OVER (PARTITION BY window_start, window_end ORDER BY price DESC)"
    (top,) = found(planning, f"SELECT STREAM rowtime, units FROM TABLE({window}) QUALIFY ROW_NUMBER() {over} <= 3")
    assert top["state"]["retention"] == retention


def test_partitions_that_never_end_are_refused_as_before(planning: Planning) -> None:
    never = OF_ORDERS.format("ROW_NUMBER() OVER (PARTITION BY productId ORDER BY price DESC) <= 3")
    assert planning.error(never)[0] == "RT0207"


def test_relations_have_none(planning: Planning) -> None:
    assert not found(planning, OF_ORDERS.replace(" STREAM", "").format(f"{NUMBER} <= 3"))


def test_its_state_depends_on_the_limit(planning: Planning) -> None:
    signatures = {
        json.loads(found(planning, OF_ORDERS.format(f"{NUMBER} <= {most}"))[0]["signature"])["parts"]["limit"]
        for most in (1, 2)
    }
    assert signatures == {"1", "2"}
