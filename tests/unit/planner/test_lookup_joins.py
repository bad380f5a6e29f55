"""Joins of a stream with relations: which side is the stream, what the result's clock is, and what is refused."""

from __future__ import annotations

import pytest

from .conftest import Planning, nodes


def lookups(planning: Planning, sql: str) -> list[dict]:
    statement = planning.plan(sql)
    assert not statement["notSupported"]
    return nodes(statement["plan"], "lookup_join")


@pytest.mark.parametrize(
    ("joined", "kind", "stream"),
    [
        ("Orders AS o JOIN Products AS p ON o.productId = p.productId", "INNER", "LEFT"),
        ("Orders AS o LEFT JOIN Products AS p ON o.productId = p.productId AND o.units > 3", "LEFT", "LEFT"),
        ("Products AS p RIGHT JOIN Orders AS o ON o.productId > p.productId", "RIGHT", "RIGHT"),
        ("Products AS p, Orders AS o WHERE o.productId = p.productId", "INNER", "RIGHT"),
        ("Orders AS o CROSS JOIN Products AS p", "INNER", "LEFT"),
        (
            "Orders AS o JOIN (SELECT name, COUNT(*) AS c FROM Products GROUP BY name) AS p ON o.units = p.c",
            "INNER",
            "LEFT",
        ),
        ("Orders AS o JOIN (VALUES (1, 'a')) AS p (productId, name) ON o.productId = p.productId", "INNER", "LEFT"),
        # What can be read as a stream is a table beside one.
        ("Orders AS o JOIN (SELECT sensor, 'x' AS name FROM Readings) AS p ON o.productId = p.sensor", "INNER", "LEFT"),
    ],
)
def test_a_stream_meets_a_relation(planning: Planning, joined: str, kind: str, stream: str) -> None:
    (found,) = lookups(planning, f"SELECT STREAM o.rowtime, o.orderId, p.name FROM {joined}")
    assert (found["joinType"], found["stream"]) == (kind, stream)
    assert [node["streaming"] for node in found["inputs"]] == [stream == "LEFT", stream == "RIGHT"]
    # Nothing waits, and ROWTIME is that of the stream's row.
    assert found["rowtime"] == "ROWTIME" if stream == "LEFT" else found["rowtime"].startswith("ROWTIME")
    assert (found["clock"], found["needs"], found["signature"]) == ([], [], None)
    assert (found["state"]["bound"], found["changes"]) == ("none", "append")


def test_orders_of_the_streams_columns_stay(planning: Planning) -> None:
    (found,) = lookups(
        planning, "SELECT STREAM o.*, p.name FROM Orders AS o JOIN Products AS p ON o.productId = p.productId"
    )
    told = {field["name"]: field["monotonicity"] for field in found["fields"]}
    # One row may be several now.
    assert (told["ROWTIME"], told["ORDERID"], told["NAME"]) == ("INCREASING", "INCREASING", "NOT_MONOTONIC")


def test_only_what_is_read_of_the_relation(planning: Planning) -> None:
    (found,) = lookups(
        planning, "SELECT STREAM o.units, p.name FROM Orders AS o JOIN Products AS p ON o.productId = p.productId"
    )
    names = [field["name"] for field in found["inputs"][1]["fields"]]
    assert [names[i] for i in found["reads"][1]] == ["PRODUCTID", "NAME"]


@pytest.mark.parametrize(
    ("relation", "varies"),
    [
        ("(SELECT name FROM Products)", False),
        ("(SELECT UPPER(name) AS name FROM Products)", False),
        ("(SELECT name FROM Products WHERE CURRENT_TIMESTAMP > TIMESTAMP '2024-05-01 00:00:00')", True),
        ("(SELECT name, LOCALTIMESTAMP AS seen FROM Products)", True),
        ("(SELECT name FROM Products WHERE RAND() < 0.5)", True),
        ("(SELECT name, MAX(r) FROM (SELECT name, RAND() AS r FROM Products) GROUP BY name)", True),
        ("(SELECT name FROM Products TABLESAMPLE BERNOULLI (50))", True),
        ("(SELECT name FROM Products TABLESAMPLE BERNOULLI (50) REPEATABLE (7))", False),
    ],
)
def test_relations_that_vary_while_their_tables_do_not(planning: Planning, relation: str, varies: bool) -> None:
    (found,) = lookups(planning, f"SELECT STREAM o.units, p.* FROM Orders AS o CROSS JOIN {relation} AS p")
    assert found["varies"] is varies


