"""DDL as checked changes of the catalog, and INSERT as typed rows."""

from __future__ import annotations

import pytest

from rowtime.catalog.changes import Entry
from rowtime.streams.rules import FOR_EVER, history, rules
from rowtime.types.times import parse_duration

from .conftest import Planning


def _object(planning: Planning, sql: str) -> dict:
    (change,) = planning.plan(sql)["changes"]
    return change["object"]


def test_stream_gets_a_leading_rowtime(planning: Planning) -> None:
    columns = _object(planning, "CREATE STREAM s (a INTEGER NOT NULL, b VARCHAR(10) DEFAULT 'x')")["columns"]
    assert [(c["name"], c["type"], c["nullable"]) for c in columns] == [
        ("ROWTIME", "TIMESTAMP(3)", False),
        ("A", "INTEGER", False),
        ("B", "VARCHAR(10)", True),
    ]
    assert columns[2]["default"] == "'x'"


def test_declared_rowtime_stays_where_it_is(planning: Planning) -> None:
    columns = _object(planning, "CREATE STREAM s (a INTEGER, rowtime TIMESTAMP LATENESS INTERVAL '1' HOUR)")["columns"]
    assert [c["name"] for c in columns] == ["A", "ROWTIME"]
    assert columns[1]["nullable"] is False
    assert columns[1]["lateness"] == "INTERVAL '1' HOUR"


def test_options_both_ways(planning: Planning) -> None:
    one = _object(
        planning, "CREATE FOREIGN STREAM f (a INTEGER) OPTIONS (connector 'files', PATH '/d', max_files_per_batch 3)"
    )
    two = _object(
        planning,
        "CREATE FOREIGN STREAM g (a INTEGER) WITH ('connector' = 'files', 'path' = '/d', 'max_files_per_batch' = 3)",
    )
    assert one["options"] == two["options"] == {"connector": "files", "path": "/d", "max_files_per_batch": "3"}


def test_canonical_text_makes_the_same_object(planning: Planning) -> None:
    first = _object(
        planning, 'create stream "Odd name" ("when" timestamp monotonic, n decimal(10,2)) options (history \'1 DAY\')'
    )
    planning.catalog["objects"].pop()
    assert _object(planning, first["sql"]) == first


def test_view_columns_types_and_uses(planning: Planning) -> None:
    view = _object(
        planning, "CREATE VIEW v (a, b) AS SELECT STREAM rowtime, SUM(units) OVER (ROWS 3 PRECEDING) FROM Orders"
    )
    assert [(c["name"], c["type"]) for c in view["columns"]] == [("A", "TIMESTAMP(3)"), ("B", "BIGINT")]
    assert view["uses"] == ["ORDERS"]


def test_pump(planning: Planning) -> None:
    pump = _object(
        planning,
        "CREATE PUMP p STARTED AS INSERT INTO Shipments (rowtime, orderId) SELECT STREAM rowtime, orderId FROM Orders",
    )
    assert (pump["started"], pump["uses"]) == (True, ["ORDERS", "SHIPMENTS"])
    (change,) = planning.plan("ALTER PUMP p STOP")["changes"]
    assert (change["action"], change["verb"]) == ("pump", "STOP")


def test_drop_takes_dependents_along_with_cascade_only(planning: Planning) -> None:
    planning.plan("CREATE VIEW a AS SELECT * FROM Orders")
    planning.plan("CREATE VIEW b AS SELECT * FROM a")
    code, message, _ = planning.error("DROP STREAM Orders")
    assert (code, message) == ("RT0314", "'ORDERS' is used by VIEW 'B', VIEW 'A'")
    (change,) = planning.plan("DROP STREAM Orders CASCADE")["changes"]
    assert change == {"action": "drop", "names": ["B", "A", "ORDERS"]}


