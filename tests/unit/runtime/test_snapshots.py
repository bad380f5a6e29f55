"""SNAPSHOT in a streaming query: the rows that the query has found when it was started."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from queries import drain

from rowtime.errors import RowtimeError
from rowtime.session import Session


@pytest.fixture
def prepared(rt: Session) -> Session:
    rt.sql("CREATE STREAM orders (product INTEGER)")
    rt.sql("CREATE TABLE products (id INTEGER, name VARCHAR(20))")
    rt.sql("INSERT INTO products VALUES (1, 'one')")
    return rt


def order(session: Session, second: int) -> None:
    session.sql(f"INSERT INTO orders VALUES (TIMESTAMP '2024-05-01 10:00:{second:02}', 1)")


def names(session: Session, query: Any) -> list[Any]:
    return [row[0] for row in drain(query)]


JOIN = "SELECT STREAM p.name FROM orders AS o JOIN SNAPSHOT(products) AS p ON p.id = o.product"


def test_a_table_that_was_dropped(prepared: Session) -> None:
    query = prepared.submit(JOIN)
    prepared.sql("UPDATE products SET name = 'two'")
    order(prepared, 1)
    assert names(prepared, query) == ["one"]
    prepared.sql("DROP TABLE products")
    order(prepared, 2)
    assert names(prepared, query) == ["one"]


def test_each_query_has_a_snapshot_of_its_own(prepared: Session) -> None:
    first = prepared.submit(JOIN)
    prepared.sql("UPDATE products SET name = 'two'")
    second = prepared.submit(JOIN)
    prepared.sql("UPDATE products SET name = 'three'")
    order(prepared, 1)
    assert (names(prepared, first), names(prepared, second)) == (["one"], ["two"])


def test_a_foreign_table_is_read_once(prepared: Session, tmp_path: Path) -> None:
    path = tmp_path / "products.csv"
    path.write_text("id,name\n1,one\n")
    prepared.sql(
        "CREATE FOREIGN TABLE outside (id INTEGER, name VARCHAR(20)) "
        f"OPTIONS (connector 'files', format 'csv', path '{path}')"
    )
    query = prepared.submit(JOIN.replace("products", "outside"))
    path.write_text("id,name\n1,two\n")
    order(prepared, 1)
    assert names(prepared, query) == ["one"]
    query.kill()
    query.restart()
    order(prepared, 2)
    assert names(prepared, query) == ["one"]


def test_a_dataframe_of_the_users_own(prepared: Session, tmp_path: Path) -> None:
    frame = prepared.table(JOIN)
    prepared.sql("UPDATE products SET name = 'two'")
    got: list[str] = []
    running = (
        frame.writeStream.foreachBatch(lambda df, _: got.extend(row.NAME for row in df.collect()))
        .option("checkpointLocation", str(tmp_path / "checkpoint"))
        .start()
    )
    for second in (1, 2):
        order(prepared, second)
        running.processAllAvailable()
        prepared.sql(f"UPDATE products SET name = 'again {second}'")
    running.stop()
    # The DataFrame reads its snapshot when its first micro-batch is planned, and keeps it.
    assert len(got) == 2
    assert len(set(got)) == 1


def test_rows_that_history_no_longer_has(prepared: Session) -> None:
    prepared.sql("CREATE STREAM names (id INTEGER, name VARCHAR(20)) OPTIONS (history '1 HOUR')")
    prepared.sql("INSERT INTO names VALUES (TIMESTAMP '2024-05-01 10:00:00', 1, 'one')")
    query = prepared.submit(JOIN.replace("products", "names"))
    prepared.sql("INSERT INTO names VALUES (TIMESTAMP '2024-05-01 20:00:00', 1, 'two')")
    with pytest.raises(RowtimeError, match=r"RT0520"):
        prepared.submit(JOIN.replace("products", "names"))
    order(prepared, 1)
    assert names(prepared, query) == ["one"]
    query.kill()
    query.restart()
    order(prepared, 2)
    assert names(prepared, query) == ["one"]
