"""Folders of files as targets: what is written reads back, appears whole, and each batch of a writer counts once."""

from __future__ import annotations

import datetime as dt
import json
import shutil
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from rowtime.catalog.changes import Entry
from rowtime.delta.batches import LastBatch, SentBatch
from rowtime.errors import RowtimeError
from rowtime.foreign.targets import last_batch, write_batch
from rowtime.runtime.relation import Relation
from rowtime.session import Session

COLUMNS = (
    '"at" TIMESTAMP(3), n INT, text VARCHAR, price DECIMAL(8, 2), d DATE, t TIME, b VARBINARY, ok BOOLEAN, '
    "tags VARCHAR ARRAY"
)


def table(rt: Session, folder: Path, format: str, columns: str = COLUMNS, more: str = "") -> Entry:
    rt.sql(
        f"CREATE FOREIGN TABLE goal ({columns}) OPTIONS (connector 'files', path '{folder}', format '{format}'{more})"
    )
    entry = rt.store.get("GOAL")
    assert entry is not None
    return entry


def read(rt: Session, sql: str) -> list[tuple[object, ...]]:
    found = rt.sql(sql)
    assert isinstance(found, Relation)
    return [tuple(row) for row in found]


@pytest.mark.parametrize("format", ["json", "csv", "parquet"])
def test_what_is_written_reads_back(rt: Session, tmp_path: Path, format: str) -> None:
    columns = COLUMNS if format != "parquet" else COLUMNS.replace(" t TIME,", "")
    entry = table(rt, tmp_path / "goal", format, columns)
    with rt.runtime.launcher.relational_session() as session:
        rows = session.sql(
            "SELECT timestamp'2015-02-15 10:00:00.25' AS at, 7 AS N, 'it''s, \"so\"' AS TEXT, "
            "CAST(1.5 AS DECIMAL(8, 2)) AS PRICE, date'1969-12-31' AS D, TIME'10:11:12' AS T, X'0aff' AS B, "
            "true AS OK, array('a', NULL) AS TAGS UNION ALL "
            "SELECT NULL, 8, NULL, NULL, NULL, NULL, NULL, NULL, NULL"
        )
        names = [column["name"] for column in entry.definition["columns"]]
        assert write_batch(rt.spark, entry, rows.select(*names)) == 2
    shown = 'SELECT "at", n, text, price, d, b, ok, tags FROM goal ORDER BY n'
    first, second = read(rt, shown)
    assert [str(value) for value in first[:5]] == [
        "2015-02-15 10:00:00.250000",
        "7",
        'it\'s, "so"',
        "1.50",
        "1969-12-31",
    ]
    assert bytes(first[5]) == b"\x0a\xff"  # type: ignore[arg-type]
    assert first[6:] == (True, ["a", None])
    assert second == (None, 8, None, None, None, None, None, None)
    if format != "parquet":
        times = read(rt, "SELECT t FROM goal WHERE n = 7")
        assert [str(value) for value in times[0]] == ["10:11:12"]


def test_a_batch_counts_once(rt: Session, tmp_path: Path) -> None:
    goal = tmp_path / "goal"
    entry = table(rt, goal, "json", "n INT")
    rows = rt.spark.range(3).selectExpr("CAST(id AS INT) AS N")
    assert write_batch(rt.spark, entry, rows, batch=3, writer="p1") == 3
    assert write_batch(rt.spark, entry, rows, batch=3, writer="p1") == rows.count()
    # A process that died after the file was there, and before it had noted the batch: the same file comes again.
    (goal / "_rowtime" / "p1.batch").unlink()
    assert write_batch(rt.spark, entry, rows, batch=3, writer="p1") == 3
    assert [file.name for file in goal.glob("*.json")] == ["p1-3.json"]
    # Somebody has fetched the file.
    (goal / "p1-3.json").unlink()
    assert write_batch(rt.spark, entry, rows, batch=3, writer="p1") == rows.count()
    assert write_batch(rt.spark, entry, rows.limit(0), batch=4, writer="p1") == 0
    assert write_batch(rt.spark, entry, rows, batch=3, writer="pump:2") == 3
    assert write_batch(rt.spark, entry, rows) == 3
    assert read(rt, "SELECT COUNT(*), SUM(n) FROM goal") == [(6, 6)]
    assert sorted(entry.name for entry in (goal / "_rowtime").iterdir()) == ["p1.batch", "pump-2.batch"]


