"""SEARCH_KEY in a real PostgreSQL: its results, the number of statements, and a server that does not answer."""

from __future__ import annotations

import re
import sqlite3
import threading
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from postgres_server import PASSWORD, Postgres

from rowtime.errors import RowtimeError
from rowtime.runtime.query.query import Query
from rowtime.runtime.relation import Relation
from rowtime.session import Session
from rowtime.streams.start import Start

_ASKED = re.compile(r"execute [^\n]*?(SELECT [^\n]*? WHERE [^\n]*)\n[^\n]*DETAIL: +[Pp]arameters: ([^\n]*)")
_VALUE = re.compile(r"\$\d+ = (?:'([^']*)'|NULL)")


@pytest.fixture
def shop(rt: Session, postgres: Postgres) -> Session:
    postgres.run(
        "DROP TABLE IF EXISTS products CASCADE; CREATE TABLE products (id INT, kind TEXT, name TEXT, price NUMERIC); "
        "CREATE INDEX ON products (id, kind); "
        "INSERT INTO products VALUES (1, 'a', 'Beer', 2.50), (2, 'a', 'Milk', 1.20), (2, 'b', 'Oat milk', 1.80), "
        "(NULL, 'a', 'nothing', 1), (4, NULL, 'Tea', 3)"
    )
    rt.sql("CREATE STREAM orders (id INT, product BIGINT, kind VARCHAR)")
    rt.sql(
        "CREATE FOREIGN TABLE products (id INT, kind VARCHAR, name VARCHAR, price DECIMAL(10, 2)) "
        f"OPTIONS ({postgres.options}, table 'products')"
    )
    return rt


@pytest.fixture
def asked(postgres: Postgres) -> Iterator[Any]:
    """Returns the statements since the last call: a list of keys for each look-up."""
    postgres.run("ALTER SYSTEM SET log_statement = 'all'")
    postgres.run("SELECT pg_reload_conf()")
    place = postgres.log.stat().st_size

    def since() -> list[list[str]]:
        nonlocal place
        text = postgres.log.read_bytes()
        found = [_VALUE.findall(values) for _, values in _ASKED.findall(text[place:].decode(errors="replace"))]
        place = len(text)
        return found

    yield since
    postgres.start()
    postgres.run("ALTER SYSTEM RESET log_statement")
    postgres.run("SELECT pg_reload_conf()")


def order(rt: Session, *rows: str, minute: int = 0) -> None:
    values = ", ".join(f"(TIMESTAMP '2024-05-01 10:{minute:02}:00', {row})" for row in rows)
    rt.sql(f"INSERT INTO orders VALUES {values}")


def opened(rt: Session, sql: str) -> Query:
    found = rt.sql(sql)
    assert isinstance(found, Query)
    return found


def taken(rt: Session, query: Query) -> list[tuple[Any, ...]]:
    rt.runtime.settle([query])
    return sorted(tuple(row) for row in query.rows())


def search(options: str = "", join: str = "LEFT JOIN LATERAL", on: str = "ON TRUE", table: str = "products") -> str:
    given = f", MAP[{options}]" if options else ""
    return (
        f"SELECT STREAM o.id, p.name FROM orders AS o {join} "
        f"SEARCH_KEY({table}, DESCRIPTOR(id), o.product{given}) AS p {on}"
    )


# --- results ---------------------------------------------------------------------------------------------------------


