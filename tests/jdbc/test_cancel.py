"""Statement.cancel() during the computation of a relational statement ends its jobs, and nothing else."""

from __future__ import annotations

import threading
import time
from collections.abc import Iterator
from typing import Any

import pytest
from queries import eventually

from rowtime import dbapi
from rowtime.serve.server import JdbcServer
from rowtime.session import Session

LONG = "SELECT COUNT(*) AS c FROM r AS a, r AS b, r AS d WHERE a.n + b.n + d.n < 0"


@pytest.fixture
def connection(rt: Session, server: JdbcServer) -> Iterator[dbapi.Connection]:
    # Tasks notice that they are cancelled when they read their next rows: 4,096 of them, for which they take hours.
    rt.spark.conf.set("spark.sql.parquet.enableVectorizedReader", "false")
    rt.sql("CREATE TABLE r (n INTEGER)")
    rt.sql("CREATE TABLE t (c BIGINT)")
    with dbapi.connect(f"rowtime://127.0.0.1:{server.port}") as connection:
        # This join would take minutes.
        connection.cursor().executemany("INSERT INTO r VALUES (?)", [[n] for n in range(3_000)])
    yield dbapi.connect(f"rowtime://127.0.0.1:{server.port}")
    rt.spark.conf.unset("spark.sql.parquet.enableVectorizedReader")


def jobs(rt: Session) -> list[int]:
    return list(rt.spark.sparkContext.statusTracker().getActiveJobsIds())


def start_statement(cursor: dbapi.Cursor, sql: str, rt: Session) -> tuple[threading.Thread, list[Any]]:
    """Returns a thread that executes the statement, once its jobs run; and its error later."""
    failures: list[Any] = []

    def execute() -> None:
        try:
            cursor.execute(sql)
        except dbapi.Error as fault:
            failures.append((type(fault), fault.code, fault.sqlstate))

    running = threading.Thread(target=execute)
    running.start()
    while not jobs(rt):
        time.sleep(0.05)
    return running, failures


@pytest.mark.parametrize("sql", [LONG, f"INSERT INTO t {LONG}"])
def test_a_statement_that_is_computed(rt: Session, connection: dbapi.Connection, sql: str) -> None:
    cursor = connection.cursor()
    running, failures = start_statement(cursor, sql, rt)
    begin = time.monotonic()
    cursor.cancel()
    running.join(60)
    assert failures == [(dbapi.OperationalError, "RT0649", "HY008")]
    assert time.monotonic() - begin < 20
    # Spark updates the status of jobs in another thread; a job that was not cancelled would run for minutes.
    eventually(lambda: not jobs(rt), 20)
    # The cursor and its connection still work, and the INSERT has inserted nothing.
    assert cursor.execute("SELECT COUNT(*) FROM t").fetchall() == [(0,)]


def test_a_statement_that_is_closed(rt: Session, connection: dbapi.Connection) -> None:
    """Closing a connection, or stopping a server, waits for no query."""
    running, failures = start_statement(connection.cursor(), LONG, rt)
    begin = time.monotonic()
    connection.close()
    running.join(60)
    assert [code for _, code, _ in failures] == ["RT0649"]
    assert time.monotonic() - begin < 20
    # Spark updates the status of jobs in another thread; a job that was not cancelled would run for minutes.
    eventually(lambda: not jobs(rt), 20)


def test_nothing_to_cancel(connection: dbapi.Connection) -> None:
    cursor = connection.execute("SELECT 1")
    cursor.cancel()
    with pytest.raises(dbapi.DatabaseError, match="RT0641"):
        connection.extension("cancel", 99)
    assert cursor.execute("SELECT 2").fetchall() == [(2,)]