def test_another_batch_of_the_same_number_is_refused(rt: Session, tmp_path: Path) -> None:
    goal = tmp_path / "goal"
    entry = table(rt, goal, "json", "n INT")
    rows = rt.spark.range(3).selectExpr("CAST(id AS INT) AS N")
    assert last_batch(rt.spark, entry, "p1", tmp_path) == LastBatch()
    assert write_batch(rt.spark, entry, rows, batch=3, writer="p1", content=7) == 3
    assert write_batch(rt.spark, entry, rows, batch=3, writer="p1", content=7) == rows.count()
    for batch, content in ((3, 8), (2, 7)):
        with pytest.raises(
            RowtimeError, match=f"RT0607: Micro-batch {batch} cannot be written: the foreign table 'GOAL'"
        ):
            write_batch(rt.spark, entry, rows.limit(1), batch=batch, writer="p1", content=content)
    assert last_batch(rt.spark, entry, "p1", tmp_path) == LastBatch(SentBatch(3, 7))
    # Somebody has deleted the folder of marks.
    shutil.rmtree(goal / "_rowtime")
    assert last_batch(rt.spark, entry, "p1", tmp_path) == LastBatch(SentBatch(3))
    assert last_batch(rt.spark, entry, "p", tmp_path) == LastBatch()
    assert read(rt, "SELECT COUNT(*) FROM goal") == [(3,)]


def test_rows_keep_their_order_and_rowtime_its_name(rt: Session, tmp_path: Path) -> None:
    goal = tmp_path / "goal"
    columns = "rowtime TIMESTAMP(3) NOT NULL, n INT"
    entry = table(rt, goal, "csv", columns, ", rowtime 'eventTime', delimiter ';'")
    rows = (
        rt.spark.range(0, 9, 1, 4)
        .selectExpr("timestamp_millis(9 - id) AS ROWTIME", "CAST(id AS INT) AS N")
        .orderBy("ROWTIME")
    )
    assert write_batch(rt.spark, entry, rows) == 9
    (file,) = goal.glob("*.csv")
    lines = file.read_text().splitlines()
    assert lines[:2] == ["eventTime;N", "1970-01-01T00:00:00.001;8"]
    assert [int(line.split(";")[1]) for line in lines[1:]] == list(range(8, -1, -1))


def test_a_folder_that_is_not_local(rt: Session, monkeypatch: pytest.MonkeyPatch) -> None:
    """The planner refuses such a path, but cannot check the value of a variable."""
    monkeypatch.setenv("WHERE_TO", "s3://bucket/orders")
    rt.sql("CREATE FOREIGN TABLE far (n INTEGER) OPTIONS (connector 'files', path_env 'WHERE_TO', format 'json')")
    with pytest.raises(RowtimeError) as fault:
        rt.sql("INSERT INTO far VALUES (1)")
    assert fault.value.diagnostics[0].code == "RT0527"


@pytest.mark.parametrize("format", ["json", "csv", "parquet"])
def test_a_name_may_hold_a_backtick(rt: Session, tmp_path: Path, format: str) -> None:
    entry = table(rt, tmp_path / "goal", format, '"a`b" INT')
    assert write_batch(rt.spark, entry, rt.spark.range(1).selectExpr("7 AS `a``b`")) == 1
    assert read(rt, 'SELECT "a`b" FROM goal') == [(7,)]


def parquet(file: Path, **columns: list[object]) -> None:
    file.parent.mkdir(parents=True, exist_ok=True)
    pq.write_table(pa.table(columns), file)


