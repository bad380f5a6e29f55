"""Streams and tables of a warehouse in plain PySpark: `format("rowtime")`."""

from __future__ import annotations

import datetime as dt
from pathlib import Path
from typing import Any

import pytest
from pyspark.errors import PySparkException

from rowtime.datasource.writing import query_id
from rowtime.errors import RowtimeError
from rowtime.session import Session

AT = dt.datetime(2024, 5, 1, 10)


def reading(rt: Session, name: str, **options: str) -> Any:
    return rt.spark.read.format("rowtime").options(warehouse=str(rt.store.warehouse), **options).load(name)


def arriving(rt: Session, name: str, **options: str) -> Any:
    return rt.spark.readStream.format("rowtime").options(warehouse=str(rt.store.warehouse), **options).load(name)


def writing(rt: Session, df: Any) -> Any:
    return df.write.format("rowtime").option("warehouse", str(rt.store.warehouse)).mode("append")


def sending(rt: Session, df: Any, checkpoint: Path) -> Any:
    place = {"warehouse": str(rt.store.warehouse), "checkpointLocation": str(checkpoint)}
    return df.writeStream.format("rowtime").options(**place)


def tuples(df: Any) -> list[tuple[Any, ...]]:
    return sorted(tuple(row) for row in df.collect())


def test_a_stream_is_read(rt: Session) -> None:
    rt.sql("CREATE STREAM orders (product INTEGER, price DECIMAL(8, 2), \"Note\" VARCHAR(9)) OPTIONS (history 'all')")
    rt.sql(
        "INSERT INTO orders VALUES (TIMESTAMP '2024-05-01 10:00:00', 1, 2.5, 'a'),"
        " (TIMESTAMP '2024-05-01 10:00:01', 2, NULL, NULL)"
    )
    df = reading(rt, "orders")
    assert [(field.name, field.dataType.simpleString()) for field in df.schema] == [
        ("ROWTIME", "timestamp_ntz"),
        ("PRODUCT", "int"),
        ("PRICE", "decimal(8,2)"),
        ("Note", "string"),
    ]
    assert tuples(df.where("PRODUCT < 3").selectExpr("ROWTIME", "PRODUCT", "CAST(PRICE AS DOUBLE)")) == [
        (AT, 1, 2.5),
        (AT + dt.timedelta(seconds=1), 2, None),
    ]


def test_rows_of_a_partition_are_in_order_of_arrival(rt: Session) -> None:
    rt.sql("CREATE STREAM s (n INTEGER) OPTIONS (history 'all')")
    for n in range(12):
        rt.sql(f"INSERT INTO s (n) VALUES ({n})")
    read = reading(rt, "s")
    assert read.rdd.getNumPartitions() == 1
    assert [row.N for row in read.collect()] == list(range(12))


def test_a_table_is_read_without_its_deleted_rows_and_written(rt: Session) -> None:
    rt.sql("CREATE TABLE products (id INTEGER NOT NULL, name VARCHAR(20), since TIMESTAMP)")
    rt.sql("INSERT INTO products (id, name) VALUES (1, 'one'), (2, 'two')")
    rt.sql("DELETE FROM products WHERE id = 2")
    assert tuples(reading(rt, "PRODUCTS").select("ID", "NAME")) == [(1, "one")]
    made = rt.spark.createDataFrame([("three", 3, AT)], "name string, id int, since timestamp_ntz")
    writing(rt, made).save("products")
    assert sorted(rt.sql("SELECT * FROM products").tuples()) == [(1, "one", None), (3, "three", AT)]


def test_rows_written_into_a_stream_enter_in_order_of_rowtime(rt: Session) -> None:
    rt.sql("CREATE STREAM s (n INTEGER) OPTIONS (history 'all')")
    rows = [(AT + dt.timedelta(seconds=n), n) for n in (3, 1, 2, 0)]
    df = rt.spark.createDataFrame(rows, "rowtime timestamp_ntz, n int").repartition(3)
    query: Any = rt.sql("SELECT STREAM n FROM s")
    writing(rt, df).save("S")
    query.process_all_available()
    assert [row.N for row in query.rows()] == [0, 1, 2, 3]


def test_a_stream_goes_through_sparks_own_query(rt: Session, tmp_path: Path) -> None:
    rt.sql("CREATE STREAM a (n INTEGER)")
    rt.sql("CREATE STREAM b (n INTEGER) OPTIONS (history 'all')")
    rt.sql("INSERT INTO a VALUES (TIMESTAMP '2024-05-01 10:00:00', 1)")
    df = arriving(rt, "a", start="earliest").selectExpr("ROWTIME", "N * 10 AS n")
    query = sending(rt, df, tmp_path / "c").start("b")
    query.processAllAvailable()
    rt.sql("INSERT INTO a VALUES (TIMESTAMP '2024-05-01 10:00:01', 2)")
    query.processAllAvailable()
    query.stop()
    # Spark runs the last micro-batch again, as after a crash; the stream has it.
    commits = sorted((tmp_path / "c" / "commits").glob("[0-9]*"), key=lambda file: int(file.name))
    commits[-1].unlink()
    commits[-1].with_name(f".{commits[-1].name}.crc").unlink(missing_ok=True)
    rt.sql("INSERT INTO a VALUES (TIMESTAMP '2024-05-01 10:00:02', 3)")
    query = sending(rt, df, tmp_path / "c").start("b")
    query.processAllAvailable()
    query.stop()
    assert [row[1] for row in sorted(rt.sql("SELECT * FROM b").tuples())] == [10, 20, 30]


