"""How the rows of micro-batches reach this process: with the values that a relational query returns, whatever their
number."""

from __future__ import annotations

from pathlib import Path

import pytest

from rowtime.runtime.query.query import Query
from rowtime.session import Session

from .conftest import rows, settle

_TYPES = """
CREATE STREAM typed (
    b BOOLEAN, t TINYINT, s SMALLINT, i INTEGER, l BIGINT, r REAL, d DOUBLE, n DECIMAL(20, 5), c VARCHAR, y VARBINARY,
    a DATE, m TIME, p TIMESTAMP, e INTEGER ARRAY, k MAP<VARCHAR, DATE>, w ROW(x INTEGER, z TIMESTAMP))
OPTIONS (history 'all')
"""
_ROWS = (
    """INSERT INTO typed VALUES (
    TIMESTAMP '2015-02-15 10:00:00', TRUE, 1, 2, 3, 4, 1.5, 2.5, 12345.67890, 'é', X'00FF', DATE '1969-12-31',
    TIME '23:59:59', TIMESTAMP '1900-01-01 00:00:00.001', ARRAY[1, NULL], MAP['x', DATE '2024-02-29'],
    ROW(1, TIMESTAMP '2015-02-15 10:00:00'))""",
    "INSERT INTO typed (rowtime) VALUES (TIMESTAMP '2015-02-15 10:00:01')",
)
_INTERVALS = "INTERVAL '-1 02:03:04.005' DAY TO SECOND AS j, INTERVAL '-1-2' YEAR TO MONTH AS v"


def _stream(rt: Session, sql: str) -> Query:
    found = rt.sql(sql)
    assert isinstance(found, Query)
    return found


def test_values_of_all_types_are_those_of_a_relation(rt: Session) -> None:
    rt.sql(_TYPES)
    query = _stream(rt, f"SELECT STREAM *, {_INTERVALS} FROM typed")
    for each in _ROWS:
        rt.sql(each)
    settle(rt, query)
    streamed = [tuple(row) for row in query.rows()]
    expected = rows(rt, f"SELECT *, {_INTERVALS} FROM typed")
    assert streamed == expected
    # Equal values may be of different types.
    assert [[type(v) for v in row] for row in streamed] == [[type(v) for v in row] for row in expected]
    query.stop()


@pytest.mark.parametrize("count", [1, 30_000])
def test_small_and_large_micro_batches(rt: Session, count: int) -> None:
    """A pump takes its rows as Arrow, a query as rows; large ones come through a file, which is deleted."""
    rt.sql(f"CREATE STREAM given{count} (n INTEGER, c VARCHAR)")
    rt.sql(f"CREATE STREAM taken{count} (n INTEGER, c VARCHAR) OPTIONS (history 'all')")
    rt.sql(f"CREATE PUMP p{count} STARTED AS INSERT INTO taken{count} SELECT STREAM * FROM given{count}")
    query = _stream(rt, f"SELECT STREAM n, c FROM given{count}")
    producer = rt.producer(f"given{count}")
    given = [{"rowtime": "2015-02-15 10:00:00", "n": n, "c": f"row number {n}"} for n in range(count)]
    producer.insert(given)
    settle(rt, query)
    expected = [(row["n"], row["c"]) for row in given]
    assert [tuple(row) for row in query.rows()] == expected
    assert sorted(rows(rt, f"SELECT n, c FROM taken{count}")) == expected
    assert not list(Path(rt.store.warehouse).rglob("batch"))
    producer.close()
    query.stop()
    rt.sql(f"DROP PUMP p{count}")


@pytest.mark.parametrize("day", ["DATE '9999-12-31' +", "DATE '0001-01-01' -"])
def test_a_value_that_python_cannot_have_fails_the_query_and_says_why(rt: Session, day: str) -> None:
    rt.sql("CREATE STREAM days (n INTEGER)")
    query = _stream(rt, f"SELECT STREAM {day} n * INTERVAL '1' DAY AS d FROM days")
    rt.sql("INSERT INTO days VALUES (TIMESTAMP '2015-02-15 10:00:00', 1)")
    with pytest.raises(Exception, match="RT0555") as caught:
        settle(rt, query)
    assert "Traceback" not in str(caught.value) and "py4j" not in str(caught.value)
    query.stop()
