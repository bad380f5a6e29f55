"""Joins with versions of plain tables: a row of a stream meets the version that was committed last at its ROWTIME."""

from __future__ import annotations

import time
from collections.abc import Sequence
from typing import Any

import pytest
from queries import drain
from upserting import upsert

from rowtime.errors import RowtimeError
from rowtime.runtime.sinks import RowSink
from rowtime.session import Session
from rowtime.tables import tables
from rowtime.tables import versions as table_versions

JOIN = "orders AS o LEFT JOIN products FOR SYSTEM_TIME AS OF o.rowtime AS p ON p.id = o.product"


def moment() -> str:
    """Returns a time between two commits, as SQL."""
    time.sleep(0.003)
    found = time.time_ns() // 1_000_000
    time.sleep(0.003)
    whole = time.strftime("%Y-%m-%d %H:%M:%S", time.gmtime(found // 1000))
    return f"TIMESTAMP '{whole}.{found % 1000:03}'"


@pytest.fixture
def times(rt: Session) -> list[str]:
    """Returns times before the table existed, when it was empty, and after each of its three commits."""
    rt.sql("CREATE STREAM orders (id INTEGER, product INTEGER) OPTIONS (history 'all')")
    found = [moment()]
    rt.sql("CREATE TABLE products (id INTEGER, name VARCHAR(20))")
    found.append(moment())
    rt.sql("INSERT INTO products VALUES (1, 'one'), (2, 'other')")
    found.append(moment())
    rt.sql("UPDATE products SET name = 'two' WHERE id = 1")
    found.append(moment())
    rt.sql("DELETE FROM products WHERE id = 1")
    found.append(moment())
    return found


def order(session: Session, *times: str) -> None:
    session.sql("INSERT INTO orders VALUES " + ", ".join(f"({time}, {n}, 1)" for n, time in enumerate(times)))


def test_each_row_meets_the_version_of_its_time(rt: Session, times: list[str]) -> None:
    query = rt.submit(f"SELECT STREAM p.name FROM {JOIN}")
    order(rt, *times[1:3])
    assert [row[0] for row in drain(query)] == [None, "one"]
    # Versions that no row can ask for any more are no longer read; the others are, after a restart as well.
    query.kill()
    query.restart()
    order(rt, *times[3:])
    assert [row[0] for row in drain(query)] == ["two", None]
    query.stop()
    relational = rt.sql(f"SELECT p.name FROM {JOIN} ORDER BY o.rowtime").tuples()
    assert [row[0] for row in relational] == [None, "one", "two", None]


def test_versions_of_a_table_that_a_pump_changes(rt: Session) -> None:
    """Files stay, and get deletion vectors; then an UPDATE writes new files."""
    rt.sql("CREATE STREAM orders (id INTEGER, product INTEGER) OPTIONS (history 'all')")
    rt.sql("CREATE TABLE products (id INTEGER PRIMARY KEY, name VARCHAR(20))")
    found = []
    for number, (rows, deleted) in enumerate(
        (([(1, "one"), (2, "other"), (3, "third")], []), ([(1, "two")], [3]), ([(2, "more")], [1]), ([(1, "back")], []))
    ):
        upsert(rt, "PRODUCTS", number, rows, deleted)
        found.append(moment())
    rt.sql("UPDATE products SET name = 'last' WHERE id = 1")
    found.append(moment())
    order(rt, *found)
    relational = rt.sql(f"SELECT p.name FROM {JOIN} ORDER BY o.rowtime").tuples()
    assert [row[0] for row in relational] == ["one", "two", None, "back", "last"]
    assert rt.sql("SELECT * FROM products ORDER BY id").tuples() == [(1, "last"), (2, "more")]
    as_of = rt.sql(f"SELECT * FROM SNAPSHOT(products, {found[1]}) ORDER BY id")
    assert as_of.tuples() == [(1, "two"), (2, "other")]


def test_a_row_waits_until_the_system_clock_has_passed_its_time(rt: Session, times: list[str]) -> None:
    query = rt.submit(f"SELECT STREAM p.name FROM {JOIN}")
    ahead = time.time() + 20
    whole = time.strftime("%Y-%m-%d %H:%M:%S", time.gmtime(ahead))
    order(rt, f"TIMESTAMP '{whole}'")
    assert drain(query) == []
    rt.sql("INSERT INTO products VALUES (1, 'last')")
    assert time.time() < ahead - 1, "the machine is too slow for this test"
    found: list[Any] = []
    while not found:
        found = drain(query)
    assert [row[0] for row in found] == ["last"]
    query.stop()


def test_a_time_before_the_history(rt: Session, times: list[str]) -> None:
    query = rt.submit(f"SELECT STREAM p.name FROM {JOIN}")
    order(rt, times[0])
    early = r"RT0520: .*The query needs table 'PRODUCTS' as of .*, and its history begins at "
    with pytest.raises(RowtimeError, match=early):
        query.process_all_available()
    with pytest.raises(RowtimeError, match=early):
        rt.sql(f"SELECT p.name FROM {JOIN}").tuples()


class Failing(RowSink):
    """Refuses the first rows that it is given."""

    def __init__(self) -> None:
        self.refused: list[tuple[Any, ...]] = []
        self.taken: list[tuple[Any, ...]] = []

    def write(self, rows: Sequence[tuple[Any, ...]]) -> None:
        if not self.refused:
            self.refused = list(rows)
            raise OSError("the sink is away")
        self.taken += rows


def test_a_repeated_micro_batch_sees_what_it_saw(rt: Session, times: list[str]) -> None:
    sink = Failing()
    query = rt.submit(rt.plan(f"SELECT STREAM o.id, p.name FROM {JOIN}"), sink=sink)
    order(rt, times[2], times[3])
    with pytest.raises(RowtimeError, match="the sink is away"):
        query.process_all_available()
    rt.sql("INSERT INTO products VALUES (1, 'three')")
    query.restart()
    query.process_all_available()
    assert sink.taken == sink.refused
    assert [row[1] for row in sink.taken] == ["one", "two"]


def test_versions_whose_files_are_gone(rt: Session, times: list[str], monkeypatch: pytest.MonkeyPatch) -> None:
    store = rt.runtime.store
    entry = store.get("PRODUCTS")
    assert entry is not None
    newest = tables.newest(store, entry)
    whole = table_versions.versions_of(store, entry, newest)
    assert [file.end is None for file in whole.files] == [True, False, False]
    begins = sorted(file.begin for file in whole.files)
    assert whole.begin < begins[0] < begins[1] < begins[2]
    # What was replaced at a time is not needed for later ones.
    assert [file.begin for file in whole.since(begins[1]).files if file.end is not None] == [begins[1]]
    assert table_versions.versions_of(store, entry, newest, begins[1]) == table_versions.TableVersions(
        newest, begins[1], whole.since(begins[1]).files
    )
    monkeypatch.setattr(tables, "KEPT_HOURS", 0)
    rest = table_versions.versions_of(store, entry, newest)
    assert (rest.begin, len(rest.files)) == (begins[2], 1)