def test_a_stream_is_read_from_now_on(rt: Session, tmp_path: Path) -> None:
    rt.sql("CREATE STREAM a (n INTEGER)")
    rt.sql("CREATE TABLE t (n INTEGER)")
    rt.sql("INSERT INTO a VALUES (TIMESTAMP '2024-05-01 10:00:00', 1)")
    query = sending(rt, arriving(rt, "a").select("N"), tmp_path / "c").start("t")
    query.processAllAvailable()
    rt.sql("INSERT INTO a VALUES (TIMESTAMP '2024-05-01 10:00:01', 2)")
    query.processAllAvailable()
    query.stop()
    assert rt.sql("SELECT * FROM t").tuples() == [(2,)]


def test_a_checkpoint_is_of_one_stream(rt: Session, tmp_path: Path) -> None:
    rt.sql("CREATE TABLE t (n INTEGER)")

    def run() -> None:
        query = sending(rt, arriving(rt, "a", start="earliest").select("N"), tmp_path / "c").start("t")
        try:
            query.processAllAvailable()
        finally:
            query.stop()

    rt.sql("CREATE STREAM a (n INTEGER) OPTIONS (history 'all')")
    for n in range(3):
        rt.sql(f"INSERT INTO a (n) VALUES ({n})")
    run()
    rt.sql("DROP STREAM a")
    rt.sql("CREATE STREAM a (n INTEGER) OPTIONS (history 'all')")
    for n in range(10, 18):
        rt.sql(f"INSERT INTO a (n) VALUES ({n})")
    with pytest.raises(PySparkException, match="RT0657: The checkpoint is of another stream 'A'"):
        run()
    assert sorted(rt.sql("SELECT * FROM t").tuples()) == [(0,), (1,), (2,)]


def test_a_stream_that_is_dropped_or_changed_while_it_is_read(rt: Session, tmp_path: Path) -> None:
    rt.sql("CREATE TABLE t (n BIGINT)")
    rt.sql("CREATE STREAM a (n INTEGER) OPTIONS (history 'all')")

    def start() -> Any:
        return sending(rt, arriving(rt, "a", start="earliest").select("N"), tmp_path / "c").start("t")

    rt.sql("INSERT INTO a (n) VALUES (1)")
    query = start()
    query.processAllAvailable()
    rt.sql("CREATE OR REPLACE STREAM a (n BIGINT, more INTEGER) OPTIONS (history 'all')")
    rt.sql("INSERT INTO a (n) VALUES (5000000000)")
    with pytest.raises(PySparkException, match="RT0657: The column N of stream 'A' has become BIGINT; it was INTEGER"):
        query.processAllAvailable()
    query = start()
    query.processAllAvailable()
    assert sorted(rt.sql("SELECT * FROM t").tuples()) == [(1,), (5000000000,)]
    rt.sql("DROP STREAM a")
    rt.sql("CREATE STREAM a (n BIGINT) OPTIONS (history 'all')")
    rt.sql("INSERT INTO a (n) VALUES (6)")
    with pytest.raises(PySparkException, match="RT0312: Stream 'A', which the query reads, was dropped"):
        query.awaitTermination(60)
    query.stop()


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("nothing", "RT0312: Object 'nothing' does not exist"),
        ("v", "RT0657: View 'V' cannot be a data source of Spark: it is neither a stream nor a table"),
    ],
)
def test_what_is_no_stream_or_table(rt: Session, name: str, message: str) -> None:
    rt.sql("CREATE STREAM a (n INTEGER)")
    rt.sql("CREATE VIEW v AS SELECT STREAM n FROM a")
    with pytest.raises(PySparkException, match=message):
        reading(rt, name)


def test_what_only_rowtime_writes(rt: Session) -> None:
    rt.sql("CREATE STREAM a (n INTEGER)")
    rt.sql("CREATE MATERIALIZED VIEW m AS SELECT STREAM n FROM a")
    made = rt.spark.createDataFrame([(1,)], "n int")
    for name, message in (("m", "MATERIALIZED VIEW 'M'"), ("SYS_BOOT.MGMT.SAVED_TRACE", "TABLE 'SYS_BOOT.MGMT")):
        with pytest.raises(PySparkException, match=f"RT0320: Cannot insert into {message}"):
            writing(rt, made).save(name)


