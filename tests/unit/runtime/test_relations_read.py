"""A statement reads each table, also a foreign one, and the history of each stream, in one version, however often it
names it."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from deltalake import write_deltalake

from rowtime.session import Session
from rowtime.sources import scan

from .conftest import rows


@pytest.fixture
def busy(rt: Session, monkeypatch: pytest.MonkeyPatch) -> Session:
    """A table and a stream into which others insert a row whenever a query has opened one of them."""
    rt.sql("CREATE TABLE t (n INTEGER)")
    rt.sql("CREATE STREAM s (n INTEGER) OPTIONS (history 'all')")
    rt.sql("CREATE MATERIALIZED VIEW m AS SELECT n, COUNT(*) AS c FROM s GROUP BY n")
    for name in ("t", "s"):
        rt.sql(f"INSERT INTO {name} (n) VALUES (1)")
    rt.runtime.settle([])
    real = scan._as_translated

    def opened(*arguments: Any, **named: Any) -> Any:
        for name in ("t", "s"):
            rt.sql(f"INSERT INTO {name} (n) VALUES (1)")
        rt.runtime.settle([])
        return real(*arguments, **named)

    monkeypatch.setattr(scan, "_as_translated", opened)
    return rt


TWICE = (
    "SELECT (SELECT COUNT(*) FROM {0}) AS a, (SELECT COUNT(*) FROM {0}) AS b",
    "WITH c AS (SELECT COUNT(*) AS n FROM {0}) SELECT x.n, y.n FROM c AS x, c AS y",
    "SELECT SUM(c) FILTER (WHERE w = 1), SUM(c) FILTER (WHERE w = 2) "
    "FROM (SELECT 1 AS w, COUNT(*) AS c FROM {0} UNION ALL SELECT 2, COUNT(*) FROM {0}) AS u",
)


@pytest.mark.parametrize("sql", TWICE)
@pytest.mark.parametrize("name", ["t", "s"])
def test_query(busy: Session, name: str, sql: str) -> None:
    ((a, b),) = rows(busy, sql.format(name))
    assert a == b > 0


def test_materialized_view(busy: Session) -> None:
    ((a, b),) = rows(busy, "SELECT a.c, b.c FROM m AS a JOIN m AS b ON a.n = b.n")
    assert a == b > 0


def test_statements_that_write(busy: Session) -> None:
    busy.sql("CREATE TABLE made AS " + TWICE[0].format("t"))
    busy.sql("INSERT INTO made " + TWICE[0].format("s"))
    busy.sql(
        "MERGE INTO made AS o USING "
        "(SELECT (SELECT COUNT(*) FROM t) + 100 AS a, (SELECT COUNT(*) FROM t) + 100 AS b) AS v "
        "ON o.a = v.a WHEN NOT MATCHED THEN INSERT VALUES (v.a, v.b)"
    )
    found = rows(busy, "SELECT a, b FROM made")
    assert len(found) == 3
    assert all(a == b for a, b in found)


@pytest.fixture(params=["delta", "parquet", "csv"])
def foreign(rt: Session, monkeypatch: pytest.MonkeyPatch, tmp_path: Path, request: pytest.FixtureRequest) -> Session:
    """A foreign table to which others append a row whenever a query has opened it."""
    real, folder, format = scan._as_translated, tmp_path / "f", request.param
    row = pa.table({"n": pa.array([1], pa.int32())})

    def append(number: int) -> None:
        folder.mkdir(exist_ok=True)
        if format == "delta":
            write_deltalake(folder, row, mode="append")
        elif format == "parquet":
            pq.write_table(row, folder / f"{number}.parquet")
        else:
            (folder / f"{number}.csv").write_text("n\n1\n")

    appended = 0

    def opened(*arguments: Any, **named: Any) -> Any:
        nonlocal appended
        appended += 1
        append(appended)
        return real(*arguments, **named)

    append(0)
    kind = "delta" if format == "delta" else "files"
    rt.sql(f"CREATE FOREIGN TABLE f (n INTEGER) OPTIONS (connector '{kind}', path '{folder}')")
    monkeypatch.setattr(scan, "_as_translated", opened)
    return rt


@pytest.mark.parametrize("sql", TWICE)
def test_foreign_table(foreign: Session, sql: str) -> None:
    assert rows(foreign, sql.format("f")) == [(1, 1)]
    # The next statement sees what is there then.
    ((a, b),) = rows(foreign, sql.format("f"))
    assert a == b > 1


def test_foreign_table_in_statements_that_write(foreign: Session) -> None:
    foreign.sql("CREATE TABLE made AS " + TWICE[0].format("f"))
    foreign.sql("INSERT INTO made " + TWICE[1].format("f"))
    found = rows(foreign, "SELECT a, b FROM made")
    assert len(found) == 2
    assert all(a == b for a, b in found)