def test_hits_and_misses(shop: Session, asked: Any) -> None:
    inner = opened(shop, search(join="CROSS JOIN LATERAL", on=""))
    left = opened(shop, search("'async', 'true', 'capacity', '2', 'batch-size', '2'"))
    both = opened(
        shop,
        "SELECT STREAM o.id, p.name, p.price FROM orders AS o LEFT JOIN LATERAL SEARCH_KEY(input => products, "
        "on_key => DESCRIPTOR(id, kind), lookup => (o.product, o.kind)) AS p ON p.price > 1.5",
    )
    order(shop, "1, 1, 'a'", "2, 2, 'b'", "3, 7, 'a'", "4, NULL, 'a'", "5, 1, 'a'", "6, 4, NULL", "7, 3000000000, 'a'")
    milk = [(2, "Milk"), (2, "Oat milk")]
    assert taken(shop, inner) == [(1, "Beer"), *milk, (5, "Beer"), (6, "Tea")]
    expected = [(1, "Beer"), *milk, (3, None), (4, None), (5, "Beer"), (6, "Tea"), (7, None)]
    assert sorted(taken(shop, left), key=str) == sorted(expected, key=str)
    found = {row[0]: row[1] for row in taken(shop, both)}
    assert found == {1: "Beer", 2: "Oat milk", 3: None, 4: None, 5: "Beer", 6: None, 7: None}


def test_each_key_once_in_a_step(shop: Session, asked: Any) -> None:
    query = opened(shop, search("'async', 'true', 'batch-size', '10'"))
    taken(shop, query)
    asked()
    for step in range(2):
        order(shop, *(f"{n}, {n % 37}, 'a'" for n in range(400)), minute=step)
        assert len(taken(shop, query)) == 400 + len([n for n in range(400) if n % 37 == 2])
        statements = [set(keys) for keys in asked()]
        assert sorted(int(key) for keys in statements for key in keys) == list(range(37))
        assert all(len(keys) <= 10 for keys in statements)


def test_relational_queries_look_up_too(shop: Session, asked: Any) -> None:
    found = shop.sql(
        "SELECT x, p.name FROM (VALUES (1), (2), (1), (9)) AS v (x) LEFT JOIN LATERAL "
        "SEARCH_KEY(products, DESCRIPTOR(id), v.x) AS p ON TRUE"
    )
    assert isinstance(found, Relation)
    assert sorted(found.tuples(), key=str) == [(1, "Beer"), (1, "Beer"), (2, "Milk"), (2, "Oat milk"), (9, None)]
    assert sorted(key for keys in asked() for key in set(keys)) == ["1", "2", "9"]
    one = shop.sql("SELECT name FROM SEARCH_KEY(products, DESCRIPTOR(name), 'Tea')")
    assert isinstance(one, Relation) and one.tuples() == [("Tea",)]


def test_types_of_keys(rt: Session, postgres: Postgres) -> None:
    """Keys are sent, and rows returned, whatever the time zones of this machine, the server and the session."""
    postgres.run(
        "DROP TABLE IF EXISTS keyed; CREATE TABLE keyed (n SMALLINT, d NUMERIC(8, 3), t TEXT, u UUID, ok BOOLEAN, "
        "at TIMESTAMP, atz TIMESTAMPTZ, day DATE, tm TIME, f FLOAT8, b BYTEA); "
        "INSERT INTO keyed VALUES (7, 1.500, 'it''s', '00000000-0000-0000-0000-000000000001', TRUE, "
        "'2015-03-08 02:30:00', '2015-03-08 02:30:00Z', '2015-03-08', '10:11:12', 0.5, '\\x0aff')"
    )
    rt.sql(
        'CREATE FOREIGN TABLE keyed (n INT, d DECIMAL(8, 3), t VARCHAR, u VARCHAR, ok BOOLEAN, "AT" TIMESTAMP(3), '
        'atz TIMESTAMP(3), "DAY" DATE, tm TIME(3), f DOUBLE, b VARBINARY) '
        f"OPTIONS ({postgres.options}, table 'keyed')"
    )
    at = "TIMESTAMP '2015-03-08 02:30:00'"
    values = {
        "n": "7", "d": "1.5", "t": "'it''s'", "u": "'00000000-0000-0000-0000-000000000001'", "ok": "TRUE", '"AT"': at,
        "atz": at, '"DAY"': "DATE '2015-03-08'", "tm": "TIME '10:11:12'", "f": "CAST(0.5 AS DOUBLE)", "b": "X'0aff'",
    }  # fmt: skip
    for name, value in values.items():
        found = rt.sql(f"SELECT n FROM SEARCH_KEY(keyed, DESCRIPTOR({name}), {value})")
        assert isinstance(found, Relation) and found.tuples() == [(7,)], name