def test_lateness_statement_before_and_after_the_view(planning: Planning) -> None:
    planning.plan("LATENESS early.r INTERVAL '1' HOUR")
    planning.plan("CREATE VIEW early AS SELECT rowtime AS r FROM Orders")
    planning.plan("CREATE VIEW late AS SELECT rowtime AS r FROM Orders")
    planning.plan("LATENESS late.r INTERVAL '1' HOUR")
    early, late = (planning.plan(f"SELECT STREAM r FROM {v}") for v in ("early", "late"))
    assert early["plan"]["fields"] == late["plan"]["fields"]
    (filtered,) = early["plan"]["inputs"]
    assert filtered["op"] == "lateness"
    assert [(c["index"], c["lateness"]["value"]) for c in filtered["columns"]] == [(0, 3_600_000)]
    assert early["notSupported"] == []


@pytest.mark.parametrize(
    ("sql", "code", "at"),
    [
        ("CREATE STREAM Orders (a INTEGER)", "RT0302", "Orders"),
        ("CREATE OR REPLACE TABLE Orders (a INTEGER)", "RT0302", "Orders"),
        ("CREATE STREAM s (a INTEGER, A INTEGER)", "RT0305", "A"),
        ("CREATE STREAM s (rowtime TIMESTAMP MONOTONIC DECREASING)", "RT0307", "rowtime"),
        ("CREATE STREAM s (a INTEGER ARRAY MONOTONIC)", "RT0307", "a"),
        ("CREATE STREAM s (a INTEGER) OPTIONS (histroy 'all')", "RT0310", "histroy 'all'"),
        ("CREATE STREAM s (a INTEGER) OPTIONS (held_rows 'many')", "RT0311", "held_rows 'many'"),
        ("CREATE TABLE t (a INTEGER) OPTIONS (producer_timeout '1 HOUR')", "RT0310", "producer_timeout '1 HOUR'"),
        ("CREATE STREAM s (a FOO)", "RT0306", "FOO"),
        ("CREATE STREAM s (rowtime INTEGER)", "RT0306", "INTEGER"),
        ("CREATE STREAM s (a UUID)", "RT0306", "UUID"),
        ("CREATE TABLE t (a INTEGER UNSIGNED)", "RT0306", None),
        ("CREATE TABLE t (a VARIANT ARRAY)", "RT0306", None),
        ("CREATE STREAM s (a TIME LATENESS INTERVAL '1' HOUR)", "RT0307", "INTERVAL '1' HOUR"),
        ("CREATE STREAM s (a VARCHAR LATENESS INTERVAL '1' HOUR)", "RT0307", "INTERVAL '1' HOUR"),
        ("CREATE STREAM s (a TIMESTAMP LATENESS 5)", "RT0307", "5"),
        ("CREATE STREAM s (a TIMESTAMP WATERMARK INTERVAL '1' MONTH)", "RT0307", "INTERVAL '1' MONTH"),
        ("CREATE STREAM s (a INTEGER LATENESS b)", "RT0307", "b"),
        ("CREATE STREAM s (a TIMESTAMP LATENESS INTERVAL -'1' HOUR)", "RT0307", "INTERVAL -'1' HOUR"),
        ("CREATE TABLE t (a INTEGER, PRIMARY KEY (b))", "RT0308", "b"),
        ("CREATE FOREIGN STREAM f (a INTEGER)", "RT0310", "f"),
        ("CREATE STREAM s (a INTEGER) OPTIONS (history 'some')", "RT0311", "history 'some'"),
        ("CREATE VIEW v (a, b) AS SELECT units FROM Orders", "RT0305", "(a, b)"),
        ("CREATE VIEW v AS SELECT units, units FROM Orders o JOIN Products p ON TRUE", None, None),
        ("CREATE PUMP p AS INSERT INTO Orders (units) SELECT units FROM Orders", "RT0321", "SELECT units FROM Orders"),
        ("DROP STREAM nothing", "RT0312", "nothing"),
        ("DROP TABLE Orders", "RT0313", "Orders"),
        ("ALTER PUMP Orders START", "RT0313", "Orders"),
        ("LATENESS Orders.units 5", "RT0315", "Orders"),
        ("DESCRIBE nothing", "RT0111", "nothing"),
        ("INSERT INTO nothing VALUES (1)", "RT0111", "nothing"),
        ("INSERT INTO Orders (foo) VALUES (1)", "RT0112", "foo"),
        ("INSERT INTO Orders (units, units) VALUES (1, 2)", "RT0305", "units"),
        ("INSERT INTO Orders (units) VALUES (1, 2)", "RT0322", "VALUES (1, 2)"),
        ("INSERT INTO Orders VALUES (1, 2)", "RT0322", "VALUES (1, 2)"),
        ("INSERT INTO Orders (units) VALUES (DATE '2020-01-01')", "RT0324", None),
    ],
)  # fmt: skip
def test_refused(planning: Planning, sql: str, code: str | None, at: str | None) -> None:
    if code is None:
        # Calcite makes names of a query unique before the view sees them.
        assert [c["name"] for c in _object(planning, sql)["columns"]] == ["UNITS", "UNITS0"]
        return
    (found,) = planning.errors(sql)
    assert found["code"] == code
    assert at is None or found["at"] == at


