"""A real PostgreSQL server on a free port of the loopback, and the operations of tests on it, apart from rowtime's."""

from __future__ import annotations

import contextlib
import os
import shutil
import signal
import subprocess
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

import pytest
from jdbc_drivers import gradle
from ports import free_port

PASSWORD = "s3cret-words"


@dataclass(frozen=True)
class Postgres:
    port: int
    psql: Path
    jar: Path
    log: Path
    """The log file of the server."""
    start: Callable[[], None]
    """Starts the server, if it does not run, and waits until it answers."""
    stop: Callable[[], None]
    """Stops it, regardless of open connections."""
    kill: Callable[[], None]
    """Kills it, as a crash would."""

    @property
    def url(self) -> str:
        return f"jdbc:postgresql://127.0.0.1:{self.port}/postgres"

    @property
    def options(self) -> str:
        return f"connector 'jdbc', url '{self.url}', user 'me', password '{PASSWORD}', driver_jar '{self.jar}'"

    def run(self, sql: str) -> list[str]:
        """Returns the rows of a statement, with fields separated by bars; times are in UTC."""
        return self._psql(sql, check=True).stdout.splitlines()

    def answers(self) -> bool:
        return self._psql("SELECT 1", check=False).returncode == 0

    def _psql(self, sql: str, *, check: bool) -> subprocess.CompletedProcess[str]:
        where = ["-h", "127.0.0.1", "-p", str(self.port), "-U", "me", "-d", "postgres"]
        return subprocess.run(
            [self.psql, *where, "-X", "-q", "-A", "-t", "-v", "ON_ERROR_STOP=1", "-c", sql],
            env={**os.environ, "PGPASSWORD": PASSWORD, "PGTZ": "UTC"},
            capture_output=True,
            text=True,
            check=check,
        )


@contextmanager
def running_postgres(driver: Path) -> Iterator[Postgres]:
    """A server of its own, in a zone of its own; `driver` is the jar of the JDBC driver."""
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
    _initialize(programs, home, user, words)
    running: list[subprocess.Popen[bytes]] = []

    def start() -> None:
        until = time.monotonic() + 60
        while not running:
            with log.open("ab") as out:
                command = [programs / "postgres", "-D", home / "data", *settings, *others]
                process = subprocess.Popen(command, stdout=out, stderr=out, user=user, cwd=home)
            with contextlib.suppress(subprocess.TimeoutExpired):
                # After a crash, the processes of the connections may not have ended yet: then it ends at once.
                process.wait(0.5)
            if process.poll() is None or time.monotonic() > until:
                running.append(process)
        _wait(found, running[0], log)

    def kill() -> None:
        server = running.pop()
        server.kill()
        server.wait()

    def stop() -> None:
        while running:
            server = running.pop()
            server.send_signal(signal.SIGINT)
            try:
                server.wait(20)
            except subprocess.TimeoutExpired:
                server.kill()
                server.wait()

    found = Postgres(port, programs / "psql", driver, log, start, stop, kill)
    try:
        start()
        yield found
    finally:
        stop()
        shutil.rmtree(home, ignore_errors=True)


def _initialize(programs: Path, home: Path, user: str | None, words: Path) -> None:
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
