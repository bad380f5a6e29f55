"""The versions of tables that a query sees: one for a micro-batch, and the same again where Spark repeats it."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest
from queries import eventually

from rowtime.errors import RowtimeError
from rowtime.runtime.lookup.lookups import pinned_versions
from rowtime.runtime.sinks import RowSink
from rowtime.session import Session
from rowtime.tables import tables

SCRIPT = """
CREATE STREAM orders (product INTEGER);
CREATE TABLE products (id INTEGER, name VARCHAR(20));
INSERT INTO products VALUES (1, 'one');
"""


def step(session: Session, second: int) -> None:
    session.sql(f"INSERT INTO orders VALUES (TIMESTAMP '2024-05-01 10:00:{second:02}', 1)")


@pytest.fixture
def prepared(rt: Session) -> Session:
    for statement in SCRIPT.strip().split(";\n"):
        rt.sql(statement.rstrip(";"))
    return rt


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


def test_a_repeated_micro_batch_sees_what_it_saw(prepared: Session, monkeypatch: pytest.MonkeyPatch) -> None:
    sink = Failing()
    plan = prepared.plan("SELECT STREAM p.name FROM orders AS o JOIN products AS p ON p.id = o.product")
    query = prepared.submit(plan, sink=sink)
    step(prepared, 1)
    with pytest.raises(RowtimeError, match="the sink is away"):
        query.process_all_available()
    prepared.sql("UPDATE products SET name = 'two'")
    prepared.sql("UPDATE products SET name = 'three'")
    # Clean-up leaves the version that is going to be seen again.
    monkeypatch.setattr(tables, "KEPT_HOURS", 0)
    store = prepared.runtime.store
    entry = store.get("PRODUCTS")
    assert entry is not None
    assert list(pinned_versions(store.warehouse)) == [entry.id]
    prepared.runtime.sweep_tables()
    assert len(list(tables.folder(store, entry).glob("*.parquet"))) == 2
    query.restart()
    query.process_all_available()
    step(prepared, 2)
    query.process_all_available()
    assert sink.refused == [("one",)]
    assert sink.taken == [("one",), ("three",)]


def test_the_state_of_a_micro_batch_that_was_given_out_is_computed_again(prepared: Session) -> None:
    query: Any = prepared.sql(
        "SELECT STREAM FLOOR(o.rowtime TO MINUTE) AS rowtime, COUNT(*) AS c FROM orders AS o "
        "JOIN products AS p ON p.id = o.product GROUP BY FLOOR(o.rowtime TO MINUTE)"
    )
    # A lease would be renewed only after the micro-batch is done.
    query.job.renew = lambda: None
    step(prepared, 1)
    query.process_all_available()
    query.kill()
    # The crash comes before Spark has written that the last micro-batch is done: it runs it again.
    commits = sorted((query.checkpoint / "spark" / "commits").glob("[0-9]*"), key=lambda file: int(file.name))
    assert (query.checkpoint / "emitted").read_text() == commits[-1].name
    commits[-1].unlink()
    query.restart()
    step(prepared, 2)
    prepared.sql("INSERT INTO orders VALUES (TIMESTAMP '2024-05-01 10:01:00', 1)")
    query.process_all_available()
    assert [row.C for row in query.rows()] == [2]


@pytest.mark.usefixtures("interpreted")
@pytest.mark.parametrize("condition", ["p.id = o.product", "p.id > o.product"])
def test_the_clock_moves_beside_an_empty_table(prepared: Session, condition: str) -> None:
    query: Any = prepared.sql(
        "SELECT STREAM FLOOR(o.rowtime TO MINUTE) AS rowtime, COUNT(*) AS c FROM orders AS o "
        f"JOIN products AS p ON {condition} GROUP BY FLOOR(o.rowtime TO MINUTE)"
    )
    prepared.sql("INSERT INTO products VALUES (2, 'two')")
    step(prepared, 1)
    query.process_all_available()
    prepared.sql("DELETE FROM products")
    prepared.sql("INSERT INTO orders VALUES (TIMESTAMP '2024-05-01 10:01:00', 1)")
    query.process_all_available()
    assert [row.C for row in query.rows()] == [1]


GROUPED = (
    "SELECT STREAM FLOOR(rowtime TO MINUTE) AS rowtime, COUNT(*) AS c FROM orders GROUP BY FLOOR(rowtime TO MINUTE)"
)
NUMBERED = "SELECT STREAM rowtime, COUNT(*) OVER (ORDER BY rowtime ROWS UNBOUNDED PRECEDING) AS c FROM orders"
LATER = "SELECT * FROM products WHERE id > 1"
RELATIONS = {
    # how a stream is joined, and the minutes and counts of the results
    "equal": (f"JOIN ({LATER}) AS p ON p.id = o.c", [(3, 2), (4, 2)], [(3, 5)]),
    "other": (f"JOIN ({LATER}) AS p ON p.id < o.c", [], [(3, 4), (3, 5), *[(4, 6), (4, 7)] * 2]),
    "any": (f"JOIN ({LATER}) AS p ON TRUE", [(2, 1), (3, 2), (4, 2)] * 2, [(3, 4), (3, 5), (4, 6), (4, 7)] * 2),
    "in": (f"WHERE o.c IN (SELECT id FROM ({LATER}))", [(3, 2), (4, 2)], [(3, 5)]),
    "exists": (f"WHERE EXISTS ({LATER})", [(2, 1), (3, 2), (4, 2)], [(3, 4), (3, 5), (4, 6), (4, 7)]),
    "left": (f"LEFT JOIN ({LATER}) AS p ON p.id = o.c", [(2, 1), (3, 2), (4, 2)], [(3, 4), (3, 5), (4, 6), (4, 7)]),
}


@pytest.mark.usefixtures("interpreted")
@pytest.mark.parametrize("stream", ["group", "over"])
@pytest.mark.parametrize("relation", RELATIONS)
def test_operators_below_go_on_if_no_row_matches(prepared: Session, stream: str, relation: str) -> None:
    how, grouped, numbered = RELATIONS[relation]
    rows = f"SELECT STREAM o.rowtime, o.c FROM ({GROUPED if stream == 'group' else NUMBERED}) AS o {how}"
    query: Any = prepared.submit(rows, partitions=1)

    def insert(minute: int, count: int) -> None:
        values = ", ".join([f"(TIMESTAMP '2024-05-01 10:0{minute}:00', 1)"] * count)
        prepared.sql(f"INSERT INTO orders VALUES {values}")
        query.process_all_available()

    for minute in range(3):
        insert(minute, 1)
    assert bool(query.rows()) == (relation == "left")
    prepared.sql("INSERT INTO products VALUES (2, 'two'), (5, 'five')")
    query.kill()
    query.restart()
    for minute in (3, 4):
        insert(minute, 2)
    insert(9, 1)
    found = [(row.ROWTIME.minute, row.C) for row in query.rows() if row.ROWTIME.minute < 9]
    expected = grouped if stream == "group" else numbered
    assert sorted(found) == sorted(expected)


def test_what_a_version_has_is_read_once(prepared: Session) -> None:
    query: Any = prepared.sql("SELECT STREAM p.name FROM orders AS o JOIN products AS p ON p.id = o.product")
    tracker = prepared.runtime.spark.sparkContext._jsc.sc()
    step(prepared, 1)
    query.process_all_available()
    kept = set(tracker.getPersistentRDDs().keySet().mkString(",").split(","))
    step(prepared, 2)
    query.process_all_available()
    assert set(tracker.getPersistentRDDs().keySet().mkString(",").split(",")) == kept
    prepared.sql("INSERT INTO products VALUES (1, 'uno')")
    step(prepared, 3)
    query.process_all_available()
    after = set(tracker.getPersistentRDDs().keySet().mkString(",").split(","))
    # The old version has gone.
    assert after != kept
    assert len(after) == len(kept)
    assert sorted(row.NAME for row in query.rows()) == ["one", "one", "one", "uno"]


def kept(session: Session) -> set[str]:
    """Returns the RDDs of table rows that Spark keeps in memory. It also keeps RDDs of Delta's."""
    rdds = session.runtime.spark.sparkContext._jsc.sc().getPersistentRDDs().values().mkString("\n")
    return {rdd for rdd in rdds.split("\n") if rdd.startswith("rowtime: table rows")}


