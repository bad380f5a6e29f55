"""A server for JDBC clients over a warehouse of the test's own."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from rowtime.serve.server import JdbcServer
from rowtime.session import Session


@pytest.fixture
def server(rt: Session) -> Iterator[JdbcServer]:
    made = rt.serve_jdbc(0)
    yield made
    made.close()
