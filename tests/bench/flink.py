"""The queries in Flink SQL 2.3, run by a Python that has it: ROWTIME_BENCH_FLINK names one.

`flink_job.py` runs there, one JVM for all jobs, so that it is warm; 2 slots, 6 GB of heap, state on the heap. By
default Flink takes no checkpoints, which is its fastest mode; `tuned` reuses objects and works in mini-batches.
"""

from __future__ import annotations

import contextlib
import json
import os
import subprocess
import tempfile
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from types import MappingProxyType
from typing import IO, Any

import jobs

from rowtime.jvm.java import find_java

PYTHON = "ROWTIME_BENCH_FLINK"
ABSENT = f"Flink is left out: {PYTHON} names no Python with apache-flink; tests/bench/README.md says how to have one"

TUMBLE = "TABLE(TUMBLE(TABLE {stream}, DESCRIPTOR(`dateTime`), INTERVAL '10' SECOND))"
SESSION = "TABLE(SESSION(TABLE bid PARTITION BY bidder, DESCRIPTOR(`dateTime`), INTERVAL '10' SECOND))"
HOP = "TABLE(HOP(TABLE bid, DESCRIPTOR(`dateTime`), INTERVAL '2' SECOND, INTERVAL '10' SECOND))"
BIDS = "`dateTime` TIMESTAMP(3), auction BIGINT, bidder BIGINT, price BIGINT"
TOP = (
    "SELECT `dateTime`, auction, bidder, price FROM (SELECT *, ROW_NUMBER() OVER (PARTITION BY {keys} ORDER BY {order}) AS n FROM "
    + TUMBLE.format(stream="bid")
    + ") WHERE n <= {most}"
)


@dataclass(frozen=True, slots=True)
class Query:
    """A query, and the columns of its sink."""

    columns: str
    sql: str


QUERIES = {
    "q5": Query(
        "starts TIMESTAMP(3), ends TIMESTAMP(3), auction BIGINT, num BIGINT",
        f"SELECT window_start, window_end, auction, COUNT(*) FROM {HOP} GROUP BY window_start, window_end, auction",
    ),
    "q7": Query(
        "starts TIMESTAMP(3), ends TIMESTAMP(3), maxprice BIGINT, num BIGINT",
        f"SELECT window_start, window_end, MAX(price), COUNT(*) FROM {TUMBLE.format(stream='bid')} GROUP BY window_start, window_end",
    ),
    "q8": Query(
        "starts TIMESTAMP(3), id BIGINT, name STRING",
        f"WITH people AS (SELECT id, name, window_start, window_end FROM {TUMBLE.format(stream='person')} "
        "GROUP BY id, name, window_start, window_end), "
        f"sellers AS (SELECT seller, window_start, window_end FROM {TUMBLE.format(stream='auction')} "
        "GROUP BY seller, window_start, window_end) "
        "SELECT P.window_start, P.id, P.name FROM people P JOIN sellers A "
        "ON P.id = A.seller AND P.window_start = A.window_start AND P.window_end = A.window_end",
    ),
    "distinct": Query(
        "starts TIMESTAMP(3), ends TIMESTAMP(3), bidders BIGINT, num BIGINT",
        f"SELECT window_start, window_end, COUNT(DISTINCT bidder), COUNT(*) FROM {TUMBLE.format(stream='bid')} GROUP BY window_start, window_end",
    ),
    "sessions": Query(
        "starts TIMESTAMP(3), ends TIMESTAMP(3), bidder BIGINT, num BIGINT",
        f"SELECT window_start, window_end, bidder, COUNT(*) FROM {SESSION} GROUP BY window_start, window_end, bidder",
    ),
    "best": Query(
        BIDS,
        TOP.format(keys="window_start, window_end", order="price DESC", most=1),
    ),
    "top": Query(
        BIDS,
        TOP.format(keys="window_start, window_end", order="price DESC, `dateTime`, bidder, auction", most=3),
    ),
    "top_by_auction": Query(
        BIDS,
        TOP.format(keys="window_start, window_end, auction", order="price DESC, `dateTime`, bidder", most=3),
    ),
    "O1": Query(
        "auction BIGINT, bidder BIGINT, price BIGINT, `dateTime` TIMESTAMP(3), num BIGINT, average BIGINT, highest BIGINT",
        "SELECT auction, bidder, price, `dateTime`, COUNT(price) OVER w, AVG(price) OVER w, MAX(price) OVER w FROM bid "
        "WINDOW w AS (PARTITION BY auction ORDER BY `dateTime` RANGE BETWEEN INTERVAL '10' SECOND PRECEDING AND CURRENT ROW)",
    ),
    "O2": Query(
        "`dateTime` TIMESTAMP(3), auction BIGINT, bidder BIGINT, price BIGINT, seller BIGINT, category BIGINT",
        "SELECT B.`dateTime`, B.auction, B.bidder, B.price, A.seller, A.category FROM bid B, auction A "
        "WHERE B.auction = A.id AND B.`dateTime` BETWEEN A.`dateTime` AND A.`dateTime` + INTERVAL '10' SECOND",
    ),
    "O3": Query(
        "`dateTime` TIMESTAMP(3), auction BIGINT, price BIGINT, version BIGINT, reserve BIGINT",
        "SELECT B.`dateTime`, B.auction, B.price, V.version, V.reserve FROM bid B "
        "JOIN auction_version FOR SYSTEM_TIME AS OF B.`dateTime` AS V ON B.auction = V.id",
    ),
}

