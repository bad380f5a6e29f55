"""Plain PySpark over a warehouse whose catalog is in PostgreSQL: the option `catalog` of `format("rowtime")`."""

from __future__ import annotations

import pickle
from pathlib import Path
from typing import Any

import pytest
from postgres_server import Postgres
from pyspark.errors import AnalysisException

from rowtime.catalog.store import Store
from rowtime.datasource.identifiers import Identifier
from rowtime.datasource.reading import Reader, StreamReader, read_files
from rowtime.opening import connect
from rowtime.session import Session


@pytest.fixture
def rt(spark: Any, url: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Any:
    """A session, of whose catalog nobody knows but by the option."""
    monkeypatch.delenv("ROWTIME_CATALOG", raising=False)
    with connect(spark, tmp_path / "w", catalog=url) as session:
        session.sql("CREATE STREAM orders (n INTEGER) OPTIONS (history 'all')")
        session.sql("CREATE TABLE seen (n INTEGER)")
        session.sql("INSERT INTO orders VALUES (TIMESTAMP '2024-05-01 10:00:00', 1)")
        yield session


def test_streams_and_tables(rt: Session, url: str, tmp_path: Path) -> None:
    options = {"warehouse": str(rt.store.warehouse), "catalog": url}
    orders = rt.spark.read.format("rowtime").options(**options).load("orders")
    assert [row.N for row in orders.collect()] == [1]
    orders.select("N").write.format("rowtime").options(**options).mode("append").save("seen")
    listed = rt.spark.read.format("rowtime").options(**options).load("INFORMATION_SCHEMA.TABLES")
    assert [tuple(row) for row in listed.collect()] == [("ORDERS", "STREAM"), ("SEEN", "TABLE")]
    arriving = rt.spark.readStream.format("rowtime").options(**options, start="earliest").load("orders").select("N")
    query = (
        arriving.writeStream.format("rowtime")
        .options(**options, checkpointLocation=str(tmp_path / "c"))
        .trigger(availableNow=True)
        .start("seen")
    )
    query.awaitTermination()
    assert query.exception() is None
    assert rt.sql("SELECT n FROM seen").tuples() == [(1,), (1,)]


def test_a_catalog_of_spark_sql(rt: Session, url: str) -> None:
    spark = rt.spark.newSession()
    spark.conf.set("spark.sql.catalog.rt", "io.rowtime.datasource.RowtimeCatalog")
    spark.conf.set("spark.sql.catalog.rt.warehouse", str(rt.store.warehouse))
    with pytest.raises(AnalysisException, match="RT0659"):
        spark.sql("SELECT n FROM rt.orders")
    spark.conf.set("spark.sql.catalog.rt2", "io.rowtime.datasource.RowtimeCatalog")
    spark.conf.set("spark.sql.catalog.rt2.warehouse", str(rt.store.warehouse))
    spark.conf.set("spark.sql.catalog.rt2.catalog", url)
    assert [tuple(row) for row in spark.sql("SELECT n FROM rt2.orders").collect()] == [(1,)]


def test_tasks_do_not_open_the_catalog(rt: Session, url: str, server: Postgres) -> None:
    reader = Reader(Identifier.of("orders", str(rt.store.warehouse), url))
    stream = StreamReader(Identifier.of("orders", str(rt.store.warehouse), url), "earliest")
    start = stream.initialOffset()
    planned = [*reader.partitions(), *stream.partitions(start, stream.latestOffset(start, None))]
    stream.stop()
    sent = pickle.dumps(planned)
    server.stop()
    try:
        read = [batch.to_pydict()["N"] for part in pickle.loads(sent) for batch in read_files(part)]
    finally:
        server.start()
    assert read == [[1], [1]]
    assert Store.exists(rt.store.warehouse)
