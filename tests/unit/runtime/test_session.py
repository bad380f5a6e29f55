"""The Python API on a real Spark session."""

from __future__ import annotations

import datetime as dt
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from queries import drain

from rowtime.display.values import Row
from rowtime.errors import RowtimeError
from rowtime.runtime.query.query import Query
from rowtime.runtime.relation import Relation
from rowtime.runtime.sinks import FileSink, NoSink, RowSink
from rowtime.session import Session
from rowtime.streams.producer import Inserted
from rowtime.streams.start import Start

DAY = dt.datetime(2015, 2, 15)


def at(hour: int, minute: int = 0) -> dt.datetime:
    return DAY.replace(hour=hour, minute=minute)


HOURS = "SELECT STREAM FLOOR(rowtime TO HOUR) AS rowtime, COUNT(*) AS c FROM orders GROUP BY FLOOR(rowtime TO HOUR)"


class CallbackSink(RowSink):
    """Passes each row to a function."""

    def __init__(self, function: Callable[[Row], None]) -> None:
        self.function = function

    def write(self, rows: list[Row]) -> None:
        for row in rows:
            self.function(row)


@pytest.fixture
def orders(rt: Session) -> Session:
    rt.sql("CREATE STREAM orders (productId INTEGER, units INTEGER) OPTIONS (history 'all')")
    return rt


def test_rows_of_a_query(orders: Session) -> None:
    before = {k: orders.spark.conf.get(k, None) for k in ("spark.sql.ansi.enabled", "spark.sql.session.timeZone")}
    orders.spark.conf.set("spark.sql.session.timeZone", "Asia/Kolkata")
    query = orders.sql("SELECT STREAM productId AS p, units, rowtime FROM orders WHERE units > 3")
    assert isinstance(query, Query)
    assert [f.name for f in query.fields] == ["P", "UNITS", "ROWTIME"]
    with orders.producer("orders") as producer:
        done = producer.insert([{"rowtime": at(10), "productid": 1, "units": 4}, (at(9), 1, 5), (at(10, 5), 2, 3)])
        assert (done.entered, [r.reason for r in done.rejected]) == (2, ["late"])
        producer.insert([(at(11), 3, 10)])
    assert orders.rowtime_bound("orders") == at(11)
    query.process_all_available()
    first, second = query.rows()
    assert (1, 4, at(10)) == (first.P, first.UNITS, first.ROWTIME)
    assert tuple(second) == (3, 10, at(11))
    assert query.rows() == []
    assert (query.status, query.progress.rows_out, query.progress.batches > 0) == ("running", 2, True)
    query.stop()
    assert (query.status, orders.queries) == ("stopped", [])
    # The user's session is as it was.
    assert orders.spark.conf.get("spark.sql.session.timeZone") == "Asia/Kolkata"
    orders.spark.conf.set("spark.sql.session.timeZone", before["spark.sql.session.timeZone"])
    assert orders.spark.conf.get("spark.sql.ansi.enabled", None) == before["spark.sql.ansi.enabled"]


def test_sinks(orders: Session, tmp_path: Path) -> None:
    got: list[Any] = []
    called = orders.submit("SELECT STREAM units FROM orders", CallbackSink(got.append))
    filed = orders.submit("SELECT STREAM units FROM orders", FileSink(str(tmp_path / "out"), "json"))
    none = orders.submit("SELECT STREAM units FROM orders", NoSink())
    producer = orders.producer("ORDERS")
    for i in range(5):
        producer.insert([(at(10), 1, i)])
    for query in (called, filed, none):
        query.process_all_available()
    assert got == [(i,) for i in range(5)]
    assert sorted(r.UNITS for r in orders.spark.read.json(str(tmp_path / "out")).collect()) == list(range(5))
    with pytest.raises(RowtimeError) as fault:
        called.rows()
    assert fault.value.code == "RT0511"


