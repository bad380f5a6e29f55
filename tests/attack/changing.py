"""A process that changes tables as fast as it can, until it is killed: one thread for each kind of statement.

It writes a line before and after each statement, `begin KIND NUMBER` and `done KIND NUMBER`, to the file that its
second argument names. Each statement's number is what it puts into its table. With the address of a JVM it uses Spark
there, so that it starts within a second; else it starts a Spark of its own.
"""

from __future__ import annotations

import os
import sys
import threading
import time
from collections.abc import Callable
from typing import Any

from rowtime.runtime.execute import Start
from rowtime.script.runner import ScriptRunner
from rowtime.session import Session, connect
from rowtime.splitter import split

KINDS = ("update", "delete", "merge", "create", "script")
ROWS = 100
SETUP = (
    "CREATE TABLE source (id INTEGER, n INTEGER)",
    "CREATE TABLE updated (id INTEGER, n INTEGER)",
    "CREATE TABLE deleted (id INTEGER, n INTEGER)",
    "CREATE TABLE merged (id INTEGER, n INTEGER)",
    "CREATE TABLE created (id INTEGER, n INTEGER)",
    "CREATE TABLE scripted (id INTEGER, n INTEGER)",
    "CREATE STREAM events (n INTEGER) OPTIONS (history 'all')",
)


def statements(kind: str, number: int) -> str:
    """What a kind of statement does for the `number`th time: afterwards its table says that it has."""
    if kind == "update":
        return f"UPDATE updated SET n = {number}"
    if kind == "delete":
        return f"DELETE FROM deleted WHERE id < {number}"
    if kind == "merge":
        return (
            f"MERGE INTO merged AS t USING (SELECT id FROM source WHERE id < {ROWS + number}) AS s ON t.id = s.id "
            f"WHEN MATCHED THEN UPDATE SET n = {number} WHEN NOT MATCHED THEN INSERT (id, n) VALUES (s.id, {number})"
        )
    if kind == "create":
        return f"CREATE OR REPLACE TABLE created AS SELECT id, {number} AS n FROM source WHERE id < {ROWS}"
    minute = f"TIMESTAMP '2024-05-01 00:00:00' + INTERVAL '{number}' MINUTE(6)"
    return (
        f"UPDATE scripted SET n = {number};\n"
        f"INSERT INTO events VALUES ({minute}, {number}), ({minute} - INTERVAL '30' SECOND, {-number});\n"
        f"CREATE TABLE IF NOT EXISTS script_{number} (n INTEGER);\n"
        f"DROP TABLE script_{number};\n"
    )


class Silent:
    """A printer that keeps what goes wrong."""

    def __init__(self) -> None:
        self.errors: list[Any] = []

    def problems(self, diagnostics: Any) -> None:
        self.errors += [d for d in diagnostics if d.is_error]

    def __getattr__(self, name: str) -> Callable[..., None]:
        return lambda *_, **__: None


def run(session: Session, kind: str, number: int) -> None:
    text = statements(kind, number)
    if kind != "script":
        session.sql(text)
        return
    printer = Silent()
    runner = ScriptRunner(session, printer, Start())
    for step in split(text).steps:
        while not runner.perform(step):
            if any(error.code != "RT0390" for error in printer.errors):
                raise RuntimeError(str(printer.errors))
            # Another thread has changed the catalog.
            printer.errors.clear()
    runner.close()


def spark_at(address: str) -> Any:
    """The Spark of another process: `PORT SECRET` of its JVM."""
    os.environ["PYSPARK_GATEWAY_PORT"], os.environ["PYSPARK_GATEWAY_SECRET"] = address.split()
    from pyspark import SparkConf, SparkContext
    from pyspark.java_gateway import launch_gateway
    from pyspark.sql import SparkSession

    gateway = launch_gateway()
    context = gateway.jvm.JavaSparkContext(gateway.jvm.org.apache.spark.SparkContext.getOrCreate())
    sc = SparkContext(gateway=gateway, jsc=context, conf=SparkConf(_jconf=context.getConf()))
    return SparkSession(sc).newSession()


def main() -> None:
    warehouse, acknowledged, first, *address = sys.argv[1:]
    told = os.open(acknowledged, os.O_WRONLY | os.O_APPEND | os.O_CREAT)
    session = connect(spark_at(address[0]) if address else None, warehouse, pumps=False)
    begin = dict(zip(KINDS, map(int, first.split(",")), strict=True))

    def loop(kind: str) -> None:
        number = begin[kind]
        while True:
            os.write(told, f"begin {kind} {number}\n".encode())
            try:
                run(session, kind, number)
            except BaseException as fault:
                if getattr(fault, "code", "") == "RT0390":
                    continue
                os.write(told, f"failed {kind} {number} {fault!r}\n".encode())
                os._exit(1)
            os.write(told, f"done {kind} {number}\n".encode())
            number += 1

    for kind in KINDS:
        threading.Thread(target=loop, args=(kind,), daemon=True).start()
    time.sleep(600)


if __name__ == "__main__":
    main()
