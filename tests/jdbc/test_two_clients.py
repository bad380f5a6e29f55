"""Clients at the same time: the statement of one does not wait for that of another."""

from __future__ import annotations

import threading
import time
from pathlib import Path

from pyspark import RDD

from rowtime import dbapi
from rowtime.serve.server import JdbcServer
from rowtime.session import Session


def test_a_long_select_stops_nobody(rt: Session, server: JdbcServer, tmp_path: Path) -> None:
    """While a SELECT runs, other clients query, insert and start queries, and a pump writes files."""
    gate, goal = tmp_path / "gate", tmp_path / "goal"
    url = f"rowtime://127.0.0.1:{server.port}"
    rt.sql("CREATE FUNCTION wait_for (f VARCHAR) RETURNS BOOLEAN LANGUAGE PYTHON AS 'row_functions:wait_for'")
    rt.sql("CREATE STREAM s (n INTEGER) OPTIONS (history 'all')")
    rt.sql(f"CREATE FOREIGN TABLE f (n INTEGER) OPTIONS (connector 'files', format 'json', path '{goal}')")
    rt.sql("CREATE PUMP p STARTED AS INSERT INTO f (n) SELECT STREAM n FROM s")
    rows: list[object] = []

    def long() -> None:
        with dbapi.connect(url) as slow:
            rows.extend(slow.execute(f"SELECT wait_for('{gate}')").fetchall())

    thread = threading.Thread(target=long)
    thread.start()
    try:
        with dbapi.connect(url) as quick:
            time.sleep(1)
            begin = time.monotonic()
            assert quick.execute("SELECT 1").fetchall() == [(1,)]
            quick.execute("INSERT INTO s (n) VALUES (7)")
            assert quick.execute("SELECT n FROM s").fetchall() == [(7,)]
            stream = quick.execute("SELECT STREAM n FROM s")
            quick.cursor().execute("INSERT INTO s (n) VALUES (8)")
            assert stream.fetchone() == (8,)
            while not list(goal.rglob("*.json")) and time.monotonic() < begin + 100:
                time.sleep(0.1)
            assert list(goal.rglob("*.json"))
            assert thread.is_alive() and not rows
    finally:
        gate.touch()
        thread.join()
    assert rows == [(True,)]


def test_the_settings_of_a_query_are_not_those_of_the_session(rt: Session) -> None:
    """A SELECT sees what the user has set, but for what its meaning depends on; the session keeps its settings."""
    spark, of_rdds = rt.spark, RDD.toDF  # type: ignore[attr-defined]
    mine = {
        "spark.sql.ansi.enabled": "false",
        "spark.sql.session.timeZone": "Asia/Tokyo",
        "spark.sql.files.maxPartitionBytes": "12345b",
    }
    before = {key: spark.conf.get(key, None) for key in mine}
    for key, value in mine.items():
        spark.conf.set(key, value)
    try:
        with rt.runtime.launcher.relational_session() as session:
            assert session.conf.get("spark.sql.ansi.enabled") == "true"
            assert session.conf.get("spark.sql.session.timeZone") == "UTC"
            assert session.conf.get("spark.sql.files.maxPartitionBytes") == "12345b"
        assert spark.conf.get("spark.sql.session.timeZone") == "Asia/Tokyo"
        spark.conf.unset("spark.sql.files.maxPartitionBytes")
        with rt.runtime.launcher.relational_session() as session:
            assert session.conf.get("spark.sql.files.maxPartitionBytes") != "12345b"
        assert RDD.toDF is of_rdds  # type: ignore[attr-defined]
    finally:
        for key, old in before.items():
            spark.conf.unset(key) if old is None else spark.conf.set(key, old)
