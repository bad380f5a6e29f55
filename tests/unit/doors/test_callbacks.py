"""The door through which Spark's JVM calls this process: nobody else enters by it."""

from __future__ import annotations

import gc
import os
import socket
import stat
import subprocess
import sys
import threading
from collections.abc import Callable
from pathlib import Path
from types import MethodType
from typing import Any

import pytest
from queries import eventually

from rowtime import dbapi
from rowtime.jvm import callbacks
from rowtime.opening import connect
from rowtime.runtime.query.query import Query
from rowtime.runtime.relation import Relation
from rowtime.script.queries import ScriptQuery
from rowtime.session import Session

CALL = "c\n{}\n{}\ns{{}}\ne\n"
"""py4j's request to call a method of an object with a text."""


def answer(address: Any, *requests: str) -> str:
    """Sends requests to a callback server, and returns all that it answers."""
    family = socket.AF_INET if isinstance(address, tuple) else socket.AF_UNIX
    with socket.socket(family, socket.SOCK_STREAM) as link:
        link.settimeout(10)
        link.connect(address)
        link.sendall("".join(requests).encode())
        link.shutdown(socket.SHUT_WR)
        got = b""
        try:
            while part := link.recv(4096):
                got += part
        except ConnectionResetError:
            pass
    return got.decode()


@pytest.fixture
def called(rt: Session) -> Any:
    """An object that the JVM could call, its name in py4j, and what it has been called with."""
    calls: list[str] = []
    gateway = rt.spark.sparkContext._gateway
    made = callbacks.exposed("io.rowtime.serve.Backend", call=lambda text: calls.append(text) or "done")
    return gateway.gateway_property.pool.put(made), calls, gateway._callback_server


@pytest.fixture
def new_connections(rt: Session) -> Callable[[], set[threading.Thread]]:
    """The threads of the connections that the JVM has opened since. The JVM's finalizer tells this process which
    objects it may forget, and keeps a connection from the first time on: it is made to open that before."""
    gateway = rt.spark.sparkContext._gateway
    pool = gateway.gateway_property.pool
    known = set(pool.dict)
    gateway.jvm.java.util.ArrayList().add(callbacks.exposed("io.rowtime.serve.Backend", call=str))
    (name,) = set(pool.dict) - known

    def forgotten() -> bool:
        gc.collect()
        gateway.jvm.java.lang.System.gc()
        return name not in pool

    eventually(forgotten, seconds=60)
    before = set(_callback_threads())
    return lambda: set(_callback_threads()) - before


def test_no_other_user_can_open_the_socket(called: Any) -> None:
    path = Path(called[2].get_listening_address())
    assert stat.S_ISSOCK(path.stat().st_mode)
    assert stat.S_IMODE(path.parent.stat().st_mode) == 0o700
    assert stat.S_IMODE(path.stat().st_mode) == 0o600


@pytest.mark.parametrize("first", ["", "A\nnothing\ne\n", "A\n" + "0" * 64 + "\ne\n"])
def test_a_call_without_the_token_is_not_made(called: Any, first: str) -> None:
    name, calls, server = called
    got = answer(server.get_listening_address(), first, CALL.format(name, "call"))
    assert calls == [] and "done" not in got


def test_with_the_token_only_methods_of_the_interface_can_be_called(called: Any) -> None:
    name, calls, server = called
    token = f"A\n{server.callback_server_parameters.auth_token}\ne\n"
    path = server.get_listening_address()
    assert "done" in answer(path, token, CALL.format(name, "call"))
    for method in ("close", "__class__", "__init__", "__getattribute__", "_methods", "Java", "call.__call__"):
        assert answer(path, token, CALL.format(name, method)).splitlines()[-1].startswith("!x"), method
    assert len(calls) == 1


_EARLIER = """
import os, socket, sys, time
from pyspark.sql import SparkSession
from rowtime.jvm.jars import spark_jars_setting
from rowtime.jvm.java import prepare_for_spark
import rowtime

prepare_for_spark()
spark = (SparkSession.builder.master("local[1]").config("spark.jars", spark_jars_setting())
         .config("spark.ui.enabled", "false").config("spark.log.level", "OFF").getOrCreate())
batches = []
query = (spark.readStream.format("rate").load().writeStream.option("checkpointLocation", sys.argv[1] + "/c")
         .foreachBatch(lambda df, n: batches.append(n)).trigger(processingTime="200 milliseconds").start())
while not batches:
    time.sleep(0.05)
gateway = spark.sparkContext._gateway
old = gateway._callback_server.server_socket.getsockname()
stranger = socket.create_connection(old)
rt = rowtime.connect(spark, sys.argv[1] + "/w")
seen = len(batches)
deadline = time.monotonic() + 240
while len(batches) < seen + 3 and query.isActive and time.monotonic() < deadline:
    time.sleep(0.05)
print("continues", len(batches) >= seen + 3, query.exception())
try:
    socket.create_connection(old, timeout=5)
    print("open")
except OSError:
    print("closed")
stranger.settimeout(5)
stranger.sendall(b"c\\nt\\ncall\\ne\\n")
try:
    print("hung up" if not stranger.recv(100) else "answered")
except ConnectionError:
    print("hung up")
rt.close()
query.stop()
os._exit(0)
"""


