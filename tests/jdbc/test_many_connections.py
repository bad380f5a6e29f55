"""More connections than the server accepts: it says so, and there is room again when they close."""

from __future__ import annotations

import contextlib
import http.client
import json
import resource
import socket
from collections.abc import Iterator

import pytest
from queries import eventually

from rowtime import dbapi
from rowtime.jvm.open_files import most_open_files
from rowtime.serve.server import JdbcServer

SOCKETS = 2_000
"""Two for each client connection."""


@pytest.fixture
def files() -> Iterator[None]:
    if most_open_files() < 2 * SOCKETS + 600:
        pytest.skip("needs more open files")
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (max(soft, 2 * SOCKETS), hard))
    yield
    resource.setrlimit(resource.RLIMIT_NOFILE, (soft, hard))


def is_closed(connection: socket.socket) -> bool:
    try:
        return connection.recv(1) == b""
    except BlockingIOError:
        return False
    except ConnectionError:
        return True


def test_idle_connections(server: JdbcServer, files: None) -> None:
    url = f"rowtime://127.0.0.1:{server.port}"
    with contextlib.ExitStack() as opened:
        early = opened.enter_context(dbapi.connect(url))
        assert early.execute("SELECT 1 AS n").fetchall() == [(1,)]
        idle: list[socket.socket] = []

        def is_full() -> bool:
            """Opens more, because idle ones end after half a minute. Returns whether a client is refused."""
            for _ in range(SOCKETS + 100 if not idle else 200):
                idle.append(opened.enter_context(socket.create_connection(("127.0.0.1", server.port), 10)))
                idle[-1].setblocking(False)
            try:
                with dbapi.connect(url) as another:
                    another.execute("SELECT 2 AS n")
            except dbapi.OperationalError as fault:
                return "has closed the new connection: it has as many as it accepts" in str(fault)
            return False

        eventually(is_full)
        assert sum(map(is_closed, idle)) > 0
        for each in idle:
            each.close()
        eventually(lambda: _answers(url))
        assert early.execute("SELECT 3 AS n").fetchall() == [(3,)]


def test_clients_that_were_turned_away(server: JdbcServer, files: None) -> None:
    """They cannot keep clients out that are in: these may have to open their TCP connections anew."""
    with contextlib.ExitStack() as opened:
        early = opened.enter_context(dbapi.connect(f"rowtime://127.0.0.1:{server.port}"))
        assert early.execute("SELECT 1 AS n").fetchall() == [(1,)]
        links, refused = [], 0
        for number in range(SOCKETS + 100):
            links.append(http.client.HTTPConnection("127.0.0.1", server.port, timeout=60))
            request = {"request": "openConnection", "connectionId": f"c{number}", "info": {}}
            links[-1].request("POST", "/", json.dumps(request).encode())
            response = links[-1].getresponse()
            refused += b"RT0643" in response.read()
            assert response.will_close == (refused > 0)
            opened.callback(links[-1].close)
        assert refused > 1_000
        early._link.close()
        assert early.execute("SELECT 2 AS n").fetchall() == [(2,)]


def _answers(url: str) -> bool:
    try:
        with dbapi.connect(url) as late:
            return late.execute("SELECT 4 AS n").fetchall() == [(4,)]
    except dbapi.OperationalError:
        return False