def test_several_tables(planning: Planning) -> None:
    found = lookups(
        planning,
        "SELECT STREAM o.units, p.name, r.level FROM Products AS p JOIN Orders AS o ON o.productId = p.productId "
        "LEFT JOIN Readings AS r ON r.sensor = p.productId",
    )
    assert [(node["joinType"], node["stream"]) for node in found] == [("LEFT", "LEFT"), ("INNER", "RIGHT")]


@pytest.mark.parametrize(
    "condition",
    [
        "EXISTS (SELECT * FROM Products AS p WHERE p.productId = o.productId)",
        "NOT EXISTS (SELECT * FROM Products AS p WHERE p.productId = o.productId AND p.name = 'x')",
        "o.productId IN (SELECT productId FROM Products)",
        "o.productId NOT IN (SELECT productId FROM Products)",
        "o.units > (SELECT AVG(p.productId) FROM Products AS p)",
    ],
)
def test_sub_queries_over_tables(planning: Planning, condition: str) -> None:
    found = lookups(planning, f"SELECT STREAM o.units FROM Orders AS o WHERE {condition}")
    assert found
    assert all(node["joinType"] in ("INNER", "LEFT") and node["stream"] == "LEFT" for node in found)


def test_groups_above_close_by_the_streams_time(planning: Planning) -> None:
    statement = planning.plan(
        "SELECT STREAM FLOOR(o.rowtime TO HOUR), p.name, COUNT(*) FROM Products AS p JOIN Orders AS o "
        "ON o.productId = p.productId GROUP BY FLOOR(o.rowtime TO HOUR), p.name"
    )
    assert not statement["notSupported"]
    (group,) = nodes(statement["plan"], "aggregate")
    assert group["clock"] == [{"fn": "FLOOR", "millis": 3_600_000, "offset": 0}]
    assert group["state"]["retention"] == "PT1H"


def test_a_target_changes_nothing(planning: Planning) -> None:
    query = "SELECT STREAM o.orderId, CAST(p.productId AS DOUBLE) FROM Orders AS o LEFT JOIN Products AS p ON o.units = p.productId"
    (alone,) = lookups(planning, query)
    (into,) = lookups(planning, f"INSERT INTO Shipments (orderId, weight) {query}")
    assert (into["joinType"], into["stream"], into["condition"]) == ("LEFT", "LEFT", alone["condition"])


@pytest.mark.parametrize(
    ("joined", "hint"),
    [
        ("Orders AS o FULL JOIN Products AS p ON o.productId = p.productId", "Make it a LEFT JOIN"),
        ("Products AS p FULL JOIN Orders AS o ON o.productId = p.productId", "Make it a RIGHT JOIN"),
        ("Orders AS o RIGHT JOIN Products AS p ON o.productId = p.productId", "Make it a LEFT or an INNER JOIN"),
        ("Products AS p LEFT JOIN Orders AS o ON o.productId = p.productId", "Make it a RIGHT or an INNER JOIN"),
    ],
)
def test_rows_of_the_table_never_come_alone(planning: Planning, joined: str, hint: str) -> None:
    (found,) = planning.errors(f"SELECT STREAM o.units, p.name FROM {joined}")
    assert found["code"] == "RT0210"
    assert found["at"].startswith("JOIN")
    assert found["hint"].startswith(hint)


def test_a_relational_query_joins_as_ever(planning: Planning) -> None:
    plan = planning.plan(
        "SELECT o.units, p.name FROM Orders AS o FULL JOIN Products AS p ON o.productId = p.productId"
    )["plan"]
    assert [node["joinType"] for node in nodes(plan, "join")] == ["FULL"]


ASOF = "MATCH_CONDITION o.rowtime {} p.rowtime ON o.productId = p.productId"