def test_what_is_kept_goes_with_the_query(prepared: Session) -> None:
    before = kept(prepared)
    query: Any = prepared.sql("SELECT STREAM p.name FROM orders AS o JOIN products AS p ON p.id = o.product")
    prepared.sql("CREATE TABLE named (name VARCHAR(20))")
    prepared.sql(
        "CREATE PUMP fill STARTED AS INSERT INTO named "
        "SELECT STREAM p.name FROM orders AS o JOIN products AS p ON p.id = o.product"
    )
    step(prepared, 1)
    prepared.runtime.settle([query])
    assert len(kept(prepared) - before) == 2
    query.kill()
    assert len(kept(prepared) - before) == 1
    query.restart()
    step(prepared, 2)
    prepared.runtime.settle([query])
    assert [row.NAME for row in query.rows()] == ["one", "one"]
    query.stop()
    prepared.sql("DROP PUMP fill")
    # A dropped pump ends within a second. What earlier tests kept may go at any time.
    eventually(lambda: not kept(prepared) - before, 30)


def test_what_varies_is_read_for_each_micro_batch(prepared: Session) -> None:
    query: Any = prepared.sql(
        "SELECT STREAM p.r, q.least FROM orders AS o CROSS JOIN (SELECT RAND() AS r FROM products) AS p "
        "CROSS JOIN (SELECT MIN(id) AS least FROM products) AS q"
    )
    for second in range(1, 5):
        step(prepared, second)
        query.process_all_available()
    assert len({row.R for row in query.rows()}) == 4