SETTINGS = {
    "parallelism.default": str(jobs.CORES),
    "taskmanager.numberOfTaskSlots": str(jobs.CORES),
    "taskmanager.memory.managed.size": "2g",
    "taskmanager.memory.network.min": "256m",
    "taskmanager.memory.network.max": "256m",
    "state.backend.type": "hashmap",
    "table.local-time-zone": "UTC",
    "rest.port": "0",
}
TUNED = {
    "pipeline.object-reuse": "true",
    "table.exec.mini-batch.enabled": "true",
    "table.exec.mini-batch.allow-latency": "1 s",
    "table.exec.mini-batch.size": "5000",
    "table.optimizer.agg-phase-strategy": "TWO_PHASE",
}
ROCKSDB = {"state.backend.type": "rocksdb"}
CONFIGURATIONS: dict[str, dict[str, str]] = {
    "Flink": {},
    "Flink, tuned": TUNED,
    "Flink, RocksDB": ROCKSDB,
    "Flink, RocksDB, tuned": {**ROCKSDB, **TUNED},
}
OPENED = (
    *("java.lang", "java.lang.reflect", "java.net", "java.io", "java.nio", "java.text", "java.time", "java.util"),
    *("java.util.concurrent", "java.util.concurrent.atomic", "java.util.concurrent.locks", "sun.nio.ch"),
)


class Flink:
    """A running process that executes jobs over the streams in folders; its log goes to `log`."""

    def __init__(self, process: subprocess.Popen[str], log: IO[bytes]) -> None:
        self._process = process
        self._log = log

    def seconds(self, query: Query, events: Path, settings: Mapping[str, str] = MappingProxyType({})) -> float:
        """Returns the net runtime of the job without output."""
        return self._run(query, events, settings, None)

    def sums(self, query: Query, events: Path, *, batch: bool = False) -> list[int]:
        """Returns the sums of the output, see `jobs.sums`; `batch` as for `output`."""
        return self.output(query, events, jobs.sums, batch=batch)

    def output(
        self,
        query: Query,
        events: Path,
        read: Callable[[str], jobs.T],
        settings: Mapping[str, str] = MappingProxyType({}),
        *,
        batch: bool = False,
    ) -> jobs.T:
        """Returns what `read` makes of the folder with the output, as Parquet. `batch`: of its result at the end, which
        files cannot have of a stream that changes it."""
        with tempfile.TemporaryDirectory() as folder:
            # Files are completed only by checkpoints; the last one is at the end of the input.
            checkpoints = {
                "execution.checkpointing.interval": "5s",
                "execution.checkpointing.storage": "filesystem",
                "execution.checkpointing.dir": f"file://{folder}/checkpoints",
            }
            more = {} if batch else checkpoints
            self._run(query, events, {**settings, **more}, f"{folder}/rows", batch=batch)
            return read(f"{folder}/rows")

    def _run(
        self, query: Query, events: Path, settings: Mapping[str, str], rows: str | None, *, batch: bool = False
    ) -> float:
        request: dict[str, Any] = {"settings": {**SETTINGS, **settings}, "events": str(events.absolute())}
        request |= {"columns": query.columns, "sql": query.sql, "rows": rows, "batch": batch}
        assert self._process.stdin is not None and self._process.stdout is not None
        self._process.stdin.write(json.dumps(request) + "\n")
        self._process.stdin.flush()
        answer = self._process.stdout.readline()
        if not answer:
            self._log.seek(0)
            raise SystemExit("Flink has ended:\n" + self._log.read().decode("utf-8", "replace")[-4000:])
        return float(json.loads(answer)["seconds"])


@contextlib.contextmanager
def flink_process(python: str) -> Iterator[Flink]:
    """Starts the process; it ends with the block."""
    options = [f"-Xms{jobs.HEAP}", f"-Xmx{jobs.HEAP}", "-XX:MaxDirectMemorySize=4g"]
    options += [f"--add-opens=java.base/{package}=ALL-UNNAMED" for package in OPENED]
    home = Path(find_java().executable).resolve().parent.parent
    with tempfile.TemporaryFile() as log:
        process = subprocess.Popen(
            [python, str(Path(__file__).with_name("flink_job.py"))],
            env={**os.environ, "FLINK_ENV_JAVA_OPTS": " ".join(options), "JAVA_HOME": str(home)},
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=log,
            text=True,
        )
        try:
            yield Flink(process, log)
        finally:
            # The end of its input ends the process.
            process.communicate()


@contextlib.contextmanager
def running() -> Iterator[Flink | None]:
    """As `flink_process`, with the Python that has Flink; without one, prints so and yields None."""
    if (interpreter := python()) is None:
        print(ABSENT + "\n")
        yield None
    else:
        with flink_process(interpreter) as other:
            yield other


def python() -> str | None:
    """Returns the Python that has Flink, or None."""
    named = os.environ.get(PYTHON)
    if not named:
        return None
    asked = subprocess.run([named, "-c", "import pyflink"], capture_output=True, check=False)
    return named if asked.returncode == 0 else None