@pytest.mark.parametrize(("kind", "joined"), [("", "INNER"), ("LEFT", "LEFT")])
@pytest.mark.parametrize(("comparison", "direction"), [(">", "ASC"), (">=", "ASC"), ("<", "DESC"), ("<=", "DESC")])
def test_asof_joins_are_joins_with_the_next_time(
    planning: Planning, kind: str, joined: str, comparison: str, direction: str
) -> None:
    sql = f"SELECT STREAM o.rowtime, p.name FROM Orders AS o {kind} ASOF JOIN Products AS p {ASOF.format(comparison)}"
    (found,) = lookups(planning, sql)
    assert (found["joinType"], found["stream"], found["clock"]) == (joined, "LEFT", [])
    (window,) = nodes(found, "window")
    assert [call["function"] for call in window["windows"][0]["calls"]] == ["LEAD"]
    assert [key["direction"] for key in window["windows"][0]["order"]] == [direction]
    assert len(window["windows"][0]["partition"]) == 1
    relational = planning.plan(sql.replace("STREAM ", ""))
    assert not relational["notSupported"]
    assert [node["joinType"] for node in nodes(relational["plan"], "join")] == [joined]


def test_asof_joins_of_a_relation_with_a_stream_are_for_later(planning: Planning) -> None:
    joined = "Products AS o ASOF JOIN Orders AS p MATCH_CONDITION o.rowtime >= p.rowtime ON o.productId = p.productId"
    statement = planning.plan(f"SELECT STREAM p.rowtime AS found FROM {joined}")
    assert "ASOF JOIN with a stream on its right" in statement["notSupported"]


@pytest.mark.parametrize("key", ["orderId", "rowtime"])
def test_asof_joins_of_streams_take_the_latest_row(planning: Planning, key: str) -> None:
    joined = f"Orders AS o ASOF JOIN Shipments AS p MATCH_CONDITION o.rowtime > p.rowtime ON o.{key} = p.{key}"
    plan = planning.plan(f"SELECT STREAM p.rowtime AS found FROM {joined}")["plan"]
    (join,) = nodes(plan, "temporal_join")
    assert (join["shift"], join["inclusive"], join["identity"]) == (0, False, [])


@pytest.mark.parametrize(
    ("comparison", "window", "inclusive", "within", "retention"),
    [
        ("<=", "INTERVAL '10' MINUTE FOLLOWING", True, 600_000, "PT10M"),
        ("<", "BETWEEN INTERVAL '1' HOUR PRECEDING AND INTERVAL '10' MINUTE FOLLOWING", False, 600_000, "PT10M"),
        (">=", "INTERVAL '10' MINUTE PRECEDING", True, None, None),
    ],
)
def test_windows_limit_asof_joins_of_streams(
    planning: Planning, comparison: str, window: str, inclusive: bool, within: int | None, retention: str | None
) -> None:
    joined = (
        f"Orders AS o ASOF JOIN Shipments OVER (RANGE {window}) AS p MATCH_CONDITION o.rowtime {comparison} p.rowtime"
    )
    plan = planning.plan(f"SELECT STREAM o.rowtime, p.weight FROM {joined} ON o.orderId = p.orderId")["plan"]
    (join,) = nodes(plan, "temporal_join")
    assert (join["shift"], join["inclusive"], join["within"]) == (0, inclusive, within)
    assert join["state"]["retention"] == retention
    # The shipments have to be so much further than the orders.
    ahead = [{"fn": "SHIFT", "millis": within}] if within else []
    assert [node["clock"] for node in join["inputs"]] == [[], ahead]
    # The latest row may be too old.
    assert (join["condition"] is None) == (within is not None)


@pytest.mark.parametrize(
    "window", ["ROWS 3 PRECEDING", "RANGE BETWEEN INTERVAL '1' HOUR PRECEDING AND INTERVAL '1' MINUTE PRECEDING"]
)
def test_windows_that_do_not_hold_the_nearest_row_are_for_later(planning: Planning, window: str) -> None:
    joined = f"Orders AS o ASOF JOIN Shipments OVER ({window}) AS p MATCH_CONDITION o.rowtime >= p.rowtime"
    (found,) = planning.errors(f"SELECT STREAM o.rowtime, p.weight FROM {joined} ON o.orderId = p.orderId")
    assert found["code"] == "RT0900"
    assert "need not hold the nearest row" in found["message"]