def test_a_miss_is_looked_up_again(shop: Session, postgres: Postgres) -> None:
    query = opened(
        shop,
        search("'retry-predicate', 'lookup_miss', 'fixed-delay', '200ms', 'max-attempts', '1000', 'cache-ttl', '1h'"),
    )
    later = threading.Timer(1, lambda: postgres.run("INSERT INTO products VALUES (9, 'a', 'Water', 1)"))
    later.start()
    order(shop, "1, 9, 'a'", "2, 1, 'a'")
    assert taken(shop, query) == [(1, "Water"), (2, "Beer")]
    later.join()


def test_cache(shop: Session, postgres: Postgres, asked: Any) -> None:
    kept, brief = opened(shop, search("'cache-ttl', '1h'")), opened(shop, search("'cache-ttl', '1ms'"))
    bounded = opened(shop, search("'cache-ttl', '1h', 'cache-missing-key', 'false'"))
    order(shop, "1, 1, 'a'", "2, 9, 'a'")
    first = [(1, "Beer"), (2, None)]
    assert [taken(shop, query) for query in (kept, brief, bounded)] == [first, first, first]
    postgres.run("UPDATE products SET name = 'Ale' WHERE id = 1")
    postgres.run("INSERT INTO products VALUES (9, 'a', 'Water', 1)")
    asked()
    order(shop, "3, 1, 'a'", "4, 9, 'a'", minute=1)
    assert taken(shop, kept) == [(3, "Beer"), (4, None)]
    assert taken(shop, brief) == [(3, "Ale"), (4, "Water")]
    assert taken(shop, bounded) == [(3, "Beer"), (4, "Water")]
    assert sorted(key for keys in asked() for key in set(keys)) == ["1", "9", "9"]
    counts = kept.progress.searches
    assert (counts.keys, counts.cache_hits, counts.hits, counts.misses, counts.lookups) == (4, 2, 2, 2, 2)


# --- when the server does not answer ---------------------------------------------------------------------------------


def test_the_server_is_stopped_and_comes_back(shop: Session, postgres: Postgres) -> None:
    shop.sql("CREATE STREAM named (id INT, name VARCHAR) OPTIONS (history 'all')")
    shop.sql(f"CREATE PUMP p STARTED AS INSERT INTO named {search().replace('STREAM o.id', 'STREAM o.rowtime, o.id')}")
    query = opened(shop, search("'outage-timeout', '10min'"))
    other = opened(shop, "SELECT STREAM id FROM orders")
    order(shop, "1, 1, 'a'")
    assert taken(shop, query) == [(1, "Beer")]
    postgres.stop()
    order(shop, "2, 2, 'b'", "3, 7, 'a'", minute=1)
    # No other session waits.
    assert taken(shop, other) == [(1,), (2,), (3,)]
    until = time.monotonic() + 300
    while query._running.isActive:
        assert time.monotonic() < until
        time.sleep(0.2)
    assert query.is_active and query.exception is None and query.rows() == []
    order(shop, "4, 1, 'a'", minute=2)
    postgres.start()
    later = sorted(taken(shop, query), key=str)
    assert later == [(2, "Milk"), (2, "Oat milk"), (3, None), (4, "Beer")]
    while (found := read(shop, "SELECT id, name FROM named")) != [(1, "Beer"), *later]:
        assert time.monotonic() < until, found
        time.sleep(0.5)


