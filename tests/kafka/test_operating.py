"""The story of docs/operating.md with real parts: pumps from Kafka to Delta and PostgreSQL are changed while a producer
sends, and at the end both targets are the relational query over what was sent."""

from __future__ import annotations

import datetime as dt
import json
import shutil
import sqlite3
import threading
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import duckdb
import pytest
from deltalake import DeltaTable
from jdbc_drivers import jdbc_drivers
from kafka_topics import Broker
from postgres_server import Postgres, running_postgres
from queries import eventually

from rowtime.errors import RowtimeError
from rowtime.formats import current
from rowtime.opening import connect
from rowtime.runtime.pump_diff import difference
from rowtime.session import Session
from rowtime_cli.contents import contents

START = dt.datetime(2024, 5, 1)
STEP = dt.timedelta(minutes=3)
POISON = "poison"
SUMS = "FLOOR(rowtime TO HOUR) AS rowtime, customer, SUM(price) AS price"
BY_HOUR = "FROM bills GROUP BY FLOOR(rowtime TO HOUR), customer"
BILLS = "INSERT INTO {target} SELECT {hint}STREAM rowtime, customer, {price} AS price{discount} FROM orders"


@pytest.fixture(scope="module")
def postgres() -> Iterator[Postgres]:
    with running_postgres(jdbc_drivers()["postgresql"]) as server:
        yield server


@dataclass
class Producer:
    """Sends an order of each three minutes to two partitions by turns, as fast as it can, until it is stopped."""

    broker: Broker
    topic: str
    sent: list[dict[str, Any]] = field(default_factory=list)
    discounts: bool = False
    _stopped: threading.Event = field(default_factory=threading.Event)
    _lock: threading.Lock = field(default_factory=threading.Lock)
    _thread: threading.Thread | None = None

    def start(self) -> None:
        self._thread = threading.Thread(target=self._run, daemon=True)
        self._thread.start()

    def stop(self) -> None:
        assert self._thread is not None
        self._stopped.set()
        self._thread.join()

    def order(self, **fields: Any) -> dict[str, Any]:
        """Sends one order, which may have other fields than the regular ones."""
        with self._lock:
            n = len(self.sent)
            row = {
                "rowtime": str(START + n * STEP),
                "customer": "abc"[n % 3],
                "amount": 12 + n % 11 * 6,
                "units": 1 + n % 3,
            }
            if self.discounts:
                row["discount"] = n % 4
            row |= fields
            self.broker.send(self.topic, json.dumps(row), partition=n % 2)
            self.sent.append(row)
            return row

    def _run(self) -> None:
        while not self._stopped.wait(0.1):
            self.order()


def said(rt: Session, sql: str) -> str:
    """Returns what EXPLAIN says of a statement."""
    found: Any = rt.sql(f"EXPLAIN {sql}")
    return "\n".join(line for (line,) in found.tuples())


def pump(rt: Session, name: str) -> Any:
    return next(each for each in rt.pumps if each.name == name)


def grows(rt: Session, target: str) -> None:
    """Waits until two more rows have arrived."""
    before = count(rt, target)
    eventually(lambda: count(rt, target) > before + 1)


def count(rt: Session, target: str) -> int:
    found: Any = rt.sql(f"SELECT COUNT(*) FROM {target}")
    return int(found.tuples()[0][0])