def test_parquet_of_many_schemas(rt: Session, tmp_path: Path) -> None:
    """Fields in another order and in other case; too many and too few."""
    goal = tmp_path / "goal"
    parquet(goal / "a.parquet", n=[1], text=["a"])
    parquet(goal / "b.parquet", TEXT=["b"], more=[0.5], N=[2])
    parquet(goal / "c.parquet", N=[3])
    table(rt, goal, "parquet", "n BIGINT, text VARCHAR")
    rt.sql("INSERT INTO goal (text) VALUES ('d')")
    rows = [(1, "a"), (2, "b"), (3, None), (None, "d")]
    assert read(rt, "SELECT n, text FROM goal ORDER BY n NULLS LAST") == rows


def test_parquet_in_partitions(rt: Session, tmp_path: Path) -> None:
    goal = tmp_path / "goal"
    parquet(goal / "day=2024-05-01" / "country=ch" / "a.parquet", n=[1])
    parquet(goal / "day=2024-05-01" / "country=at" / "a.parquet", n=[2])
    parquet(goal / "day=2024-05-02" / "country=ch" / "a.parquet", n=[3], more=["x"])
    entry = table(rt, goal, "parquet", 'n BIGINT, country VARCHAR, "DAY" DATE')
    assert read(rt, "SELECT SUM(n) FROM goal WHERE \"DAY\" = DATE '2024-05-01' AND country = 'ch'") == [(1,)]
    rows = rt.spark.sql(
        "SELECT 4L AS N, 'ch' AS COUNTRY, date'2024-05-01' AS DAY UNION ALL SELECT 5L, 'fl', date'2024-05-03'"
    )
    assert write_batch(rt.spark, entry, rows, batch=0, writer="p1") == 2
    (goal / "_rowtime" / "p1.batch").unlink()
    assert write_batch(rt.spark, entry, rows, batch=0, writer="p1") == 2
    assert (goal / "day=2024-05-03" / "country=fl" / "p1-0.parquet").exists()
    rt.sql("INSERT INTO goal (n) VALUES (6)")
    assert read(rt, 'SELECT "DAY", country, SUM(n) FROM goal GROUP BY "DAY", country ORDER BY 1 NULLS LAST, 2') == [
        (dt.date(2024, 5, 1), "at", 2),
        (dt.date(2024, 5, 1), "ch", 5),
        (dt.date(2024, 5, 2), "ch", 3),
        (dt.date(2024, 5, 3), "fl", 5),
        (None, None, 6),
    ]


def test_new_partitions(rt: Session, tmp_path: Path) -> None:
    goal = tmp_path / "goal"
    table(rt, goal, "parquet", "n INT, country VARCHAR", ", partition_by 'country'")
    rt.sql("INSERT INTO goal VALUES (1, 'ch'), (2, 'at'), (3, 'ch')")
    assert sorted(str(file.relative_to(goal).parent) for file in goal.rglob("*.parquet")) == [
        "country=at",
        "country=ch",
    ]
    assert read(rt, "SELECT country, SUM(n) FROM goal GROUP BY country ORDER BY 1") == [("at", 2), ("ch", 4)]
    rt.sql("CREATE FOREIGN TABLE lines (n INT) OPTIONS (connector 'files', path 'x', format 'csv', partition_by 'n')")
    with pytest.raises(RowtimeError) as fault:
        rt.sql("INSERT INTO lines VALUES (1)")
    assert fault.value.code == "RT0522"


def test_fields_of_json_are_written_in_the_case_that_an_option_says(rt: Session, tmp_path: Path) -> None:
    folder = tmp_path / "lower"
    rt.sql(
        'CREATE FOREIGN TABLE goal (customer VARCHAR, "inOrder" INTEGER) '
        f"OPTIONS (connector 'files', path '{folder}', format 'json', field_case 'lower')"
    )
    rt.sql("INSERT INTO goal VALUES ('bob', 3)")
    (file,) = folder.glob("*.json")
    assert json.loads(file.read_text()) == {"customer": "bob", "inorder": 3}
    assert rt.sql("SELECT * FROM goal").tuples() == [("bob", 3)]  # type: ignore[union-attr]
