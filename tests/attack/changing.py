"""A process that changes a table as fast as it can, by one kind of statement, until it is killed.

    python changing.py WAREHOUSE TOLD KIND NUMBER [ADDRESS]

It writes a line before and after each statement, `begin NUMBER` and `done NUMBER`, to the file TOLD; the statement
writes the number into its table. The kind `script` is `rowtime run` of a script, and TOLD is its output. With the
address of a JVM the process uses Spark there, so it starts within a second; otherwise it starts a Spark of its own.
"""

from __future__ import annotations

import os
import sys
from pathlib import Path
from typing import Any

from rowtime.opening import connect

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
    """Returns the `number`th statement of a kind, which records the number in its table."""
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


def spark_at(address: str) -> Any:
    """Returns the Spark of another process: `PORT SECRET` of its JVM."""
    os.environ["PYSPARK_GATEWAY_PORT"], os.environ["PYSPARK_GATEWAY_SECRET"] = address.split()
    from pyspark import SparkConf, SparkContext
    from pyspark.java_gateway import launch_gateway
    from pyspark.sql import SparkSession

    gateway = launch_gateway()
    context = gateway.jvm.JavaSparkContext(gateway.jvm.org.apache.spark.SparkContext.getOrCreate())
    sc = SparkContext(gateway=gateway, jsc=context, conf=SparkConf(_jconf=context.getConf()))
    return SparkSession(sc).newSession()


def change(warehouse: str, told: str, kind: str, number: int, spark: Any) -> None:
    """Runs one statement after another."""
    file = os.open(told, os.O_WRONLY | os.O_APPEND | os.O_CREAT)
    session = connect(spark, warehouse, pumps=False)
    while True:
        os.write(file, f"begin {number}\n".encode())
        try:
            session.sql(statements(kind, number))
        except BaseException as fault:
            if getattr(fault, "code", "") == "RT0390":
                continue
            os.write(file, f"failed {number} {fault!r}\n".encode())
            os._exit(1)
        os.write(file, f"done {number}\n".encode())
        number += 1


def run_script(warehouse: str, told: str, number: int, spark: Any) -> None:
    """Runs a script that takes long enough."""
    from rowtime_cli.main import entry

    if spark is not None:
        # The command would end the JVM of the process that shares it.
        type(spark).stop = lambda _: None
        type(spark)._instantiatedSession = spark
    script = Path(told).with_suffix(".sql")
    script.write_text("".join(statements("script", number + i) for i in range(300)))
    os.dup2(os.open(told, os.O_WRONLY | os.O_APPEND | os.O_CREAT), 1)
    sys.argv = ["rowtime", "run", str(script), "--warehouse", warehouse]
    entry()


def main() -> None:
    warehouse, told, kind, number, *address = sys.argv[1:]
    # On a busy machine, the process that kills it is faster.
    os.nice(10)
    spark = spark_at(address[0]) if address else None
    if kind == "script":
        run_script(warehouse, told, int(number), spark)
    else:
        change(warehouse, told, kind, int(number), spark)


if __name__ == "__main__":
    main()