def set_up(rt: Session, producer: Producer, postgres: Postgres, delta: Path) -> None:
    postgres.run("CREATE TABLE spending (customer TEXT PRIMARY KEY, price BIGINT)")
    for statement in (
        "CREATE FOREIGN STREAM orders_topic (rowtime TIMESTAMP(3) NOT NULL WATERMARK INTERVAL '30' MINUTE, "
        "customer VARCHAR(10), amount INTEGER, units INTEGER) OPTIONS (connector 'kafka', "
        f"servers '{producer.broker.address}', topic '{producer.topic}', format 'json', start 'earliest')",
        "CREATE STREAM orders (customer VARCHAR(10), amount INTEGER, units INTEGER) OPTIONS (history 'all')",
        "CREATE STREAM bills (customer VARCHAR(10), price INTEGER) OPTIONS (history 'all')",
        "CREATE FOREIGN TABLE hours (rowtime TIMESTAMP(3), customer VARCHAR(10), price BIGINT) "
        f"OPTIONS (connector 'delta', path '{delta}')",
        "CREATE FOREIGN TABLE spending (customer VARCHAR(10) PRIMARY KEY, price BIGINT) "
        f"OPTIONS ({postgres.options}, table 'spending')",
        "CREATE PUMP landing STARTED AS INSERT INTO orders "
        "SELECT STREAM rowtime, customer, amount, units FROM orders_topic",
        "CREATE PUMP billing STARTED AS INSERT INTO bills SELECT STREAM rowtime, customer, amount / units FROM orders",
        f"CREATE PUMP by_hour STARTED AS INSERT INTO hours SELECT STREAM {SUMS} {BY_HOUR}",
        "CREATE PUMP by_customer STARTED AS INSERT INTO spending "
        "SELECT STREAM customer, SUM(price) FROM bills GROUP BY customer",
    ):
        rt.sql(statement)


def test_operating(spark: Any, broker: Broker, postgres: Postgres, tmp_path: Path) -> None:
    producer = Producer(broker, broker.topic(partitions=2))
    delta = tmp_path / "hours"
    warehouse = tmp_path / "warehouse"
    with connect(spark, warehouse) as rt:
        set_up(rt, producer, postgres, delta)
        producer.start()
        grows(rt, "bills")
        add_a_column(rt)
        grows(rt, "bills")
        change_the_state(rt)
        producer.discounts = True
        refuse(rt)
        skip_a_row(rt, producer)
        blue_and_green(rt)
    upgrade(warehouse)
    with connect(spark, warehouse) as rt:
        assert rt.store.formats() == current()
        grows(rt, "bills")
    moved = tmp_path / "elsewhere" / "warehouse"
    shutil.copytree(warehouse, moved)
    shutil.rmtree(warehouse)
    with connect(spark, moved) as rt:
        grows(rt, "bills")
        producer.stop()
        last = [producer.order(rowtime=str(START + dt.timedelta(days=100)), customer="end") for _ in range(2)]
        eventually(lambda: count(rt, "orders") == len(producer.sent) - len(last))
        rt.runtime.settle([])
        check(rt, [row for row in producer.sent if row not in last], delta, postgres)