def test_slow_answers(shop: Session, postgres: Postgres) -> None:
    postgres.run(
        "DROP TABLE IF EXISTS delay CASCADE; CREATE TABLE delay (s FLOAT8); INSERT INTO delay VALUES (60); "
        "CREATE VIEW slow AS SELECT p.* FROM (SELECT pg_sleep(s) FROM delay) d, products p"
    )
    shop.sql(f"CREATE FOREIGN TABLE slow (id INT, name VARCHAR) OPTIONS ({postgres.options}, table 'slow')")
    patient = opened(shop, search("'timeout', '300ms', 'outage-timeout', '10min'", table="slow"))
    order(shop, "1, 1, 'a'")
    until = time.monotonic() + 300
    while patient._running.isActive:
        assert time.monotonic() < until
        time.sleep(0.2)
    assert patient.rows() == []
    hasty = opened(shop, search("'timeout', '300ms', 'outage-timeout', '1s'", table="slow"))
    order(shop, "2, 1, 'a'", minute=1)
    with pytest.raises(RowtimeError) as found:
        taken(shop, hasty)
    text = str(found.value)
    assert found.value.code == "RT0549" and "no answer within 300 ms" in text and PASSWORD not in text
    postgres.run("UPDATE delay SET s = 0")
    # The server no longer executes the statements that were given up.
    sleeping = "SELECT count(*) FROM pg_stat_activity WHERE wait_event = 'PgSleep'"
    until = time.monotonic() + 20
    while (left := postgres.run(sleeping)) != ["0"]:
        assert time.monotonic() < until, left
        time.sleep(0.1)
    assert taken(shop, patient) == [(1, "Beer"), (2, "Beer")]


def test_what_the_server_refuses(shop: Session, postgres: Postgres) -> None:
    query = opened(shop, search())
    postgres.run("ALTER TABLE products RENAME COLUMN name TO title")
    order(shop, "1, 1, 'a'")
    with pytest.raises(RowtimeError) as found:
        taken(shop, query)
    text = str(found.value)
    assert found.value.code == "RT0545" and '"name" does not exist' in text
    assert PASSWORD not in text and "Exception" not in text and "\tat " not in text
    explained = repr(read(shop, f"EXPLAIN PLAN FOR {search()}"))
    assert "search key left on ID = TRY_CAST(PRODUCT AS INTEGER)" in explained and PASSWORD not in explained


def read(rt: Session, sql: str) -> list[tuple[Any, ...]]:
    found = rt.sql(sql)
    assert isinstance(found, Relation)
    return sorted((tuple(row) for row in found.tuples()), key=str)


# --- SQLite ----------------------------------------------------------------------------------------------------------


def test_rows_do_not_depend_on_batches(rt: Session, drivers: dict[str, Path], tmp_path: Path) -> None:
    """However the input is divided, in however many partitions, with a restart between any two steps."""
    file = tmp_path / "shop.db"
    with sqlite3.connect(file) as there:
        there.execute("CREATE TABLE products (id INTEGER, name TEXT)")
        rows = [(n, f"{n} {copy}") for n in range(0, 60, 2) for copy in range(n % 3)]
        there.executemany("INSERT INTO products VALUES (?, ?)", [*rows, (None, "nothing")])
    rt.sql("CREATE STREAM orders (id INT, product INT, kind VARCHAR)")
    rt.sql(
        "CREATE FOREIGN TABLE products (id INT, name VARCHAR) "
        f"OPTIONS (connector 'jdbc', url 'jdbc:sqlite:{file}', table 'products', driver_jar '{drivers['sqlite']}')"
    )
    asked = [(n, None if n % 11 == 0 else n * 7 % 70) for n in range(300)]
    # The same join, by hand.
    expected = [(n, name) for n, product in asked for name in [name for id, name in rows if id == product] or [None]]
    retry = "'retry-predicate', 'lookup_miss', 'fixed-delay', '1ms'"
    options = ("'batch-size', '3'", "'async', 'true', 'cache-ttl', '1h'", retry)
    queries = [
        rt.submit(search(given), start=Start(), partitions=partitions)
        for given, partitions in zip(options, (1, 3, 2), strict=True)
    ]
    place = 0
    for size in (1, 120, 2, 177):
        some = asked[place : place + size]
        order(rt, *(f"{n}, {'NULL' if p is None else p}, 'a'" for n, p in some), minute=place // 10)
        place += size
        rt.runtime.settle(queries)
        for query in queries:
            query.kill()
            query.restart()
    rt.runtime.settle(queries)
    for query in queries:
        assert sorted((tuple(row) for row in query.rows()), key=str) == sorted(expected, key=str)
