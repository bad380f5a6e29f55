"""The databases that can have a catalog."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from postgres_server import PASSWORD, Postgres, running_postgres


@pytest.fixture(scope="session")
def server() -> Iterator[Postgres]:
    """A server of PostgreSQL that runs as long as the tests."""
    pytest.importorskip("psycopg")
    with running_postgres(Path()) as server:
        yield server


@pytest.fixture
def url(server: Postgres) -> str:
    """The address of a database without a catalog."""
    server.start()
    server.run("DROP SCHEMA IF EXISTS rowtime CASCADE")
    return f"postgresql://me:{PASSWORD}@127.0.0.1:{server.port}/postgres"


@pytest.fixture(params=["sqlite", "postgresql"])
def each_database(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> str:
    """Lets a test, and the processes that it starts, have the catalog in each database."""
    monkeypatch.setenv("ROWTIME_CATALOG", request.getfixturevalue("url") if request.param == "postgresql" else "")
    return str(request.param)