def test_a_query_goes_on_where_it_failed(orders: Session) -> None:
    """A sink fails in the middle: after the restart no row is missing, and no batch is repeated."""
    got: list[Any] = []
    broken = [True]

    def take(row: Any) -> None:
        if broken[0] and row[0] == 2:
            raise OSError("disk full")
        got.append(row[0])

    query = orders.submit("SELECT STREAM units FROM orders", CallbackSink(take))
    producer = orders.producer("ORDERS")
    producer.insert([(at(10), 1, 1)])
    query.process_all_available()
    producer.insert([(at(10), 1, 2)])
    with pytest.raises(RowtimeError, match="The query's sink failed: disk full"):
        query.process_all_available()
    assert query.status == "failed"
    broken[0] = False
    producer.insert([(at(10), 1, 3)])
    query.restart()
    query.process_all_available()
    assert got == [1, 2, 3]


def test_where_a_query_begins(orders: Session) -> None:
    producer = orders.producer("ORDERS")
    for hour in (8, 9, 10):
        producer.insert([(at(hour), 1, hour)])
    now = orders.submit("SELECT STREAM units FROM orders")
    hinted = orders.submit("SELECT STREAM /*+ FROM_EARLIEST */ units FROM orders")
    earliest = orders.submit("SELECT STREAM units FROM orders", start=Start(earliest=True))
    since = int((at(9) - dt.datetime(1970, 1, 1)).total_seconds() * 1000)
    later = orders.submit("SELECT STREAM units FROM orders", start=Start(since=since))
    hours = orders.submit(HOURS, start=Start(earliest=True))
    producer.insert([(at(11), 1, 11)])
    assert drain(now) == [(11,)]
    assert drain(hinted) == drain(earliest) == [(8,), (9,), (10,), (11,)]
    assert drain(later) == [(9,), (10,), (11,)]
    assert drain(hours) == [(at(8), 1), (at(9), 1), (at(10), 1)]


def test_dataframes_of_queries(orders: Session, tmp_path: Path) -> None:
    orders.producer("ORDERS").insert([(at(8), 1, 8), (at(9), 2, 9)])
    table = orders.table("SELECT productId, SUM(units) AS s FROM orders GROUP BY productId")
    assert sorted(tuple(r) for r in table.where("S > 8").collect()) == [(2, 9)]
    frame = orders.table(HOURS)
    assert frame.isStreaming
    wanted = orders.settings_for(HOURS)
    before = {key: orders.spark.conf.get(key, None) for key in wanted}
    for key, value in wanted.items():
        orders.spark.conf.set(key, value)
    got: list[Any] = []
    started = (
        frame.where("C > 1")
        .writeStream.foreachBatch(lambda df, _: got.extend(tuple(r) for r in df.selectExpr("C").collect()))
        .option("checkpointLocation", str(tmp_path / "checkpoint"))
        .start()
    )
    for key, value in before.items():
        if value is None:
            orders.spark.conf.unset(key)
        else:
            orders.spark.conf.set(key, value)
    orders.producer("ORDERS").insert([(at(10), 1, 1), (at(10, 30), 1, 1), (at(11), 1, 1), (at(12), 1, 1)])
    started.processAllAvailable()
    started.stop()
    assert got == [(2,)]


def test_a_streaming_dataframe_as_a_stream(rt: Session, tmp_path: Path) -> None:
    source = tmp_path / "in"
    source.mkdir()
    df = rt.spark.readStream.schema("eventTime timestamp, N int, price decimal(8,2)").json(str(source))
    rt.register_stream("ticks", df, rowtime="eventTime")
    query = rt.sql("SELECT STREAM FLOOR(rowtime TO HOUR) AS rowtime, SUM(n) AS s, MAX(price) AS p FROM ticks "
                   "GROUP BY FLOOR(rowtime TO HOUR)")  # fmt: skip
    assert isinstance(query, Query)
    (source / "a.json").write_text(
        '{"eventTime": "2015-02-15T10:00:00Z", "N": 1, "price": 1.5}\n'
        '{"eventTime": "2015-02-15T10:30:00Z", "N": 2, "price": 2.5}\n'
    )
    assert drain(query) == []
    (source / "b.json").write_text('{"eventTime": "2015-02-15T11:00:00Z", "N": 4}\n')
    (hour,) = drain(query)
    assert (hour[0], hour[1], str(hour[2])) == (at(10), 3, "2.50")
    with pytest.raises(RowtimeError, match="is not a streaming DataFrame"):
        rt.register_stream("x", rt.spark.range(3))
    with pytest.raises(RowtimeError, match="has no column for ROWTIME: there is no 'when'"):
        rt.register_stream("x", df, rowtime="when")


