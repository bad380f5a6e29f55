"""Clients and the server die by SIGKILL: of batches that were acknowledged no row is lost, and none is there twice."""

from __future__ import annotations

import re
import signal
import subprocess
import sys
from collections import Counter
from pathlib import Path

import jdbc_programs

from rowtime.session import Session, connect

SIZE = 200


def serving(warehouse: Path) -> tuple[subprocess.Popen[str], str]:
    """A server in a process of its own, and its URL."""
    command = [str(Path(sys.executable).with_name("rowtime")), "serve", "--port", "0", "--warehouse", str(warehouse)]
    process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
    assert process.stdout is not None
    line = process.stdout.readline()
    match = re.search(r"jdbc:\S+", line)
    assert match is not None, line
    return process, match[0]


def sending(url: str, first: int, batches: int) -> subprocess.Popen[str]:
    command = jdbc_programs.command("Batches", url, str(first), str(SIZE), str(batches))
    return subprocess.Popen(command, stdout=subprocess.PIPE, text=True)


def acknowledged(client: subprocess.Popen[str]) -> set[int]:
    """The numbers of the batches that the client has printed."""
    assert client.stdout is not None
    firsts = [int(line) for line in client.stdout.read().splitlines() if line.isdigit()]
    return {number for first in firsts for number in range(first, first + SIZE)}


def await_batches(client: subprocess.Popen[str], count: int) -> set[int]:
    assert client.stdout is not None
    firsts = [int(client.stdout.readline()) for _ in range(count)]
    return {number for first in firsts for number in range(first, first + SIZE)}


def test_kill_9_of_clients_and_of_the_server(spark: object, tmp_path: Path) -> None:
    warehouse = tmp_path / "warehouse"
    with connect(spark, warehouse) as session:  # type: ignore[call-overload]
        session.sql(
            "CREATE STREAM numbers (n BIGINT, word VARCHAR) OPTIONS (history 'all', producer_timeout '1 SECOND')"
        )
    server, url = serving(warehouse)
    try:
        killed = sending(url, 0, 100_000)
        wanted = await_batches(killed, 10)
        killed.send_signal(signal.SIGKILL)
        wanted |= acknowledged(killed)
        killed.wait()
        orphaned = sending(url, 100_000_000, 100_000)
        wanted |= await_batches(orphaned, 10)
        server.send_signal(signal.SIGKILL)
        server.wait()
        wanted |= acknowledged(orphaned)
        orphaned.wait()
        server, url = serving(warehouse)
        last = sending(url, 200_000_000, 5)
        wanted |= acknowledged(last)
    finally:
        server.send_signal(signal.SIGTERM)
        server.wait(60)
    with connect(spark, warehouse) as session:  # type: ignore[call-overload]
        found = numbers(session)
    assert not [n for n, count in found.items() if count > 1]
    assert sorted(wanted - found.keys()) == []
    # A batch is there as a whole or not at all.
    assert all(count == SIZE for count in Counter(n // SIZE for n in found).values())


def numbers(session: Session) -> Counter[int]:
    log = session.log("NUMBERS")
    log.flush()
    return Counter(row.N for row in session.table("SELECT n FROM numbers").collect())
