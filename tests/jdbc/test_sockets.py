"""A thousand clients at a time, with a socket each: all are served, one more is refused, and nothing of them
remains."""

from __future__ import annotations

import contextlib
import http.client
import json
import socket
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from rowtime import dbapi
from rowtime.serve.server import MOST_CONNECTIONS, JdbcServer
from rowtime.session import Session


@pytest.fixture
def server(rt: Session) -> Iterator[JdbcServer]:
    """A server that closes idle connections after a time in which a busy machine opens a thousand."""
    made = rt.serve_jdbc(0, idle_timeout=10)
    yield made
    made.close()


class Jvm:
    """The resources that the server uses in its JVM."""

    def __init__(self, session: Session) -> None:
        self._java: Any = session.spark._jvm.java  # type: ignore[union-attr]
        self._files = Path(f"/proc/{self._java.lang.ProcessHandle.current().pid()}/fd")

    def sockets(self) -> int:
        """Returns the number of open sockets; a few of them connect threads to the Python process."""
        found = 0
        for file in self._files.iterdir():
            with contextlib.suppress(FileNotFoundError):
                found += file.readlink().name.startswith("socket:")
        return found

    def threads(self) -> int:
        """Returns the number of threads that answer requests."""
        names = (thread.getName() for thread in self._java.lang.Thread.getAllStackTraces().keySet())
        return sum(name.startswith("rowtime-serve") for name in names)


def ask(link: http.client.HTTPConnection, **request: Any) -> dict[str, Any]:
    link.request("POST", "/", json.dumps(request).encode())
    answer: dict[str, Any] = json.loads(link.getresponse().read())
    return answer


def eventually(what: Any, seconds: float = 60) -> None:
    end = time.monotonic() + seconds
    while not what():
        assert time.monotonic() < end
        time.sleep(0.1)


def test_a_thousand_open_connections(rt: Session, server: JdbcServer) -> None:
    jvm = Jvm(rt)
    before = jvm.sockets()
    links = [http.client.HTTPConnection("127.0.0.1", server.port, timeout=60) for _ in range(MOST_CONNECTIONS)]
    for number, link in enumerate(links):
        assert ask(link, request="openConnection", connectionId=f"c{number}", info={})["response"] == "openConnection"
        (own,) = {link.sock}
        # The socket stays open between requests: no client is disconnected because there are many.
        assert ask(link, request="createStatement", connectionId=f"c{number}")["statementId"] == 1
        assert link.sock is own
    with pytest.raises(dbapi.DatabaseError, match="RT0643: The server has 1000 open connections"):
        dbapi.connect(f"rowtime://127.0.0.1:{server.port}")
    # Some clients disconnect properly, others just disappear.
    for number, link in enumerate(links):
        if number % 2:
            ask(link, request="closeConnection", connectionId=f"c{number}")
        link.close()
    eventually(lambda: jvm.sockets() <= before + 20)
    with dbapi.connect(f"rowtime://127.0.0.1:{server.port}") as connection:
        assert connection.execute("SELECT 1").fetchall() == [(1,)]
    # These are closed after the idle time; until then they count.
    for _ in range(2):
        eventually(lambda: _opens(server, MOST_CONNECTIONS))
    eventually(lambda: jvm.threads() <= 20)
    assert not server._backend._statements


def _opens(server: JdbcServer, count: int) -> bool:
    """Returns whether this many connections can be opened; closes them again."""
    link = http.client.HTTPConnection("127.0.0.1", server.port, timeout=60)
    opened = []
    for number in range(count):
        if ask(link, request="openConnection", connectionId=f"d{number}", info={})["response"] == "error":
            break
        opened.append(number)
    for number in opened:
        ask(link, request="closeConnection", connectionId=f"d{number}")
    link.close()
    return len(opened) == count


def test_a_thousand_halves_of_requests(rt: Session, server: JdbcServer) -> None:
    jvm = Jvm(rt)
    before = jvm.sockets()
    halves = [socket.create_connection(("127.0.0.1", server.port)) for _ in range(1_000)]
    for number, half in enumerate(halves):
        line = b"POST / HTTP/1.1\r\nContent-Length: 100\r\n"
        half.sendall(line[:20] if number % 2 else line + b"\r\n{")
    begin = time.monotonic()
    with dbapi.connect(f"rowtime://127.0.0.1:{server.port}") as connection:
        assert connection.execute("SELECT 1").fetchall() == [(1,)]
    assert time.monotonic() - begin < 20
    for half in halves:
        half.close()
    eventually(lambda: jvm.sockets() <= before + 20 and jvm.threads() <= 20)
