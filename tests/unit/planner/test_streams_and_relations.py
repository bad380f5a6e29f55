"""What can be read as a stream and what as a relation (seed 001; messages word for word)."""

from __future__ import annotations

import pytest

from .conftest import Planning

MONOTONIC_GROUP = "Streaming aggregation requires at least one monotonic expression in GROUP BY clause"
SETS = "Set operator cannot combine streaming and non-streaming inputs"


@pytest.mark.parametrize(
    ("sql", "code", "message", "at"),
    [
        ("SELECT * FROM Shipments", "RT0103", "Cannot convert stream 'SHIPMENTS' to a table", "Shipments"),
        ("SELECT STREAM * FROM Products", "RT0102", "Cannot convert table 'PRODUCTS' to a stream", "Products"),
        ("SELECT STREAM * FROM (VALUES (1, 'abc'))", "RT0104", "Cannot stream VALUES", "VALUES (1, 'abc')"),
        ("SELECT STREAM 1", "RT0104", "Cannot stream VALUES", "SELECT STREAM 1"),
        (
            "SELECT STREAM productId, COUNT(*) AS c, SUM(units) AS units FROM Orders GROUP BY productId",
            "RT0201",
            MONOTONIC_GROUP,
            "GROUP BY productId",
        ),
        ("SELECT STREAM COUNT(*) FROM Orders", "RT0201", MONOTONIC_GROUP, "SELECT STREAM COUNT(*) FROM Orders"),
        ("SELECT STREAM 1 FROM Orders GROUP BY units * 0, 3 + 4", "RT0201", MONOTONIC_GROUP, "GROUP BY units * 0, 3 + 4"),
        (
            "SELECT STREAM * FROM Orders UNION ALL SELECT * FROM Orders",
            "RT0105",
            SETS,
            "SELECT STREAM * FROM Orders UNION ALL SELECT * FROM Orders",
        ),
        (
            "SELECT STREAM * FROM Orders ORDER BY units",
            "RT0202",
            "Streaming ORDER BY must start with monotonic expression",
            "units",
        ),
        (
            "SELECT STREAM * FROM Orders ORDER BY rowtime DESC",
            "RT0202",
            "Streaming ORDER BY must start with monotonic expression",
            "rowtime DESC",
        ),
        (
            "SELECT STREAM * FROM Orders ORDER BY rowtime LIMIT 3",
            "RT0203",
            "Streaming ORDER BY cannot have OFFSET, LIMIT or FETCH",
            None,
        ),
        (
            "SELECT STREAM * FROM Orders ORDER BY rowtime OFFSET 2 ROWS",
            "RT0203",
            "Streaming ORDER BY cannot have OFFSET, LIMIT or FETCH",
            None,
        ),
        ("SELECT STREAM * FROM Orders LIMIT 3", "RT0203", "Streaming ORDER BY cannot have OFFSET, LIMIT or FETCH", None),
        (
            "SELECT STREAM p.name FROM Products p JOIN Products q ON p.productId = q.productId",
            "RT0106",
            "Cannot stream results of a query with no streaming inputs: 'PRODUCTS, PRODUCTS'. "
            "At least one input should be convertible to a stream",
            None,
        ),
        ("SELECT * FROM Orders o JOIN Shipments s ON o.orderId = s.orderId", "RT0103",
         "Cannot convert stream 'SHIPMENTS' to a table", "Shipments"),
        ("UPDATE Orders SET units = 1", "RT0331", "UPDATE is not supported on streams", "UPDATE Orders SET units = 1"),
        ("DELETE FROM Orders", "RT0331", "DELETE is not supported on streams", "DELETE FROM Orders"),
        ("COMMIT", "RT0330", "COMMIT is not supported on streams", "COMMIT"),
        ("ROLLBACK", "RT0330", "ROLLBACK is not supported on streams", "ROLLBACK"),
        ("SAVEPOINT a", "RT0330", "SAVEPOINT is not supported on streams", "SAVEPOINT a"),
    ],
)  # fmt: skip
def test_refused(planning: Planning, sql: str, code: str, message: str, at: str | None) -> None:
    found = planning.error(sql)
    assert found[:2] == (code, message)
    assert at is None or found[2] == at


@pytest.mark.parametrize(
    ("sql", "streaming"),
    [
        ("SELECT STREAM * FROM Orders", True),
        ("SELECT * FROM Orders", False),
        ("SELECT * FROM (SELECT STREAM * FROM Orders)", False),
        ("SELECT STREAM * FROM (SELECT * FROM Shipments)", True),
        ("SELECT STREAM * FROM Readings", True),
        ("WITH o AS (SELECT * FROM Orders) SELECT STREAM * FROM o", True),
        ("WITH Orders AS (SELECT * FROM Orders) SELECT STREAM * FROM Orders", True),
        ("SELECT STREAM * FROM Orders o JOIN Products p ON o.productId = p.productId", True),
        ("SELECT * FROM (VALUES (1, 'abc'))", False),
        ("SELECT STREAM productId FROM Orders UNION ALL SELECT STREAM orderId FROM Shipments", True),
    ],
)
def test_stream_keyword_counts_at_the_top_only(planning: Planning, sql: str, streaming: bool) -> None:
    assert planning.plan(sql)["streaming"] is streaming


