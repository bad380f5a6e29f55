"""Pumps that keep results which change in tables of databases, by their PRIMARY KEY."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable
from dataclasses import dataclass

import pytest
from postgres_server import Postgres
from queries import entry_of, eventually

from rowtime.errors import RowtimeError
from rowtime.runtime.launch.folders import pump_folder
from rowtime.session import Session

PUMP = (
    "PUMP p STARTED AS INSERT INTO totals SELECT STREAM since, product, COUNT(*), SUM(units) FROM sales "
    "GROUP BY since, product HAVING SUM(units) > 0"
)
SINCE = "2024-05-01 00:00:00"


@dataclass(frozen=True)
class Database:
    options: str
    run: Callable[[str], list[str]]
    """Returns the rows of a statement, with fields separated by bars."""


@pytest.fixture(params=["sqlite", "postgres"])
def database(request: pytest.FixtureRequest) -> Database:
    if request.param == "postgres":
        server: Postgres = request.getfixturevalue("postgres")
        server.run("DROP TABLE IF EXISTS totals, rowtime_batches")
        return Database(server.options, server.run)
    options, there = request.getfixturevalue("lite")
    connection: sqlite3.Connection = there
    return Database(options, lambda sql: ["|".join(map(str, row)) for row in connection.execute(sql)])


@pytest.fixture
def totals(rt: Session, database: Database) -> Database:
    database.run(
        "CREATE TABLE totals (since TIMESTAMP, product VARCHAR(10), orders INT, units INT, note TEXT DEFAULT 'new', "
        "PRIMARY KEY (product, since))"
    )
    rt.sql("CREATE STREAM sales (since TIMESTAMP(3), product VARCHAR(10), units INTEGER) OPTIONS (history 'all')")
    rt.sql(
        "CREATE FOREIGN TABLE totals (since TIMESTAMP(3), product VARCHAR(10), orders BIGINT, units INTEGER, "
        f"PRIMARY KEY (since, product)) OPTIONS ({database.options}, table 'totals')"
    )
    return database


def sell(rt: Session, minute: int, *sales: tuple[str, int]) -> None:
    at = f"TIMESTAMP '2024-05-01 10:{minute:02}:00', TIMESTAMP '{SINCE}'"
    rt.sql("INSERT INTO sales VALUES " + ", ".join(f"({at}, {product}, {units})" for product, units in sales))
    rt.runtime.settle([])


def has_failed(rt: Session, error: str) -> bool:
    return error in str(rt.pumps[0].error)


def test_a_table_of_a_database_is_the_result_after_each_step(rt: Session, totals: Database) -> None:
    """Also if the pump is killed between the commits of the database and of Spark, which then runs the step again."""
    found = "SELECT product, orders, units, note FROM totals ORDER BY product"
    rt.sql(f"CREATE {PUMP}")
    sell(rt, 0, ("'paint'", 3), ("'brush'", 4))
    assert totals.run(found) == ["brush|1|4|new", "paint|1|3|new"]
    # What the pump does not fill stays as it is.
    totals.run("UPDATE totals SET note = 'mine'")
    sell(rt, 1, ("'paint'", 5), ("'brush'", -4), ("'glue'", 1))
    assert totals.run(found) == ["glue|1|1|new", "paint|2|8|mine"]
    rt.runtime.pumps.kill()
    commits = pump_folder(rt.store, entry_of(rt, "P")) / "spark" / "commits"
    max(commits.glob("[0-9]*"), key=lambda file: int(file.name)).unlink()
    # Nobody replaces or deletes rows again.
    totals.run("UPDATE totals SET units = 80 WHERE product = 'paint'")
    rt.runtime.pumps.restart()
    rt.runtime.settle([])
    assert totals.run(found) == ["glue|1|1|new", "paint|2|80|mine"]
    sell(rt, 2, ("'paint'", 1), ("'brush'", 2), ("'glue'", -1))
    assert totals.run(found) == ["brush|3|2|new", "paint|3|9|mine"]
    assert totals.run("SELECT COUNT(*) FROM rowtime_batches WHERE writer NOT LIKE '%content'") == ["1"]


def test_what_becomes_of_the_results_of_a_pump_that_is_reset(rt: Session, totals: Database) -> None:
    rt.sql(f"CREATE {PUMP}")
    sell(rt, 0, ("'paint'", 3))
    with pytest.raises(RowtimeError, match="RT0518: Foreign table 'TOTALS' has results of pump 'P'"):
        rt.sql("ALTER PUMP p START RESET FROM EARLIEST")
    rt.sql("ALTER PUMP p STOP")
    totals.run("DELETE FROM totals")
    rt.sql("ALTER PUMP p START RESET FROM EARLIEST")
    sell(rt, 1, ("'paint'", 4))
    assert totals.run("SELECT orders, units FROM totals") == ["2|7"]
    # A key of the database is never NULL.
    sell(rt, 2, ("NULL", 1))
    eventually(lambda: has_failed(rt, "RT0502: A row does not fit foreign table 'TOTALS': product is NULL"))
    assert totals.run("SELECT orders, units FROM totals") == ["2|7"]


def test_a_table_without_that_key(rt: Session, database: Database) -> None:
    database.run("CREATE TABLE totals (k INT, n INT, PRIMARY KEY (k, n))")
    rt.sql("CREATE STREAM sales (since TIMESTAMP(3), product VARCHAR(10), units INTEGER)")
    rt.sql(
        f"CREATE FOREIGN TABLE totals (k INTEGER PRIMARY KEY, n BIGINT) OPTIONS ({database.options}, table 'totals')"
    )
    rt.sql("CREATE PUMP p STARTED AS INSERT INTO totals SELECT STREAM units, COUNT(*) FROM sales GROUP BY units")
    sell(rt, 0, ("'paint'", 3))
    eventually(lambda: has_failed(rt, "RT0550: The foreign table 'TOTALS' has a PRIMARY KEY, but 'totals' in jdbc:"))
    database.run("CREATE UNIQUE INDEX totals_key ON totals (k)")
    rt.runtime.pumps.kill()
    rt.runtime.pumps.restart()
    sell(rt, 1, ("'paint'", 3))
    eventually(lambda: database.run("SELECT k, n FROM totals") == ["3|2"])