@pytest.mark.parametrize(
    ("text", "millis"),
    [
        ("24 HOURS", 86_400_000),
        ("24HOURS", 86_400_000),
        ("  2  week ", 1_209_600_000),
        ("1500 Milliseconds", 1_500),
        ("0 SECONDS", 0),
        ("520000 WEEKS", 314_496_000_000_000),
    ],
)
def test_a_length_of_time_is_the_same_to_planner_and_log(planning: Planning, text: str, millis: int) -> None:
    options = f"history '{text}', producer_timeout '{text}'"
    entry = Entry("1", 1, _object(planning, f"CREATE STREAM s (a INTEGER) OPTIONS ({options})"))
    assert (history(entry), rules(entry).producer_timeout) == (millis, millis)


@pytest.mark.parametrize(
    "text",
    [
        "HOUR",
        "24",
        "1.5 HOURS",
        "-1 HOUR",
        "1 MONTH",
        "1 MILLIHOUR",
        "1 HOURSS",
        "10000000000 DAYS",
        "\u0663 HOURS",
        "",
    ],
)
def test_what_is_no_length_of_time_to_planner_and_log(planning: Planning, text: str) -> None:
    options = f"history '{text}', producer_timeout '{text}'"
    found = planning.errors(f"CREATE STREAM s (a INTEGER) OPTIONS ({options})")
    assert [error["code"] for error in found] == ["RT0311", "RT0311"]
    with pytest.raises(ValueError, match="Not a length of time"):
        parse_duration(text)


@pytest.mark.parametrize("text", ["all", " ALL "])
def test_all_history(planning: Planning, text: str) -> None:
    made = _object(planning, f"CREATE STREAM s (a INTEGER) OPTIONS (history '{text}')")
    assert history(Entry("1", 1, made)) == FOR_EVER


def test_insert_gives_typed_constants(planning: Planning) -> None:
    statement = planning.plan(
        "INSERT INTO Shipments VALUES ('2020-01-01 10:00:00', 1 + 2, 0.5), ('2020-01-02 11:00:00.5', -3, NULL)"
    )
    assert statement["target"] == {"name": "SHIPMENTS", "columns": ["ROWTIME", "ORDERID", "WEIGHT"]}
    rows = [[cell["value"] for cell in row] for row in statement["plan"]["rows"]]
    assert rows == [["2020-01-01T10:00:00.000", 3, 0.5], ["2020-01-02T11:00:00.500", -3, None]]


