"""Time to the first row against bare PySpark over the same rows as Parquet: cold, warm, and of a stream.

Cold is a process: `rowtime run -e "SELECT …"`, and a program of PySpark's that reads the files and collects the rows.
Warm is one query after another in a session that stands. Of a stream, it is the time from the start of a query to its
first rows, which were there before.
"""

from __future__ import annotations

import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

import pyarrow as pa
import pyarrow.parquet as pq
from latency import Arrivals
from pairs import pair, rounds

import rowtime
from rowtime.runtime.cluster.spark import start_spark

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

    from rowtime.session import Session

QUERY = "SELECT * FROM two"
STREAMING = "SELECT STREAM /*+ FROM_EARLIEST */ * FROM twice"
BARE = """
import sys
from pyspark.sql import SparkSession
spark = (
    SparkSession.builder.master("local[2]").config("spark.ui.enabled", "false")
    .config("spark.driver.host", "127.0.0.1").config("spark.driver.bindAddress", "127.0.0.1").getOrCreate()
)
print(spark.read.parquet(sys.argv[1]).collect())
"""
WARM_ROUNDS = 10


def compare(*, brief: bool = False) -> None:
    """Prints the three comparisons."""
    folder = Path(tempfile.mkdtemp())
    files, warehouse = folder / "files", folder / "warehouse"
    files.mkdir()
    pq.write_table(pa.table({"n": pa.array([1, 2], pa.int64()), "name": ["one", "two"]}), files / "two.parquet")
    try:
        spark = start_spark()
        try:
            with rowtime.connect(spark, warehouse) as rt:
                rt.sql("CREATE TABLE two (n BIGINT, name VARCHAR)")
                rt.sql("INSERT INTO two VALUES (1, 'one'), (2, 'two')")
                rt.sql("CREATE STREAM twice (n BIGINT, name VARCHAR) OPTIONS (history 'all')")
                rt.sql("INSERT INTO twice VALUES (1, 'one'), (2, 'two')")
                _warm(rt, files, brief)
                _stream(rt, files, brief)
        finally:
            spark.stop()
        _cold(folder, brief)
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def _cold(folder: Path, brief: bool) -> None:
    bare = folder / "bare.py"
    bare.write_text(BARE)
    run = [str(Path(sys.executable).with_name("rowtime")), "run", "--warehouse", str(folder / "warehouse"), "-e", QUERY]
    ours, theirs = "rowtime run -e, a process", "PySpark over Parquet, a process"
    contenders = {ours: _process(run), theirs: _process([sys.executable, str(bare), str(folder / "files")])}
    # The first run builds the archive of classes, which is not what is measured.
    rounds(contenders, 1 if brief else 2)
    pair(contenders, "at most 1.2 × bare PySpark's time", 1 if brief else 5)


def _process(command: list[str]) -> Callable[[], float]:
    def seconds() -> float:
        began = time.perf_counter()
        subprocess.run(command, check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        return time.perf_counter() - began

    return seconds


def _warm(rt: Session, files: Path, brief: bool) -> None:
    def ours() -> None:
        assert len(rt.sql(QUERY).rows()) == 2

    def theirs() -> None:
        assert len(rt.spark.read.parquet(str(files)).collect()) == 2

    names = "rowtime: a SELECT, warm", "PySpark: read Parquet and collect, warm"
    contenders = {names[0]: _mean(ours), names[1]: _mean(theirs)}
    rounds(contenders, 1 if brief else 5)
    pair(contenders, "at most 1.5 × bare PySpark's time", 1 if brief else 5)


def _mean(query: Callable[[], None]) -> Callable[[], float]:
    def seconds() -> float:
        began = time.perf_counter()
        for _ in range(WARM_ROUNDS):
            query()
        return (time.perf_counter() - began) / WARM_ROUNDS

    return seconds


def _stream(rt: Session, files: Path, brief: bool) -> None:
    def ours() -> float:
        arrivals = Arrivals()
        began = time.perf_counter()
        query = rt.submit(STREAMING, arrivals)
        spent = arrivals.wait(began)
        query.stop()
        return spent

    names = "rowtime: first rows of a stream", "PySpark: first rows of the file source"
    contenders = {names[0]: ours, names[1]: lambda: _by_hand(rt.spark, files)}
    rounds(contenders, 1 if brief else 5)
    pair(contenders, "at most 1.5 × bare PySpark's time", 1 if brief else 5)


def _by_hand(spark: SparkSession, files: Path) -> float:
    arrivals = Arrivals()
    with tempfile.TemporaryDirectory() as checkpoint:
        began = time.perf_counter()
        query = (
            spark.readStream.schema("n BIGINT, name STRING").parquet(str(files)).writeStream.foreachBatch(arrivals.write_batch)
            .option("checkpointLocation", checkpoint).start()
        )  # fmt: skip
        spent = arrivals.wait(began)
        query.stop()
    return spent
