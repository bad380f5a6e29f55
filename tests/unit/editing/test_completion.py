"""What may follow at the cursor, which stands where the bar is."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from prompt_toolkit.completion import CompleteEvent
from prompt_toolkit.document import Document

from rowtime.catalog.store import Store
from rowtime.editing.completion import SqlCompleter
from rowtime.editing.names import CatalogColumn, CatalogNames, CatalogObject
from rowtime.shell.commands import COMMANDS


def columns(*names: str) -> tuple[CatalogColumn, ...]:
    return tuple(CatalogColumn(name, "INTEGER") for name in names)


OBJECTS = [
    CatalogObject("SYS_BOOT.MGMT.ALL_TRACE", "STREAM", columns("MESSAGE")),
    CatalogObject("ORDERS", "STREAM", columns("ROWTIME", "PRODUCTID", "UNITS")),
    CatalogObject("PRODUCTS", "TABLE", columns("PRODUCTID", "NAME", "odd one")),
    CatalogObject("BIG_ORDERS", "VIEW", columns("ROWTIME", "TOTAL")),
    CatalogObject("FEED", "PUMP", ()),
]

VALUES = {"stop": ["1", "12"], "set": ["format", "json"]}

COMPLETER = SqlCompleter(lambda: OBJECTS, COMMANDS, lambda command: VALUES.get(command, ()))


def found(text: str) -> list[str]:
    cursor = text.index("|")
    return [word for word, _ in COMPLETER.candidates(text.replace("|", ""), cursor)]


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        # Names where a table must stand, in the case that is written.
        ("SELECT * FROM |", ["sys_boot.mgmt.all_trace", "orders", "products", "big_orders"]),
        ("SELECT * FROM or|", ["orders"]),
        ("SELECT * FROM OR|", ["ORDERS"]),
        ("SELECT * FROM orders, pr|", ["products"]),
        ("SELECT * FROM orders JOIN pr|", ["products"]),
        ("SELECT * FROM sys_boot.|", ["mgmt"]),
        ("SELECT * FROM sys_boot.mgmt.|", ["all_trace"]),
        # Nothing can be put into a view or a pump.
        ("INSERT INTO |", ["sys_boot.mgmt.all_trace", "orders", "products"]),
        ("INSERT INTO orders (|", ["rowtime", "productid", "units"]),
        ("UPDATE pr|", ["products"]),
        ("DELETE FROM pr|", ["products"]),
        ("MERGE INTO products USING or|", ["orders"]),
        ("MERGE INTO products AS p USING orders AS o ON p.| ", ["productid", "name", '"odd one"']),
        ("DROP STREAM or|", ["orders"]),
        ("DROP PUMP |", ["feed"]),
        ("DESCRIBE b|", ["big_orders"]),
        ("ALTER PUMP |", ["feed"]),
        ("SHOW S|", ["STREAMS", "SAVES"]),
        ("SHOW M|", ["MATERIALIZED VIEWS"]),
        # Columns of what a name stands for.
        ("SELECT o.| FROM orders AS o", ["rowtime", "productid", "units"]),
        ("SELECT o.u| FROM orders o", ["units"]),
        ("SELECT p.| FROM products p", ["productid", "name", '"odd one"']),
        ("SELECT products.n| FROM products", ["name"]),
        ('SELECT "o| FROM products', ['"odd one"', '"ORDERS"']),
        ("SELECT x.| FROM (SELECT * FROM orders) AS x", []),
        # Beginnings of statements, also of a second one.
        ("sel|", ["select", "select stream"]),
        ("SELECT 1; INS|", ["INSERT INTO"]),
        (
            "CREATE |",
            ["STREAM", "TABLE", "VIEW", "PUMP", "FOREIGN STREAM", "FOREIGN TABLE", "MATERIALIZED VIEW", "OR REPLACE"],
        ),
        ("CREATE OR REPLACE v|", ["view"]),
        # Client commands and their words.
        ("!st|", ["stop"]),
        ("!stop |", ["1", "12"]),
        ("!stop 1|", ["12"]),
        ("!set f|", ["format"]),
        ("!bound or|", ["orders"]),
        ("!bound orders |", []),
        ("!describe b|", ["big_orders"]),
        ("SELECT 1;\n!bo|", ["bound"]),
    ],
)
def test_whole_answers(text: str, wanted: list[str]) -> None:
    assert found(text)[:10] == wanted


@pytest.mark.parametrize(
    ("text", "first"),
    [
        ("SELECT STREAM | FROM orders", ["rowtime", "productid", "units"]),
        # FROM comes after what is written, and its columns come before all other words.
        ("SELECT u| FROM orders", ["units"]),
        ("select n| from orders o join products p on o.productid = p.productid", ["name"]),
        ("SELECT * FROM orders WHERE |", ["rowtime", "productid", "units"]),
        ("SELECT * FROM orders GROUP BY FLOOR(row|", ["rowtime"]),
        # The inner query's before those around it.
        ("SELECT * FROM orders WHERE units IN (SELECT | FROM products)", ["productid", "name", '"odd one"', "rowtime"]),
        ("SELECT tot|", ["total"]),
        ("SELECT STREAM FLOOR(rowtime TO HO|", ["HOP", "HOUR"]),
        ("SELECT FLO|", ["FLOOR"]),
        ("SELECT EXTRACT(YEAR FROM r|) FROM orders", ["rowtime"]),
        ("SELECT coun|", ["count"]),
        ("UPDATE products SET |", ["productid", "name"]),
        ("DELETE FROM products WHERE n|", ["name"]),
        ("SELECT * FROM orders |", ["rowtime", "productid", "units", "orders", "WHERE"]),
    ],
)
def test_first_of_many(text: str, first: list[str]) -> None:
    assert found(text)[: len(first)] == first


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        ("SELECT t.| FROM (SELECT units * 2 AS twice, name FROM orders, products) AS t", ["twice", "name"]),
        ("SELECT tw| FROM (SELECT units * 2 AS twice FROM orders) AS t", ["twice"]),
        ("WITH a AS (SELECT units AS x FROM orders), b AS (SELECT x + 1 AS y FROM a) SELECT b.| FROM b", ["y"]),
        ("WITH a AS (SELECT units AS x FROM orders), b AS (SELECT a.| FROM a) SELECT 1", ["x"]),
        ("WITH a (z) AS (SELECT units FROM orders) SELECT a.| FROM a", ["z"]),
        ("WITH apples AS (SELECT 1 AS x) SELECT * FROM app|", ["apples"]),
        ("SELECT t.| FROM (SELECT nothing FROM nowhere) AS t", []),
    ],
)
def test_columns_of_queries_in_the_text(text: str, wanted: list[str], planner: Any, tmp_path: Path) -> None:
    schema = "CREATE STREAM orders (units INTEGER) OPTIONS (history 'all'); CREATE TABLE products (name VARCHAR);"
    with Store(tmp_path) as store:
        names = CatalogNames(store, lambda: planner, [schema])
        completer = SqlCompleter(names.objects, COMMANDS, columns=names.columns)
        cursor = text.index("|")
        assert [word for word, _ in completer.candidates(text.replace("|", ""), cursor)] == wanted


def test_lists_come_by_themselves_only_where_a_word_is_begun() -> None:
    def offered(text: str, *, asked: bool) -> list[str]:
        event = CompleteEvent(completion_requested=asked, text_inserted=not asked)
        return [each.text for each in COMPLETER.get_completions(Document(text), event)]

    assert offered("SELECT * FROM ", asked=False) == []
    assert "orders" in offered("SELECT * FROM ", asked=True)
    assert offered("SELECT * FROM big", asked=False) == ["big_orders"]
    assert offered("SELECT * FROM sys_boot.", asked=False) == ["mgmt"]
    assert offered("!explain SELECT *\nFROM or", asked=False) == ["orders"]


def test_nothing_twice_and_nothing_behind_the_cursor() -> None:
    offered = found("SELECT p| FROM orders, products")
    assert len(offered) == len(set(offered))
    assert "productid" in offered
    assert found("SELECT 'orders|'") == []
    assert found("SELECT 1 -- fro|") == []
