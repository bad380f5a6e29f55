"""The operations of tests on a PostgreSQL server, apart from rowtime's."""

from __future__ import annotations

import os
import subprocess
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

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
