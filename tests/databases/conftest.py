"""JDBC drivers, and a real PostgreSQL server on a free port of the loopback, in a zone of its own."""

from __future__ import annotations

import os
import shutil
import signal
import sqlite3
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from jdbc_drivers import gradle, jdbc_drivers
from ports import free_port

sys.path.insert(0, str(Path(__file__).parent))

from servers import PASSWORD, Postgres


@pytest.fixture(scope="session")
def drivers() -> dict[str, Path]:
    """The jars of the drivers by the beginning of their names."""
    return jdbc_drivers()


@pytest.fixture
def lite(drivers: dict[str, Path], tmp_path: Path) -> tuple[str, sqlite3.Connection]:
    """Options of a database of SQLite, and a connection to it."""
    file = tmp_path / "shop.db"
    options = f"connector 'jdbc', url 'jdbc:sqlite:{file}', driver_jar '{drivers['sqlite']}'"
    return options, sqlite3.connect(file, isolation_level=None)


@pytest.fixture(scope="session")
def postgres(drivers: dict[str, Path]) -> Iterator[Postgres]:
    """The server runs as long as the tests."""
    programs = _programs()
    # PostgreSQL does not run as root, and needs a folder of its own.
    user = "postgres" if os.geteuid() == 0 else None
    home = Path(tempfile.mkdtemp(prefix="rowtime-postgres-"))
    if user is not None:
        shutil.chown(home, user, user)
    words = home / "password"
    words.write_text(PASSWORD)
    words.chmod(0o644)
    port = free_port()
    log = home / "log"
    settings = ("-c", "listen_addresses=127.0.0.1", "-c", f"port={port}", "-c", f"unix_socket_directories={home}")
    others = ("-c", "timezone=Asia/Kolkata", "-c", "fsync=off", "-c", "max_connections=50")
    with tempfile.TemporaryFile() as said:
        made = subprocess.run(
            [
                programs / "initdb",
                "-D",
                home / "data",
                "-U",
                "me",
                "-A",
                "scram-sha-256",
                "--pwfile",
                words,
                "-E",
                "UTF8",
            ],
            stdout=said,
            stderr=said,
            user=user,
            cwd=home,
            check=False,
        )
        if made.returncode:
            said.seek(0)
            raise RuntimeError(said.read().decode(errors="replace")[-3000:])
    running: list[subprocess.Popen[bytes]] = []

    def start() -> None:
        if not running:
            with log.open("ab") as out:
                command = [programs / "postgres", "-D", home / "data", *settings, *others]
                running.append(subprocess.Popen(command, stdout=out, stderr=out, user=user, cwd=home))
        _wait(found, running[0], log)

    def stop() -> None:
        while running:
            server = running.pop()
            server.send_signal(signal.SIGINT)
            try:
                server.wait(20)
            except subprocess.TimeoutExpired:
                server.kill()
                server.wait()

    found = Postgres(port, programs / "psql", drivers["postgresql"], log, start, stop)
    try:
        start()
        yield found
    finally:
        stop()
        shutil.rmtree(home, ignore_errors=True)


def _programs() -> Path:
    """Returns the folder of initdb, postgres and psql; installs Debian's package if they are missing and that is
    possible."""
    for again in (False, True):
        named = [Path(found).resolve().parent] if (found := shutil.which("initdb")) else []
        for folder in [*named, *sorted(Path("/usr/lib/postgresql").glob("*/bin"), reverse=True)]:
            if all((folder / name).exists() for name in ("initdb", "postgres", "psql")):
                return folder
        if again or not gradle._apt_install(["postgresql"]):
            break
    pytest.skip("There is no PostgreSQL server, and none can be installed (Debian: apt-get install postgresql)")


def _wait(server: Postgres, process: subprocess.Popen[bytes], log: Path) -> None:
    until = time.monotonic() + 120
    while time.monotonic() < until and process.poll() is None:
        if server.answers():
            return
        time.sleep(0.2)
    raise RuntimeError("PostgreSQL did not start:" + os.linesep + log.read_text(errors="replace")[-3000:])