def test_insert_has_the_values_of_columns_that_it_omits(planning: Planning) -> None:
    planning.plan("CREATE TABLE d (k INTEGER, n DECIMAL(5, 2) DEFAULT 1 + 2, u VARCHAR DEFAULT UPPER('a'), t DATE)")
    target = planning.plan("INSERT INTO d (t, k) VALUES (NULL, 1)")["target"]
    assert target["columns"] == ["T", "K"]
    assert {name: (value["type"], value["value"]) for name, value in target["defaults"].items()} == {
        "N": ("DECIMAL(5, 2)", "3.00"),
        "U": ("VARCHAR", "A"),
    }
    assert "defaults" not in planning.plan("INSERT INTO d VALUES (1, 2, 'b', NULL)")["target"]


def test_insert_without_rowtime(planning: Planning) -> None:
    assert planning.plan("INSERT INTO Shipments VALUES (1, 0.5)")["target"]["columns"] == ["ORDERID", "WEIGHT"]


@pytest.mark.parametrize(
    ("default", "code"),
    [
        ("1 + (SELECT 1)", "RT0307"),
        ("SUM(1)", "RT0307"),
        ("ROW_NUMBER() OVER ()", "RT0307"),
        ("FROBNICATE(1)", "RT0114"),
        ("DATE '2024-01-01'", "RT0110"),
    ],
)
def test_a_default_that_no_insert_could_use_is_refused(planning: Planning, default: str, code: str) -> None:
    (found,) = planning.errors(f"CREATE TABLE d (id INTEGER, n INTEGER DEFAULT {default})")
    assert (found["code"], found["at"].startswith(default[:-1])) == (code, True)


@pytest.mark.parametrize(
    "default", ["NULL", "1 + 2", "-7", "ABS(-1)", "CAST('1' AS INTEGER)", "EXTRACT(YEAR FROM CURRENT_DATE)"]
)
def test_a_default_is_an_expression(planning: Planning, default: str) -> None:
    planning.plan(f"CREATE TABLE d (id INTEGER, n INTEGER DEFAULT {default})")


def test_a_watermark_of_a_foreign_stream_that_no_query_can_use_is_told(planning: Planning) -> None:
    options = "OPTIONS (connector 'files', path '/data', format 'json')"
    planning.plan(
        "CREATE FOREIGN STREAM f (rowtime TIMESTAMP, seen TIMESTAMP WATERMARK INTERVAL '1' MINUTE) " + options
    )
    (what,) = planning.plan("SELECT STREAM * FROM f")["notSupported"]
    assert what.startswith("WATERMARK on column 'SEEN' of the foreign stream 'F'")
    planning.plan("CREATE FOREIGN STREAM g (rowtime TIMESTAMP WATERMARK INTERVAL '1' MINUTE) " + options)
    assert planning.plan("SELECT STREAM * FROM g")["notSupported"] == []


@pytest.mark.parametrize(
    "row", ["(CASE WHEN units = 1 THEN 2 ELSE units END, orderId)", "(orderId, CASE units WHEN 1 THEN 2 END)"]
)
def test_the_stored_text_of_a_row_with_case_is_read_again(planning: Planning, row: str) -> None:
    """It is written as ROW(CASE …)."""
    planning.plan(f"CREATE VIEW w AS SELECT * FROM Orders WHERE {row} IN (SELECT productId, productId FROM Products)")
    assert planning.plan("SELECT * FROM w")["notSupported"] == []
    assert planning.plan("SELECT ROW(CASE WHEN units = 1 THEN 2 END, 3) AS r FROM Orders")["notSupported"] == []