def test_rows_that_do_not_fit(rt: Session) -> None:
    rt.sql("CREATE TABLE t (n TINYINT NOT NULL)")
    for schema, rows, message in (
        ("m int", [(1,)], "RT0502: A row does not fit Table 'T': there is no column 'N', which is NOT NULL"),
        ("n int, m int", [(1, 1)], "RT0502: A row does not fit Table 'T': there is no column 'm'"),
        ("n int", [(1000,)], "RT0502: A row does not fit Table 'T': N: Integer value 1000 not in range"),
        ("n int", [(None,)], "RT0502: A row does not fit .*NULL in a column that is NOT NULL"),
    ):
        with pytest.raises(PySparkException, match=message):
            writing(rt, rt.spark.createDataFrame(rows, schema)).save("t")
    with pytest.raises(PySparkException, match="RT0657: 'T' cannot be overwritten"):
        writing(rt, rt.spark.createDataFrame([(1,)], "n int")).mode("overwrite").save("T")
    assert rt.sql("SELECT * FROM t").tuples() == []


def test_values_that_do_not_fit(rt: Session) -> None:
    rt.sql(
        "CREATE TABLE t (c CHAR(3), v VARCHAR(3), b BINARY(2), x VARBINARY(2), ts TIMESTAMP(3), a VARCHAR(3) ARRAY,"
        " m MAP<VARCHAR(3), INTEGER>, r ROW(a CHAR(2), n INTEGER))"
    )
    for schema, value, message in (
        ("c string", "abcd", "C: a text of 4 characters does not fit in CHAR\\(3\\)"),
        ("v string", "abcd", "V: a text of 4 characters does not fit in VARCHAR\\(3\\)"),
        ("v boolean", True, "V: values of the type bool do not become VARCHAR; CAST them"),
        ("b binary", b"abc", "B: 3 bytes do not fit in BINARY\\(2\\)"),
        ("x binary", b"abc", "X: 3 bytes do not fit in VARBINARY\\(2\\)"),
        ("ts bigint", 5, "TS: values of the type int64 do not become TIMESTAMP; CAST them"),
        ("a array<string>", ["a", "abcd"], "A: a text of 4 characters does not fit in VARCHAR\\(3\\)"),
        ("m map<string, int>", {"abcd": 1}, "M: a text of 4 characters does not fit in VARCHAR\\(3\\)"),
        ("r struct<a string, other int>", ("a", 1), "R: there is no field 'other'"),
    ):
        with pytest.raises(PySparkException, match=f"RT0502: A row does not fit Table 'T': {message}"):
            writing(rt, rt.spark.createDataFrame([(value,)], schema)).save("t")
    later = rt.spark.sql("SELECT make_timestamp_ntz(9999, 1, 1, 0, 0, 0) + INTERVAL '2' YEAR AS ts")
    with pytest.raises(
        PySparkException, match="RT0502: A row does not fit Table 'T': TS: a time is outside the years 1"
    ):
        writing(rt, later).save("t")
    assert rt.sql("SELECT * FROM t").tuples() == []


def test_values_get_the_form_of_their_column(rt: Session) -> None:
    """The parts of a ROW are found by name, whose case does not matter, as columns are."""
    rt.sql(
        "CREATE TABLE t (n INTEGER, c CHAR(3), v VARCHAR(3), b BINARY(2), ts TIMESTAMP(3), a TIMESTAMP(3) ARRAY,"
        " m MAP<CHAR(2), TIMESTAMP(3)>, r ROW(a CHAR(2), n INTEGER), rs ROW(x INTEGER) ARRAY)"
    )
    at = dt.datetime(1969, 7, 20, 20, 17, 40, 123_999)
    schema = (
        "n int, c string, v string, b binary, ts timestamp_ntz, a array<timestamp_ntz>, m map<string, timestamp_ntz>,"
        " r struct<n int, a string>, rs array<struct<x int>>"
    )
    rows = [
        (1, "a", "bc    ", b"x", at, [at, None], {"k": at}, (7, "y"), [(1,), None]),
        (2, None, None, None, None, None, None, None, None),
        (3, "abc  ", "", b"xy", at, [], {}, (None, None), []),
    ]
    writing(rt, rt.spark.createDataFrame(rows, schema).coalesce(1)).save("t")
    cut = dt.datetime(1969, 7, 20, 20, 17, 40, 123_000)
    assert rt.sql("SELECT n, c, v, b, ts, a, m, (t.r).a, (t.r).n, r IS NULL, rs FROM t ORDER BY n").tuples() == [
        (1, "a  ", "bc ", b"x\0", cut, [cut, None], {"k ": cut}, "y ", 7, False, [(1,), None]),
        (2, None, None, None, None, None, None, None, None, True, None),
        (3, "abc", "", b"xy", cut, [], {}, None, None, False, []),
    ]


def test_a_checkpoint_may_be_in_any_folder_of_this_machine(tmp_path: Path) -> None:
    for name in ("plain", "a%20b", "a#b", "a b"):
        folder = tmp_path / name
        folder.mkdir()
        (folder / "metadata").write_text(f'{{"id": "{name}"}}')
        assert query_id(str(folder)) == query_id(folder.as_uri()) == name
    for nowhere in (None, "s3://bucket/c"):
        with pytest.raises(RowtimeError, match="needs the option 'checkpointLocation', with a folder of this machine"):
            query_id(nowhere)
