"""SEARCH_KEY in Delta tables: the rows are those of a join, and only the files that can have them are read."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pyarrow as pa
import pytest
from deltalake import DeltaTable, write_deltalake
from queries import drain, start_query

from rowtime.errors import RowtimeError
from rowtime.runtime.query.query import Query
from rowtime.runtime.relation import Relation
from rowtime.session import Session
from rowtime.streams.start import Start

SEARCH = (
    "SELECT STREAM a.id, f.name FROM asked AS a LEFT JOIN LATERAL SEARCH_KEY(keyed, DESCRIPTOR(k), a.k{}) AS f ON TRUE"
)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return tmp_path / "keyed"


@pytest.fixture
def asked(rt: Session) -> Session:
    rt.sql("CREATE STREAM asked (id INT, k INT, kind VARCHAR)")
    return rt


def create(rt: Session, folder: Path, columns: str = "k INT, name VARCHAR", more: str = "") -> None:
    rt.sql(f"CREATE FOREIGN TABLE keyed ({columns}) OPTIONS (connector 'delta', path '{folder}'{more})")


def add(folder: Path, rows: dict[int, str], mode: Any = "append") -> None:
    keys = pa.array(list(rows), pa.int32())
    write_deltalake(folder, pa.table({"k": keys, "name": list(rows.values())}), mode=mode)


def ask(rt: Session, *rows: str, minute: int = 0) -> None:
    time = f"TIMESTAMP '2024-05-01 10:{minute:02}:00'"
    rt.sql("INSERT INTO asked VALUES " + ", ".join(f"({time}, {row})" for row in rows))


def read(rt: Session, sql: str) -> list[tuple[Any, ...]]:
    relation = rt.sql(sql)
    assert isinstance(relation, Relation)
    return relation.tuples()


def found(query: Query) -> list[tuple[Any, ...]]:
    return sorted(drain(query), key=str)


def files(folder: Path) -> list[Path]:
    """Returns the data files, in the order in which they were added."""
    table = DeltaTable(folder)
    adds = pa.table(table.get_add_actions()).to_pylist()
    return [folder / name for name in sorted((a["path"] for a in adds), key=lambda n: (folder / n).stat().st_mtime_ns)]


def in_ranges(folder: Path, count: int = 50, size: int = 10) -> None:
    """Makes a table of `count` files, each with `size` keys of its own."""
    for number in range(count):
        add(folder, {k: f"name {k}" for k in range(number * size, number * size + size)})


def test_a_session_keeps_no_strategy(asked: Session, folder: Path) -> None:
    """A DataFrame that a user runs is planned then."""
    add(folder, {1: "Beer"})
    create(asked, folder)
    methods: Any = asked.spark._jsparkSession.experimental()
    query = start_query(asked, SEARCH.format(""))
    ask(asked, "1, 1, ''")
    assert found(query) == [(1, "Beer")]
    constant = "SELECT name FROM SEARCH_KEY(keyed, DESCRIPTOR(k), 1)"
    assert read(asked, constant) == [("Beer",)]
    before = methods.extraStrategies()
    assert before.isEmpty()
    try:
        assert [tuple(row) for row in asked.table(constant).collect()] == [("Beer",)]
    finally:
        getattr(methods, "extraStrategies_$eq")(before)


def test_only_files_that_can_have_a_key_are_read(asked: Session, folder: Path) -> None:
    """Deletes all other files: reading one of them fails."""
    in_ranges(folder)
    create(asked, folder)
    query = start_query(asked, SEARCH.format(""))
    kept = {0, 24, 49}
    for number, file in enumerate(files(folder)):
        if number not in kept:
            file.unlink()
    ask(asked, "1, 3, ''", "2, 245, ''", "3, 499, ''", "4, 3, ''", "5, NULL, ''", "6, 500, ''", "7, -1, ''")
    expected = [(1, "name 3"), (2, "name 245"), (3, "name 499"), (4, "name 3"), (5, None), (6, None), (7, None)]
    assert found(query) == expected
    counts = query.progress.searches
    assert (counts.keys, counts.hits, counts.misses, counts.lookups, counts.statements) == (5, 3, 2, 5, 1)
    # Relational queries as well.
    values = "(VALUES (1, 3), (2, 499), (3, 3), (4, 77777)) AS v (id, k)"
    sql = f"SELECT v.id, f.name FROM {values} LEFT JOIN LATERAL SEARCH_KEY(keyed, DESCRIPTOR(k), v.k) AS f ON TRUE"
    assert sorted(read(asked, sql)) == [(1, "name 3"), (2, "name 499"), (3, "name 3"), (4, None)]
    assert read(asked, "SELECT name FROM SEARCH_KEY(keyed, DESCRIPTOR(k), 245)") == [("name 245",)]
    ask(asked, "8, 100, ''", minute=1)
    with pytest.raises(RowtimeError):
        drain(query)


def test_many_keys(asked: Session, folder: Path) -> None:
    """More keys than a condition has comparisons, and more rows than the driver keeps."""
    add(folder, {k: f"name {k}" for k in range(0, 2000, 2)})
    create(asked, folder)
    small = start_query(asked, SEARCH.format(", MAP['cache-ttl', '1h', 'cache-max-rows', '10']"))
    query = start_query(asked, SEARCH.format(""))
    for step in range(2):
        ask(asked, *(f"{k}, {k}, ''" for k in range(500 * step, 500 * step + 700)), minute=step)
        expected = [(k, None if k % 2 else f"name {k}") for k in range(500 * step, 500 * step + 700)]
        assert sorted(drain(small)) == sorted(drain(query)) == expected
    assert small.progress.searches.hits == query.progress.searches.hits == 700
    assert query.progress.searches.cache_hits == 200


def test_a_table_that_changes(asked: Session, folder: Path) -> None:
    """Each micro-batch reads the newest version; with a time-to-live, rows that were found are kept."""
    add(folder, {1: "Beer", 2: "Milk"})
    create(asked, folder)
    query, kept = start_query(asked, SEARCH.format("")), start_query(asked, SEARCH.format(", MAP['cache-ttl', '1h']"))
    some = start_query(asked, SEARCH.format(", MAP['cache-ttl', '1h', 'cache-missing-key', 'false']"))
    brief = start_query(asked, SEARCH.format(", MAP['cache-ttl', '1ms']"))
    every = (query, kept, some, brief)
    ask(asked, "1, 1, ''", "2, 3, ''")
    for each in every:
        assert found(each) == [(1, "Beer"), (2, None)]
    ask(asked, "3, 1, ''", minute=1)
    for each in every:
        assert found(each) == [(3, "Beer")]
    # The table has the same version: nothing was read for a key that was known.
    assert query.progress.searches.statements == 1 and query.progress.searches.cache_hits == 1
    DeltaTable(folder).delete("k = 1")
    add(folder, {1: "Ale", 3: "Tea"})
    ask(asked, "4, 1, ''", "5, 3, ''", minute=2)
    now = [(4, "Ale"), (5, "Tea")]
    assert [found(each) for each in every] == [now, [(4, "Beer"), (5, None)], [(4, "Beer"), (5, "Tea")], now]
    for each in every:
        each.kill()
        each.restart()
    DeltaTable(folder).delete("k = 3")
    ask(asked, "6, 3, ''", "7, 2, ''", minute=3)
    for each in every:
        assert found(each) == [(6, None), (7, "Milk")]


def test_two_searches_of_a_micro_batch_see_one_version(asked: Session, folder: Path) -> None:
    add(folder, {1: "Beer", 2: "Milk"})
    create(asked, folder)
    query = start_query(
        asked,
        "SELECT STREAM a.id, f.name, g.name AS other FROM asked AS a, "
        "LATERAL SEARCH_KEY(keyed, DESCRIPTOR(k), a.k) AS f, "
        "LATERAL SEARCH_KEY(keyed, DESCRIPTOR(name), f.name) AS g WHERE f.k < a.id",
    )
    ask(asked, "2, 1, ''", "2, 2, ''", "3, 2, ''")
    assert found(query) == [(2, "Beer", "Beer"), (3, "Milk", "Milk")]


def test_tables_as_spark_writes_them(asked: Session, folder: Path) -> None:
    """Deletion vectors, partitions, renamed columns, rows without a key, and names that need quotes."""
    spark = asked.spark
    rows = [(k, "ab"[k % 2], f"name {k}") for k in range(20)] + [(None, "a", "none"), (3, None, "no kind")]
    df = spark.createDataFrame(rows, "`the key` INT, kind STRING, name STRING")
    properties = {"delta.enableDeletionVectors": "true", "delta.columnMapping.mode": "name"}
    df.write.format("delta").partitionBy("kind").options(**properties).save(str(folder))
    delta = spark._jvm.io.delta.tables.DeltaTable.forPath(spark._jsparkSession, str(folder))
    delta.delete("`the key` IN (4, 5)")
    commits = [file.read_text() for file in (folder / "_delta_log").glob("*.json")]
    assert any('"deletionVector":{' in commit for commit in commits)
    create(asked, folder, '"the key" INT, kind VARCHAR, name VARCHAR')
    one = start_query(asked, SEARCH.format("").replace("DESCRIPTOR(k)", 'DESCRIPTOR("the key")'))
    both = start_query(
        asked,
        "SELECT STREAM a.id, f.name FROM asked AS a LEFT JOIN LATERAL "
        "SEARCH_KEY(keyed, DESCRIPTOR(kind, \"the key\"), (a.kind, a.k)) AS f ON f.name <> 'name 7'",
    )
    ask(
        asked,
        "1, 4, 'a'",
        "2, 5, 'b'",
        "3, 6, 'a'",
        "4, 6, 'b'",
        "5, 7, 'b'",
        "6, 3, 'b'",
        "7, 3, NULL",
        "8, NULL, 'a'",
    )
    expected = {1: [None], 2: [None], 3: ["name 6"], 4: ["name 6"], 5: ["name 7"], 8: [None]}
    expected[6] = expected[7] = ["name 3", "no kind"]
    assert found(one) == [(id, name) for id in sorted(expected) for name in sorted(expected[id], key=str)]
    names = {3: "name 6", 6: "name 3"}
    assert found(both) == [(id, names.get(id)) for id in range(1, 9)]


def test_types_of_keys(rt: Session, folder: Path) -> None:
    columns = {
        "i": ("INT", "7"), "l": ("BIGINT", "7000000000"), "d": ("DECIMAL(8, 3)", "1.5"), "s": ("VARCHAR", "'it''s'"),
        "b": ("BOOLEAN", "TRUE"), "day": ("DATE", "DATE '2015-03-08'"), "x": ("VARBINARY", "X'0aff'"),
        "ts": ("TIMESTAMP(3)", "TIMESTAMP '2015-03-08 02:30:00.123'"), "f": ("DOUBLE", "CAST(0.5 AS DOUBLE)"),
    }  # fmt: skip
    values = ["7 AS i", "7000000000 AS l", "1.5BD AS d", '"it\'s" AS s', "true AS b", "DATE'2015-03-08' AS day"]
    values += ["X'0aff' AS x", "TIMESTAMP'2015-03-08 02:30:00.123Z' AS ts", "0.5D AS f", "-0.0D AS zero"]
    rt.spark.range(1).selectExpr(*values).write.format("delta").save(str(folder))
    declared = ", ".join(f'"{name.upper()}" {type}' for name, (type, _) in columns.items())
    create(rt, folder, f"{declared}, zero DOUBLE")
    for name, (_, value) in columns.items():
        assert read(rt, f'SELECT i FROM SEARCH_KEY(keyed, DESCRIPTOR("{name.upper()}"), {value})') == [(7,)], name
    assert read(rt, "SELECT i FROM SEARCH_KEY(keyed, DESCRIPTOR(zero), CAST(0 AS DOUBLE))") == [(7,)]
    assert read(rt, "SELECT i FROM SEARCH_KEY(keyed, DESCRIPTOR(l), 7)") == []


def test_rows_do_not_depend_on_batches(asked: Session, folder: Path) -> None:
    """The rows are those of a join, however the input is cut, for any number of partitions, and with restarts at any
    time."""
    rows = [(n, f"{n} {copy}") for n in range(0, 60, 2) for copy in range(n % 3)]
    keys = pa.array([n for n, _ in rows] + [None], pa.int32())
    write_deltalake(folder, pa.table({"k": keys, "name": [name for _, name in rows] + ["nothing"]}))
    create(asked, folder)
    join = "SELECT STREAM a.id, f.name FROM asked AS a LEFT JOIN keyed AS f ON f.k = a.k"
    queries = [
        asked.submit(sql, start=Start(), partitions=partitions)
        for sql, partitions in ((join, 1), (SEARCH.format(""), 1), (SEARCH.format(", MAP['cache-ttl', '1h']"), 3))
    ]
    given = [(n, None if n % 11 == 0 else n * 7 % 70) for n in range(150)]
    place = 0
    for size in (1, 60, 2, 87):
        some = given[place : place + size]
        ask(asked, *(f"{n}, {'NULL' if k is None else k}, ''" for n, k in some), minute=place // 10)
        place += size
        asked.runtime.settle(queries)
        for query in queries:
            query.kill()
            query.restart()
    first, *others = [found(query) for query in queries]
    by_key = {k: [name for n, name in rows if n == k] or [None] for k in {k for _, k in given}}
    assert first == sorted(((n, name) for n, k in given for name in by_key[k]), key=str)
    assert all(other == first for other in others)


def test_below_and_above_operators(asked: Session, folder: Path) -> None:
    """The operators below run once for each micro-batch, and the bound passes to those above."""
    add(folder, {1: "Beer", 2: "Milk"})
    create(asked, folder)
    query = start_query(
        asked,
        "SELECT STREAM FLOOR(rowtime TO HOUR) AS rowtime, name, SUM(c) AS c FROM ("
        "SELECT STREAM g.rowtime, f.name, g.c FROM ("
        "SELECT STREAM FLOOR(rowtime TO MINUTE) AS rowtime, k, COUNT(*) AS c "
        "FROM asked GROUP BY FLOOR(rowtime TO MINUTE), k) AS g "
        "LEFT JOIN LATERAL SEARCH_KEY(keyed, DESCRIPTOR(k), g.k) AS f ON TRUE) GROUP BY FLOOR(rowtime TO HOUR), name",
    )
    ask(asked, "1, 1, ''", "2, 1, ''", "3, 5, ''")
    assert found(query) == []
    ask(asked, "4, 2, ''", minute=1)
    query.kill()
    query.restart()
    asked.sql("INSERT INTO asked VALUES (TIMESTAMP '2024-05-01 12:00:00', 5, 1, '')")
    assert sorted((row[1:] for row in drain(query)), key=str) == [("Beer", 2), ("Milk", 1), (None, 1)]


def test_the_plan_says_how(asked: Session, folder: Path) -> None:
    add(folder, {1: "Beer"})
    create(asked, folder)
    explained = repr(read(asked, f"EXPLAIN PLAN FOR {SEARCH.format('')}"))
    assert "search key left on K = K; reads the files that can have the distinct keys" in explained
    assert "cached while the table has the same version" in explained


def test_a_table_that_is_not_there(asked: Session, folder: Path) -> None:
    add(folder, {1: "Beer"})
    create(asked, folder)
    query = start_query(asked, SEARCH.format(""))
    folder.rename(folder.with_name("elsewhere"))
    ask(asked, "1, 1, ''")
    with pytest.raises(RowtimeError) as fault:
        drain(query)
    assert fault.value.code == "RT0540" and "Traceback" not in str(fault.value) and "py4j" not in str(fault.value)
