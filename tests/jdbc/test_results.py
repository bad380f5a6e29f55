"""Results of relational queries: in order, on disk rather than in memory, and nothing of them remains."""

from __future__ import annotations

import tracemalloc

import pyarrow as pa
import pytest

from rowtime import dbapi
from rowtime.privatefolder import private_folder
from rowtime.serve.server import JdbcServer
from rowtime.session import Session
from rowtime.streams.writes import WriteRequest

ROWS = 200_000


def spooled() -> list[str]:
    return [path.name for path in private_folder().glob("result-*")]


@pytest.fixture
def connection(rt: Session, server: JdbcServer) -> dbapi.Connection:
    rt.sql("CREATE STREAM s (n INTEGER, word VARCHAR) OPTIONS (history 'all')")
    connection = dbapi.connect(f"rowtime://127.0.0.1:{server.port}")
    numbers = pa.array(range(ROWS), pa.int32())
    words = pa.array([f"word {n}" for n in range(ROWS)])
    at = pa.array([1_767_225_600_000_000] * ROWS, pa.timestamp("us", "UTC"))
    rt.log("S").submit(WriteRequest(rows=pa.table({"ROWTIME": at, "N": numbers, "WORD": words})))
    rt.log("S").flush()
    return connection


def test_a_large_result(connection: dbapi.Connection) -> None:
    cursor = connection.cursor()
    tracemalloc.start()
    try:
        cursor.execute("SELECT n, word FROM s")
        assert len(spooled()) == 1
        # Server and client are one process here; as tuples, the rows would take 30 MB.
        assert cursor.fetchone() == (0, "word 0")
        assert tracemalloc.get_traced_memory()[1] < 10_000_000
    finally:
        tracemalloc.stop()
    # Rows of a stream are in order of arrival.
    assert [row[0] for row in cursor.fetchall()] == list(range(1, ROWS))
    assert spooled() == []


def test_a_result_that_nobody_reads(connection: dbapi.Connection) -> None:
    cursor = connection.execute("SELECT n, word FROM s ORDER BY n DESC")
    assert cursor.fetchone() == (ROWS - 1, f"word {ROWS - 1}")
    assert len(spooled()) == 1
    # The next statement of the cursor, and the end of the connection, delete it.
    cursor.execute("SELECT COUNT(*) FROM s")
    assert cursor.fetchall() == [(ROWS,)]
    assert spooled() == []
    connection.execute("SELECT n FROM s")
    connection.close()
    assert spooled() == []


def test_few_rows_are_in_no_file(connection: dbapi.Connection) -> None:
    cursor = connection.execute("SELECT n FROM s ORDER BY n LIMIT 3")
    assert spooled() == []
    assert cursor.fetchall() == [(0,), (1,), (2,)]
