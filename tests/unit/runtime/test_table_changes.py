"""CREATE TABLE … AS, UPDATE, DELETE and MERGE beside others who change the same table."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from rowtime.errors import RowtimeError
from rowtime.runtime.dml import changes
from rowtime.runtime.dml.changes import Changed
from rowtime.session import Session
from rowtime.streams.producer import Inserted
from rowtime.tables import tables


@pytest.fixture
def stock(rt: Session) -> Session:
    rt.sql("CREATE TABLE stock (id INTEGER NOT NULL, units INTEGER)")
    rt.sql("INSERT INTO stock VALUES (1, 10), (2, 20), (3, 30)")
    return rt


def rows(rt: Session) -> list[Any]:
    return [tuple(row) for row in rt.sql("SELECT * FROM stock ORDER BY id").tuples()]  # type: ignore[union-attr]


def beside(monkeypatch: pytest.MonkeyPatch, step: str, act: Callable[[], object]) -> None:
    """Lets another process act once, right before a step of a statement."""
    real = getattr(tables, step)
    waiting = [act]

    def stepped(*arguments: Any, **named: Any) -> Any:
        if waiting:
            waiting.pop()()
        return real(*arguments, **named)

    monkeypatch.setattr(changes.tables, step, stepped)


def test_what_a_statement_says(stock: Session) -> None:
    def told(sql: str) -> tuple[object, str]:
        done = stock.sql(sql)
        assert isinstance(done, Changed | Inserted)
        return done, done.summary

    assert told("UPDATE stock SET units = 0 WHERE id > 1") == (Changed(updated=2), "2 rows updated")
    assert told("DELETE FROM stock WHERE id = 1") == (Changed(deleted=1), "1 row deleted")
    assert told("DELETE FROM stock WHERE id = 1") == (Changed(deleted=0), "0 rows deleted")
    merge = (
        "MERGE INTO stock AS s USING (VALUES (3, 5), (4, 6)) AS v (id, units) ON s.id = v.id "
        "WHEN MATCHED THEN UPDATE SET units = v.units WHEN NOT MATCHED THEN INSERT VALUES (v.id, v.units)"
    )
    assert told(merge) == (Changed(updated=1, inserted=1), "1 row updated, 1 row inserted")
    assert told("CREATE TABLE copies AS SELECT * FROM stock") == (Inserted(3), "3 rows inserted")
    assert rows(stock) == [(2, 0), (3, 5), (4, 6)]


def test_what_changes_nothing_is_no_commit(stock: Session) -> None:
    entry = stock.store.get("STOCK")
    assert entry is not None
    before = tables.open_table(stock.store, entry).version()
    stock.sql("UPDATE stock SET units = 0 WHERE id > 100")
    stock.sql("DELETE FROM stock WHERE units IS NULL")
    assert tables.open_table(stock.store, entry).version() == before


def test_rows_that_come_while_it_is_written_stay(stock: Session, monkeypatch: pytest.MonkeyPatch) -> None:
    beside(monkeypatch, "commit_result", lambda: stock.sql("INSERT INTO stock VALUES (9, 90)"))
    assert stock.sql("UPDATE stock SET units = units + 1") == Changed(updated=3)
    assert rows(stock) == [(1, 11), (2, 21), (3, 31), (9, 90)]


def test_it_is_computed_again_where_others_change_rows(stock: Session, monkeypatch: pytest.MonkeyPatch) -> None:
    beside(monkeypatch, "commit_result", lambda: stock.sql("UPDATE stock SET units = 0 WHERE id = 1"))
    assert stock.sql("DELETE FROM stock WHERE units = 10 OR id = 2") == Changed(deleted=1)
    assert rows(stock) == [(1, 0), (3, 30)]


ADDING = (
    "MERGE INTO stock AS s USING (VALUES (4, 40)) AS v (id, units) ON s.id = v.id "
    "WHEN NOT MATCHED THEN INSERT VALUES (v.id, v.units)"
)
ADDING_UNLESS_THERE = (
    "INSERT INTO stock SELECT v.id, v.units FROM (VALUES (4, 40)) AS v (id, units) "
    "WHERE NOT EXISTS (SELECT 1 FROM stock AS s WHERE s.id = v.id)"
)


@pytest.mark.parametrize("other", [ADDING, ADDING_UNLESS_THERE], ids=["MERGE", "INSERT"])
@pytest.mark.parametrize(
    "sql",
    [
        ADDING,
        ADDING_UNLESS_THERE,
        # Also one that replaces files: the row that the other has inserted is in none of them.
        ADDING.replace("(VALUES (4, 40))", "(VALUES (4, 40), (1, 10))").replace(
            "WHEN NOT", "WHEN MATCHED THEN UPDATE SET units = v.units WHEN NOT"
        ),
    ],
    ids=["MERGE", "INSERT", "MERGE that updates"],
)
def test_rows_that_another_statement_has_inserted_by_what_it_read(
    stock: Session, monkeypatch: pytest.MonkeyPatch, sql: str, other: str
) -> None:
    beside(monkeypatch, "commit_result", lambda: stock.sql(other))
    stock.sql(sql)
    assert rows(stock) == [(1, 10), (2, 20), (3, 30), (4, 40)]


def test_an_update_is_computed_again_for_rows_that_another_statement_has_inserted(
    stock: Session, monkeypatch: pytest.MonkeyPatch
) -> None:
    beside(monkeypatch, "commit_result", lambda: stock.sql(ADDING))
    assert stock.sql("UPDATE stock SET units = units + 1") == Changed(updated=4)
    assert rows(stock) == [(1, 11), (2, 21), (3, 31), (4, 41)]


def test_inserts_that_read_nothing_hold_no_statement_up(stock: Session, monkeypatch: pytest.MonkeyPatch) -> None:
    """They count as if they came after the statement, however often they come."""
    for number in range(changes.ATTEMPTS + 2):
        beside(monkeypatch, "commit_result", lambda n=number: stock.sql(f"INSERT INTO stock VALUES ({10 + n}, 0)"))
    assert stock.sql(ADDING) == Changed(updated=0, inserted=1)
    assert (4, 40) in rows(stock)
    assert len(rows(stock)) == 3 + 1 + changes.ATTEMPTS + 2


@pytest.mark.parametrize(
    "other",
    [
        "UPDATE stock SET units = 0 WHERE id = 1",
        "DELETE FROM stock WHERE id > 1",
        "ALTER TABLE stock ADD COLUMN x DATE",
    ],
)
def test_an_insert_beside_a_statement_that_changes_the_table(
    stock: Session, monkeypatch: pytest.MonkeyPatch, other: str
) -> None:
    """It has read nothing, so it counts as if it came after the statement."""
    beside(monkeypatch, "append_once", lambda: stock.sql(other))
    assert stock.sql("INSERT INTO stock VALUES (9, 90)") == Inserted(1)
    expected = {"U": [(1, 0), (2, 20), (3, 30), (9, 90)], "D": [(1, 10), (9, 90)]}
    everything = [(1, 10), (2, 20), (3, 30), (9, 90)]
    found = stock.sql("SELECT id, units FROM stock ORDER BY id").tuples()  # type: ignore[union-attr]
    assert [tuple(row) for row in found] == expected.get(other[0], everything)


def test_a_failing_query_leaves_no_table(stock: Session) -> None:
    folder = stock.store.warehouse / "tables"
    before = sorted(folder.iterdir())
    with pytest.raises(RowtimeError, match="RT0510"):
        stock.sql("CREATE TABLE copies AS SELECT units / (id - id) AS part FROM stock")
    assert stock.store.get("COPIES") is None
    # Nor does one whose catalog has moved on meanwhile.
    planned = stock.plan_at("CREATE TABLE copies AS SELECT * FROM stock", 1, 1)
    stock.sql("CREATE VIEW others AS SELECT * FROM stock")
    with pytest.raises(RowtimeError, match="RT0390"):
        stock.run(planned, "")
    assert sorted(folder.iterdir()) == before


def test_a_replaced_table_is_the_old_one_until_it_is_there(stock: Session) -> None:
    with pytest.raises(RowtimeError, match="RT0510"):
        stock.sql("CREATE OR REPLACE TABLE stock AS SELECT id, units / (id - 3) AS units FROM stock")
    assert rows(stock) == [(1, 10), (2, 20), (3, 30)]
    stock.sql("CREATE OR REPLACE TABLE stock AS SELECT id, units FROM stock WHERE id > 1")
    assert rows(stock) == [(2, 20), (3, 30)]


def test_create_table_as_is_interrupted_after_its_commit(rt: Session, monkeypatch: pytest.MonkeyPatch) -> None:
    """The table has been created, so its rows stay."""

    def interrupt(folder: Path) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr("rowtime.runtime.dml.changes.keep", interrupt)
    with pytest.raises(KeyboardInterrupt):
        rt.sql("CREATE TABLE made AS SELECT n FROM (VALUES (1), (2)) AS v(n)")
    assert sorted(rt.sql("SELECT n FROM made").tuples()) == [(1,), (2,)]  # type: ignore[union-attr]