def test_view_is_a_relation_that_can_be_a_stream(planning: Planning) -> None:
    planning.plan(
        "CREATE VIEW Totals (rowtime, productId, c) AS SELECT STREAM FLOOR(rowtime TO HOUR), productId, COUNT(*) "
        "FROM Orders GROUP BY FLOOR(rowtime TO HOUR), productId"
    )
    assert planning.plan("SELECT STREAM rowtime FROM Totals WHERE c > 2")["streaming"]
    assert not planning.plan("SELECT MAX(c) FROM Totals")["streaming"]
    planning.plan("CREATE VIEW Names AS SELECT name FROM Products")
    assert planning.error("SELECT STREAM * FROM Names")[:2] == ("RT0102", "Cannot convert table 'NAMES' to a stream")
    planning.plan("CREATE VIEW Sent AS SELECT * FROM Shipments")
    assert planning.error("SELECT * FROM Sent")[:2] == ("RT0103", "Cannot convert stream 'SENT' to a table")


def test_view_without_progress_is_refused_where_it_is_streamed(planning: Planning) -> None:
    planning.plan("CREATE VIEW PerProduct AS SELECT productId, COUNT(*) AS c FROM Orders GROUP BY productId")
    assert not planning.plan("SELECT * FROM PerProduct")["streaming"]
    code, _, at = planning.error("SELECT STREAM * FROM PerProduct")
    assert (code, at) == ("RT0201", "PerProduct")


def test_all_errors_of_a_statement_at_once(planning: Planning) -> None:
    found = planning.errors("SELECT STREAM foo, bar AS b FROM Orders WHERE baz = 1 AND rowtime = 5 GROUP BY units")
    assert [(d["code"], d["at"]) for d in found][:4] == [
        ("RT0112", "foo"),
        ("RT0112", "bar"),
        ("RT0112", "baz"),
        ("RT0113", "rowtime = 5"),
    ]


@pytest.mark.parametrize(
    ("sql", "at"),
    [
        ("units, ROW_NUMBER() OVER (PARTITION BY units ORDER BY foo) AS n FROM Orders QUALIFY n = 1", ["foo"]),
        ("foo AS n FROM Orders QUALIFY ROW_NUMBER() OVER (PARTITION BY units ORDER BY n) = 1", ["foo"]),
        (
            "foo AS n, bar FROM Orders WHERE baz = 1 QUALIFY COUNT(n) OVER (PARTITION BY units) = 1",
            ["foo", "bar", "baz"],
        ),
    ],
)
def test_errors_around_a_qualify_clause(planning: Planning, sql: str, at: list[str]) -> None:
    """Without what follows from them: an item of the SELECT that has an error is no window function."""
    found = planning.errors(f"SELECT STREAM {sql}")
    assert [(d["code"], d["at"]) for d in found] == [("RT0112", name) for name in at]


def test_positions_are_those_of_the_file(planning: Planning) -> None:
    (d,) = planning.reply("SELECT\n  foo FROM Orders", line=7, column=5)["diagnostics"]
    assert (d["line"], d["column"], d["endLine"], d["endColumn"]) == (8, 3, 8, 5)
    (d,) = planning.reply("SELECT foo FROM Orders", line=7, column=5)["diagnostics"]
    assert (d["line"], d["column"]) == (7, 12)


def test_near_misses_are_named(planning: Planning) -> None:
    assert planning.errors("SELECT * FROM Oders")[0]["hint"] == "Did you mean 'ORDERS'?"
    assert planning.errors("SELECT unts FROM Orders")[0]["hint"] == "Did you mean 'UNITS'?"


@pytest.mark.parametrize("stream", ["", "STREAM "])
def test_the_columns_of_a_distinct_have_their_names(planning: Planning, stream: str) -> None:
    hours = f"SELECT {stream}DISTINCT FLOOR(rowtime TO HOUR) AS rowtime, productId FROM Orders"
    for sql in (hours, f"{hours} UNION ALL SELECT {stream}rowtime, orderId FROM Orders"):
        statement = planning.plan(sql)
        assert [field["name"] for field in statement["fields"]] == ["ROWTIME", "PRODUCTID"]
        assert [field["name"] for field in statement["plan"]["fields"]] == ["ROWTIME", "PRODUCTID"]
        assert statement["plan"]["rowtime"] == ("ROWTIME" if stream else None)