def test_a_table_that_was_dropped(prepared: Session) -> None:
    query: Any = prepared.sql("SELECT STREAM p.name FROM orders AS o JOIN products AS p ON p.id = o.product")
    step(prepared, 1)
    query.process_all_available()
    prepared.sql("DROP TABLE products")
    step(prepared, 2)
    with pytest.raises(RowtimeError, match=r"RT0312.*'PRODUCTS' does not exist"):
        query.process_all_available()


def test_a_foreign_table_is_read_for_each_micro_batch(prepared: Session, tmp_path: Path) -> None:
    folder = tmp_path / "names"
    folder.mkdir()
    (folder / "a.json").write_text('{"id": 1, "name": "uno"}\n')
    prepared.sql(
        "CREATE FOREIGN TABLE names (id INTEGER, name VARCHAR(20)) "
        f"OPTIONS (connector 'files', path '{folder}', format 'json')"
    )
    query: Any = prepared.sql(
        "SELECT STREAM n.name, m.name AS again FROM orders AS o JOIN names AS n ON n.id = o.product "
        "LEFT JOIN names AS m ON m.id = o.product AND m.name = n.name"
    )
    step(prepared, 1)
    query.process_all_available()
    (folder / "b.json").write_text('{"id": 1, "name": "eins"}\n')
    step(prepared, 2)
    query.process_all_available()
    found = [(row.NAME, row.AGAIN) for row in query.rows()]
    assert found[0] == ("uno", "uno")
    assert sorted(found[1:]) == [("eins", "eins"), ("uno", "uno")]


def test_a_foreign_table_that_is_another_one_now(prepared: Session, tmp_path: Path) -> None:
    (tmp_path / "a.json").write_text('{"id": 1, "name": "uno"}\n')
    options = f"OPTIONS (connector 'files', path '{tmp_path}', format 'json')"
    prepared.sql(f"CREATE FOREIGN TABLE names (id INTEGER, name VARCHAR(20)) {options}")
    query: Any = prepared.sql("SELECT STREAM n.name FROM orders AS o JOIN names AS n ON n.id = o.product")
    step(prepared, 1)
    query.process_all_available()
    prepared.sql("DROP FOREIGN TABLE names")
    prepared.sql(f"CREATE FOREIGN TABLE names (name VARCHAR(20), id BIGINT) {options}")
    step(prepared, 2)
    with pytest.raises(RowtimeError, match=r"RT0312.*'NAMES' does not exist"):
        query.process_all_available()


def test_bad_records_of_a_foreign_table_are_those_of_the_query(prepared: Session, tmp_path: Path) -> None:
    (tmp_path / "a.json").write_text('{"id": 1, "name": "uno"}\nno record\n')
    options = f"OPTIONS (connector 'files', path '{tmp_path}', format 'json')"
    prepared.sql(f"CREATE FOREIGN TABLE names (id INTEGER, name VARCHAR(20)) {options}")
    query: Any = prepared.sql("SELECT STREAM n.name FROM orders AS o JOIN names AS n ON n.id = o.product")
    step(prepared, 1)
    query.process_all_available()
    entry = prepared.runtime.store.get("NAMES")
    assert entry is not None
    folder = prepared.runtime.launcher.foreign.bad_rows(entry)
    assert {file.relative_to(folder).parts[0] for file in folder.rglob("*.jsonl")} == {query.checkpoint.name}


def test_a_dataframe_of_the_users_own(prepared: Session, tmp_path: Path) -> None:
    query: Any = prepared.sql("SELECT STREAM p.name FROM orders AS o LEFT JOIN products AS p ON p.id = o.product")
    frame = query.to_df()
    query.stop()
    out, checkpoint = str(tmp_path / "out"), str(tmp_path / "checkpoint")
    running = frame.writeStream.format("json").option("checkpointLocation", checkpoint).start(out)
    try:
        step(prepared, 1)
        running.processAllAvailable()
        prepared.sql("UPDATE products SET name = 'uno'")
        step(prepared, 2)
        running.processAllAvailable()
    finally:
        running.stop()
    assert sorted(row.NAME for row in prepared.runtime.spark.read.json(out).collect()) == ["one", "uno"]