def check(rt: Session, sent: list[dict[str, Any]], delta: Path, postgres: Postgres) -> None:
    """Both targets are what DuckDB computes of the orders that were sent, and each pump accounts for its rows."""
    with duckdb.connect() as db:
        db.execute("CREATE TABLE orders (rowtime TIMESTAMP, customer VARCHAR, price BIGINT)")
        db.executemany(
            "INSERT INTO orders VALUES (?, ?, ?)",
            [
                (row["rowtime"], row["customer"], row["amount"] // row["units"] - row.get("discount", 0))
                for row in sent
                if row["customer"] != POISON
            ],
        )
        hours = db.execute(
            "SELECT time_bucket(INTERVAL 1 HOUR, rowtime) AS h, customer, SUM(price)::BIGINT FROM orders "
            "GROUP BY ALL ORDER BY ALL"
        ).fetchall()
        spending = db.execute("SELECT customer, SUM(price)::BIGINT FROM orders GROUP BY ALL ORDER BY ALL").fetchall()
    written = sorted(
        (row["ROWTIME"].replace(tzinfo=None), row["CUSTOMER"], row["PRICE"])
        for row in DeltaTable(delta).to_pyarrow_table().to_pylist()
    )
    assert written == hours
    assert postgres.run("SELECT customer, price FROM spending ORDER BY customer") == [f"{c}|{n}" for c, n in spending]
    assert len(hours) > 12
    for each in rt.pumps:
        assert each.state == "STARTED"
    landing, billing = pump(rt, "LANDING"), pump(rt, "BILLING")

    assert (landing.rows_out, landing.late_rows) == (len(sent), 0)
    # The pump that took over leaves the poisoned row out.
    assert (billing.rows_in, billing.rows_out, billing.failed_rows) == (len(sent), len(sent) - 1, 0)


def done(rt: Session, statement: str, *expected: str) -> None:
    """Runs a statement, of which EXPLAIN has said what is expected."""
    found = said(rt, statement)
    for text in expected:
        assert text in found
    rt.sql(statement)


def add_a_column(rt: Session) -> None:
    kept = "goes on from its position and state"
    done(rt, "ALTER FOREIGN STREAM orders_topic ADD COLUMN discount INTEGER", f"Pump 'LANDING' {kept}")
    done(rt, "ALTER STREAM orders ADD COLUMN discount INTEGER", f"Pump 'LANDING' {kept}", f"Pump 'BILLING' {kept}")
    done(
        rt,
        "CREATE OR REPLACE PUMP landing STARTED AS INSERT INTO orders "
        "SELECT STREAM rowtime, customer, amount, units, discount FROM orders_topic",
        "Pump 'LANDING' continues from its position",
    )
    done(
        rt,
        "CREATE OR REPLACE PUMP billing STARTED AS INSERT INTO bills "
        "SELECT STREAM rowtime, customer, amount / units - COALESCE(discount, 0) FROM orders",
        "Pump 'BILLING' continues from its position",
    )


def change_the_state(rt: Session) -> None:
    query = f"AS INSERT INTO hours SELECT STREAM {SUMS.replace('SUM(price)', 'SUM(ABS(price))')} {BY_HOUR}"
    found = said(rt, f"CREATE OR REPLACE PUMP by_hour STARTED {query}")
    assert "RT0516" in found, found
    eventually(lambda: count(rt, "hours") > 0)
    done(rt, "ALTER PUMP by_hour STOP", "ends its query")
    rows: Any = rt.sql("SELECT MAX(rowtime) FROM hours")
    following = rows.tuples()[0][0] + dt.timedelta(hours=1)
    done(
        rt,
        f"CREATE OR REPLACE PUMP by_hour STARTED RESET FROM TIMESTAMP '{following}' ALLOW DUPLICATES {query}",
        "reads rows of its sources from",
    )


def refuse(rt: Session) -> None:
    statement = (
        "CREATE OR REPLACE PUMP by_customer STARTED AS INSERT INTO spending "
        "SELECT STREAM customer, MAX(price) FROM bills GROUP BY customer"
    )
    assert "RT0516" in said(rt, statement)
    with pytest.raises(RowtimeError, match="RT0516"):
        rt.sql(statement)


def skip_a_row(rt: Session, producer: Producer) -> None:
    producer.order(units=0, customer=POISON)
    eventually(lambda: pump(rt, "BILLING").state == "FAILED")
    done(rt, "ALTER PUMP billing RESUME SKIP", "steps over the row of 'ORDERS' at position")
    grows(rt, "bills")
    assert pump(rt, "BILLING").failed_rows == 1


def blue_and_green(rt: Session) -> None:
    rt.sql("CREATE STREAM bills2 (customer VARCHAR(10), price INTEGER) OPTIONS (history 'all')")
    rt.sql(
        "CREATE PUMP billing2 STARTED AS INSERT INTO bills2 SELECT /*+ FROM_EARLIEST */ STREAM rowtime, customer, "
        "CAST((amount - units * COALESCE(discount, 0)) / NULLIF(units, 0) AS INTEGER) FROM orders WHERE units > 0"
    )
    grows(rt, "bills2")
    found = difference(rt.runtime, ("BILLING", "BILLING2"))
    assert found.lines()[0].endswith(", equal")
    done(rt, "ALTER PUMP billing REPLACE WITH billing2", "take over the name and the target")


def upgrade(warehouse: Path) -> None:
    with sqlite3.connect(warehouse / "catalog.db") as db:
        db.execute("DROP TABLE format")
        db.execute("PRAGMA user_version = 2")
    formats, *_ = contents(warehouse)
    assert "catalog 2 becomes 3" in formats.text