@pytest.mark.parametrize("kind", ["STREAM", "TABLE", "FOREIGN STREAM", "FOREIGN TABLE"])
def test_an_added_column_is_the_last_of_the_same_object(planning: Planning, kind: str) -> None:
    options = " OPTIONS (connector 'files', path '/d', format 'json')" if kind.startswith("FOREIGN") else ""
    before = _object(planning, f"CREATE {kind} x (a INTEGER NOT NULL DEFAULT 3){options}")
    added = planning.plan(f"ALTER {kind} x ADD COLUMN b VARCHAR(5) DEFAULT 'x'")
    (change,) = added["changes"]
    after = change["object"]
    assert added["kind"] == f"ALTER {kind}"
    assert (change["replace"], change.get("fresh")) == (True, None)
    assert after["columns"][:-1] == before["columns"]
    column = after["columns"][-1]
    assert (column["name"], column["type"], column["nullable"], column["default"]) == ("B", "VARCHAR(5)", True, "'x'")
    assert after["options"] == before["options"]
    # The stored statement makes the object as it is now.
    planning.catalog["objects"].pop()
    assert _object(planning, after["sql"])["columns"] == after["columns"]


def test_what_another_definition_would_lose_is_refused_only_if_there_are_rows(planning: Planning) -> None:
    _object(planning, "CREATE TABLE x (a INTEGER, b INTEGER)")
    changed = planning.plan("CREATE OR REPLACE TABLE x (a INTEGER)")
    assert (changed["refusal"]["code"], changed["changes"][0]["fresh"]) == ("RT0341", True)
    assert planning.plan("CREATE OR REPLACE TABLE x (a INTEGER) DROP ROWS").get("refusal") is None


def test_views_and_pumps_get_the_wider_type_of_what_they_read(planning: Planning) -> None:
    planning.plan("CREATE STREAM x (a INTEGER)")
    planning.plan("CREATE VIEW below AS SELECT STREAM rowtime, a + 1 AS b FROM x")
    planning.plan("CREATE TABLE t (b BIGINT)")
    planning.plan("CREATE PUMP p STARTED AS INSERT INTO t SELECT STREAM b FROM below")
    stream, view, pumps = planning.plan("ALTER STREAM x ALTER COLUMN a TYPE BIGINT")["changes"]
    assert [column["type"] for column in stream["object"]["columns"]] == ["TIMESTAMP(3)", "BIGINT"]
    assert [column["type"] for column in view["object"]["columns"]] == ["TIMESTAMP(3)", "BIGINT"]
    assert (pumps["action"], pumps["names"]) == ("replan", ["P"])


def test_options_are_set_one_by_one(planning: Planning) -> None:
    planning.plan("CREATE STREAM x (a INTEGER) OPTIONS (history '1 HOUR', held_rows '10')")
    (change,) = planning.plan("ALTER STREAM x SET OPTIONS (history 'all')")["changes"]
    assert change["object"]["options"] == {"held_rows": "10", "history": "all"}
    assert planning.plan("ALTER STREAM x SET OPTIONS (history '1 MINUTE')")["refusal"]["code"] == "RT0341"


def test_a_replaced_view_names_the_pumps_that_run_with_its_earlier_query(planning: Planning) -> None:
    view = "CREATE OR REPLACE VIEW v AS SELECT STREAM rowtime, units FROM Orders"
    for statement in (
        view,
        "CREATE VIEW w AS SELECT STREAM * FROM v",
        "CREATE STREAM copy (units INTEGER)",
        "CREATE PUMP p STARTED AS INSERT INTO copy SELECT STREAM rowtime, units FROM w",
        "CREATE PUMP stopped AS INSERT INTO copy SELECT STREAM rowtime, units FROM v",
    ):
        planning.plan(statement)
    assert len(planning.plan(view)["changes"]) == 1
    assert planning.plan(f"{view} WHERE units > 1")["changes"][1:] == [
        {"action": "replan", "names": ["P"], "view": "V"}
    ]
    assert len(planning.plan(f"{view} WHERE units > 1")["changes"]) == 1
    planning.plan("CREATE MATERIALIZED VIEW m AS SELECT STREAM * FROM v")
    (change,) = planning.plan(f"{view} WHERE units > 2")["changes"][1:]
    assert sorted(change["names"]) == ["M", "P"]
