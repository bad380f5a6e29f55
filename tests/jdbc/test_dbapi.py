"""The DB-API client, and `rowtime.connect` with the URL of a server."""

from __future__ import annotations

import datetime as dt
import decimal

import pytest

import rowtime
from rowtime import dbapi
from rowtime.errors import RowtimeError
from rowtime.serve.server import JdbcServer
from rowtime.session import Session


@pytest.fixture
def connection(server: JdbcServer) -> dbapi.Connection:
    return rowtime.connect(f"rowtime://127.0.0.1:{server.port}")


def test_what_the_standard_names() -> None:
    assert (dbapi.apilevel, dbapi.threadsafety, dbapi.paramstyle) == ("2.0", 2, "qmark")
    assert issubclass(dbapi.ProgrammingError, dbapi.DatabaseError) and issubclass(dbapi.DatabaseError, dbapi.Error)
    assert dbapi.STRING == 12 and dbapi.NUMBER == 4 and dbapi.DATETIME == 93 and dbapi.BINARY == -3


def test_values_in_and_out(connection: dbapi.Connection) -> None:
    with connection, connection.cursor() as cursor:
        cursor.execute(
            "CREATE TABLE v (b BOOLEAN, i INTEGER, l BIGINT, d DOUBLE, n DECIMAL(20, 3), s VARCHAR, x VARBINARY, "
            "dt DATE, tm TIME(3), ts TIMESTAMP(3))"
        )
        assert cursor.rowcount == 0 and cursor.description is None
        rows = [
            (
                True,
                7,
                2**62,
                float("inf"),
                decimal.Decimal("12345678901234567.891"),
                "é😀",
                b"\x00\xff",
                dt.date(2024, 2, 29),
                dt.time(12, 34, 56, 789_000),
                dt.datetime(2024, 2, 29, 12, 34, 56, 789_000),
            ),
            (None,) * 10,
        ]
        cursor.executemany(f"INSERT INTO v VALUES ({', '.join('?' * 10)})", rows)
        assert cursor.rowcount == 2
        cursor.execute("SELECT * FROM v ORDER BY i NULLS LAST")
        assert [column[0] for column in cursor.description or ()][:3] == ["B", "I", "L"]
        assert cursor.fetchall() == rows
        assert cursor.fetchone() is None
        assert cursor.execute("SELECT s FROM v WHERE i = ? OR s = ?", [7, "no"]).fetchall() == [("é😀",)]
        assert cursor.execute("SELECT s FROM v WHERE x = ?", [b"\x00\xff"]).fetchall() == [("é😀",)]
        assert cursor.execute("SELECT CAST(? AS VARBINARY(3))", [b"\x01\xfe"]).fetchall() == [(b"\x01\xfe",)]
        assert cursor.execute("SELECT CAST(? AS VARBINARY(3))", ["01fe"]).fetchall() == [(b"\x01\xfe",)]
        for type_, value in (("VARBINARY(3)", "abcd-"), ("VARBINARY(3)", "x"), ("BINARY(3)", 7), ("INTEGER", b"7")):
            with pytest.raises(
                dbapi.DatabaseError, match=r"RT0644: .*Parameter 1 is [A-Z0-9()]+ and cannot have a value"
            ):
                cursor.execute(f"SELECT CAST(? AS {type_})", [value])
        assert cursor.execute("SELECT ARRAY[1, NULL]").fetchone() == ([1, None],)


def test_a_stream_and_its_bounds(connection: dbapi.Connection) -> None:
    insert = "INSERT EXPEDITED INTO s (ROWTIME, n) VALUES (?, ?)"
    with connection:
        connection.execute("CREATE STREAM s (n INTEGER)")
        reader = connection.execute("SELECT STREAM ROWTIME, n FROM s")
        reader.timeout = 0.5
        with pytest.raises(dbapi.Timeout):
            reader.fetchone()
        reader.timeout = 60
        writer = connection.cursor()
        begin = dt.datetime(2026, 1, 1)
        sent = [(begin + dt.timedelta(seconds=i), i) for i in range(25)]
        writer.executemany(insert, sent)
        assert [reader.fetchone() for _ in sent] == sent
        writer.set_rowtime_bound(insert, begin + dt.timedelta(hours=1))
        while reader.rowtime_bound != begin + dt.timedelta(hours=1):
            pass
        with pytest.raises(dbapi.DataError, match="RT0501"):
            writer.set_rowtime_bound(insert, begin)
        with pytest.raises(dbapi.DatabaseError, match="RT0647"):
            writer.set_rowtime_bound("INSERT INTO s (n) VALUES (?)", begin)