def test_statements_that_answer(orders: Session) -> None:
    shown = orders.sql("SHOW STREAMS")
    assert isinstance(shown, Relation)
    assert [(r.NAME, r.KIND) for r in shown.rows()] == [("ORDERS", "STREAM")]
    described = orders.sql("DESCRIBE orders")
    assert isinstance(described, Relation)
    assert [tuple(r)[:3] for r in described] == [
        ("ROWTIME", "TIMESTAMP(3)", "NO"),
        ("PRODUCTID", "INTEGER", "YES"),
        ("UNITS", "INTEGER", "YES"),
    ]
    inserted = orders.sql("INSERT INTO orders (units) VALUES (1 + 1), (3)")
    assert isinstance(inserted, Inserted)
    assert (inserted.entered, inserted.rejected) == (2, [])
    bound = orders.rowtime_bound("orders")
    assert bound is not None
    assert abs(bound - dt.datetime.now(dt.timezone.utc).replace(tzinfo=None)) < dt.timedelta(minutes=5)
    explained = orders.sql(f"EXPLAIN {HOURS}")
    assert isinstance(explained, Relation)
    assert any("aggregate" in row.PLAN for row in explained.rows())
    assert orders.sql("DROP STREAM orders") is None
    with pytest.raises(RowtimeError, match="'ORDERS' does not exist"):
        orders.producer("orders")


def test_show_like(orders: Session) -> None:
    names = [row[0] for row in orders.sql("SHOW STREAMS LIKE 'ord%'").rows()]
    assert names == ["ORDERS"]
    assert orders.sql("SHOW STREAMS LIKE 'rd_rs'").rows() == []


def test_definitions_that_have_nothing_to_do(orders: Session) -> None:
    assert orders.sql("CREATE STREAM IF NOT EXISTS orders (a INTEGER)") is None
    assert orders.sql("DROP STREAM IF EXISTS nothing") is None


def test_tables(rt: Session) -> None:
    rt.sql('CREATE TABLE t (id INTEGER NOT NULL, "two words" VARCHAR(5), t TIME, price DECIMAL(5, 2))')
    rt.sql("INSERT INTO t VALUES (1, 'a', TIME '10:11:12', 1.5), (2, NULL, NULL, NULL)")
    rt.sql("INSERT INTO t (id, price) SELECT id + 10, price * 2 FROM t WHERE id = 1")
    found = rt.sql("SELECT * FROM t ORDER BY id")
    assert isinstance(found, Relation)
    assert [[str(v) for v in row] for row in found] == [
        ["1", "a", "10:11:12", "1.50"],
        ["2", "None", "None", "None"],
        ["11", "None", "None", "3.00"],
    ]
    rt.sql("CREATE STREAM s (n INTEGER)")
    joined = rt.sql("INSERT INTO s (n) SELECT id FROM t WHERE id < 10 ORDER BY id DESC")
    assert isinstance(joined, Inserted)
    assert joined.entered == 2


def test_what_a_query_refuses(orders: Session) -> None:
    with pytest.raises(RowtimeError) as fault:
        orders.submit("SELECT * FROM orders")
    assert fault.value.code == "RT0412"
    with pytest.raises(RowtimeError) as fault:
        orders.relation("SELECT STREAM * FROM orders")
    assert fault.value.code == "RT0413"
    query = orders.sql("SELECT STREAM 10 / units AS q FROM orders")
    assert isinstance(query, Query)
    orders.producer("orders").insert([(at(10), 1, 0)])
    with pytest.raises(RowtimeError) as fault:
        query.process_all_available()
    (diagnostic,) = fault.value.diagnostics
    assert diagnostic.code == "RT0510"
    assert re.fullmatch(
        r"The query failed: Division by zero \(DIVIDE_BY_ZERO\), in 10 / UNITS of the row of 'ORDERS' at position \d+ "
        "with UNITS = 0, ROWTIME = 2015-02-15 10:00:00",
        diagnostic.message,
    )
    assert "NULLIF" in (diagnostic.hint or "")
    with pytest.raises(RowtimeError):
        query.rows()
