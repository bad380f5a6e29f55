"""PgBouncer in front of a PostgreSQL server, which gives each transaction any connection."""

from __future__ import annotations

import os
import shutil
import subprocess
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from ports import free_port
from postgres_server import PASSWORD, Postgres


@contextmanager
def pooled(server: Postgres) -> Iterator[int]:
    """Yields the port of the pooler, which has two connections to the server. Skips the test if it is not installed."""
    program = shutil.which("pgbouncer", path=f"{os.environ.get('PATH', '')}:/usr/sbin")
    if program is None:
        pytest.skip("There is no PgBouncer (Debian: apt-get install pgbouncer)")
    # It does not run as root either.
    user = "postgres" if os.geteuid() == 0 else None
    port = free_port()
    home = Path(tempfile.mkdtemp(prefix="rowtime-pooler-"))
    (home / "users").write_text(f'"me" "{PASSWORD}"\n')
    (home / "settings").write_text(
        f"[databases]\npostgres = host=127.0.0.1 port={server.port}\n[pgbouncer]\nlisten_addr = 127.0.0.1\n"
        f"listen_port = {port}\nunix_socket_dir =\nauth_type = scram-sha-256\nauth_file = {home / 'users'}\n"
        "pool_mode = transaction\ndefault_pool_size = 2\n"
    )
    for path in (home, *home.iterdir()):
        if user is not None:
            shutil.chown(path, user)
    with (home / "log").open("wb") as log:
        process = subprocess.Popen([program, home / "settings"], user=user, cwd=home, stdout=log, stderr=log)
    try:
        until = time.monotonic() + 30
        while b"process up" not in (home / "log").read_bytes():
            assert process.poll() is None, (home / "log").read_text()
            assert time.monotonic() < until
            time.sleep(0.1)
        yield port
    finally:
        process.kill()
        process.wait()
        shutil.rmtree(home, ignore_errors=True)