def test_a_prepared_insert_follows_its_target(connection: dbapi.Connection, rt: Session) -> None:
    with connection, connection.cursor() as cursor:
        insert = "INSERT INTO t VALUES (?, ?)"
        rt.sql("CREATE TABLE t (a INTEGER, b INTEGER)")
        cursor.executemany(insert, [(1, 2)])
        rt.sql("DROP TABLE t")
        rt.sql("CREATE TABLE t (b INTEGER, a INTEGER)")
        cursor.executemany(insert, [(3, 4)])
        cursor.execute(insert, (5, 6))
        assert sorted(rt.sql("SELECT a, b FROM t").tuples()) == [(4, 3), (6, 5)]
        named = "INSERT INTO t (a, b) VALUES (?, ?)"
        cursor.executemany(named, [(7, 8)])
        rt.sql("DROP TABLE t")
        rt.sql("CREATE TABLE t (b INTEGER, a INTEGER, c INTEGER DEFAULT 7)")
        cursor.executemany(named, [(9, 10)])
        assert rt.sql("SELECT a, b, c FROM t").tuples() == [(9, 10, 7)]
        rt.sql("DROP TABLE t")
        with pytest.raises(dbapi.ProgrammingError, match="RT0111"):
            cursor.executemany(named, [(11, 12)])


def test_rows_do_not_go_to_a_stream_that_was_dropped(connection: dbapi.Connection, rt: Session) -> None:
    insert = "INSERT EXPEDITED INTO s (n) VALUES (?)"
    with connection, connection.cursor() as cursor:
        rt.sql("CREATE STREAM s (n INTEGER) OPTIONS (history 'all')")
        producer = rt.producer("s")
        producer.insert([{"n": 1}])
        cursor.executemany(insert, [(2,)])
        rt.sql("CREATE OR REPLACE STREAM s (n INTEGER, m INTEGER) OPTIONS (history 'all')")
        producer.insert([{"n": 3, "m": 3}])
        cursor.executemany(insert, [(4,)])
        rt.sql("DROP STREAM s")
        with pytest.raises(RowtimeError, match="RT0312: Object 'S' does not exist"):
            producer.insert([{"n": 5}])
        with pytest.raises(dbapi.ProgrammingError, match="RT0111"):
            cursor.executemany(insert, [(6,)])
        rt.sql("CREATE STREAM s (n INTEGER) OPTIONS (history 'all')")
        with pytest.raises(RowtimeError, match="RT0312"):
            producer.set_rowtime_bound("2100-01-01 00:00:00")
        producer.close()
        cursor.executemany(insert, [(7,)])
        assert cursor.rowcount == 1
        rt.sql("CREATE OR REPLACE STREAM s (n INTEGER) OPTIONS (history 'all') DROP ROWS")
        cursor.executemany(insert, [(8,)])
    assert rt.sql("SELECT n FROM s").tuples() == [(8,)]


def test_many_pages(connection: dbapi.Connection) -> None:
    with connection:
        connection.execute("CREATE TABLE t (n INTEGER)")
        cursor = connection.cursor()
        cursor.executemany("INSERT INTO t VALUES (?)", [[n] for n in range(25_000)])
        assert cursor.rowcount == 25_000
        cursor.execute("SELECT n FROM t ORDER BY n")
        assert len(cursor.fetchmany(1_500)) == 1_500
        assert [n for (n,) in cursor] == list(range(1_500, 25_000))


def test_errors(connection: dbapi.Connection) -> None:
    cursor = connection.cursor()
    with pytest.raises(dbapi.ProgrammingError, match="RT0111") as caught:
        cursor.execute("SELECT * FROM nothing")
    assert caught.value.code is not None and caught.value.sqlstate == "42000"
    with pytest.raises(dbapi.NotSupportedError):
        connection.rollback()
    with pytest.raises(dbapi.InterfaceError):
        cursor.fetchone()
    connection.close()
    connection.close()
    with pytest.raises(dbapi.InterfaceError, match="closed"):
        connection.cursor().execute("SELECT 1")
    with pytest.raises(dbapi.InterfaceError, match="URL"):
        rowtime.connect("rowtime://")
    with pytest.raises(dbapi.OperationalError, match="does not answer"):
        rowtime.connect("rowtime://127.0.0.1:1")
