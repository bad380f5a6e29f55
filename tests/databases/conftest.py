"""JDBC drivers, and a real PostgreSQL server on a free port of the loopback, in a zone of its own."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from pathlib import Path

import pytest
from jdbc_drivers import jdbc_drivers
from postgres_server import Postgres, running_postgres


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
    with running_postgres(drivers["postgresql"]) as server:
        yield server
