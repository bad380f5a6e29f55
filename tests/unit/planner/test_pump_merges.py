"""Pumps that MERGE, UPDATE and DELETE: what their plans say, and what is refused where."""

from __future__ import annotations

import pytest

from .conftest import Planning

_USING = "USING (SELECT STREAM orderId, units, price FROM Orders) AS s"


@pytest.fixture
def tables(planning: Planning) -> Planning:
    planning.plan("CREATE TABLE t (k INTEGER PRIMARY KEY, n INTEGER)")
    planning.plan("CREATE TABLE two (a INTEGER, b INTEGER, n INTEGER, PRIMARY KEY (a, b))")
    planning.plan("CREATE TABLE bag (k INTEGER, n INTEGER)")
    return planning


def test_the_clauses_are_beside_the_plan_of_the_source(tables: Planning) -> None:
    planned = tables.plan(
        f"CREATE PUMP p AS MERGE INTO t {_USING} ON s.orderId = t.k WHEN MATCHED AND t.n > 1 THEN DELETE"
        " WHEN MATCHED THEN UPDATE SET n = t.n + s.units WHEN NOT MATCHED THEN INSERT (k) VALUES (s.orderId)"
    )
    target = planned["target"]
    assert (target["mode"], target["key"], target["columns"]) == ("merge", ["K"], ["K", "N"])
    assert [each["action"] for each in target["merge"]["clauses"]] == ["delete", "update", "insert"]
    assert [each["args"][0]["index"] for each in target["merge"]["key"]] == [2]
    assert [field["name"] for field in planned["fields"]] == ["ORDERID", "UNITS", "PRICE"]


def test_update_and_delete_have_the_rest_of_where_as_their_condition(tables: Planning) -> None:
    for body in (
        f"UPDATE t SET n = s.units FROM {_USING.removeprefix('USING ')} WHERE t.k = s.orderId AND t.n > s.units",
        f"DELETE FROM t {_USING} WHERE t.n > s.units AND s.orderId = t.k",
    ):
        merge = tables.plan(f"CREATE OR REPLACE PUMP p AS {body}")["target"]["merge"]
        assert [each["args"][0]["index"] for each in merge["key"]] == [2]
        assert merge["clauses"][0]["condition"]["kind"] == "call"


def test_a_name_stands_for_all_rows_of_a_stream_or_view(tables: Planning) -> None:
    tables.plan("CREATE VIEW bulky AS SELECT STREAM orderId, units FROM Orders WHERE units > 10")
    for body in (
        "MERGE INTO t USING Orders AS s ON t.k = s.orderId WHEN MATCHED THEN UPDATE SET n = s.units",
        "MERGE INTO t USING Orders ON t.k = Orders.orderId WHEN MATCHED THEN UPDATE SET n = Orders.units",
        "MERGE INTO t USING bulky AS s ON t.k = s.orderId WHEN MATCHED THEN UPDATE SET n = s.units",
        "UPDATE t SET n = s.units FROM Orders AS s WHERE t.k = s.orderId",
        "DELETE FROM t USING bulky AS s WHERE t.k = s.orderId",
    ):
        planned = tables.plan(f"CREATE OR REPLACE PUMP p AS {body}")
        target = planned["target"]
        assert (target["mode"], target["key"], len(target["merge"]["clauses"])) == ("merge", ["K"], 1)
        names = [field["name"] for field in planned["fields"]]
        assert {"ORDERID", "UNITS"} <= set(names), names
        assert ("ROWTIME" in names) == ("Orders" in body), names


@pytest.mark.parametrize(
    ("body", "code", "place"),
    [
        (f"MERGE INTO bag {_USING} ON bag.k = s.orderId WHEN MATCHED THEN DELETE", "RT0332", "bag"),
        (f"MERGE INTO t {_USING} ON t.n = s.units WHEN MATCHED THEN DELETE", "RT0332", "t.n = s.units"),
        (f"MERGE INTO t {_USING} ON t.k = s.price WHEN MATCHED THEN DELETE", "RT0332", "s.price"),
        (f"MERGE INTO two AS t {_USING} ON t.a = s.units WHEN MATCHED THEN DELETE", "RT0332", "t.a = s.units"),
        (f"MERGE INTO t {_USING} ON t.k = s.units WHEN MATCHED THEN UPDATE SET k = 1", "RT0332", "k = 1"),
        (f"MERGE INTO t {_USING} ON t.k = s.units WHEN NOT MATCHED THEN INSERT VALUES (7, 1)", "RT0332", "7, 1"),
        (f"MERGE INTO t {_USING} ON t.k = s.units WHEN NOT MATCHED THEN INSERT VALUES (s.units, t.n)", "RT0333", "t.n)"),
        (f"MERGE INTO t {_USING} ON t.k = s.units WHEN MATCHED AND s.nix = 1 THEN DELETE", "RT0112", "nix"),
        (f"MERGE INTO t {_USING} ON t.k = s.units WHEN MATCHED THEN UPDATE SET n = (SELECT MAX(k) FROM bag)", "RT0333", "WHEN"),
        (f"MERGE INTO t {_USING} ON t.k = s.units WHEN MATCHED THEN UPDATE SET n = SUM(s.units)", "RT0333", "WHEN"),
        ("MERGE INTO t USING (SELECT k FROM bag) AS s ON t.k = s.k WHEN MATCHED THEN DELETE", "RT0321", "SELECT"),
        ("MERGE INTO t USING bag AS s ON t.k = s.k WHEN MATCHED THEN DELETE", "RT0102", "bag"),
        ("MERGE INTO t USING nix AS s ON t.k = s.k WHEN MATCHED THEN DELETE", "RT0111", "nix"),
        ("DELETE FROM t WHERE k = 1", "RT0321", "DELETE"),
        (f"MERGE INTO Orders AS t {_USING} ON t.k = s.units WHEN MATCHED THEN DELETE", "RT0331", "MERGE"),
    ],
)  # fmt: skip
def test_what_is_refused(tables: Planning, body: str, code: str, place: str) -> None:
    sql = f"CREATE PUMP p AS {body}"
    (found,) = tables.errors(sql)
    assert (found["code"], found["column"]) == (code, sql.index(place) + 1)


@pytest.mark.parametrize("body", ["DELETE FROM t WHERE k = 1", "UPDATE t SET n = 1"])
def test_the_hint_names_each_form_of_a_source(tables: Planning, body: str) -> None:
    (found,) = tables.errors(f"CREATE PUMP p AS {body}")
    assert "(SELECT STREAM …) AS s" in found["hint"]
    assert "the name of a stream or view in place of (SELECT STREAM …)" in found["hint"]


def test_a_merge_that_runs_once_has_one_clause_of_each_kind(tables: Planning) -> None:
    sql = "MERGE INTO t USING bag AS b ON t.k = b.k WHEN MATCHED AND b.n > 1 THEN DELETE"
    (found,) = tables.errors(sql)
    assert (found["code"], found["column"]) == ("RT0331", sql.index("WHEN") + 1)
    tables.plan(
        "MERGE INTO t USING bag AS b ON t.k = b.k WHEN MATCHED THEN UPDATE SET n = b.n WHEN NOT MATCHED THEN INSERT VALUES (b.k, b.n)"
    )
