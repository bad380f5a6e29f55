"""Streams and tables of a warehouse as a catalog of Spark SQL: `spark.sql.catalog.rt`."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from pyspark.errors import AnalysisException, PySparkException

from rowtime.session import Session


@pytest.fixture
def spark_sql(rt: Session) -> Any:
    """A session of Spark whose catalog RT is the warehouse."""
    spark = rt.spark.newSession()
    spark.conf.set("spark.sql.catalog.rt", "io.rowtime.datasource.RowtimeCatalog")
    spark.conf.set("spark.sql.catalog.rt.warehouse", str(rt.store.warehouse))
    rt.sql("CREATE STREAM orders (product INTEGER, units INTEGER) OPTIONS (history 'all')")
    rt.sql('CREATE TABLE "Products" (id INTEGER, name VARCHAR(20))')
    rt.sql("CREATE VIEW big AS SELECT STREAM * FROM orders WHERE units > 10")
    return spark


def tuples(df: Any) -> list[tuple[Any, ...]]:
    return sorted(tuple(row) for row in df.collect())


def test_tables_are_listed(spark_sql: Any, rt: Session) -> None:
    assert tuples(spark_sql.sql("SHOW TABLES IN rt").select("tableName")) == [("ORDERS",), ("Products",)]
    listed = spark_sql.read.format("rowtime").option("warehouse", str(rt.store.warehouse))
    assert tuples(listed.load("INFORMATION_SCHEMA.TABLES")) == [("ORDERS", "STREAM"), ("Products", "TABLE")]
    assert [row[:2] for row in spark_sql.sql("DESCRIBE rt.orders").collect()] == [
        ("ROWTIME", "timestamp_ntz"),
        ("PRODUCT", "int"),
        ("UNITS", "int"),
    ]


def test_spark_sql_reads_and_writes(spark_sql: Any, rt: Session) -> None:
    spark_sql.sql("INSERT INTO rt.`Products` VALUES (1, 'one'), (2, 'two')")
    spark_sql.sql(
        "INSERT INTO rt.orders SELECT TIMESTAMP_NTZ '2024-05-01 10:00:00' + make_dt_interval(0, 0, 0, id), id, 10 * id"
        " FROM range(1, 4)"
    )
    joined = spark_sql.sql("SELECT name, units FROM rt.orders JOIN rt.`Products` ON id = product")
    assert tuples(joined) == [("one", 10), ("two", 20)]
    assert rt.sql("SELECT units FROM orders").tuples() == [(10,), (20,), (30,)]
    spark_sql.sql("USE rt")
    assert tuples(spark_sql.table("orders").select("UNITS")) == [(10,), (20,), (30,)]


def test_streams_of_the_catalog(spark_sql: Any, rt: Session, tmp_path: Path) -> None:
    rt.sql("CREATE TABLE seen (units INTEGER)")
    rt.sql("INSERT INTO orders VALUES (TIMESTAMP '2024-05-01 10:00:00', 1, 10)")
    arriving = spark_sql.readStream.option("start", "earliest").table("rt.orders").select("UNITS")
    query = arriving.writeStream.option("checkpointLocation", str(tmp_path / "c")).toTable("rt.seen")
    query.processAllAvailable()
    rt.sql("INSERT INTO orders VALUES (TIMESTAMP '2024-05-01 10:00:01', 1, 20)")
    query.processAllAvailable()
    query.stop()
    assert sorted(rt.sql("SELECT * FROM seen").tuples()) == [(10,), (20,)]


def test_what_the_catalog_does_not_do(spark_sql: Any) -> None:
    for sql, message in (
        ("SELECT * FROM rt.nothing", "TABLE_OR_VIEW_NOT_FOUND"),
        ("SELECT * FROM rt.a.orders", "TABLE_OR_VIEW_NOT_FOUND"),
    ):
        with pytest.raises(AnalysisException, match=message):
            spark_sql.sql(sql)
    for sql, message in (
        ("SELECT * FROM rt.big", "RT0657: View 'BIG' cannot be a data source"),
        ("INSERT OVERWRITE rt.`Products` VALUES (1, 'a')", "RT0657: 'Products' cannot be overwritten"),
        ("DROP TABLE rt.orders", "'rt' does not change definitions: run the statement in a session of rowtime"),
        ("ALTER TABLE rt.orders ADD COLUMN c INT", "does not change definitions"),
        ("CREATE TABLE rt.other (n INT)", "."),
    ):
        with pytest.raises(PySparkException, match=message):
            spark_sql.sql(sql)


def test_a_catalog_without_a_warehouse(rt: Session) -> None:
    spark = rt.spark.newSession()
    spark.conf.set("spark.sql.catalog.rt", "io.rowtime.datasource.RowtimeCatalog")
    spark.conf.set("spark.sql.catalog.rt.warehouse", "/nowhere")
    with pytest.raises(PySparkException, match="RT0601: There is no warehouse in '/nowhere'"):
        spark.sql("SELECT * FROM rt.orders")