def test_a_server_that_pyspark_has_started_before_is_replaced(tmp_path: Path) -> None:
    """Its `foreachBatch` runs on; its port, and the connections of strangers, are closed."""
    command = [sys.executable, "-c", _EARLIER, str(tmp_path)]
    done = subprocess.run(command, check=False, capture_output=True, text=True, timeout=300)
    assert done.stdout.splitlines() == ["continues True None", "closed", "hung up"], done.stderr


_OTHER = """
import os, sys
from changing import spark_at
import rowtime

rowtime.connect(spark_at(sys.argv[1]), sys.argv[2], pumps=False)
print("connected", flush=True)
os._exit(0)
"""


def test_another_process_had_the_jvms_calls(rt: Session, tmp_path: Path) -> None:
    """Several processes can share a JVM, which calls one of them only: the one that has connected last."""
    parameters = rt.spark.sparkContext._gateway.gateway_parameters
    command = [sys.executable, "-c", _OTHER, f"{parameters.port} {parameters.auth_token}", str(tmp_path / "other")]
    attack = Path(__file__).parents[2] / "attack"
    environment = {**os.environ, "PYTHONPATH": str(attack)}
    done = subprocess.run(command, check=False, capture_output=True, text=True, timeout=300, env=environment)
    assert done.stdout == "connected\n", done.stderr
    with connect(rt.spark, tmp_path / "later") as later:
        later.sql("CREATE STREAM s (rowtime TIMESTAMP, n INTEGER)")
        later.sql("CREATE TABLE t (n INTEGER)")
        later.sql("CREATE PUMP p STARTED AS INSERT INTO t SELECT STREAM n FROM s")
        later.sql("INSERT INTO s VALUES (TIMESTAMP '2024-05-01 10:00:00', 1)")
        # Each micro-batch of a pump is such a call.
        later.runtime.settle([])
        assert [status.error for status in later.pumps] == [None]
        found = later.sql("SELECT n FROM t")
        assert isinstance(found, Relation) and list(found.rows()) == [(1,)]


def test_the_connection_of_a_query_ends_with_it(rt: Session, new_connections: Any) -> None:
    """Each is a socket in two processes, and a thread in this one."""

    def run() -> set[threading.Thread]:
        query = rt.sql("SELECT STREAM n FROM s")
        rt.sql("INSERT INTO s VALUES (1)")
        assert isinstance(query, Query)
        query.process_all_available()
        assert [tuple(row) for row in query.rows()] == [(1,)]
        during = new_connections()
        query.stop()
        return during

    rt.sql("CREATE STREAM s (n INTEGER)")
    assert len(run()) == 1
    run()
    run()
    eventually(lambda: not new_connections(), seconds=240)


def test_the_connections_of_a_server_end_with_its_threads(rt: Session, new_connections: Any) -> None:
    """Those that have had no request for five seconds: a server ran out of files within hours."""
    server = rt.serve_jdbc(0)
    for _ in range(3):
        with dbapi.connect(f"rowtime://127.0.0.1:{server.port}") as client:
            assert client.execute("SELECT 1 AS n").fetchall() == [(1,)]
    assert new_connections()
    eventually(lambda: not new_connections(), seconds=60)
    server.close()


@pytest.mark.parametrize("end", ["stop", "close"])
def test_both_processes_forget_what_has_ended(spark: Any, tmp_path: Path, end: str) -> None:
    """A sink may know its query, as those of scripts do. Spark's query calls this process for it: a cycle that neither
    garbage collector sees. Each query that had run stayed in memory, with its plans and its session of Spark."""
    opened = ScriptQuery(1, lambda number, columns, rows: None)
    with connect(spark, tmp_path / "warehouse") as rt:
        rt.sql("CREATE STREAM s (n INTEGER)")
        rt.sql("CREATE TABLE t (n INTEGER)")
        rt.sql("CREATE PUMP p STARTED AS INSERT INTO t SELECT STREAM n FROM s")
        opened.query = rt.submit("SELECT STREAM n FROM s", opened)
        rt.sql("INSERT INTO s VALUES (1)")
        rt.runtime.settle([opened.query])
        of_query = spark._jvm.java.lang.ref.WeakReference(opened.query._running._jsq)
        of_pump = spark._jvm.java.lang.ref.WeakReference(next(iter(rt.runtime.pumps.running()))._running._jsq)
        if end == "stop":
            opened.query.stop()
            rt.sql("ALTER PUMP p STOP")
        else:
            rt.close()
        del opened
        eventually(lambda: _collected(spark, of_query) and _collected(spark, of_pump), seconds=120)


def _collected(spark: Any, reference: Any) -> bool:
    gc.collect()
    spark._jvm.java.lang.System.gc()
    return reference.get() is None


def _callback_threads() -> list[threading.Thread]:
    """The threads of py4j that wait for calls of the JVM, one for each connection."""
    return [
        each
        for each in threading.enumerate()
        if isinstance(getattr(each, "_target", None), MethodType)
        and each._target.__qualname__ == "ClientServerConnection.run"
    ]
