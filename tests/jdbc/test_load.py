"""Ten connections, each with a stream that is read and a producer: every row arrives once, in order, and memory is
constant. Meanwhile a client is killed, and then the server: no row of an acknowledged batch is lost or repeated."""

from __future__ import annotations

import os
import re
import signal
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Callable, Iterator
from pathlib import Path

import jdbc_programs
import pytest

from rowtime import dbapi
from rowtime.jvm.java import find_java

BATCH = 20
DDL = "CREATE STREAM load (producer INTEGER, n INTEGER, word VARCHAR) OPTIONS (history 'all')"
GROWTH = {"heap": 40_000_000, "python": 80_000_000}
"""The most bytes by which memory grows from the middle of the long form to its end. In the short form it is not
constant yet: the JVM compiles and loads, threads start, and results keep up to 20,000 rows for each reader."""
MOST = {"heap": 250_000_000, "python": 800_000_000}
"""The most bytes at any time, twice what the long form reaches."""


class Served:
    """`rowtime serve` in processes of its own."""

    def __init__(self, warehouse: Path) -> None:
        command = [str(Path(sys.executable).with_name("rowtime")), "serve", "--port", "0", "--idle-timeout", "4"]
        self.process = subprocess.Popen(
            [*command, "--warehouse", str(warehouse)],
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            text=True,
            start_new_session=True,
        )
        assert self.process.stdout is not None
        line = self.process.stdout.readline()
        match = re.search(r"jdbc:rowtime(\S+)", line)
        assert match is not None, line
        self.url, self._remote = match[0], f"rowtime{match[1]}"
        (self._jvm,) = [
            int(entry.name)
            for entry in Path("/proc").iterdir()
            if entry.name.isdigit() and _is_java_of(entry, self.process.pid)
        ]

    def connect(self) -> dbapi.Connection:
        return dbapi.connect(self._remote)

    def end(self, sent: signal.Signals) -> None:
        """Ends the server with SIGTERM, or all its processes with SIGKILL."""
        if sent == signal.SIGKILL:
            os.killpg(self.process.pid, sent)
        else:
            self.process.send_signal(sent)
        self.process.wait(60)

    def memory(self) -> dict[str, int]:
        """Returns the bytes of live objects on the heap of the JVM, and of the memory of the Python process."""
        status = Path(f"/proc/{self.process.pid}/status").read_text()
        resident = re.search(r"VmRSS:\s+(\d+) kB", status)
        assert resident is not None
        return {
            "heap": int(self._jcmd("GC.class_histogram").split("Total")[1].split()[1]),
            "python": int(resident[1]) << 10,
        }

    def _jcmd(self, what: str) -> str:
        tool = Path(find_java().executable).with_name("jcmd")
        return subprocess.run([str(tool), str(self._jvm), what], capture_output=True, text=True, check=True).stdout


def _is_java_of(process: Path, session: int) -> bool:
    try:
        words = (process / "stat").read_text().rpartition(") ")[2].split()
        return int(words[3]) == session and (process / "comm").read_text().strip() == "java"
    except (FileNotFoundError, ProcessLookupError):
        return False


class Client:
    """A process with connections that read and send; `Load.java`."""

    def __init__(self, server: Served, first: int, count: int, seconds: float) -> None:
        # It reads several times as many bytes as it may hold.
        command = jdbc_programs.command("Load", server.url, str(first), str(count), str(seconds), options=["-Xmx48m"])
        self.process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
        self._lines: list[str] = []

    def await_batches(self, count: int) -> None:
        assert self.process.stdout is not None
        while sum(line.startswith("ack ") for line in self._lines) < count:
            line = self.process.stdout.readline()
            assert line, self._lines[-5:]
            self._lines.append(line.rstrip())

    def finish(self) -> Client:
        assert self.process.stdout is not None
        self._lines += self.process.stdout.read().splitlines()
        self.process.wait(60)
        strange = [line for line in self._lines if not line.startswith(("ack ", "read ", "# "))]
        assert not strange, strange
        return self

    def acknowledged(self) -> set[tuple[int, int]]:
        """Returns the rows that the server has acknowledged: producer, number."""
        batches = [line.split() for line in self._lines if line.startswith("ack ")]
        return {(int(producer), int(n) + i) for _, producer, n in batches for i in range(BATCH)}

    def read(self) -> list[list[int]]:
        """Returns for each reader how many rows of each producer it has read."""
        found = [line.partition("[")[2].rstrip("]").split(", ") for line in self._lines if line.startswith("read ")]
        return [[int(count) for count in counts] for counts in found]


@pytest.fixture
def serving(tmp_path: Path) -> Iterator[Callable[[], Served]]:
    """Starts a server; a server that is still running after the test is killed."""
    started: list[Served] = []

    def start() -> Served:
        started.append(Served(tmp_path / "warehouse"))
        return started[-1]

    yield start
    for server in started:
        if server.process.poll() is None:
            server.end(signal.SIGKILL)


def test_ten_connections(serving: Callable[[], Served], thorough: bool, figures: Callable[..., None]) -> None:
    server = serving()
    with server.connect() as connection:
        connection.execute(DDL)
    seconds = 60 if thorough else 8
    nine, killed = Client(server, 0, 9, seconds), Client(server, 9, 1, 600)
    nine.await_batches(9 * 10)
    killed.await_batches(10)
    begin = time.monotonic()
    samples = [server.memory()]
    killed.process.send_signal(signal.SIGKILL)
    for part in range(1, 7):
        time.sleep(max(0.0, begin + part * seconds / 8 - time.monotonic()))
        samples.append(server.memory())
    nine.finish()
    killed.finish()

    # Each reader has read each row once and in order, up to the last ones of the nine.
    sent = nine.acknowledged() | killed.acknowledged()
    counts = [sum(producer == p for producer, _ in sent) for p in range(10)]
    assert len(nine.read()) == 9
    for read in nine.read():
        assert read[:9] == counts[:9]
        assert 0 < read[9] <= counts[9] + BATCH
    assert all(sample[part] < most for sample in samples for part, most in MOST.items()), samples
    if thorough:
        assert all(samples[-1][part] - samples[3][part] < most for part, most in GROWTH.items()), samples
    figures(connections=10, seconds=seconds, rows_sent=len(sent), rows_read=sum(map(sum, nine.read())), **samples[-1])

    # The server is killed while two connections send and read; everything that it acknowledged exists afterwards.
    orphaned = Client(server, 10, 2, 600)
    orphaned.await_batches(10)
    server.end(signal.SIGKILL)
    sent |= orphaned.finish().acknowledged()
    server = serving()
    sent |= (last := Client(server, 13, 1, 2).finish()).acknowledged()
    (read,) = last.read()
    assert read[:9] == counts[:9]
    assert read[9] in (counts[9], counts[9] + BATCH)
    with server.connect() as connection:
        rows = connection.execute("SELECT producer, n FROM load").fetchall()
    assert len(set(rows)) == len(rows)
    assert sent - set(rows) == set()
    # A batch exists as a whole or not at all, and after the acknowledged ones there is at most one of each producer.
    batches = Counter((producer, n // BATCH) for producer, n in rows)
    assert set(batches.values()) == {BATCH}
    assert len(rows) - len(sent) <= 3 * BATCH
    server.end(signal.SIGTERM)
    assert server.process.returncode == 0
